"""Learning from files: block by block from a file larger than memory, or in memory from several files or in shards.

A run over blocks is `fit` with shuffle=False, cut into blocks: it makes the same visits from zero weights in the listed
order, and gets the same weights, to the bit. New features and classes may come in any block: the weights grow with
them. Columns are counted as in the file. If the file counts from 1, the weights have an unused first row, which is
removed at the end. Several files are read into memory, and the result is that of `fit` with all their rows.
"""

import os
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.atomic_write import remove_leftovers
from rosenblatt.base.engines import Engine
from rosenblatt.base.labels import encode, merge
from rosenblatt.base.record.parts import Parts, Tensors, labels_as_json, labels_from_json, parameters_as_json
from rosenblatt.base.rows import SparseRows
from rosenblatt.members.fit import fit
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import random_state
from rosenblatt.members.rows import Order, RowMember, RowsRun, WeightedRows, check_two_classes
from rosenblatt.members.run import Turn, Watch, run
from rosenblatt.members.scales import Scales, uneven_scales
from rosenblatt.members.stopping import End, Stopping
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.source_mark import check_unchanged, refuse_changes
from rosenblatt.services.stream.checkpoint import Checkpoint, check_resume
from rosenblatt.services.stream.streams import Stream, StreamBlock, SvmlightStream, TableStream

_KEPT = ("n_columns", "n_updates", "end", "n_rows", "mistakes")


class ReadOnceError(ValueError):
    """A second pass over data that can be read only once."""


class BlockPlace(NamedTuple):
    """How far a run over a file is."""

    position: int  # in the file, in bytes
    size: int | None  # of the file; None if unknown
    n_rows: int  # of this pass so far
    n_rows_before: int  # of all passes before


class Fitted(NamedTuple):
    """What was learned, whether the file counts columns from 0, why the run has ended, and uneven scales."""

    model: Any
    zero_based: bool
    end: End | None
    scales: Scales | None = None


