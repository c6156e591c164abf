"""How far numbers are from what they should be: the mean square, its root, and the share of the variance explained."""

import math
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.arrays import Array


class SquaredError(NamedTuple):
    """`r2` is 1 - the sum of squares over that of y - its mean; None where y is constant, and it has no meaning."""

    mean: float
    root: float
    r2: float | None

    @classmethod
    def of(cls, y: Any, outputs: Array) -> "SquaredError":
        """Of right numbers and outputs, one a row.

        >>> SquaredError.of([0.0, 1.0, 2.0], np.array([0.5, 1.0, 1.5]))
        SquaredError(mean=0.16666666666666666, root=0.408248290463863, r2=0.75)
        """
        true = np.asarray(y, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            squares, spread = ((true - outputs) ** 2).sum(), ((true - true.mean()) ** 2).sum()
        if not np.isfinite([squares, spread]).all():
            raise ValueError("the squares of y - w.x are not finite: scale y")
        mean = float(squares) / len(true)
        return cls(mean, math.sqrt(mean), 1 - float(squares) / float(spread) if spread > 0 else None)
