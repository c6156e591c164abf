"""Blocks of rows in Dask arrays and data frames, and of what is in memory here."""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import check_labels, refuse_masked
from rosenblatt.doors.dask.cluster import check_memory
from rosenblatt.doors.dask.engine import RETRIES, data_in_tasks
from rosenblatt.doors.dask.linear.blocks import block_of


def is_collection(X: Any) -> bool:
    """Whether it is a Dask array or frame."""
    from dask import is_dask_collection

    return bool(is_dask_collection(X))


def blocks_of(client: Any, name: str, X: Any, y: Any, sample_weight: Any = None) -> list[Any]:
    """Blocks as futures: the partitions of X, with the labels and weights of their rows."""
    from dask import delayed

    if not is_collection(X):
        refuse_masked(X, "X")
        given = X if hasattr(X, "shape") else np.asarray(X)
        parts, sizes = [given], [given.shape[0]]
    else:
        X = X.rechunk({1: -1}) if hasattr(X, "chunks") and X.ndim == 2 else X
        if getattr(X, "ndim", 2) != 2:
            raise ValueError(f"X: expected rows of numbers, found {X.ndim} dimensions")
        parts, sizes = _parts(X), _sizes(X)
        if hasattr(X, "chunks") and isinstance(X._meta, np.ndarray) and not np.isnan(X.nbytes):
            check_memory(client, int(X.nbytes))
    labels = _beside("y", y, sizes)
    weights = [None] * len(parts) if sample_weight is None else _beside("sample_weight", sample_weight, sizes)
    make = delayed(block_of, pure=True)
    tasks = [
        make(f"partition {number + 1} of X", *part, dask_key_name=f"block-{name}-{number}")
        for number, part in enumerate(zip(parts, labels, weights, strict=True))
    ]
    with data_in_tasks():
        futures: list[Any] = client.compute(tasks, retries=RETRIES)
    return futures


def _parts(collection: Any) -> list[Any]:
    delayed = collection.to_delayed()
    return list(np.asarray(delayed, dtype=object).ravel())


def _sizes(collection: Any) -> list[float]:
    """The rows of each partition, NaN where only its worker will know."""
    if hasattr(collection, "chunks"):
        return list(collection.chunks[0])
    return [np.nan] * int(collection.npartitions)


def _beside(name: str, values: Any, sizes: list[Any]) -> list[Any]:
    """Labels or weights, in the partitions of X."""
    known = not np.isnan(sizes).any()
    if not is_collection(values):
        (check_labels if name == "y" else refuse_masked)(values, name)
        values = np.asarray(values)
        if not known:
            raise ValueError(f"{name}: expected a Dask collection in the partitions of X, found {type(values)}")
        if len(values) != sum(sizes):
            raise ValueError(f"{name}: expected {sum(sizes)} values, one a row, found {len(values)}")
        return np.split(values, np.cumsum(sizes)[:-1].astype(int))
    own = _sizes(values)
    if own != sizes and known and not np.isnan(own).any():
        if sum(own) != sum(sizes):
            raise ValueError(f"{name}: expected {sum(sizes)} values, one a row, found {sum(own)}")
        values = values.rechunk({0: tuple(sizes)})
    parts = _parts(values)
    if len(parts) != len(sizes):
        raise ValueError(f"{name}: expected the {len(sizes)} partitions of X, found {len(parts)}")
    return parts
