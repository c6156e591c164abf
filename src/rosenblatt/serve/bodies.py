"""Many rows in one request: as JSON, as a JSON object a line, as svmlight text, or as a CSV table with a header.

Whatever they come as, each is JSON from here on, and so it is logged.
"""

import io
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec

from rosenblatt.data.blocks import NoRowsError
from rosenblatt.data.table import Table
from rosenblatt.serve.form import Asked, Form
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.refusal import RefusalError, bad, wrong
from rosenblatt.serve.requests import Example, Learn, Predict, decoded

_LEARN, _PREDICT = msgspec.json.Decoder(Learn), msgspec.json.Decoder(Predict)
_EXAMPLE, _ROW = msgspec.json.Decoder(Example), msgspec.json.Decoder(msgspec.Raw)
_ENCODE = msgspec.json.Encoder().encode
Found = tuple[list[bytes], list[bytes] | None]  # each x and, if it is there, each y


class Body:
    """A request's body, and what is known of how to read it."""

    def __init__(self, content: bytes, media: str, query: dict[str, str], limits: Limits, form: Form) -> None:
        self._content, self._query, self._limits, self._form = content, query, limits, form
        self._media = media.partition(";")[0].strip().lower()
        self._read: Callable[[], Found] | None = {
            "text/csv": self._table,
            "text/x-svmlight": self._svmlight,
        }.get(self._media)

    def examples(self) -> list[Asked]:
        """To be learned."""
        if self._media == "application/x-ndjson":
            found = [decoded(_EXAMPLE, line, f"examples[{k}]") for k, line in enumerate(self._lines())]
            return [Asked(one.id, bytes(one.x), bytes(one.y)) for one in found]
        if self._read is None:
            self._check_json()
            learn: Learn = decoded(_LEARN, self._content)
            return [Asked(one.id, bytes(one.x), bytes(one.y)) for one in learn.examples]
        x, y = self._rows()
        if y is None:
            raise bad("expected the label of each row: name its column, label=NAME", "label")
        return [Asked(None, *both) for both in zip(x, y, strict=True)]

    def rows(self) -> tuple[list[bytes], list[str] | None]:
        """To be answered, with the ids to keep them under."""
        if self._media == "application/x-ndjson":
            return [bytes(decoded(_ROW, line, f"rows[{k}]")) for k, line in enumerate(self._lines())], None
        if self._read is None:
            self._check_json()
            predict: Predict = decoded(_PREDICT, self._content)
            return [bytes(row) for row in predict.rows], predict.ids
        return self._rows()[0], None

    def _check_json(self) -> None:
        if self._media not in ("", "application/json", "application/x-www-form-urlencoded"):
            known = "application/json, application/x-ndjson, text/csv or text/x-svmlight"
            raise RefusalError(415, f"expected {known}, found {self._media[:60]!r}", "content-type")

    def _lines(self) -> list[bytes]:
        return [line for line in self._content.split(b"\n") if line.strip()]

    def _rows(self) -> Found:
        assert self._read is not None
        try:
            return self._read()
        except NoRowsError as error:
            raise wrong(str(error)) from None
        except ValueError as error:  # with the line and the column
            raise bad(str(error).replace("<file>", "body")) from None

    def _svmlight(self) -> Found:
        from rosenblatt.data.svmlight import iter_rows

        first = self._query.get("zero_based", "false")
        if first not in ("true", "false"):
            raise bad("expected true or false", "zero_based")
        xs, ys = list[bytes](), list[bytes]()
        for X, y in iter_rows(io.BytesIO(self._content), n_features=self._limits.features, zero_based=first == "true"):
            columns, values = X.indices.tolist(), X.data.tolist()
            xs += [_ENCODE(dict(zip(columns[a:b], values[a:b], strict=True))) for a, b in pairwise(X.indptr.tolist())]
            ys += [_ENCODE(_whole(label)) for label in y.tolist()]
        return xs, ys

    def _table(self) -> Found:
        from rosenblatt.data.table_file import table_of_file

        table = table_of_file(io.BytesIO(self._content), format="csv", notation=self._form.notation)
        own = self._form.label_column
        name = self._query.get("label", own)
        if name is not None and "label" in self._query:
            table.check_name(name)
        columns = {column: table[column].tolist() for column in table.names}
        labels = columns.pop(name, None) if name is not None else None
        if own is not None:  # by name: the model's encoding reads the cells
            names = list(columns)
            xs = [_ENCODE(dict(zip(names, cells, strict=True))) for cells in zip(*columns.values(), strict=True)]
        else:
            numbers = (_numbers(table, column) for column in columns)
            xs = [_ENCODE(row) for row in zip(*numbers, strict=True)]
        as_label = str if self._form.has_texts else _label
        return xs, None if labels is None else [_ENCODE(as_label(cell)) for cell in labels]


def _numbers(table: Table, name: str) -> list[float]:
    values: list[float] = table.numbers(name).tolist()
    for row, value in enumerate(values):
        if value != value:
            raise table.error(row, name, "a number", "an empty cell")
    return values


def _label(cell: str) -> Any:
    """A label of a CSV table: a whole number if it is written as one."""
    digits = cell.removeprefix("-")
    return (
        int(cell) if digits.isascii() and digits.isdecimal() and len(digits) < 16 and str(int(cell)) == cell else cell
    )


def _whole(label: Any) -> Any:
    return int(label) if isinstance(label, float) and label.is_integer() else label
