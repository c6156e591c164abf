"""Training on a Dask cluster: the option of `train` and `tag train` for it, and its progress."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from rosenblatt.base.numbers import as_labels
from rosenblatt.doors.cli.command import print_json
from rosenblatt.doors.cli.streaming import Streaming
from rosenblatt.services.files.reading import Reading

dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Train on the Dask cluster whose scheduler is there, as tcp://host:8786, or on one of this machine: local.",
)


def train_on_cluster(
    address: str,
    parameters: Any,
    n_shards: int | None,
    paths: list[str],
    files: Reading,
    streaming: Streaming,
    model: str,
    *,
    as_json: bool,
) -> tuple[Any, Any]:
    """Train and save a perceptron; what was saved, and why the run has ended. The cluster is closed in any case."""
    from rosenblatt.base.atomic_write import remove_leftovers
    from rosenblatt.doors.dask.cluster import client_of, connected
    from rosenblatt.doors.dask.linear.fit import files_as_source, fit_on
    from rosenblatt.services.records.model_file import Stored, write

    if streaming.of_blocks:
        raise click.UsageError(f"{streaming.of_blocks[0]} has no meaning with --dask: the workers hold the rows")
    if "-" in paths:
        raise click.UsageError("--dask: expected files that workers can read, found standard input")
    table = files.form(paths[0]) != "svmlight"
    encoding = files.learn_encoding(lambda: chain.from_iterable(map(files.blocks, paths))) if table else None
    with connected(address) as client, _watch(parameters.counted, as_json=as_json) as watch:
        client_of(client)
        reading = replace(files, encoding=encoding, dtype=streaming.dtype)
        source = files_as_source(client, paths, reading)
        kept: dict[str, Any] = {"checkpoint": streaming.checkpoint, "resume": streaming.resume}
        fitted = fit_on(client, source, parameters, n_shards=n_shards, watch=watch, **kept)
    fitted.model.classes = as_labels(fitted.model.classes)
    if streaming.resume:
        remove_leftovers(model)
    stored = Stored(fitted.model, encoding=encoding, zero_based=fitted.zero_based)
    write(stored, model)
    if streaming.checkpoint is not None:
        Path(streaming.checkpoint).unlink(missing_ok=True)
    return stored, fitted.end


def tagger_on_cluster(address: str, parameters: Any, paths: list[str], **given: Any) -> Any:
    """A tagger that has learned from files. The cluster is closed in any case."""
    from rosenblatt.doors.dask.cluster import connected
    from rosenblatt.doors.dask.tagger.fit import client_for, files_as_source, fit_on

    if "-" in (*paths, given["dev"]):
        raise click.UsageError("--dask: expected files by name, found standard input")
    kept = {name: given.pop(name) for name in ("watch", "checkpoint", "resume")}
    with connected(address) as client:
        client_for(client, parameters)
        return fit_on(client, files_as_source(client, parameters, paths, **given), parameters, **kept)


@contextmanager
def _watch(counted: str, *, as_json: bool) -> Iterator[Any]:
    """After each round: a line of JSON, or what a bar says if there is a terminal."""
    start = time.monotonic()

    def speed(so_far: Any) -> float:
        return float(so_far.n_rows / max(time.monotonic() - start, 1e-9))

    if as_json:

        def line(so_far: Any) -> None:
            said = {"pass": so_far.pass_number, "round": so_far.round_number, "mistakes": so_far.mistakes}
            print_json({**said, "workers": so_far.n_workers, "rows_per_second": round(speed(so_far))}, err=True)

        yield line
    elif sys.stderr.isatty():
        from rosenblatt.doors.cli.progress import bar

        with bar("training") as shown:

            def tell(so_far: Any) -> None:
                turn = f"round {so_far.round_number} of {so_far.n_rounds}, " if so_far.n_rounds > 1 else ""
                said = f"pass {so_far.pass_number}, {turn}{so_far.mistakes:,} {counted}, {speed(so_far):,.0f} rows/s"
                shown(so_far.pass_number, None, f"{said}, {so_far.n_workers} workers")

            yield tell
    else:
        yield None
