"""The names of the columns of a CSV file: from its header, which may be none, or from the user."""

import warnings
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.base.numbers import exact
from rosenblatt.services.files.dates import microseconds, needs_order
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.files.number_advice import is_sign, seems_to_be_a_number
from rosenblatt.services.files.pandas_index import nameless, no_feature_of

EXPECTED = "a header with the names of the columns"
INDEX = "index"  # what a column without a name at the left is called
FEW = 100  # rows and columns that are compared with the header

Wanted = Callable[[str], bool]


class Names(NamedTuple):
    """The names of the columns, and which of them are probably an index: row numbers or names, no feature."""

    columns: list[str]
    row_names: tuple[str, ...] = ()


def names_of_header(path: str, line: int, header: list[str], notation: Notation, wanted: Wanted | None) -> Names:
    """The names that a header has, or those that take their place; what was done to them is said in a warning."""
    if not header:
        raise NoRowsError(path, line, 1, EXPECTED, "the end of the file")
    if notation.names is not None:
        return Names(_as_many(path, line, notation.names, len(header), "header"))
    if notation.header is None and all(exact(cell) is not None for cell in header):
        expected = f"{EXPECTED} (or --no-header if there is none, --header if these are names)"
        raise DataFileError(path, line, 1, expected, f"the number {header[0]!r}")
    if len(header) > 1 and not header[0]:
        header = [_numbered(INDEX, set(header)), *header[1:]]
        index = [header[0], *nameless(header[1:])]
    else:
        index = nameless(header)
    if indexes := [name for name in index if wanted is None or wanted(name)]:
        warnings.warn(
            f"{path}: {no_feature_of(indexes)}; to use it, name all columns with --header --names", stacklevel=2
        )
    columns, changed, others = list[str](), list[str](), set(header)
    before = set[str]()
    for place, cell in enumerate(header):
        name = cell
        if not name:
            raise DataFileError(path, line, place + 1, "a name for each column (or --header --names)", repr(name))
        if name in before:
            name = _numbered(name, others)
            if wanted is None or wanted(name):
                changed.append(f"{name!r} (cell {place + 1})")
        before.add(name)
        others.add(name)
        columns.append(name)
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        said = f"{path}: columns with the same name are numbered: {', '.join(changed[:5])}{more}"
        warnings.warn(f"{said}; if the first line is no header, say --no-header", stacklevel=2)
    return Names(columns, tuple(index))


def names_without_header(path: str, line: int, width: int, notation: Notation, lacking: str | None) -> Names:
    """Those that were given, without that of the column that may be `lacking`; x1, x2, ... if there are none."""
    names = notation.names
    if names is None:
        return Names([f"x{number}" for number in range(1, width + 1)])
    if lacking in names and width == len(names) - 1:
        names = tuple(name for name in names if name != lacking)
    return Names(_as_many(path, line, names, width, "first row"))


def warn_of_data(path: str, header: list[str], below: Callable[[int], Sequence[str]], notation: Notation) -> None:
    """Warn of a header that looks like a row of data; `below`: some cells of a column, by its number."""
    strange = [cell for cell in header if exact(cell) is not None]
    if not strange or _are_a_run(strange):
        few = header[:FEW]
        strange = [cell for place, cell in enumerate(few) if cell and len(cells := below(place)) > 1 and cell in cells]
        strange = strange if 2 * len(strange) > len(few) else []
        strange += [cell for place, cell in enumerate(few) if _is_as_those_below(cell, below(place), notation)]
    if strange:
        warnings.warn(
            f"{path}: the first line is taken for a header, but looks like data ({strange[0]!r}). If it is a row, say "
            "--no-header, and name the columns with --names; if it is a header, say --header",
            stacklevel=2,
        )


def _as_many(path: str, line: int, names: Sequence[str], width: int, what: str) -> list[str]:
    if len(names) != width:
        raise DataFileError(path, line, 1, f"{width} names, as many as the {what} has cells", f"{len(names)} (--names)")
    return list(names)


def _are_a_run(cells: Sequence[str]) -> bool:
    """Whether cells are as 0, 1, 2 or 1990, 1991, 1992: names rather than values."""
    numbers = [exact(cell) for cell in cells]
    return len(numbers) > 2 and all(b is not None and a is not None and b - a == 1 for a, b in pairwise(numbers))


def _is_as_those_below(cell: str, cells: Sequence[str], notation: Notation) -> bool:
    """Whether it is a date, an amount or a number with other marks, and most cells below it are the same."""
    kind = _kind_of(cell, notation)
    return kind is not None and 2 * sum(_kind_of(other, notation) == kind for other in cells) > len(cells)


def _kind_of(cell: str, notation: Notation) -> str | None:
    if not any(map(str.isdigit, cell)) or exact(cell) is not None:
        return None
    if microseconds(cell) is not None or needs_order(cell):
        return "date"
    return "".join(filter(is_sign, cell)) if seems_to_be_a_number(cell, notation) else None


def _numbered(name: str, others: Collection[str | None]) -> str:
    """The name or, if it is others, name.1, name.2, ..., as pandas has it."""
    number, other = 0, name
    while other in others:
        number += 1
        other = f"{name}.{number}"
    return other
