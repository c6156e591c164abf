"""What rows of numbers a model takes, `[1.5, 0]` or `{"0": 1.5}` by feature, from 0 on; all of it is checked.

A dense row among sparse ones keeps its zeros, so that it is learned to the same bits.
"""

from collections.abc import Callable, Sequence

import numpy as np

from rosenblatt.base.rows import Matrix, SparseRows, sum_duplicates
from rosenblatt.doors.serve.limits import LARGEST, Limits
from rosenblatt.doors.serve.numbers import Numbers, read_dense, read_numbers
from rosenblatt.doors.serve.refusal import wrong


class NumberRows:
    """What rows of numbers a model takes: of one width, or as wide as they come where sparse ones came first."""

    def __init__(self, limits: Limits, width: int | None, *, grows: bool = False, may_grow: bool = True) -> None:
        self._limits, self._may_grow = limits, may_grow
        self.width, self.grows = width, grows

    def read(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows that are to be learned from; from now on others are as wide."""

        def where(k: int) -> str:
            return f"{place}[{k}].x"

        width, grows = self.width, self.grows
        if width is not None and not grows and (found := self._dense(texts, width, where)) is not None:
            return found
        numbers = read_numbers(texts, where, self._limits.features)
        if width is None:
            grows = not numbers.listed[0]
            if grows and not self._may_grow:
                raise wrong("expected a list, or n_features when the model was made, found an object", where(0))
            width = 1 if grows else int(numbers.starts[1])
        if grows:
            numbers.count_lists()
            top = int(numbers.features.max(initial=0))
            if top >= self._limits.features:
                k = numbers.row_of(int((numbers.features >= self._limits.features).argmax()))
                top = numbers.features[numbers.row(k)].max()
                raise wrong(f"expected features below {self._limits.features:,}, found {top}", where(k))
            width = width if top < width else 1 << top.bit_length()
        X = self._matrix(numbers, width, grows=grows, where=where)
        self.width, self.grows = width, grows
        return X

    def asked(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows to be answered; features that no example had have no weight."""

        def where(k: int) -> str:
            return f"{place}[{k}]"

        width, grows = self.width or 1, self.grows
        if not grows and (found := self._dense(texts, width, where)) is not None:
            return found
        numbers = read_numbers(texts, where, self._limits.features)
        if not grows:
            return self._matrix(numbers, width, grows=False, where=where)
        numbers.count_lists()
        X = self._matrix(numbers, self._limits.features, grows=True, where=where)
        known = np.flatnonzero(X.indices < width)
        if len(known) == X.nnz:
            return SparseRows(X.data, X.indices, X.indptr, width)
        return SparseRows(X.data[known], X.indices[known], np.searchsorted(known, X.indptr), width)

    def _dense(self, texts: Sequence[bytes], width: int, where: Callable[[int], str]) -> Matrix | None:
        """What nearly all requests are, quickly."""
        X = read_dense(texts, where, width)
        return None if X is None or max(X.max(), -X.min()) > LARGEST else X

    def _matrix(self, numbers: Numbers, width: int, *, grows: bool, where: Callable[[int], str]) -> Matrix:
        """Rows as members take them: dense if all are lists of the whole width, else sparse."""
        lengths, values = np.diff(numbers.starts), numbers.values
        strange = numbers.listed & ((lengths == 0) if grows else (lengths != width))
        if strange.any():
            k = int(strange.argmax())
            shown = f"expected {width} numbers, found {lengths[k]}" if lengths[k] else "expected numbers, found none"
            raise wrong(shown, where(k))
        dense = not grows and bool(numbers.listed.all())
        if not dense:
            if not grows:
                numbers.count_lists()
            _check_features(numbers, width, where)
        if max(values.max(initial=0), -values.min(initial=0)) > LARGEST:
            k = numbers.row_of(int((np.abs(values) > LARGEST).argmax()))
            row = values[numbers.row(k)]
            raise wrong(f"expected numbers up to {LARGEST:g}, found {row[np.abs(row).argmax()]:g}", where(k))
        if dense:
            return values.reshape(len(lengths), width)
        return sum_duplicates(SparseRows(values, numbers.features, numbers.starts, width))


def _check_features(numbers: Numbers, width: int, where: Callable[[int], str]) -> None:
    features = numbers.features
    if features.min(initial=0) >= 0 and features.max(initial=0) < width:
        return
    k = numbers.row_of(int(((features < 0) | (features >= width)).argmax()))
    row = features[numbers.row(k)]
    raise wrong(f"expected features from 0 to {width - 1}, found {row.min() if row.min() < 0 else row.max()}", where(k))
