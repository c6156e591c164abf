"""Training where the rows are elsewhere: from a file larger than memory, block by block, or on a Dask cluster."""

from dataclasses import replace
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rosenblatt.base.numbers import as_labels
from rosenblatt.doors.cli.command import NewFile, warn
from rosenblatt.doors.cli.parameters import AtTheKeyboard
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data

if TYPE_CHECKING:
    from rosenblatt.services.stream.texts import TextChoice


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
        """The typed options that exist only for streams."""
        return [f"--{name}" for name in ("stream", "cache") if getattr(self, name)]

    @property
    def wanted(self) -> bool:
        """Whether to stream. A cache or a checkpoint needs it, even without --stream."""
        return self.stream or self.cache is not None or self.checkpoint is not None

    @property
    def dtype(self) -> str:
        return "float32" if self.float32 else "float64"

    def fit(self, member: Any, file: str, files: Reading, *, as_json: bool) -> tuple[Any, Any]:
        """Learn from a file; return what is to be stored, and why the run has ended."""
        from rosenblatt.doors.cli.progress import watching_blocks
        from rosenblatt.services.files.source_mark import SourceMark, refuse_changes
        from rosenblatt.services.records.model_file import Stored
        from rosenblatt.services.stream.fit import ReadOnceError, fit_stream, open_stream

        mark, texts = SourceMark.of_path(file), None
        encoding = self._encoding(file, files)
        reading = replace(files, encoding=encoding, dtype=self.dtype)
        stream = open_stream(file, reading, cache=self.cache, resume=self.resume)
        if isinstance(member, TextParameters):
            from rosenblatt.services.stream.texts import blocks_of, choose_texts

            blocks = blocks_of(encoding, [file], files)
            texts = choose_texts(member, blocks).calibrate(stream)
            member = texts.member()
        with watching_blocks(member.parameters.counted, as_json=as_json) as watch, refuse_changes(stream, mark):
            try:
                fitted = fit_stream(
                    member,
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
        if fitted.scales is not None and not as_json and not (encoding is not None and encoding.parameters.text):
            rows = fitted.model.coef[:0]
            data = Data(rows, None) if encoding is None else Data.of_table(encoding, rows, None)
            warn(fitted.scales.advice(data.feature_names, AtTheKeyboard(file, is_table=encoding is not None)))
        if texts is not None:
            return Stored(texts.build(encoding, fitted.model, blocks), encoding=encoding.to_model()), fitted.end
        fitted.model.classes = as_labels(fitted.model.classes)
        return Stored(fitted.model, encoding=encoding, zero_based=fitted.zero_based), fitted.end

    def _encoding(self, file: str, files: Reading) -> Any:
        """Learn, in a pass of its own, how a table becomes features; None for svmlight text."""
        if files.form(file) == "svmlight":
            return None
        if file == "-":
            raise click.UsageError("--stream reads a table twice: expected a file, found standard input")
        return files.learn_encoding_before(file)

    def save(self, stored: Any, model: str, file: str) -> None:
        """Write the model file, and then remove the checkpoint, because nothing is left to resume."""
        from rosenblatt.base.atomic_write import remove_leftovers
        from rosenblatt.services.files.source_mark import SourceMark
        from rosenblatt.services.records.model_file import write

        if self.resume:
            remove_leftovers(model)
        write(stored, model, data=SourceMark.of_path(file))
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)


def streams(function: Any) -> Any:
    """Add the options of streaming to a verb, which gets them as one argument, `streaming`."""

    @wraps(function)
    def verb(**values: Any) -> None:
        streaming = Streaming(**{name: values.pop(name) for name in Streaming._fields})
        if streaming.resume and streaming.checkpoint is None:
            raise click.UsageError("--resume needs --checkpoint, the file to go on from")
        function(streaming=streaming, **values)

    for option in (
        click.option("--float32", is_flag=True, help="With --stream: use numbers of 32 bits, which is half the work."),
        click.option(
            "--resume",
            is_flag=True,
            help="Continue from the checkpoint, if there is one; the model is the same.",
        ),
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
            help="Stream, and save the state of the run in this file until the model is saved: see --resume.",
        ),
        click.option(
            "--cache",
            metavar="PATH",
            type=NewFile(is_cache=True),
            help="Stream, and write the rows as an Arrow file for further passes and runs.",
        ),
        click.option(
            "--stream",
            is_flag=True,
            help="Train on a file larger than memory: block by block, in the listed order.",
        ),
    ):
        verb = option(verb)
    return verb


dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Train on the Dask cluster with this scheduler, such as tcp://host:8786; local: on one of this machine.",
)


def train_on_cluster(
    address: str,
    member: Any,
    n_shards: int | None,
    paths: list[str],
    files: Reading,
    streaming: Streaming,
    model: str,
    *,
    as_json: bool,
) -> tuple[Any, Any]:
    """Train and save a perceptron; return what was saved, and why the run has ended. The cluster is closed."""
    from rosenblatt.base.atomic_write import remove_leftovers
    from rosenblatt.doors.cli.progress import watching_rounds
    from rosenblatt.doors.dask.cluster import client_of, connect
    from rosenblatt.doors.dask.linear.fit import files_as_source, fit_on
    from rosenblatt.services.records.model_file import Stored, write

    if streaming.of_blocks:
        raise click.UsageError(f"{streaming.of_blocks[0]} has no meaning with --dask: the workers hold the rows")
    if "-" in paths:
        raise click.UsageError("--dask: expected files that workers can read, found standard input")
    table = files.form(paths[0]) != "svmlight"
    encoding = files.learn_encoding(lambda: chain.from_iterable(map(files.blocks, paths))) if table else None
    texts: TextChoice | None = None
    if isinstance(member, TextParameters) and encoding is not None:
        from rosenblatt.services.stream.texts import blocks_of, choose_texts

        blocks = blocks_of(encoding, paths, files)
        texts = choose_texts(member, blocks)
        member = texts.member()
    with connect(address) as client, watching_rounds(member.parameters.counted, as_json=as_json) as watch:
        client_of(client)
        reading = replace(files, encoding=encoding, dtype=streaming.dtype)
        source = files_as_source(client, paths, reading)
        checkpoint: dict[str, Any] = {"checkpoint": streaming.checkpoint, "resume": streaming.resume}
        fitted = fit_on(client, source, member, n_shards=n_shards, watch=watch, **checkpoint)
    if streaming.resume:
        remove_leftovers(model)
    if texts is not None and encoding is not None:
        stored = Stored(texts.build(encoding, fitted.model, blocks), encoding=encoding.to_model())
    else:
        fitted.model.classes = as_labels(fitted.model.classes)
        stored = Stored(fitted.model, encoding=encoding, zero_based=fitted.zero_based)
    write(stored, model)
    if streaming.checkpoint is not None:
        Path(streaming.checkpoint).unlink(missing_ok=True)
    return stored, fitted.end
