"""A fit on a cluster: blocks become shards, rounds follow until the run ends, and each round may write a checkpoint."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import uuid4

from rosenblatt.doors.dask.cluster import n_workers, while_it_answers
from rosenblatt.doors.dask.engine import DaskEngine
from rosenblatt.doors.dask.files import found_files
from rosenblatt.doors.dask.held import Blocks
from rosenblatt.doors.dask.linear.blocks import (
    Block,
    Counted,
    Facts,
    parts_of,
    plan_of,
    read_part,
    shard_of,
    with_format,
)
from rosenblatt.doors.dask.parts import PART_BYTES, blocks_of_parts
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import random_state
from rosenblatt.members.rows import check_two_classes
from rosenblatt.members.run import Watch, run
from rosenblatt.members.shards import RowsInShards
from rosenblatt.members.stopping import End
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.stream.checkpoint import check_resume, keep_rounds


class RoundPlace(NamedTuple):
    """How far a run is, after a round."""

    round_number: int  # in this pass, counted from 1
    n_rounds: int  # in a pass
    n_rows: int  # visited since the run began or resumed
    n_workers: int


class FittedOnCluster(NamedTuple):
    """What was learned, whether svmlight text counts columns from 0, if it was such, and why the run has ended."""

    model: Any
    zero_based: bool | None
    end: End | None


class Source(NamedTuple):
    """A function that gives the rows, as futures of blocks whose keys begin with a name.

    `counted` is only for svmlight text.
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
    member: Any,
    *,
    n_shards: int | None,
    before: Any = None,
    checkpoint: "str | os.PathLike[str] | None" = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> FittedOnCluster:
    """Learn from blocks of rows on the workers of a client.

    With a `checkpoint`, the state of the run is written to that file after each round; with `resume`, the run continues
    from it. `watch` is called after each round.
    """
    check_offered(member.parameters, "cluster")
    check_resume(checkpoint, resume=resume)
    name = f"rosenblatt-{uuid4().hex}"
    blocks = Blocks[Facts](client, name, source.blocks(name), facts_of)
    plan = plan_of(blocks.facts, member, source.counted)
    cuts = blocks.cuts(n_shards)
    shards = blocks.make(shard_of, [blocks.overlaps(*cut) for cut in cuts], plan, [first for first, _ in cuts])
    member = replace(member, parameters=replace(member.parameters, shards=len(shards)))
    check_two_classes(member.model_class.kind, plan.classes)
    state, seed = member.begin(plan.classes, plan.rows, random_state(member.parameters.random_state), before)
    n_seen, n_rows = sum(block.n_seen for block in blocks.facts), blocks.ends[-1]
    rounds = RowsInShards(
        shards,
        DaskEngine(client, name),
        n_rows,
        member,
        state,
        plan.classes,
        plan.n_features,
        n_seen,
        member.stopping(n_rows),
        seed,
    )
    keep = keep_rounds(rounds, member.parameters.as_dict(), blocks.digest, checkpoint, resume=resume)
    n_rounds, first = member.parameters.n_rounds, _rounds_made(rounds)

    def place(so_far: RowsInShards) -> RoundPlace:
        n_visited = n_rows * (_rounds_made(so_far) - first) // n_rounds
        return RoundPlace(len(so_far.rounds), n_rounds, n_visited, n_workers(client))

    rounds.place = place
    end = run(rounds, rounds.stop, watch=watch, after_turn=keep)
    model = rounds.model()
    member.finish(model)
    return FittedOnCluster(model, None if source.counted is None else plan.first_column == 0, end)


def facts_of(block: Block) -> Facts:
    return block.facts


def _rounds_made(run: RowsInShards) -> int:
    return len(run.stop.mistakes) * int(run.member.parameters.n_rounds) + len(run.rounds)
