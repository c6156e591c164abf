"""A run over the blocks of a file: all that it is between two blocks, and how it goes on with the next.

Features and classes come as they will: the weights grow with them. Columns are counted as in the file, so that the
weights of a file that counts from 1 have an unused first row, which goes at the end.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import encode, merge, n_weight_rows
from rosenblatt.base.record.parts import Parts, Tensors, labels_as_json, labels_from_json, parameters_as_json
from rosenblatt.base.rows import SparseRows, zero_weights
from rosenblatt.members.linear.learn import with_classes
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.record import restore_state, take_state
from rosenblatt.members.linear.room import check_room
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.scales import Scales, uneven_scales
from rosenblatt.members.stopping import Stopping
from rosenblatt.services.stream.svmlight import Block, Stream

_KEPT = ("n_columns", "has_zero", "n_updates", "end", "n_rows", "mistakes", "loss")


class ReadOnceError(ValueError):
    """A second pass over what is gone once it is read."""


@dataclass
class FileRun:
    """All that a run is between two blocks."""

    parameters: PerceptronParameters
    stream: Stream
    state: LinearState = field(init=False)
    classes: Array = field(default_factory=lambda: np.empty(0))
    n_columns: int = 1  # that occurred so far; there is room for more
    has_zero: bool = False
    n_updates: int = 0
    end: int = 0  # of the pass so far, as the rest
    n_rows: int = 0
    mistakes: int = 0
    loss: float = 0.0
    scales: Scales | None = None  # of the first block, if they do not go together

    def __post_init__(self) -> None:
        p = self.parameters
        self.rule = p.rule(1)
        room = (self.stream.n_features or 0) + (self.stream.zero_based is not True)
        w = zero_weights(room, 1, self.stream.dtype)
        self.state = LinearState.begin(w, 1, p.bias, p.unit, step=p.step, readout=p.readout, keep_mistakes=False)
        passes: Any = p.max_iter  # see stream.fit: never "validate"
        self.stopping = Stopping(0, passes, p.tol, p.n_iter_no_change)

    def learn(self, block: Block) -> None:
        """Visit the rows of a block."""
        target = self._targets(block.y)
        if not self.stopping.mistakes:  # in the first pass; the others have the same rows
            if not self.n_rows:
                values, columns, starts = block.arrays()
                some = SparseRows(values, columns, starts, block.n_columns)
                self.scales = uneven_scales(some, self.parameters.bias)
            self._make_room(block.n_columns)
            self.has_zero = self.has_zero or block.has_zero
        weight = None
        if self.parameters.class_weight is not None:
            of_class = [self.parameters.class_weight.get(label, 1.0) for label in self.classes.tolist()]
            weight = np.array(of_class, dtype=self.stream.dtype)[target]
        if len(self.classes) == 1:  # it counts as positive until another one comes
            target = target + np.int32(1)
        mistakes, losses, updates = self.state.train(
            block.rows,
            None,
            target,
            weight,
            self.rule,
            number=None,
            seed=None,
            first_pass=0,
            passes=1,
            whole_passes=False,
        )
        self.n_updates += updates
        self.n_rows += len(target)
        self.mistakes += int(mistakes[0])
        self.loss += float(losses[0])
        self.end = block.end

    def _targets(self, y: Array) -> Array:
        """The class numbers of labels; new classes join the others."""
        if len(self.classes) and self.classes.dtype.kind == y.dtype.kind:
            later = self.classes[1:]
            known = y >= later if len(later) == 1 else np.searchsorted(later, y, side="right")
            target = known.astype(np.int32)  # of two classes without a search, whose branches nothing can foresee
            if (self.classes.take(target) == y).all():
                return target
        own, target = encode(y)
        merged = merge(self.classes, own)
        if len(self.classes):
            self.state = with_classes(self.parameters, self.state, self.classes, merged)
        elif len(merged) > 2:
            self.state = self.state.grown(len(merged), [[(0, 1.0)]])
        self.classes = merged
        return np.searchsorted(merged, own).astype(np.int32)[target]

    def _make_room(self, n_columns: int) -> None:
        """A quarter more than is needed, so that weights are seldom moved."""
        self.n_columns = max(self.n_columns, n_columns)
        if self.n_columns > len(self.state.w) - 1:
            try:
                check_room(self.parameters, self.n_columns, self.state.n_rows, self.state.dtype)
                self.state = self.state.with_features(0, self.n_columns * 5 // 4)
            except MemoryError as error:
                expected = f"expected indices whose weights fit into memory, found {n_columns - 1}"
                raise ValueError(f"{self.stream.name}: {expected}: {error}") from None

    def end_pass(self) -> None:
        """The file was read to its end."""
        if not np.isfinite(self.state.w).all():
            raise OverflowError(f"the weights are too large for their type in pass {len(self.stopping.mistakes) + 1}")
        self.stopping.n_rows = self.n_rows
        self.stopping.after([self.mistakes], self.loss / self.n_rows)
        if not self.stopping.end:
            if not self.stream.is_file:
                raise ReadOnceError(f"{self.stream.name} can be read only once: use max_iter=1, or a cache")
            self.end = self.n_rows = self.mistakes = 0
            self.loss = 0.0

    def finished(self) -> tuple[LinearModel, bool]:
        """The model, and whether the first feature is column 0 of the file."""
        stream = self.stream
        if len(self.classes) < 2:
            raise ValueError(
                f"{LinearModel.kind} needs at least 2 classes, got samples of only one class: {self.classes.tolist()}"
            )
        zero_based = self.has_zero or self.n_columns == 1 if stream.zero_based == "auto" else stream.zero_based
        first = 0 if zero_based else 1
        n_features = max(self.n_columns - first, 1) if stream.n_features is None else stream.n_features
        state = self.state.with_features(first, first + n_features)
        passes = [*self.stopping.mistakes]
        model = LinearModel(self.parameters, self.classes, state, n_features, self.n_rows, self.n_updates, passes)
        return model, bool(zero_based)

    def identity(self) -> dict[str, Any]:
        """What another run must have in common to go on from here."""
        return {
            "parameters": parameters_as_json(self.parameters.as_dict(), {}),
            "source": [*(self.stream.mark() or ())],
            "dtype": self.stream.dtype.name,
            "rows": self.stream.options,
        }

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        """The record and the tensors of a checkpoint."""
        tensors: Tensors = {}
        record = {
            **take_state(self.state, tensors),
            "classes": labels_as_json(self.classes),
            "room": len(self.state.w) - 1,
            **self.stopping.to_record(tensors),
            **{name: getattr(self, name) for name in _KEPT},
        }
        return record, tensors

    def restore(self, parts: Parts) -> None:
        """Go on from there."""
        self.classes = labels_from_json(parts.value("classes", "the labels", lambda value: value is not None))
        self.has_zero, self.loss = parts.flag("has_zero"), parts.number("loss")
        for name in ("n_columns", "n_updates", "end", "n_rows", "mistakes"):
            setattr(self, name, parts.count(name))
        self.stopping.n_rows = self.n_rows
        self.stopping.restore(parts)
        state = restore_state(parts.count("room", least=1), n_weight_rows(len(self.classes)), self.n_rows, parts)
        parts.end()
        copies = {name: array.copy() for name in ("w", "spread", "sums") if (array := getattr(state, name)) is not None}
        self.state = replace(state, **copies)
