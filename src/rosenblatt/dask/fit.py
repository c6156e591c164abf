"""A fit on a cluster: blocks become shards, rounds go on until the run ends, and a checkpoint follows each of them."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from rosenblatt.dask.cluster import n_workers
from rosenblatt.dask.engine import DaskEngine
from rosenblatt.dask.files import found_files
from rosenblatt.dask.held import Counted, hold
from rosenblatt.dask.reading import PART_BYTES, blocks_of_parts, parts_of, reading_of
from rosenblatt.learning.stopping import End
from rosenblatt.linear.held import HeldRun, check_held, fit_held
from rosenblatt.linear.model import LinearModel
from rosenblatt.linear.parameters import PerceptronParameters
from rosenblatt.record.parts import parameters_as_json
from rosenblatt.stream.checkpoint import Checkpoint


class Progress(NamedTuple):
    """How far a run is, after a round."""

    pass_number: int
    round_number: int  # of this pass, from 1 on
    n_rounds: int  # of a pass
    pass_over: bool
    mistakes: int  # of this pass so far
    n_rows: int  # visited since the run began or went on
    n_workers: int


class Fitted(NamedTuple):
    """What was learned, whether svmlight text counts columns from 0, if it was such, and why the run has ended."""

    model: LinearModel
    zero_based: bool | None
    end: End | None


def fit_blocks(
    parameters: PerceptronParameters,
    client: Any,
    make_blocks: Callable[[str], list[Any]],
    *,
    n_shards: int | None,
    before: LinearModel | None = None,
    counted: Counted | None = None,
    checkpoint: "str | os.PathLike[str] | None" = None,
    resume: bool = False,
    watch: Callable[[Progress], None] | None = None,
) -> Fitted:
    """Learn from blocks of rows, which `make_blocks` gives as futures whose keys begin with a name.

    With a `checkpoint` the state of the run is written to that file after each round, and with `resume` the run goes on
    from it.
    """
    check_held(parameters)
    if resume and checkpoint is None:
        raise ValueError("resume: expected a checkpoint to go on from, found checkpoint=None")
    name = f"rosenblatt-{uuid4().hex}"
    held = hold(client, name, make_blocks(name), n_shards, parameters, counted)
    parameters = replace(parameters, shards=len(held.shards))
    parameters.check_shards()
    run = HeldRun.begin(parameters, held.rows, before)
    kept = None
    if checkpoint is not None:
        identity = {"parameters": parameters_as_json(parameters.as_dict(), {}), "rows": held.digest}
        kept = Checkpoint(checkpoint, identity, seconds=0)
        if resume and (found := kept.load()) is not None:
            run.restore(found)
    first = _rounds_made(run)

    def after_round(run: HeldRun) -> None:
        if kept is not None:
            kept.write(*run.taken())
        if watch is not None:
            watch(_progress(run, _rounds_made(run) - first, n_workers(client)))

    model, end = fit_held(run, held.shards, DaskEngine(client, name), after_round)
    return Fitted(model, None if counted is None else held.zero_based, end)


def fit_files(
    parameters: PerceptronParameters,
    client: Any,
    paths: Any,
    *,
    n_shards: int | None,
    n_features: int | None = None,
    dtype: Any = "float64",
    zero_based: bool | str = "auto",
    encoding: Any = None,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    part_bytes: int | None = PART_BYTES,
    **given: Any,
) -> Fitted:
    """Learn from files, svmlight text or, with an encoding, tables, that the workers read; see `fit_blocks`."""
    files = found_files(paths)
    reading = reading_of(
        files,
        format,
        encoding,
        dtype=np.dtype(dtype).name,
        n_features=n_features,
        zero_based=zero_based,
        delimiter=delimiter,
    )
    parts = parts_of(files, reading, part_bytes)
    counted = Counted(n_features, zero_based) if reading.format == "svmlight" else None

    def blocks(name: str) -> list[Any]:
        return blocks_of_parts(client, name, parts, reading)

    return fit_blocks(parameters, client, blocks, n_shards=n_shards, counted=counted, **given)


def _rounds_made(run: HeldRun) -> int:
    return len(run.stopping.mistakes) * run.parameters.n_rounds + len(run.made)


def _progress(run: HeldRun, rounds_made: int, workers: int) -> Progress:
    over, passes, rounds = not run.made, run.stopping.mistakes, run.parameters.n_rounds
    return Progress(
        pass_number=len(passes) + (not over),
        round_number=rounds if over else len(run.made),
        n_rounds=rounds,
        pass_over=over,
        mistakes=passes[-1] if over else sum(one.mistakes for one in run.made),
        n_rows=run.rows.n_counting * rounds_made // rounds,
        n_workers=workers,
    )
