"""How the x of a model gets from the JSON of requests to arrays for members: numbers, cells of a table, or sentences.

Each kind has the same two methods: `to_answer`, and `to_learn`, which fixes the width of further rows.

Text of a few bytes for each number becomes 16 bytes for each number. One call of the JSON decoder stops all other
threads, and its values take many times the memory of their text: so it gets a piece at a time.
"""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, pairwise, repeat
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, SparseRows, stack_all, sum_duplicates
from rosenblatt.doors.serve.answers import wrong
from rosenblatt.doors.serve.limits import LARGEST, Limits
from rosenblatt.doors.serve.requests import explain
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.notation import UTF8

PIECE = 1 << 18  # bytes of text that one call decodes


def pieces(texts: Sequence[bytes]) -> Iterator[tuple[int, Sequence[bytes]]]:
    """Yield texts, about `PIECE` bytes at a time but at least one, with the number of the first of them.

    >>> [(first, len(part)) for first, part in pieces([b"[1]"] * 10)]
    [(0, 10)]
    """
    first = size = 0
    for k, text in enumerate(texts):
        size += len(text)
        if size > PIECE and k > first:
            yield first, texts[first:k]
            first, size = k, len(text)
    if first < len(texts):
        yield first, texts[first:]


class Many:
    """Decodes values of one type, and names the first that is wrong."""

    def __init__(self, kind: Any, expected: str) -> None:
        self._many, self._single = msgspec.json.Decoder(list[kind]), msgspec.json.Decoder(kind)
        self._expected = expected

    def decode(self, texts: Sequence[bytes], place: Callable[[int], str]) -> list[Any]:
        """The values of JSON texts. A 422 names the first that is of another type."""
        values = list[Any]()
        for first, part in pieces(texts):
            try:
                values += self._many.decode(b"[%s]" % b",".join(part))
            except (msgspec.MsgspecError, UnicodeDecodeError):
                for k, text in enumerate(part, first):
                    self._check(text, place(k))
                raise
        return values

    def _check(self, text: bytes, where: str) -> None:
        try:
            self._single.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected {self._expected}: {explain(error)}", where) from None


Row = list[float] | dict[int, float]
_ROWS = Many(Row, "numbers, or an object of them by feature")


class Numbers(NamedTuple):
    """The numbers of some rows, one row after another."""

    starts: Array  # where each row starts, and the end of the last
    listed: Array  # whether a row is a list
    features: Array  # for lists, filled in by `count_lists`
    values: Array

    def count_lists(self) -> None:
        """Fill in the features of rows that are lists: 0, 1, 2, ..."""
        for k in np.flatnonzero(self.listed).tolist():
            self.features[self.row(k)] = np.arange(self.starts[k + 1] - self.starts[k])

    def row_of(self, number: int) -> int:
        return int(np.searchsorted(self.starts, number, side="right")) - 1

    def row(self, k: int) -> slice:
        return slice(self.starts[k], self.starts[k + 1])


def read_numbers(texts: Sequence[bytes], where: Callable[[int], str], most: int) -> Numbers:
    """The numbers of JSON texts, one row each. A 422 names a value that is no number.

    Features must be below `most`; only the message for features that are too large to count needs it.
    """
    parts = [(k, part) for k, text in enumerate(texts) for part in _cut(text)]
    rows, size = [k for k, _ in parts], sum(text.count(b",") + 1 for text in texts)
    # The system gives memory only to the pages that are written.
    values, features = np.empty(size), np.empty(size, dtype=np.int64)
    lengths, listed, end = [0] * len(texts), np.zeros(len(texts), dtype=bool), 0
    for first, some in pieces([part for _, part in parts]):
        decoded = _decode(some, lambda k, first=first: where(rows[first + k]))  # type: ignore[misc]
        start, end = end, end + sum(map(len, decoded))
        flat = chain.from_iterable(row.values() if isinstance(row, dict) else row for row in decoded)
        values[start:end] = np.fromiter(flat, dtype=np.float64, count=end - start)
        if any(isinstance(row, dict) for row in decoded):
            places = chain.from_iterable(row if isinstance(row, dict) else repeat(0, len(row)) for row in decoded)
            try:
                features[start:end] = np.fromiter(places, dtype=np.int64, count=end - start)
            except OverflowError:
                raise _uncountable(decoded, lambda k, first=first: where(rows[first + k]), most) from None  # type: ignore[misc]
        for k, row in zip(rows[first:], decoded, strict=False):
            lengths[k] += len(row)
            listed[k] = isinstance(row, list)
    starts = np.array([*accumulate(lengths, initial=0)])
    numbers = Numbers(starts, listed, features[:end], values[:end])
    if len(parts) > len(texts):
        _check_once(numbers, rows, where)
    return numbers


