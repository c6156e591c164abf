"""Training from a file that need not fit into memory: passes over its blocks, from zero weights, in the listed order.

It is the pass of `fit` with shuffle=False, cut into blocks: the same visits, the same weights, to the bit. Features and
classes come as they will: the weights grow with them.
"""

import os
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple

from rosenblatt.base.atomic_write import remove_leftovers
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.scales import Scales
from rosenblatt.members.stopping import End
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.source_mark import refuse_changes
from rosenblatt.services.stream.checkpoint import Checkpoint
from rosenblatt.services.stream.run import FileRun
from rosenblatt.services.stream.svmlight import Stream, SvmlightStream

_NOT_FROM_FILES: dict[str, tuple[set[Any], str]] = {
    "readout": ({"last", "average"}, "the mistakes and a pocket need the rows in memory"),
    "keep_mistakes": ({False}, "the mistakes need the rows in memory"),
    "shards": ({1}, "shards need the rows in memory"),
    "early_stopping": ({False}, "rows cannot be held out of a file; give another file to the evaluation"),
    "warm_start": ({False}, "use partial_fit with the blocks of rosenblatt.services.files.svmlight.iter_svmlight"),
    "batch_size": ({1}, "a batch would depend on how the file falls into blocks"),
}


class Progress(NamedTuple):
    """How far a run is."""

    pass_number: int
    pass_over: bool
    position: int  # in the file, in bytes
    size: int | None  # of the file; None if it is not known
    n_rows: int  # of this pass so far
    n_rows_before: int  # of all passes before
    mistakes: int  # of this pass so far


class Fitted(NamedTuple):
    """What was learned, whether the file counts columns from 0, why the run has ended, and uneven scales."""

    model: LinearModel
    zero_based: bool
    end: End | None
    scales: Scales | None = None


def open_stream(
    path: FileLike, reading: Reading, *, cache: "str | os.PathLike[str] | None" = None, resume: bool = False
) -> Stream:
    """Rows from svmlight text or, with an encoding, from a table; by a cache, if one is given.

    With `resume`, half a cache that an interrupted run has left is gone on with, or removed.
    """
    stream: Stream
    if reading.encoding is None:
        words: dict[str, Any] = {"n_features": reading.n_features, "zero_based": reading.zero_based}
        stream = SvmlightStream(path, dtype=reading.dtype, **words)
    else:
        from rosenblatt.services.stream.table import TableStream

        words = {"format": reading.format, "delimiter": reading.delimiter}
        stream = TableStream(path, reading.encoding, dtype=reading.dtype, **words)
    if cache is not None:
        from rosenblatt.services.stream.cache import CachedStream

        stream = CachedStream(stream, cache, resume=resume)
    return stream


def fit_stream(
    parameters: PerceptronParameters,
    stream: Stream,
    checkpoint: "str | os.PathLike[str] | None" = None,
    *,
    resume: bool = False,
    seconds: float = 10.0,
    watch: Callable[[Progress], None] | None = None,
) -> Fitted:
    """Learn from rows that come in blocks, pass after pass, from zero weights, in the listed order.

    With a `checkpoint` the state of the run is written to that file every so many `seconds`, and with `resume` the run
    goes on from it. `watch` is called after each block and at the end of each pass.
    """
    _check_parameters(parameters)
    if resume and checkpoint is None:
        raise ValueError("resume: expected a checkpoint to go on from, found checkpoint=None")
    size = stream.size  # says it if the file cannot be opened
    if checkpoint is not None and stream.mark() is None:
        raise ValueError(f"checkpoint: expected rows from a file, found {stream.name}, which is gone once it is read")
    run = FileRun(parameters, stream)
    kept = None if checkpoint is None else Checkpoint(checkpoint, run.identity(), seconds=seconds)
    if kept is not None and resume:
        remove_leftovers(kept.path)
        if (parts := kept.load()) is not None:
            run.restore(parts)
    mark = stream.mark()
    while not run.stopping.end:
        with refuse_changes(stream, mark):
            with closing(stream.blocks(run.end)) as blocks:
                for block in blocks:
                    run.learn(block)
                    if watch is not None:
                        watch(_progress(run, size, pass_over=False))
                    if kept is not None and kept.due():
                        stream.sync()
                        kept.write(*run.to_record())
            if watch is not None:
                watch(_progress(run, size, pass_over=True))
            run.end_pass()
    if kept is not None:
        kept.write(*run.to_record())
    model, zero_based = run.finished()
    scales = None if run.scales is None else run.scales.without(0 if zero_based else 1)
    return Fitted(model, zero_based, run.stopping.end, scales)


def _progress(run: FileRun, size: int | None, *, pass_over: bool) -> Progress:
    n_rows_before = run.state.visits - run.n_rows
    number = len(run.stopping.mistakes) + 1
    return Progress(number, pass_over, run.end, size, run.n_rows, n_rows_before, run.mistakes)


def _check_parameters(model: PerceptronParameters) -> None:
    if model.max_iter == "validate":
        raise ValueError("max_iter must be a number or 'auto' to learn from a file, got 'validate': no row is held out")
    for name, (offered, why) in _NOT_FROM_FILES.items():
        if (found := getattr(model, name)) not in offered:
            expected = " or ".join(map(repr, sorted(offered)))
            raise ValueError(f"{name} must be {expected} to learn from a file, got {found!r}: {why}")
    if not isinstance(model.init, str) or model.init != "zeros":
        raise ValueError("init must be 'zeros' to learn from a file: how many features there are is known at its end")
    if model.class_weight == "balanced" or 0 in (model.class_weight or {}).values():
        raise ValueError(
            "class_weight must be a dict of weights over 0 to learn from a file: "
            "how many rows a class has is known at its end"
        )
