"""Training from a file that need not fit into memory: passes over its blocks, from zero weights, in the listed order.

It is the pass of `fit` with shuffle=False, cut into blocks: the same visits, the same weights, to the bit. Features and
classes come as they will: the weights grow with them.
"""

import os
import warnings
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.data.atomic_write import remove_leftovers
from rosenblatt.data.compressed import FileLike
from rosenblatt.exceptions import all_or_nothing
from rosenblatt.learning.stopping import not_converged
from rosenblatt.stream.checkpoint import Checkpoint
from rosenblatt.stream.run import FileRun
from rosenblatt.stream.svmlight import Stream, SvmlightStream

if TYPE_CHECKING:
    from rosenblatt.data.table import Format
    from rosenblatt.encoding.estimator import TableEncoding

_NOT_FROM_FILES: dict[str, tuple[set[Any], str]] = {
    "readout": ({"last", "average"}, "the mistakes and a pocket need the rows in memory"),
    "keep_mistakes": ({False}, "the mistakes need the rows in memory"),
    "early_stopping": ({False}, "rows cannot be held out of a file; give another file to the evaluation"),
    "warm_start": ({False}, "use partial_fit with the blocks of rosenblatt.data.svmlight.iter_svmlight"),
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


class LearnsFromFiles:
    """For a perceptron: `fit_file`."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_file(
        self,
        path: FileLike,
        *,
        n_features: int | None = None,
        dtype: Any = np.float64,
        zero_based: bool | Literal["auto"] = "auto",
        encoding: "TableEncoding | None" = None,
        format: "Format | None" = None,  # noqa: A002
        cache: "str | os.PathLike[str] | None" = None,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        checkpoint_seconds: float = 10.0,
        watch: Callable[[Progress], None] | None = None,
    ) -> Self:
        r"""Learn from a file of svmlight text, or from a table, block by block, in little memory.

        The rows come in the listed order, whatever `shuffle` is: else it equals `fit` with all of them in memory, to
        the bit, for two classes; a third one and further ones start with zero weights when they
        first come. Only readout "last" and "average".

        Parameters
        ----------
        path, n_features, dtype, zero_based
            As in `read_svmlight`.
        encoding
            With it, the file is a table: CSV, Parquet or Arrow, by its name. It was fitted before, to the file or to
            one like it, and goes into the model file: `save(model, path, encoding=encoding)`.
        format
            That of a table, if its name does not tell.
        cache
            A file that the first pass writes and further ones read instead of the text, also those of later calls, as
            long as the text is the same. It is an Arrow IPC file with the columns label, index and value, and mapped
            into memory, so that it must stay as it is during the run.
        checkpoint
            A file that gets the state of the run every `checkpoint_seconds`, and at its end. It may be removed once
            the model is saved.
        resume
            Whether to go on from the checkpoint, if there is one. The model is the same as without the interruption.
        checkpoint_seconds
            How often.
        watch
            Is called after each block and at the end of each pass.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from rosenblatt import Perceptron
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "and.svm")
        ...     _ = path.write_text("-1\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n")
        ...     model = Perceptron().fit_file(path)
        >>> model.coef_, model.intercept_, model.n_iter_
        (array([[3., 2.]]), array([-4.]), 9)
        """
        if resume:
            for path_of_run in (cache, checkpoint):
                if path_of_run is not None:
                    remove_leftovers(path_of_run)
        stream: Stream
        if encoding is None:
            stream = SvmlightStream(path, n_features=n_features, dtype=dtype, zero_based=zero_based)
        else:
            from rosenblatt.stream.table import TableStream

            stream = TableStream(path, encoding, dtype=dtype, format=format)
        if cache is not None:
            from rosenblatt.stream.cache import CachedStream

            stream = CachedStream(stream, cache)
        fit_stream(self, stream, checkpoint, resume=resume, seconds=checkpoint_seconds, watch=watch)
        return self


def fit_stream(
    model: Any,
    stream: Stream,
    checkpoint: "str | os.PathLike[str] | None" = None,
    *,
    resume: bool = False,
    seconds: float = 10.0,
    watch: Callable[[Progress], None] | None = None,
) -> None:
    """`fit_file` for any rows that come in blocks."""
    _check_words(model)
    if resume and checkpoint is None:
        raise ValueError("resume: expected a checkpoint to go on from, found checkpoint=None")
    if checkpoint is not None and stream.mark() is None:
        raise ValueError(f"checkpoint: expected rows from a file, found {stream.name}, which is gone once it is read")
    run = FileRun(model, stream)
    kept = None if checkpoint is None else Checkpoint(checkpoint, run.identity(), seconds=seconds)
    if kept is not None and resume and (parts := kept.load()) is not None:
        run.restore(parts)
    size = stream.size
    while not run.stopping.end:
        with closing(stream.blocks(run.end)) as blocks:
            for block in blocks:
                run.learn(block)
                if watch is not None:
                    watch(_progress(run, size, pass_over=False))
                if kept is not None and kept.due():
                    kept.write(*run.taken())
        if watch is not None:
            watch(_progress(run, size, pass_over=True))
        run.end_pass()
    if kept is not None:
        kept.write(*run.taken())
    with all_or_nothing(model):
        run.finish()
    if run.stopping.end in ("limit", "plateau"):
        warnings.warn(not_converged(run.stopping.mistakes), ConvergenceWarning, stacklevel=4)


def _progress(run: FileRun, size: int | None, *, pass_over: bool) -> Progress:
    n_rows_before = run.state.visits - run.n_rows
    number = len(run.stopping.mistakes) + 1
    return Progress(number, pass_over, run.end, size, run.n_rows, n_rows_before, run.mistakes)


def _check_words(model: Any) -> None:
    for word, (offered, why) in _NOT_FROM_FILES.items():
        if (found := getattr(model, word)) not in offered:
            expected = " or ".join(map(repr, sorted(offered)))
            raise ValueError(f"{word} must be {expected} to learn from a file, got {found!r}: {why}")
    if not isinstance(model.init, str) or model.init != "zeros":
        raise ValueError("init must be 'zeros' to learn from a file: how many features there are is known at its end")
    if model.class_weight == "balanced" or 0 in (model.class_weight or {}).values():
        raise ValueError(
            "class_weight must be a dict of weights over 0 to learn from a file: "
            "how many rows a class has is known at its end"
        )
