"""Rows as they are read, block by block, what is to be known of each, and how shards are put together from them.

All that is here runs on workers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array, check_labels, refuse_masked
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import Matrix, SparseRows, as_rows, as_type, core_rows, stack_all
from rosenblatt.members.rows import RowMember
from rosenblatt.members.sample_weight import checked_weight
from rosenblatt.members.shards import Shard


@dataclass(frozen=True)
class Block:
    """Some rows that count, one after the other; `n_seen` are with those of weight 0, which do not."""

    name: str
    X: Matrix
    y: Array
    weight: Array | None
    n_seen: int
    digest: str
    has_zero: bool = True  # whether column 0 occurs: if none has it, svmlight text counts from 1


class Facts(NamedTuple):
    """What is to be known of a block before the first round."""

    name: str
    n_seen: int
    n_rows: int
    n_columns: int
    dtype: str
    is_sparse: bool
    classes: Array
    counts: Array  # rows of each class
    n_bytes: int
    digest: str
    has_zero: bool


class Plan(NamedTuple):
    """What all shards have in common, fixed before the first round."""

    classes: Array
    of_class: Array | None  # the weight of each
    n_features: int
    dtype: str
    is_sparse: bool
    first_column: int  # 1 if the text counts columns from 1
    member: RowMember[Any]

    @property
    def rows(self) -> SparseRows:
        """Rows of this width and type, none of them: for what asks no more of X."""
        nothing = np.empty(0, np.int64)
        return SparseRows(np.empty(0, self.dtype), nothing, np.zeros(1, np.int64), self.n_features)


def block_of(name: str, X: Any, y: Any, sample_weight: Any = None) -> Block:
    """A block of a collection: an array, a matrix of scipy or a frame, its labels, and perhaps weights of rows."""
    X = as_rows(np.asarray(X) if hasattr(X, "columns") else X, name)
    check_labels(y)
    labels = np.asarray(y).reshape(-1)
    if len(labels) != X.shape[0]:
        raise ValueError(f"{name}: expected as many labels as rows, found {len(labels)} and {X.shape[0]}")
    weight, n_seen = None, X.shape[0]
    if sample_weight is not None:
        refuse_masked(sample_weight, "sample_weight")
        weight = checked_weight(np.asarray(sample_weight).reshape(-1), X)
        rows = np.flatnonzero(weight)
        X, labels, weight = X[rows], labels[rows], weight[rows]
    return checked_block(name, X, labels, weight, n_seen)


def checked_block(name: str, X: Matrix, y: Array, weight: Array | None, n_seen: int, *, has_zero: bool = True) -> Block:
    """A block whose values are finite numbers, with its digest."""
    try:
        core_rows(X)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return Block(name, X, y, weight, n_seen, _digest(X, y, weight), has_zero)


def facts_of(block: Block) -> Facts:
    """What is to be known of it."""
    X = block.X
    try:
        classes, numbers = encode(block.y)
    except ValueError as error:
        raise ValueError(f"{block.name}: {error}") from None
    arrays = (*_arrays(X), block.y, *(() if block.weight is None else (block.weight,)))
    return Facts(
        name=block.name,
        n_seen=block.n_seen,
        n_rows=X.shape[0],
        n_columns=X.shape[1],
        dtype=X.dtype.name,
        is_sparse=isinstance(X, SparseRows),
        classes=classes,
        counts=np.bincount(numbers, minlength=len(classes)),
        n_bytes=sum(array.nbytes for array in arrays),
        digest=block.digest,
        has_zero=block.has_zero,
    )


def shard_of(
    number: int, blocks: Sequence[Block], spans: Sequence[tuple[int, int]], plan: Plan, firsts: Sequence[int]
) -> Shard:
    """The shard of these spans of blocks; `firsts` are the first rows of all shards among all that count."""
    pieces = [_piece(block, *span, plan) for block, span in zip(blocks, spans, strict=True)]
    X, target, weight = _joined(pieces, plan)
    if plan.of_class is not None:
        weight = np.asarray((1.0 if weight is None else weight) * plan.of_class[target], dtype=X.dtype)
    return Shard(number, firsts[number], plan.member.take_rows(X), target, weight)


def _piece(block: Block, first: int, last: int, plan: Plan) -> tuple[Matrix, Array, Array | None]:
    X, y = block.X[first:last], block.y[first:last]
    if isinstance(X, SparseRows):
        indices = X.indices - X.indices.dtype.type(plan.first_column) if plan.first_column else X.indices
        X = replace(X, indices=indices, n_columns=plan.n_features)
    target = np.searchsorted(plan.classes, y).clip(max=len(plan.classes) - 1).astype(np.int32)
    if (plan.classes[target] != y).any():
        raise ValueError(f"{block.name}: expected the labels that were read before, found others: they have changed")
    return as_type(X, plan.dtype), target, None if block.weight is None else block.weight[first:last]


def _joined(pieces: list[tuple[Matrix, Array, Array | None]], plan: Plan) -> tuple[Matrix, Array, Array | None]:
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        X: Matrix = np.empty((0, plan.n_features), plan.dtype)
        if plan.is_sparse:
            X = SparseRows(np.empty(0, plan.dtype), np.empty(0, np.int32), np.zeros(1, np.int32), plan.n_features)
        return X, np.empty(0, np.int32), None
    weights = [weight for _, _, weight in pieces if weight is not None]
    return (
        stack_all([X for X, _, _ in pieces]),
        np.concatenate([target for _, target, _ in pieces]),
        np.concatenate(weights).astype(plan.dtype, copy=False) if weights else None,
    )


def _arrays(X: Matrix) -> tuple[Array, ...]:
    return (X.data, X.indices, X.indptr) if isinstance(X, SparseRows) else (X,)


def _digest(X: Matrix, y: Array, weight: Array | None) -> str:
    digest = blake2b(repr((X.shape, y.dtype.kind)).encode(), digest_size=16)
    for array in (*_arrays(X), y, *(() if weight is None else (weight,))):
        if array.dtype.kind == "O":
            digest.update(repr(array.tolist()).encode())
        else:
            digest.update(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"")
    return digest.hexdigest()
