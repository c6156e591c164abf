"""Training on a file that need not fit into memory: the options of `train` for it, and its progress."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from rosenblatt.base.numbers import as_labels
from rosenblatt.doors.cli.command import NewFile, warn
from rosenblatt.doors.cli.parameters import AtTheKeyboard
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data


class Streaming(NamedTuple):
    """Whether and how to train block by block."""

    stream: bool
    cache: str | None
    checkpoint: str | None
    checkpoint_seconds: float
    resume: bool
    float32: bool

    @property
    def of_blocks(self) -> list[str]:
        """The options that were given of such a run alone."""
        return [f"--{name}" for name in ("stream", "cache") if getattr(self, name)]

    @property
    def wanted(self) -> bool:
        """A cache and a checkpoint are of such a run."""
        return self.stream or self.cache is not None or self.checkpoint is not None

    @property
    def dtype(self) -> str:
        """Of the features."""
        return "float32" if self.float32 else "float64"

    def fit(self, parameters: Any, file: str, files: Reading, *, as_json: bool) -> tuple[Any, Any]:
        """What is to be stored, its labels whole numbers if they are, and why the run has ended."""
        from rosenblatt.services.files.source_mark import SourceMark, refuse_changes
        from rosenblatt.services.records.model_file import Stored
        from rosenblatt.services.stream.fit import fit_stream, open_stream
        from rosenblatt.services.stream.run import ReadOnceError

        mark = SourceMark.of_path(file)
        encoding = self._encoding(file, files)
        reading = replace(files, encoding=encoding, dtype=self.dtype)
        stream = open_stream(file, reading, cache=self.cache, resume=self.resume)
        with _watch(parameters.counted, as_json=as_json) as watch, refuse_changes(stream, mark):
            try:
                fitted = fit_stream(
                    parameters,
                    stream,
                    self.checkpoint,
                    resume=self.resume,
                    seconds=self.checkpoint_seconds,
                    watch=watch,
                )
            except ReadOnceError:
                raise click.ClickException(
                    "standard input can be read only once: give --max-iter 1, or --cache PATH for further passes"
                ) from None
        if fitted.scales is not None and not as_json:
            rows = fitted.model.coef[:0]
            data = Data(rows, None) if encoding is None else Data.of_table(encoding, rows, None)
            warn(fitted.scales.advice(data.feature_names, AtTheKeyboard(file, is_table=encoding is not None)))
        fitted.model.classes = as_labels(fitted.model.classes)
        return Stored(fitted.model, encoding=encoding, zero_based=fitted.zero_based), fitted.end

    def _encoding(self, file: str, files: Reading) -> Any:
        """How a table becomes features, learned in a pass of its own; None for svmlight text."""
        if files.form(file) == "svmlight":
            return None
        if file == "-":
            raise click.UsageError("--stream reads a table twice: expected a file, found standard input")
        return files.learn_encoding_before(file)

    def save(self, stored: Any, model: str, file: str) -> None:
        """Write the model file. Once it is safe, the checkpoint has done its work."""
        from rosenblatt.base.atomic_write import remove_leftovers
        from rosenblatt.services.files.source_mark import SourceMark
        from rosenblatt.services.records.model_file import write

        if self.resume:
            remove_leftovers(model)
        write(stored, model, data=SourceMark.of_path(file))
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)


def streams(function: Any) -> Any:
    """Add the options; they come as one argument, `streaming`."""

    @wraps(function)
    def called(**values: Any) -> None:
        own = Streaming(**{name: values.pop(name) for name in Streaming._fields})
        if own.resume and own.checkpoint is None:
            raise click.UsageError("--resume needs --checkpoint, the file to go on from")
        function(streaming=own, **values)

    for option in (
        click.option("--float32", is_flag=True, help="With --stream: numbers of 32 bits, half the work."),
        click.option("--resume", is_flag=True, help="Go on from the checkpoint, if there is one, to the same model."),
        click.option(
            "--checkpoint-seconds",
            type=click.FloatRange(min=0),
            default=10.0,
            show_default=True,
            help="How often the checkpoint is written.",
        ),
        click.option(
            "--checkpoint",
            metavar="PATH",
            type=NewFile(),
            help="Stream, and keep the state of the run there, until the model is saved: see --resume.",
        ),
        click.option(
            "--cache",
            metavar="PATH",
            type=NewFile(kept=True),
            help="Stream, and write the rows as an Arrow file for further passes and runs.",
        ),
        click.option(
            "--stream",
            is_flag=True,
            help="Train on a file larger than memory: block by block, in the listed order.",
        ),
    ):
        called = option(called)
    return called


@contextmanager
def _watch(counted: str, *, as_json: bool) -> Iterator[Any]:
    from rosenblatt.doors.cli.progress import bar, lines_of_passes

    if as_json:
        with lines_of_passes() as line:
            yield lambda so_far: line(so_far.pass_number, so_far.mistakes) if so_far.pass_over else None
    elif sys.stderr.isatty():
        with bar("training") as shown:
            start = time.monotonic()

            def watch(so_far: Any) -> None:
                rows = (so_far.n_rows_before + so_far.n_rows) / max(time.monotonic() - start, 1e-9)
                said = f"pass {so_far.pass_number}, {so_far.mistakes:,} {counted}, {rows:,.0f} rows/s"
                shown(so_far.position, so_far.size, said)

            yield watch
    else:
        yield None
