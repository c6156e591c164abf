"""Many rows in one request: as JSON, as one JSON object in each line, as svmlight text, or as a CSV table with a
header.

Rows of every format become JSON here, and so they are logged. They are counted before they are parsed, and parsed a few
at a time, so that a body that is refused, or is only long, takes little more memory than its text.
"""

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from rosenblatt import _core
from rosenblatt.base.exceptions import NoRowsError
from rosenblatt.doors.serve.answers import bad, wrong
from rosenblatt.doors.serve.form import Asked, Form
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.requests import CSV, JSON, MOST, NDJSON, Example, Labelled, Most, decode_body
from rosenblatt.services.files.csv_blocks import DELIMITERS
from rosenblatt.services.files.table import Table

Raw = msgspec.Raw
_ENCODE = msgspec.json.Encoder().encode
_EXAMPLE, _LABELLED = msgspec.json.Decoder(Example), msgspec.json.Decoder(Labelled)
_ROW, _IDS, _LIST = msgspec.json.Decoder(Raw), msgspec.json.Decoder(list[str] | None), msgspec.json.Decoder(list)
_LINE = re.compile(rb"\S[^\n]*")
_HEADER = re.compile(rb'(?:[^"\n]++|"[^"]*+")*+')
BLOCK_ROWS = 256  # rows of a table parsed at a time: cells take many times the memory of their text
MOST_COLUMNS = 10_000  # of a table
MOST_VALUES = 1 << 16  # values of a row of svmlight that become JSON at a time


class _Examples(msgspec.Struct, forbid_unknown_fields=True):
    examples: Raw


class _Rows(msgspec.Struct, forbid_unknown_fields=True):
    rows: Raw
    ids: Raw = Raw(b"null")


class _Top(msgspec.Struct, forbid_unknown_fields=True):
    rows: Raw
    k: Most = MOST


class _Explain(msgspec.Struct, forbid_unknown_fields=True):
    rows: Raw
    label: str | int | None = None
    k: Most = MOST


class _Feedback(msgspec.Struct, forbid_unknown_fields=True):
    feedback: Raw


_EXAMPLES, _ROWS, _FEEDBACK = map(msgspec.json.Decoder, (_Examples, _Rows, _Feedback))
_TOP, _EXPLAIN = map(msgspec.json.Decoder, (_Top, _Explain))


class Row(NamedTuple):
    """A row as JSON, with its label and its id, if it has them."""

    x: bytes
    y: bytes | None = None
    id: str | None = None


