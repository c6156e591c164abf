"""A fit on a cluster: blocks become shards, rounds go on until the run ends, and a checkpoint follows each of them."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from rosenblatt.doors.dask.cluster import n_workers, while_it_answers
from rosenblatt.doors.dask.engine import DaskEngine
from rosenblatt.doors.dask.files import found_files
from rosenblatt.doors.dask.held import Blocks
from rosenblatt.doors.dask.kept import check_kept, kept
from rosenblatt.doors.dask.linear.blocks import Facts, Plan, facts_of, shard_of
from rosenblatt.doors.dask.linear.plan import Counted, plan_of
from rosenblatt.doors.dask.linear.reading import parts_of, read_part, with_format
from rosenblatt.doors.dask.parts import PART_BYTES, blocks_of_parts
from rosenblatt.members.linear.held import HeldRun, Rows, check_held, fit_held
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.stopping import End
from rosenblatt.services.files.reading import Reading


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


class Source(NamedTuple):
    """Where rows come from: what gives them as futures of blocks whose keys begin with a name.

    `counted` is for svmlight text alone.
    """

    blocks: Callable[[str], list[Any]]
    counted: Counted | None = None


def files_as_source(client: Any, paths: Any, reading: Reading, *, part_bytes: int | None = PART_BYTES) -> Source:
    """Files, svmlight text or, with an encoding, tables, that the workers read. See `Perceptron.fit_files`."""
    files = found_files(paths)
    reading = with_format(reading, files)
    parts = parts_of(files, reading, part_bytes)
    return Source(
        lambda name: blocks_of_parts(client, name, read_part, parts, reading),
        Counted(reading.n_features, reading.zero_based) if reading.format == "svmlight" else None,
    )


@while_it_answers
def fit_on(
    client: Any,
    source: Source,
    parameters: PerceptronParameters,
    *,
    n_shards: int | None,
    before: LinearModel | None = None,
    checkpoint: "str | os.PathLike[str] | None" = None,
    resume: bool = False,
    watch: Callable[[Progress], None] | None = None,
) -> Fitted:
    """Learn from blocks of rows on the workers of a client.

    With a `checkpoint` the state of the run is written to that file after each round, and with `resume` the run goes on
    from it.
    """
    check_held(parameters)
    check_kept(checkpoint, resume=resume)
    name = f"rosenblatt-{uuid4().hex}"
    blocks = Blocks(client, name, source.blocks(name), facts_of)
    plan = plan_of(blocks.facts, parameters, source.counted)
    cuts = blocks.cuts(n_shards)
    shards = blocks.made(shard_of, [blocks.overlaps(*cut) for cut in cuts], plan, [first for first, _ in cuts])
    parameters = replace(parameters, shards=len(shards))
    parameters.check_shards()
    run = HeldRun.begin(parameters, _rows(blocks, plan), before)
    keep = kept(run, parameters.as_dict(), blocks.digest, checkpoint, resume=resume)
    first = _rounds_made(run)

    def after_round(run: HeldRun) -> None:
        keep()
        if watch is not None:
            watch(_progress(run, _rounds_made(run) - first, n_workers(client)))

    model, end = fit_held(run, shards, DaskEngine(client, name), after_round)
    return Fitted(model, None if source.counted is None else plan.first_column == 0, end)


def _rows(blocks: Blocks[Facts], plan: Plan) -> Rows:
    return Rows(
        plan.classes,
        plan.n_features,
        np.dtype(plan.dtype),
        sum(one.n_seen for one in blocks.facts),
        blocks.ends[-1],
    )


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