class FromBlocks(RowsRun):
    """A run over the blocks of a file."""

    def __init__(self, member: RowMember[Any], stream: Stream) -> None:
        p, room = member.parameters, (stream.n_features or 0) + (stream.zero_based is not True)
        nothing = np.empty(0, np.int64)
        empty = SparseRows(np.empty(0, stream.dtype), nothing, np.zeros(1, np.int64), room)
        state, _ = member.begin(np.empty(0), empty, random_state(p.random_state))
        super().__init__(member, state, np.empty(0), room, 0, Stopping(1, p.max_iter, p.tol, p.n_iter_no_change))
        self.stream, self.mark, self.size = stream, stream.mark(), stream.size
        self.room = room
        self.n_columns = 1  # columns that occurred so far; the weights have room for more
        self.has_zero, self.over = False, False  # whether column 0 occurred; whether the pass is over
        self.end = self.n_rows = self.mistakes = 0  # of the pass so far
        self.loss = 0.0
        self.scales: Scales | None = None  # of the first block, if its columns have very different scales
        self._blocks: Generator[StreamBlock, None, None] | None = None

    def turn(self, passes: int) -> Turn:  # noqa: ARG002 - one block
        """Visit a block, or end a pass."""
        if self.over:
            if not self.stream.is_file:
                raise ReadOnceError(f"{self.stream.name} can be read only once: use max_iter=1, or a cache")
            self.end = self.n_rows = self.mistakes = 0
            self.loss, self.over = 0.0, False
        if self._blocks is None:
            check_unchanged(self.stream, self.mark)
            self._blocks = self.stream.blocks(self.end)
        block = next(self._blocks, None)
        if block is not None:
            self._learn(block)
            return Turn(so_far=self.mistakes, at=self._place())
        check_unchanged(self.stream, self.mark)
        self._blocks, self.over, self.stop.n_rows = None, True, self.n_rows
        self.check_weights()
        return Turn([self.mistakes], self.loss / self.n_rows, at=self._place())

    def close(self) -> None:
        if self._blocks is not None:
            self._blocks.close()

    def _learn(self, block: StreamBlock) -> None:
        target, of_class = self._targets(block.y), self.member.parameters.class_weight
        if not self.stop.mistakes:  # only in the first pass, because the others have the same rows
            if not self.n_rows:
                self.scales = uneven_scales(_rows_of(block), getattr(self.member.parameters, "bias", 0.0))
            self._make_room(block.n_columns)
            self.has_zero = self.has_zero or block.has_zero
        weight = None
        if of_class is not None:
            weights = [of_class.get(label, 1.0) for label in self.classes.tolist()]
            weight = np.array(weights, dtype=self.stream.dtype)[target]
        if len(self.classes) == 1:  # a single class counts as positive until another one comes
            target = target + np.int32(1)
        rows = WeightedRows(block.rows, _rows_of(block) if self.member.in_python else None, target, weight)
        mistakes, losses, updates = self.member.visit(self.state, rows, Order(whole_passes=False))
        self.n_updates += updates
        self.n_rows += len(target)
        self.n_seen = max(self.n_seen, self.n_rows)
        self.mistakes += int(mistakes[0])
        self.loss += float(losses[0])
        self.end = block.end

    def _targets(self, y: Array) -> Array:
        """The class numbers of labels; new classes join the others."""
        if len(self.classes) and self.classes.dtype.kind == y.dtype.kind:
            later = self.classes[1:]
            known = y >= later if len(later) == 1 else np.searchsorted(later, y, side="right")
            target = known.astype(np.int32)  # two classes need no search, whose branches no processor can predict
            if (self.classes.take(target) == y).all():
                return target
        new, target = encode(y)
        merged = merge(self.classes, new)
        self.state, self.classes = self.member.grow(self.state, self.classes, merged), merged
        return np.searchsorted(merged, new).astype(np.int32)[target]

    def _make_room(self, n_columns: int) -> None:
        """Make a quarter more room than needed, so that weights are seldom copied."""
        self.n_columns = max(self.n_columns, n_columns)
        if self.n_columns > self.room:
            try:
                self.member.check_room(self.state, self.n_columns)
                self.room = self.n_columns * 5 // 4
                self.state = self.member.columns(self.state, 0, self.room)
            except MemoryError as error:
                expected = f"expected indices whose weights fit into memory, found {n_columns - 1}"
                raise ValueError(f"{self.stream.name}: {expected}: {error}") from None

    def _place(self) -> BlockPlace:
        return BlockPlace(self.end, self.size, self.n_rows, self.state.visits - self.n_rows)

    @property
    def unfinished(self) -> int | None:
        """The mistakes of the blocks of a pass that is not over."""
        return self.mistakes if self.n_rows and not self.over else None

    @property
    def zero_based(self) -> bool:
        """Whether the first feature is column 0 of the file."""
        known = self.stream.zero_based
        return self.has_zero or self.n_columns == 1 if known == "auto" else bool(known)

    def model(self, state: Any = None) -> Any:
        """The model, with the columns that occurred."""
        check_two_classes(self.member.model_class.kind, self.classes)
        first, known = 0 if self.zero_based else 1, self.stream.n_features
        self.n_features = max(self.n_columns - first, 1) if known is None else known
        state = self.state if state is None else state
        return super().model(self.member.columns(state, first, first + self.n_features))

    def identity(self) -> dict[str, Any]:
        """What a run must have in common with this one to continue from its checkpoint."""
        return {
            "parameters": parameters_as_json(self.member.parameters.as_dict(), {}),
            "source": [*(self.mark or ())],
            "dtype": self.stream.dtype.name,
            "rows": self.stream.options,
        }

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        tensors: Tensors = {}
        record = {
            **self.member.state_to_record(self.state, tensors),
            "classes": labels_as_json(self.classes),
            "room": self.room,
            **self.stop.to_record(tensors),
            **{name: getattr(self, name) for name in (*_KEPT, "has_zero", "over", "loss")},
        }
        return record, tensors

    def restore(self, parts: Parts) -> None:
        self.classes = labels_from_json(parts.value("classes", "the labels", lambda value: value is not None))
        self.has_zero, self.over, self.loss = parts.flag("has_zero"), parts.flag("over"), parts.number("loss")
        for name in _KEPT:
            setattr(self, name, parts.count(name))
        self.n_seen = self.stop.n_rows = self.n_rows
        self.stop.restore(parts)
        self.room = parts.count("room", least=1)
        self.state = self.member.state_from_record(parts, self.room, len(self.classes), self.n_rows)
        parts.end()