class Body:
    """The body of a request, and what the server knows about its format."""

    def __init__(self, content: bytes, media: str, query: dict[str, str], limits: Limits, form: Form) -> None:
        self._content, self._media, self._query, self._limits, self._form = content, media, query, limits, form
        self._zero_based = query.get("zero_based", "false")
        if self._zero_based not in ("true", "false"):
            raise bad("expected true or false", "zero_based")

    def examples(self) -> list[Asked]:
        place = "examples"
        if self._media == JSON:
            texts = _elements(decode_body(_EXAMPLES, self._content).examples, place, self._limits.rows)
        elif self._media == NDJSON:
            texts = self._lines()
        else:
            return [_example_of(row) for row in self._count(self._rows(), place)]
        examples = (decode_body(_EXAMPLE, text, f"{place}[{k}]") for k, text in enumerate(texts))
        return self._count((Asked(example.id, bytes(example.x), bytes(example.y)) for example in examples), place)

    def rows(self) -> tuple[list[bytes], list[str] | None]:
        """The rows to answer, each with the id under which the server keeps it."""
        place = "rows"
        if self._media == JSON:
            body = decode_body(_ROWS, self._content)
            rows = self._elements(body.rows)
            if _is_array(body.ids):
                count, _ = _core.json_elements(memoryview(body.ids), 0)
                if count != len(rows):
                    raise wrong(f"expected an id for each of the {len(rows):,} rows, none twice", "ids")
            return rows, decode_body(_IDS, body.ids, "ids")
        if self._media == NDJSON:
            lines = (bytes(decode_body(_ROW, line, f"{place}[{k}]")) for k, line in enumerate(self._lines()))
            return self._count(lines, place), None
        return [row.x for row in self._count(self._rows(), place)], None

    def top(self) -> tuple[list[bytes], int]:
        """Rows, and how many labels of each."""
        body = decode_body(_TOP, self._content)
        return self._elements(body.rows), body.k

    def explain(self) -> tuple[list[bytes], Any, int]:
        """Rows, the label that is asked for, and how many reasons."""
        body = decode_body(_EXPLAIN, self._content)
        return self._elements(body.rows), body.label, body.k

    def _elements(self, rows: Raw) -> list[bytes]:
        return self._count(_elements(rows, "rows", self._limits.rows), "rows")

    def feedback(self) -> list[Labelled]:
        """Labels that came after their predictions, each with the id of its prediction."""
        place = "feedback"
        texts = _elements(decode_body(_FEEDBACK, self._content).feedback, place, self._limits.rows)
        return self._count((decode_body(_LABELLED, text, f"{place}[{k}]") for k, text in enumerate(texts)), place)

    def _count(self, things: Iterable[Any], place: str) -> list[Any]:
        """Return all of these in a list. If there are none, or too many, raise a 422."""
        counted, most = list[Any](), self._limits.rows
        for thing in things:
            if len(counted) == most:
                raise _too_many(most, "more", place)
            counted.append(thing)
        if not counted:
            raise _too_many(most, "0", place)
        return counted

    def _lines(self) -> Iterator[bytes]:
        return (line.group() for line in _LINE.finditer(self._content))

    def _rows(self) -> Iterator[Row]:
        try:
            yield from (self._table if self._media == CSV else self._svmlight)()
        except NoRowsError as error:
            raise wrong(str(error)) from None
        except ValueError as error:  # its text has the line and the column
            raise bad(str(error).replace("<file>", "body")) from None

    def _svmlight(self) -> Iterator[Row]:
        from rosenblatt.services.files.svmlight import iter_rows

        zero_based, most = self._zero_based == "true", self._limits.features
        blocks = iter_rows(io.BytesIO(self._content), n_features=most, zero_based=zero_based)
        with closing(blocks):  # type: ignore[type-var]
            for X, y in blocks:
                for k, (start, end) in enumerate(pairwise(X.indptr.tolist())):
                    parts = []
                    for at in range(start, end, MOST_VALUES):
                        part = slice(at, min(at + MOST_VALUES, end))
                        values = dict(zip(X.indices[part].tolist(), X.data[part].tolist(), strict=True))
                        parts.append(_ENCODE(values)[1:-1])
                    yield Row(b"{%s}" % b",".join(parts), _ENCODE(_whole(y[k].item())))

    def _table(self) -> Iterator[Row]:
        from rosenblatt.services.files.table_file import iter_table

        header = _HEADER.match(self._content)
        assert header is not None
        if (count := 1 + max(header[0].count(delimiter.encode()) for delimiter in DELIMITERS)) > MOST_COLUMNS:
            raise wrong(f"expected at most {MOST_COLUMNS:,} columns, found {count:,}: send JSON or svmlight text")
        file = io.BytesIO(self._content)
        reading = iter_table(file, format="csv", notation=self._form.notation, block_rows=BLOCK_ROWS)
        with closing(reading) as blocks:
            for table in blocks:
                yield from self._rows_of(table)

    def _rows_of(self, table: Table) -> Iterator[Row]:
        label_of_model = self._form.label_column
        name = self._query.get("label", label_of_model)
        if name is not None and "label" in self._query:
            table.check_name(name)
        columns = {column: table[column].tolist() for column in table.names}
        labels = columns.pop(name, None) if name is not None else None
        if label_of_model is not None:  # by name, because the model's encoding reads the cells
            names = list(columns)
            xs = [_ENCODE(dict(zip(names, cells, strict=True))) for cells in zip(*columns.values(), strict=True)]
        else:
            numbers = (_numbers(table, column) for column in columns)
            xs = [_ENCODE(row) for row in zip(*numbers, strict=True)]
        as_label = str if self._form.has_texts else _label
        ys = [None] * len(xs) if labels is None else [_ENCODE(as_label(cell)) for cell in labels]
        yield from map(Row, xs, ys)


def _elements(array: Raw, place: str, most: int) -> Iterator[bytes]:
    text = memoryview(array)
    if not _is_array(array):
        decode_body(_LIST, bytes(text), place)  # raises an error that says what it is instead
    count, marks = _core.json_elements(text, most)
    if not 0 < count <= most:
        raise _too_many(most, f"{count:,}", place)
    return (bytes(text[start + 1 : end]).strip() for start, end in pairwise(marks.tolist()))


def _is_array(text: Raw) -> bool:
    return bytes(memoryview(text)[:1]) == b"["


def _too_many(most: int, count: str, place: str) -> Exception:
    return wrong(f"expected 1 to {most:,}, found {count}", place)


def _example_of(row: Row) -> Asked:
    if row.y is None:
        raise bad("expected the label of each row: name its column, label=NAME", "label")
    return Asked(None, row.x, row.y)


def _numbers(table: Table, name: str) -> list[float]:
    values: list[float] = table.numbers(name).tolist()
    for row, value in enumerate(values):
        if value != value:
            raise table.error(row, name, "a number", "an empty cell")
    return values


def _label(cell: str) -> Any:
    """The label in a cell of a CSV table: a whole number if it is written as one."""
    digits = cell.removeprefix("-")
    return (
        int(cell) if digits.isascii() and digits.isdecimal() and len(digits) < 16 and str(int(cell)) == cell else cell
    )


def _whole(label: Any) -> Any:
    return int(label) if isinstance(label, float) and label.is_integer() else label
