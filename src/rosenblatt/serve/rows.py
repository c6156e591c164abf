"""Rows of numbers as requests have them: `[1.5, 0]`, or `{"0": 1.5}` by feature, from 0 on; all of it is checked.

Rows become arrays at once. A dense row among sparse ones keeps its zeros, so that it is learned to the same bits.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec
import numpy as np

from rosenblatt.rows import Matrix, SparseRows
from rosenblatt.serve.limits import LARGEST, Limits
from rosenblatt.serve.refusal import wrong
from rosenblatt.serve.requests import said

_ROW = msgspec.json.Decoder(list[float] | dict[int, float])


class NumberRows:
    """What rows of numbers a model takes: of one width, or as wide as they come where sparse ones came first."""

    def __init__(self, limits: Limits, width: int | None, *, grows: bool = False, may_grow: bool = True) -> None:
        self._limits, self._may_grow = limits, may_grow
        self.width, self.grows = width, grows

    def read(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows that are to be learned from; from now on others are as wide."""
        rows = [_decoded(text, f"{place}[{k}].x") for k, text in enumerate(texts)]
        width, grows = self.width, self.grows
        for k, row in enumerate(rows):
            where = f"{place}[{k}].x"
            if isinstance(row, dict):
                if width is None:
                    if not self._may_grow:
                        raise wrong("expected a list, or n_features when the model was made, found an object", where)
                    grows, width = True, 1
                top = max(row, default=0)
                if grows and top >= width:
                    if top >= self._limits.features:
                        raise wrong(f"expected features below {self._limits.features:,}, found {top}", where)
                    width = 1 << top.bit_length()
                _check_sparse(row, width, where)
            else:
                if width is None:
                    width = len(row)
                elif grows and len(row) > width:
                    width = 1 << (len(row) - 1).bit_length()
                self._check_dense(row, width, grows, where)
        self.width, self.grows = width, grows
        return matrix(rows, width or 1)

    def asked(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows to be answered; features that no example had have no weight."""
        rows = [_decoded(text, f"{place}[{k}]") for k, text in enumerate(texts)]
        width = self.width or 1
        for k, row in enumerate(rows):
            where = f"{place}[{k}]"
            if isinstance(row, dict):
                if self.grows and max(row, default=0) >= width:
                    _check_sparse(row, self._limits.features, where)
                    rows[k] = {feature: value for feature, value in row.items() if feature < width}
                else:
                    _check_sparse(row, width, where)
            else:
                self._check_dense(row, width, self.grows, where)
                if len(row) > width:
                    rows[k] = row[:width]
        return matrix(rows, width)

    def _check_dense(self, row: list[float], width: int, grows: bool, where: str) -> None:
        if len(row) != width if not grows else len(row) > self._limits.features:
            expected = f"at most {self._limits.features:,}" if grows else str(width)
            raise wrong(f"expected {expected} numbers, found {len(row)}", where)
        if not row:
            raise wrong("expected numbers, found none", where)
        if max(row) > LARGEST or min(row) < -LARGEST:
            raise wrong(f"expected numbers up to {LARGEST:g}, found {max(row, key=abs):g}", where)


def _check_sparse(row: dict[int, float], width: int, where: str) -> None:
    if not row:
        return
    if min(row) < 0 or max(row) >= width:
        found = min(row) if min(row) < 0 else max(row)
        raise wrong(f"expected features from 0 to {width - 1}, found {found}", where)
    values = row.values()
    if max(values) > LARGEST or min(values) < -LARGEST:
        raise wrong(f"expected numbers up to {LARGEST:g}, found {max(values, key=abs):g}", where)


def _decoded(text: bytes, where: str) -> Any:
    try:
        row = _ROW.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise wrong(f"expected numbers, or an object of them by feature: {said(error)}", where) from None
    if isinstance(row, dict) and text.count(b":") != len(row):
        raise wrong("expected each feature once, found one twice", where)
    return row


def matrix(rows: Sequence[Any], width: int) -> Matrix:
    """Rows as members take them: sparse if one of them is, and else dense, if all have the whole width."""
    if rows and all(isinstance(row, list) and len(row) == width for row in rows):
        return np.array(rows, dtype=np.float64)
    parts = [sorted(row.items()) if isinstance(row, dict) else list(enumerate(row)) for row in rows]
    count = sum(map(len, parts))
    starts = np.zeros(len(parts) + 1, dtype=np.int32)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(parts)), dtype=np.float64, count=2 * count)
    return SparseRows(np.ascontiguousarray(flat[1::2]), flat[::2].astype(np.int32), starts, width)