def _rows_of(block: StreamBlock) -> SparseRows:
    return SparseRows(*block.arrays(), block.n_columns)


def open_stream(
    path: FileLike, reading: Reading, *, cache: "str | os.PathLike[str] | None" = None, resume: bool = False
) -> Stream:
    """Rows from svmlight text or, with an encoding, from a table; through a cache, if one is given.

    With `resume`, an incomplete cache of an interrupted run is continued or removed.
    """
    stream: Stream
    if reading.encoding is None:
        words: dict[str, Any] = {"n_features": reading.n_features, "zero_based": reading.zero_based}
        stream = SvmlightStream(path, dtype=reading.dtype, **words)
    else:
        words = {"format": reading.format, "delimiter": reading.delimiter}
        stream = TableStream(path, reading.encoding, dtype=reading.dtype, **words)
    if cache is not None:
        from rosenblatt.services.stream.cache import CachedStream

        stream = CachedStream(stream, cache, resume=resume)
    return stream


def fit_stream(
    member: RowMember[Any],
    stream: Stream,
    checkpoint: "str | os.PathLike[str] | None" = None,
    *,
    resume: bool = False,
    seconds: float = 10.0,
    watch: Watch | None = None,
) -> Fitted:
    """Learn from rows that come in blocks, pass after pass, in the listed order.

    With a `checkpoint`, the state of the run is written to that file every `seconds`; with `resume`, the run continues
    from it. `watch` is called after each block and at the end of each pass. If it returns a true value, the run ends as
    if the file ended there, and `resume` can continue it.
    """
    check_offered(member.parameters, "stream")
    check_resume(checkpoint, resume=resume)
    size = stream.size  # raises the error if the file cannot be opened
    if checkpoint is not None and stream.mark() is None:
        raise ValueError(f"checkpoint: expected rows from a file, found {stream.name}, which is gone once it is read")
    with closing(FromBlocks(member, stream)) as blocks:
        blocks.size = size
        file = None if checkpoint is None else Checkpoint(checkpoint, blocks.identity(), seconds=seconds)
        if file is not None and resume:
            remove_leftovers(file.path)
            if (parts := file.load()) is not None:
                blocks.restore(parts)

        def keep() -> None:
            if file is not None and file.due():
                stream.sync()
                file.write(*blocks.to_record())

        with refuse_changes(stream, blocks.mark):
            end = run(blocks, blocks.stop, watch=watch, after_turn=keep)
        if file is not None:
            file.write(*blocks.to_record())
        model = blocks.model()
    scales = None if blocks.scales is None else blocks.scales.without(0 if blocks.zero_based else 1)
    return Fitted(model, blocks.zero_based, end, scales)


def fit_in_memory(member: Any, files: Sequence[FileLike], reading: Reading, *, engine: Engine | None = None) -> Fitted:
    """Learn from all rows of these files: svmlight text or, with an encoding, tables.

    Without shards the rows come in the listed order, as those of a single file do.
    """
    X, y, from_zero = reading.read_rows(files)
    parameters = member.parameters
    shuffle = parameters.shuffle and parameters.shards > 1
    model, end = fit(replace(member, parameters=replace(parameters, shuffle=shuffle)), X, y, engine=engine)
    scales = uneven_scales(X, getattr(parameters, "bias", 0.0))
    return Fitted(replace(model, parameters=parameters), from_zero, end, scales)