def read_dense(texts: Sequence[bytes], where: Callable[[int], str], width: int) -> Array | None:
    """A few rows at once, if they are lists of this width; else None, and `read_numbers` finds out what they are."""
    if sum(map(len, texts)) > PIECE:
        return None
    rows = _ROWS.decode(texts, where)
    return np.array(rows) if all(isinstance(row, list) and len(row) == width for row in rows) else None


def _cut(text: bytes) -> Iterator[bytes]:
    """A row, or a long row in pieces, each as a row.

    A row with other things than numbers is not JSON when it is cut, so it is found.
    """
    if len(text) <= PIECE:
        yield text
        return
    text = text.strip()
    start = 1
    while (end := text.find(b",", start + PIECE)) >= 0:
        yield text[:1] + text[start:end] + text[-1:]
        start = end + 1
    yield text[:1] + text[start:]


def _decode(texts: Sequence[bytes], where: Callable[[int], str]) -> list[Any]:
    rows = _ROWS.decode(texts, where)
    # An object has one colon for each feature: without this count, a feature that comes twice would be lost silently.
    if sum(text.count(b":") for text in texts) != sum(len(row) for row in rows if isinstance(row, dict)):
        for k, (text, row) in enumerate(zip(texts, rows, strict=True)):
            if text.count(b":") != len(row):
                raise _twice(where(k))
    return rows


def _check_once(numbers: Numbers, rows: list[int], where: Callable[[int], str]) -> None:
    """Check that no feature is in two pieces of a row that was cut."""
    for k in {k for k, after in pairwise(rows) if k == after}:
        places = np.sort(numbers.features[numbers.row(k)])  # a sort lets other threads run; `unique` does not
        if not numbers.listed[k] and (places[1:] == places[:-1]).any():
            raise _twice(where(k))


def _twice(where: str) -> Exception:
    return wrong("expected each feature once, found one twice", where)


def _uncountable(rows: list[Any], where: Callable[[int], str], most: int) -> Exception:
    """The refusal of features that are too large to count."""
    for k, row in enumerate(rows):
        for feature in row if isinstance(row, dict) else ():
            if not -(2**63) <= feature < 2**63:
                return wrong(
                    f"expected features {'from 0' if feature < 0 else f'below {most:,}'}, found {feature}", where(k)
                )
    raise AssertionError("expected a feature that is too large")


