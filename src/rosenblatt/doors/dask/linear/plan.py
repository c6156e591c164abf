"""What all rows of a run have in common: classes, columns, types. Blocks that do not go together are refused."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import merge
from rosenblatt.doors.dask.linear.blocks import Facts, Plan
from rosenblatt.members.rows import RowMember
from rosenblatt.members.sample_weight import class_weights


class Counted(NamedTuple):
    """How svmlight text counts columns, and how many there are, if somebody has told."""

    n_features: int | None = None
    zero_based: bool | str = True


def plan_of(facts: Sequence[Facts], member: RowMember[Any], counted: Counted | None) -> Plan:
    """What all shards have in common. `counted` is for svmlight text alone."""
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
    return Plan(
        classes,
        _of_class(member.parameters.class_weight, classes, counts),
        n_features,
        np.result_type(*(one.dtype for one in full)).name,
        full[0].is_sparse,
        0 if zero_based else 1,
        member,
    )


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
