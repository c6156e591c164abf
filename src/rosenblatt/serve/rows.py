"""Rows of numbers as requests have them: `[1.5, 0]`, or `{"0": 1.5}` by feature, from 0 on; all of it is checked.

Rows become arrays at once, and are looked at there. A dense row among sparse ones keeps its zeros, so that it is
learned to the same bits.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt.rows import Matrix, SparseRows, summed
from rosenblatt.serve.limits import LARGEST, Limits
from rosenblatt.serve.many import Many, first_refusal
from rosenblatt.serve.refusal import wrong

Row = list[float] | dict[int, float]
_ROWS = Many(Row, "numbers, or an object of them by feature")


class NumberRows:
    """What rows of numbers a model takes: of one width, or as wide as they come where sparse ones came first."""

    def __init__(self, limits: Limits, width: int | None, *, grows: bool = False, may_grow: bool = True) -> None:
        self._limits, self._may_grow = limits, may_grow
        self.width, self.grows = width, grows

    def read(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows that are to be learned from; from now on others are as wide."""

        def where(k: int) -> str:
            return f"{place}[{k}].x"

        rows = _decoded(texts, where)
        width, grows = self.width, self.grows
        if width is None:
            grows = isinstance(rows[0], dict)
            if grows and not self._may_grow:
                raise wrong("expected a list, or n_features when the model was made, found an object", where(0))
            width = 1 if grows else len(rows[0])
        if grows:
            top = max(max(row, default=0) if isinstance(row, dict) else len(row) - 1 for row in rows)
            if top >= self._limits.features:
                raise first_refusal(self._check_top, rows, where)
            width = width if top < width else 1 << top.bit_length()
        X = self._matrix(rows, width, grows=grows, where=where)
        self.width, self.grows = width, grows
        return X

    def asked(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows to be answered; features that no example had have no weight."""

        def where(k: int) -> str:
            return f"{place}[{k}]"

        rows, width = _decoded(texts, where), self.width or 1
        if not self.grows:
            return self._matrix(rows, width, grows=False, where=where)
        X = self._matrix(rows, self._limits.features, grows=True, where=where)
        known = X.indices < width
        if known.all():
            return SparseRows(X.data, X.indices, X.indptr, width)
        starts = np.concatenate([[0], np.cumsum(known)])[X.indptr].astype(np.int32)
        return SparseRows(X.data[known], X.indices[known], starts, width)

    def _matrix(self, rows: list[Any], width: int, *, grows: bool, where: Callable[[int], str]) -> Matrix:
        """Rows as members take them: dense if all are lists of the whole width, else sparse."""
        lengths = {len(row) for row in rows if isinstance(row, list)}
        if 0 in lengths or (not grows and lengths - {width}):
            raise first_refusal(lambda row, at: _check_length(row, width, at), rows, where)
        X = matrix(rows, width, dense=not grows and all(isinstance(row, list) for row in rows))
        values = X.data if isinstance(X, SparseRows) else X
        outside = isinstance(X, SparseRows) and X.nnz and (X.indices.min() < 0 or X.indices.max() >= width)
        if outside or (values.size and max(values.max(), -values.min()) > LARGEST):
            raise first_refusal(lambda row, at: _check_values(row, width, at), rows, where)
        return X

    def _check_top(self, row: Any, where: str) -> None:
        top = max(row, default=0) if isinstance(row, dict) else len(row) - 1
        if top >= self._limits.features:
            raise wrong(f"expected features below {self._limits.features:,}, found {top}", where)


def _decoded(texts: Sequence[bytes], where: Callable[[int], str]) -> list[Any]:
    rows = _ROWS.decode(texts, where)
    # An object of numbers has a colon a feature: a feature that comes twice would be lost without a word.
    if sum(text.count(b":") for text in texts) != sum(len(row) for row in rows if isinstance(row, dict)):
        for k, (text, row) in enumerate(zip(texts, rows, strict=True)):
            if text.count(b":") != len(row):
                raise wrong("expected each feature once, found one twice", where(k))
    return rows


def _check_length(row: Any, width: int, where: str) -> None:
    if isinstance(row, list) and len(row) != width:
        raise wrong(f"expected {width} numbers, found {len(row)}" if row else "expected numbers, found none", where)


def _check_values(row: Any, width: int, where: str) -> None:
    if isinstance(row, dict) and row and (min(row) < 0 or max(row) >= width):
        found = min(row) if min(row) < 0 else max(row)
        raise wrong(f"expected features from 0 to {width - 1}, found {found}", where)
    found = max(row.values() if isinstance(row, dict) else row, key=abs, default=0.0)
    if abs(found) > LARGEST:
        raise wrong(f"expected numbers up to {LARGEST:g}, found {found:g}", where)


def matrix(rows: Sequence[Any], width: int, *, dense: bool) -> Matrix:
    """An array, or sparse rows with sorted features."""
    if dense:
        return np.array(rows, dtype=np.float64)
    starts = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    count = int(starts[-1])
    features = chain.from_iterable(row if isinstance(row, dict) else range(len(row)) for row in rows)
    values = chain.from_iterable(row.values() if isinstance(row, dict) else row for row in rows)
    try:
        indices = np.fromiter(features, dtype=np.int64, count=count)
    except OverflowError:
        indices = np.full(count, -1)  # one that no machine counts to: it is looked for, and refused
    data = np.fromiter(values, dtype=np.float64, count=count)
    return summed(SparseRows(data, indices, starts.astype(np.int64), width))