class NumberRows:
    """The rows of numbers of a model: of one width, or of growing width if the first rows were sparse."""

    def __init__(self, limits: Limits, width: int | None, *, grows: bool = False, may_grow: bool = True) -> None:
        self._limits, self._may_grow = limits, may_grow
        self.width, self.grows = width, grows

    def to_learn(self, texts: Sequence[bytes], place: str) -> Matrix:
        def where(k: int) -> str:
            return f"{place}[{k}].x"

        width, grows = self.width, self.grows
        if width is not None and not grows and (dense := self._dense(texts, width, where)) is not None:
            return dense
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

    def to_answer(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows to answer; features that no example had have no weight."""

        def where(k: int) -> str:
            return f"{place}[{k}]"

        width, grows = self.width or 1, self.grows
        if not grows and (dense := self._dense(texts, width, where)) is not None:
            return dense
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
        """Read rows quickly if they have the form that nearly all requests have."""
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


_SENTENCE = msgspec.json.Decoder(list[str | list[str]])
MOST_TOKENS = 10_000  # tokens of a sentence
MOST_AT_ONCE = 1_000_000  # tokens of a request: each takes a hundred times the memory of a short word's text


class SentenceRows:
    """The sentences of a tagger: tokens with as many columns as its templates need."""

    width = None

    def __init__(self, n_columns: int) -> None:
        self._n_columns = n_columns

    def to_learn(self, texts: Sequence[bytes], place: str) -> list[list[Any]]:
        check_texts(texts, self._n_columns, lambda k: f"{place}[{k}].x")
        return [self._sentence(text, f"{place}[{k}].x") for k, text in enumerate(texts)]

    def to_answer(self, texts: Sequence[bytes], place: str) -> list[list[Any]]:
        check_texts(texts, self._n_columns, lambda k: f"{place}[{k}]")
        return [self._sentence(text, f"{place}[{k}]") for k, text in enumerate(texts)]

    def _sentence(self, text: bytes, where: str) -> list[Any]:
        try:
            tokens: list[Any] = _SENTENCE.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected a list of tokens: {explain(error)}", where) from None
        if not 0 < len(tokens) <= MOST_TOKENS:
            raise wrong(f"expected 1 to {MOST_TOKENS:,} tokens, found {len(tokens):,}", where)
        for k, token in enumerate(tokens):
            if self._n_columns == 1 if isinstance(token, str) else len(token) == self._n_columns:
                continue
            expected = "a text" if self._n_columns == 1 else f"{self._n_columns} texts"
            raise wrong(f"expected {expected}, found {token!r:.60}", f"{where}[{k}]")
        return [[token] if self._n_columns == 1 and isinstance(token, str) else token for token in tokens]


def check_texts(texts: Sequence[bytes], n_columns: int, where: Callable[[int], str]) -> None:
    """Raise a 422 for too many tokens, which quotes and brackets show before any token is made."""
    total = 0
    for k, text in enumerate(texts):
        strings = (text.count(b'"') - text.count(b'\\"')) // 2
        count = max(strings // n_columns, text.count(b"[") - 1)
        if count > MOST_TOKENS:
            raise wrong(f"expected 1 to {MOST_TOKENS:,} tokens, found {count:,}", where(k))
        total += count
        if total > MOST_AT_ONCE:
            raise wrong(f"expected at most {MOST_AT_ONCE:,} tokens in a request, found more", where(k))


class TextsOfRows:
    """The rows of a classifier of texts that knows no table: each is a text."""

    width = None
    _TEXTS = Many(str, "a text")

    def to_learn(self, texts: Sequence[bytes], place: str) -> TextRows:
        return TextRows([self._TEXTS.decode(texts, lambda k: f"{place}[{k}].x")])

    def to_answer(self, texts: Sequence[bytes], place: str) -> TextRows:
        return TextRows([self._TEXTS.decode(texts, lambda k: f"{place}[{k}]")])


_CELLS = msgspec.json.Decoder(dict[str, str | int | float | bool | None])


class CellRows:
    """The rows of a model with an encoding: cells under the names of its columns."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding, self._columns = encoding, encoding.columns
        self.notation = encoding.notation.but(header=True, names=None, encoding=UTF8)
        self.width = encoding.n_features

    @property
    def label(self) -> str | None:
        return self.encoding.parameters.label

    def to_learn(self, texts: Sequence[bytes], place: str) -> Matrix:
        return self._features(texts, lambda k: f"{place}[{k}].x")

    def to_answer(self, texts: Sequence[bytes], place: str) -> Matrix:
        return self._features(texts, lambda k: f"{place}[{k}]")

    def _features(self, texts: Sequence[bytes], where: Callable[[int], str]) -> Matrix:
        parts = []
        for first, some in pieces(texts):
            rows = [self._cells(text, where(k)) for k, text in enumerate(some, first)]
            try:
                parts.append(self._encode(rows))
            except ValueError:
                for k, row in enumerate(rows, first):  # find the row that is wrong
                    try:
                        self._encode([row])
                    except ValueError as error:
                        raise wrong(str(error).partition(": ")[2] or str(error), where(k)) from None
                raise
        return TextRows.join(parts) if self.encoding.leaves_texts else stack_all(parts)

    def _cells(self, text: bytes, where: str) -> list[Any]:
        columns = ", ".join(self._columns[:8])
        if text.count(b'"') - text.count(b'\\"') > 4 * len(self._columns):  # a name and a text, two quotes each
            raise wrong(f"expected columns of the model ({columns}), each once, found more", where)
        try:
            cells = _CELLS.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected an object with the cells of a row: {explain(error)}", where) from None
        if unknown := cells.keys() - set(self._columns):
            raise wrong(f"expected columns of the model ({columns}), found {min(unknown)!r:.60}", where)
        return [self._cell(cells.get(column)) for column in self._columns]

    def _encode(self, rows: list[list[Any]]) -> Matrix:
        from rosenblatt.services.files.table_file import table_of_file

        text = io.StringIO()
        # A further column, because a row of one empty cell would be a blank line, which the reader skips.
        more = "".join(self._columns) + "."
        lines = ([*row, more] for row in (self._columns, *rows))
        csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(lines)
        file = io.BytesIO(text.getvalue().encode())
        table = table_of_file(file, format="csv", delimiter=",", notation=self.notation)
        return self.encoding.transform(table)

    def _cell(self, value: Any) -> str:
        """The text of a cell, as a file like that of the training has it."""
        if value is None:
            return ""
        if isinstance(value, float):
            return str(value).replace(".", self.notation.decimal)
        return str(value).lower() if isinstance(value, bool) else str(value)
