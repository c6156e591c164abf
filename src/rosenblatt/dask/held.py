"""From blocks to shards that the workers hold: what all rows have in common, and who has which of them.

A shard is some of the rows, one after the other, all as equal as can be, however the blocks are cut. Without a number
of shards each block is one.
"""

from collections.abc import Sequence
from functools import reduce
from hashlib import blake2b
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.dask.blocks import Facts, Plan, facts_of, shard_of
from rosenblatt.dask.cluster import check_memory, distributed
from rosenblatt.dask.engine import RETRIES
from rosenblatt.labels import merge
from rosenblatt.learning.sample_weight import class_weights
from rosenblatt.learning.shards import spans
from rosenblatt.linear.held import Rows
from rosenblatt.linear.parameters import PerceptronParameters


class Held(NamedTuple):
    """Shards as futures, what is known of all rows, and what tells these rows from others."""

    shards: list[Any]
    rows: Rows
    digest: str
    zero_based: bool


class Counted(NamedTuple):
    """How svmlight text counts columns, and how many there are, if somebody has told."""

    n_features: int | None = None
    zero_based: bool | str = True


def hold(
    client: Any,
    name: str,
    blocks: list[Any],
    n_shards: int | None,
    parameters: PerceptronParameters,
    counted: Counted | None = None,
) -> Held:
    """Cut blocks, which are futures, into shards. `counted` is for svmlight text alone."""
    facts = _facts(client, name, blocks)
    plan, zero_based = _plan(facts, parameters, counted)
    sizes = [one.n_rows for one in facts]
    ends = list(accumulate(sizes))
    if n_shards is None:
        cuts = [(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    else:
        cuts = spans(ends[-1], n_shards)
    shards = []
    for number, (first, last) in enumerate(cuts):
        parts = _overlaps(first, last, sizes, ends)
        shards.append(
            client.submit(
                shard_of,
                number,
                first,
                [blocks[block] for block, _ in parts],
                [span for _, span in parts],
                [facts[block].digest for block, _ in parts],
                plan,
                key=f"shard-{name}-{number}",
                retries=RETRIES,
            )
        )
    for shard in shards:
        if shard.exception() is not None:  # waits for it
            shard.result()
    rows = Rows(
        plan.classes,
        plan.n_features,
        np.dtype(plan.dtype),
        sum(one.n_seen for one in facts),
        ends[-1],
        sum(one.n_values for one in facts),
    )
    return Held(shards, rows, blake2b("".join(one.digest for one in facts).encode()).hexdigest(), zero_based)


def _overlaps(first: int, last: int, sizes: list[int], ends: list[int]) -> list[tuple[int, tuple[int, int]]]:
    """Of the rows `first` to `last` (excluded): which blocks they are in, and where in each."""
    found = []
    for block, (size, end) in enumerate(zip(sizes, ends, strict=True)):
        start = end - size
        if max(first, start) < min(last, end):
            found.append((block, (max(first, start) - start, min(last, end) - start)))
    return found


def _facts(client: Any, name: str, blocks: list[Any]) -> list[Facts]:
    """Of each block. As soon as the workers have more than they can hold, it ends."""
    asked = [
        client.submit(facts_of, block, key=f"facts-{name}-{number}", retries=RETRIES)
        for number, block in enumerate(blocks)
    ]
    n_bytes = 0
    for _, facts in distributed().as_completed(asked, loop=client.loop, with_results=True):
        n_bytes += facts.n_bytes
        check_memory(client, n_bytes)
    found: list[Facts] = client.gather(asked)
    return found


def _plan(facts: Sequence[Facts], parameters: PerceptronParameters, counted: Counted | None) -> tuple[Plan, bool]:
    full = [one for one in facts if one.n_rows]
    if not full:
        raise ValueError("expected rows to learn from, found none (or only such of weight 0)")
    _check_alike(full, counted)
    classes = reduce(merge, (one.classes for one in full), full[0].classes[:0])
    zero_based, n_features = True, full[0].n_columns
    if counted is not None:
        zero_based, n_features = _columns(full, counted)
    counts = np.zeros(len(classes))
    for one in full:
        counts[np.searchsorted(classes, one.classes)] += one.counts
    plan = Plan(
        classes,
        _of_class(parameters.class_weight, classes, counts),
        n_features,
        np.result_type(*(one.dtype for one in full)).name,
        full[0].is_sparse,
        0 if zero_based else 1,
        parameters,
    )
    return plan, zero_based


def _check_alike(facts: Sequence[Facts], counted: Counted | None) -> None:
    one = facts[0]
    for other in facts:
        if counted is None and other.n_columns != one.n_columns:
            _refuse(other, one, f"{one.n_columns} columns", str(other.n_columns))
        if other.is_sparse != one.is_sparse:
            words = {True: "sparse rows", False: "dense ones"}
            _refuse(other, one, words[one.is_sparse], words[other.is_sparse])
        if _are_names(other.classes) != _are_names(one.classes):
            names = {True: "names", False: "numbers"}
            _refuse(other, one, f"{names[_are_names(one.classes)]} as labels", names[_are_names(other.classes)])


def _refuse(other: Facts, one: Facts, expected: str, found: str) -> None:
    raise ValueError(f"{other.name}: expected {expected}, as in {one.name}, found {found}")


def _are_names(classes: Array) -> bool:
    return isinstance(classes.tolist()[0], str)


def _columns(facts: Sequence[Facts], counted: Counted) -> tuple[bool, int]:
    """Whether columns are counted from 0, and how many there are; blocks count one more than their largest index."""
    widest = max(facts, key=lambda one: one.n_columns)
    zero_based = counted.zero_based
    if zero_based == "auto":
        zero_based = any(one.has_zero for one in facts) or widest.n_columns == 1
    found = max(widest.n_columns - (not zero_based), 1)
    n_features = counted.n_features or found
    if found > n_features:
        raise ValueError(f"{widest.name}: expected at most {n_features} columns, found {found}")
    return bool(zero_based), n_features


def _of_class(class_weight: Any, classes: Array, counts: Array) -> Array | None:
    if class_weight is None:
        return None
    if not isinstance(class_weight, str) and 0 in class_weight.values():
        raise ValueError("class_weight: expected weights over 0 on a cluster, found 0; leave the rows of the class out")
    return class_weights(class_weight, classes, np.arange(len(classes)), counts)
