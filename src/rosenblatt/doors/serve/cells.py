"""Rows of a table as requests have them: `{"weather": "sunny", "wind": 3}`, for models that were made from a table.

The model's own encoding reads them, as it reads a CSV file: null, a column that is left out and "" are missing values,
and so are the texts that stood for nothing in its training.
"""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rosenblatt.base.rows import Matrix, stack_all
from rosenblatt.doors.serve.many import pieces
from rosenblatt.doors.serve.refusal import wrong
from rosenblatt.doors.serve.requests import said
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.notation import UTF8
from rosenblatt.services.files.table_file import table_of_file

_CELLS = msgspec.json.Decoder(dict[str, str | int | float | bool | None])


class CellRows:
    """What rows a model with an encoding takes: cells by the names of its columns."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding, self._columns = encoding, encoding.columns
        self.notation = encoding.notation.but(header=True, names=None, encoding=UTF8)
        self.width = encoding.n_features

    @property
    def label(self) -> str | None:
        """The column with the labels."""
        return self._encoding.parameters.label

    def read(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows that are to be learned from."""
        return self._features(texts, lambda k: f"{place}[{k}].x")

    def asked(self, texts: Sequence[bytes], place: str) -> Matrix:
        """Rows to be answered."""
        return self._features(texts, lambda k: f"{place}[{k}]")

    def _features(self, texts: Sequence[bytes], where: Callable[[int], str]) -> Matrix:
        parts = []
        for first, some in pieces(texts):
            rows = [self._cells(text, where(k)) for k, text in enumerate(some, first)]
            try:
                parts.append(self._transformed(rows))
            except ValueError:
                for k, row in enumerate(rows, first):  # which of them is it?
                    try:
                        self._transformed([row])
                    except ValueError as error:
                        raise wrong(str(error).partition(": ")[2] or str(error), where(k)) from None
                raise
        return stack_all(parts)

    def _cells(self, text: bytes, where: str) -> list[Any]:
        columns = ", ".join(self._columns[:8])
        if text.count(b'"') - text.count(b'\\"') > 4 * len(self._columns):  # a name and a text, two quotes each
            raise wrong(f"expected columns of the model ({columns}), each once, found more", where)
        try:
            found = _CELLS.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected an object with the cells of a row: {said(error)}", where) from None
        if unknown := found.keys() - set(self._columns):
            raise wrong(f"expected columns of the model ({columns}), found {min(unknown)!r:.60}", where)
        return [self._cell(found.get(column)) for column in self._columns]

    def _transformed(self, rows: list[list[Any]]) -> Matrix:
        text = io.StringIO()
        # A further column, so that a row of one empty cell is no blank line, which would be passed over.
        more = "".join(self._columns) + "."
        lines = ([*row, more] for row in (self._columns, *rows))
        csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(lines)
        file = io.BytesIO(text.getvalue().encode())
        table = table_of_file(file, format="csv", delimiter=",", notation=self.notation)
        return self._encoding.transform(table)

    def _cell(self, value: Any) -> str:
        """As a file like that of the training has it."""
        if value is None:
            return ""
        if isinstance(value, float):
            return str(value).replace(".", self.notation.decimal)
        return str(value).lower() if isinstance(value, bool) else str(value)
