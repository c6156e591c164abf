"""The list of all additions to the weights, in order: every readout that needs the mistakes comes from it."""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np

from rosenblatt.base.arrays import Array


@dataclass
class Events:
    """After `visit` visits, `tau` times row `row` was added to machine `cls`: columns of one length."""

    visit: Array = field(default_factory=lambda: np.empty(0, np.int64))
    row: Array = field(default_factory=lambda: np.empty(0, np.int64))
    cls: Array = field(default_factory=lambda: np.empty(0, np.int32))
    tau: Array = field(default_factory=lambda: np.empty(0, np.float64))

    def __len__(self) -> int:
        return len(self.visit)

    def __getitem__(self, which: Any) -> Self:
        return type(self)(*(getattr(self, f.name)[which] for f in fields(self)))

    @classmethod
    def join(cls, pieces: list[Self]) -> Self:
        """Pieces one after the other."""
        return cls(*(np.concatenate([getattr(piece, f.name) for piece in [cls(), *pieces]]) for f in fields(cls)))

    def grow(self, rows: list[list[tuple[int, float]]]) -> Self:
        """Make room for more classes: `rows[c]` has the new machines of old machine c, and their signs."""
        moves = [(self[self.cls == c], to, sign) for c, targets in enumerate(rows) for to, sign in targets]
        moved = self.join([replace(p, cls=np.full_like(p.cls, to), tau=p.tau * sign) for p, to, sign in moves])
        return moved[np.argsort(moved.visit, kind="stable")]
