"""Columns of what is in memory: frames of pandas and polars, dicts of columns, and arrays. Indexes are left out.

Lists of numbers and of texts become columns without pyarrow's own conversion, which would import pandas.
"""

import sys
from collections.abc import Mapping, Sequence
from reprlib import repr as short
from typing import Any

import numpy as np

from rosenblatt.base.arrays import refuse_masked
from rosenblatt.services.files.arrow import Columns, by_name, column_of, pyarrow
from rosenblatt.services.files.pandas_index import index_columns


def is_array(thing: Any) -> bool:
    """Whether this is rows without names: an array of numpy, something that can become one, or a list of rows."""
    if isinstance(thing, np.ndarray | list | tuple):
        return True
    has_names = hasattr(thing, "columns") or hasattr(thing, "__arrow_c_stream__")
    return hasattr(thing, "__array__") and not has_names


def columns_of(frame: Any) -> Columns:
    """The columns of whatever pyarrow takes for a table."""
    pa = pyarrow()
    for name, cells in frame.items() if isinstance(frame, Mapping) else ():
        refuse_masked(cells, f"column {name}")
    try:
        if isinstance(frame, pa.Table):
            table = frame
        elif isinstance(frame, Mapping):
            arrays = [_column(cells) for cells in frame.values()]
            table = pa.Table.from_arrays(arrays, names=[*frame])
        elif _is_pandas(frame):
            table = pa.Table.from_pandas(frame, preserve_index=False)
        else:
            table = pa.table(frame)
    except (TypeError, ValueError, OverflowError, pa.ArrowException) as error:
        if isinstance(frame, Mapping) or _is_pandas(frame):
            _refuse_mixed(frame)
        raise TypeError(
            "expected a table: a frame of pandas or polars, a table of pyarrow, a dict of columns, or an array of two "
            f"dimensions; found a {type(frame).__name__} ({error})"
        ) from None
    return by_name(table.drop_columns(sorted(index_columns(table.schema))), "the table")


def columns_of_rows(rows: Any, names: Sequence[str] | None = None) -> Columns:
    """The columns of an array of two dimensions, x0, x1, ... unless they have other names."""
    refuse_masked(rows, "X")
    X = np.array(rows, dtype=object) if isinstance(rows, list | tuple) else np.asarray(rows)
    if X.ndim != 2:
        raise ValueError(f"the table: expected rows and columns, found an array of {X.ndim} dimensions")
    names = [f"x{number}" for number in range(X.shape[1])] if names is None else names
    if X.dtype.kind in "biuf":
        columns: Any = np.ascontiguousarray(X.T, dtype=np.float64)
    else:
        columns = [column.tolist() if column.dtype.kind in "OU" else column for column in X.T]
    return columns_of(dict(zip(names, columns, strict=True)))


def _is_pandas(frame: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(frame, pandas.DataFrame)


def _column(cells: Any) -> Any:
    """A column of pyarrow; NaN, None and "" are missing."""
    pa = pyarrow()
    if isinstance(cells, pa.Array | pa.ChunkedArray):
        return cells
    if isinstance(cells, np.ndarray) and cells.ndim == 1 and cells.dtype.char in "bBhHiIlLqQfdU":
        return column_of(cells)
    kinds = set(map(type, cells)) if isinstance(cells, list | tuple) else set()
    if str in kinds and kinds <= {str, type(None)}:
        return column_of(np.array([cell or "" for cell in cells], dtype=object))
    if kinds == {int} or (float in kinds and kinds <= {float, type(None)}):
        numbers = np.array(cells, dtype=np.int64 if kinds == {int} else np.float64)
        return column_of(numbers)
    return pa.array(cells, from_pandas=True)


def _refuse_mixed(frame: Any) -> None:
    """Say which cell is none of a table, or is not what the rows before have, if it is a cell that is wrong."""
    for name, column in frame.items():
        cells = list(column) if hasattr(column, "__iter__") else []
        if _kind_of(cells) is not None:
            continue
        for row, cell in enumerate(cells):
            if (kind := _kind_of([cell])) is None or pyarrow().types.is_nested(kind):
                raise TypeError(
                    f"row {row} of the table: each argument must be a string, a number, a boolean or a date, found "
                    f"{short(cell)} (column {name})"
                ) from None
        good, bad = 0, len(cells)  # how many rows from the first on can be a column, and cannot
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (good, middle) if _kind_of(cells[:middle]) is None else (middle, bad)
        before = _in_words(_kind_of(cells[:good]))
        raise ValueError(
            f"row {good} of the table: expected {before}, as before (or the whole column as text), "
            f"found {short(cells[good])} (column {name})"
        ) from None


def _in_words(kind: Any) -> str:
    types = pyarrow().types
    words = {"a whole number": types.is_integer, "a number": types.is_floating, "text": types.is_string}
    return next((word for word, is_so in words.items() if is_so(kind)), str(kind))


def _kind_of(cells: list[Any]) -> Any:
    """The type that pyarrow has for them; None if it has none for all."""
    pa = pyarrow()
    try:
        return pa.array(cells, from_pandas=True).type
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        return None
