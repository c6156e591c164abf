"""A small table as a CSV file: a header, a column of labels, all others numbers. Read strictly, written as it is read.

An error is a `DataFileError`; its column counts cells.
"""

import csv
import io
from collections.abc import Generator
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.cli.numbers import exact
from rosenblatt.data.blocks import DataFileError
from rosenblatt.data.compressed import Source, opened, replaced


class Table(NamedTuple):
    """The numbers, as floats or as Fractions; the labels as text, None if there is no such column; the names."""

    X: np.ndarray[Any, Any]
    labels: list[str] | None
    names: list[str]


class Wanted(NamedTuple):
    """What a table should have: labels (None: in the last column), and numbers, so many or of these names."""

    label: str | None = None
    labelled: bool = True
    n_features: int | None = None
    names: list[str] | None = None


def read_table(path: str, wanted: Wanted, *, fractions: bool = False) -> Table:
    """Read a CSV file; with `fractions` numbers stay as written, and do not become floats."""
    with opened(path) as source, closing(_lines(source)) as lines:
        line, header = next(lines, (1, []))
        columns, place = _columns(source.name, line, header, wanted)
        rows, labels = [], []
        for line, cells in lines:
            if len(cells) != len(header):
                expected = f"{len(header)} cells, as in the header"
                raise DataFileError(source.name, line, min(len(cells), len(header)) + 1, expected, str(len(cells)))
            rows.append([_number(source.name, line, header, column, cells[column]) for column in columns])
            if place is not None:
                if not cells[place]:
                    raise DataFileError(source.name, line, place + 1, "a label", "nothing")
                labels.append(cells[place])
        if not rows:
            raise DataFileError(source.name, line + 1, 1, "a row of numbers", "the end of the file")
    X = np.array(rows, dtype=object if fractions else np.float64)
    return Table(X, None if place is None else labels, [header[column] for column in columns])


def _lines(source: Source) -> Generator[tuple[int, list[str]], None, None]:
    """The lines that are not blank: number and cells."""
    text = io.TextIOWrapper(source.file, encoding="utf-8-sig", newline="")
    reader = csv.reader(text, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [cell.strip() for cell in row]
    except (csv.Error, UnicodeDecodeError) as error:
        raise DataFileError(source.name, reader.line_num + 1, 1, "CSV in UTF-8", str(error)) from None
    except source.damage as error:
        if getattr(error, "errno", None):  # it is the disk, not the data
            raise
        expected = f"more {source.compression} data"
        raise DataFileError(
            source.name, reader.line_num + 1, 1, expected, str(error) or "the end of the file"
        ) from None
    finally:
        text.detach()


def _columns(path: str, line: int, header: list[str], wanted: Wanted) -> tuple[list[int], int | None]:
    """Which columns have the numbers, and which one the labels."""
    if not header or all(exact(cell) is not None for cell in header):
        found = f"the number {header[0]!r}" if header else "the end of the file"
        raise DataFileError(path, line, 1, "a header with the names of the columns", found)
    for column, name in enumerate(header):
        if not name or name in header[:column]:
            raise DataFileError(path, line, column + 1, "a name of its own for each column", repr(name))
    names = wanted.names
    others = [name for name in header if name not in (names or header[: wanted.n_features or -1])]
    label = wanted.label if wanted.label is not None else others[0] if len(others) == 1 else None
    if names is None:
        names = [name for name in header if name != label]
    missing = [repr(name) for name in (*names, label) if name not in (*header, None)]
    if missing or (label is None and wanted.labelled):
        expected = f"a column {missing[0]}" if missing else "a column of labels besides those of the numbers"
        raise DataFileError(path, line, 1, expected, ", ".join(header))
    if len(names) != (wanted.n_features or len(names) or 1):
        raise DataFileError(path, line, 1, f"{wanted.n_features or 1} columns of numbers", str(len(names)))
    return [header.index(name) for name in names], None if label is None else header.index(label)


def _number(path: str, line: int, header: list[str], column: int, text: str) -> Any:
    number = exact(text)
    if number is None:
        raise DataFileError(path, line, column + 1, "a number", f"{text!r} (column {header[column]})")
    return number


def write_table(path: str, X: Any, labels: list[Any], names: list[str]) -> None:
    """Write a CSV file, the labels as its last column; numbers as the shortest text that gives them back.

    X may be dense or sparse.
    """
    with replaced(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        try:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(names)
            for row, label in zip(X, labels, strict=True):
                numbers = row.toarray().ravel() if hasattr(row, "toarray") else row
                writer.writerow([*map(written, numbers.tolist()), label])
        finally:
            text.detach()


def written(value: float) -> str:
    """A number as short as can be.

    >>> written(1.0), written(0.1), written(-0.0)
    ('1', '0.1', '0')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
