"""The index of a pandas frame, which pyarrow writes among the columns. It numbers or names rows, and is no feature.

Rows that were sorted by their label before they were split would be told apart by their numbers alone.
"""

import json
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

# the names that pandas and Dask give to a level without a name; they stay when the metadata is lost
_UNNAMED = re.compile(r"__index_level_\d+__|__null_dask_index__")

# the name that pandas gives to a first column without a name when it reads CSV, once or several times
_READ_UNNAMED = re.compile(r"Unnamed: 0(\.\d+)*")


def nameless(names: Sequence[str]) -> list[str]:
    """The columns at the left of a table that had no name, as the index that pandas writes as CSV; not all of them.

    >>> nameless(["Unnamed: 0.1", "Unnamed: 0", "age", "Unnamed: 3"]), nameless(["Unnamed: 0"])
    (['Unnamed: 0.1', 'Unnamed: 0'], [])
    """
    return list(takewhile(_READ_UNNAMED.fullmatch, names[:-1]))


def no_feature_of(names: Sequence[str]) -> str:
    """The text of a warning of such columns."""
    return (
        "the first column has no name, so it is probably an index, as pandas writes one. It is called "
        f"{' and '.join(map(repr, names))}, and no feature is made of it"
    )


def index_columns(schema: Any) -> set[str]:
    """The columns of a schema of pyarrow that are levels of an index, by its metadata or by their names.

    >>> import pyarrow as pa
    >>> fields = [pa.field(name, pa.int64()) for name in ("wind", "day", "__index_level_1__")]
    >>> sorted(index_columns(pa.schema(fields, {"pandas": '{"index_columns": ["day", {"kind": "range"}]}'})))
    ['__index_level_1__', 'day']
    """
    try:
        levels = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))["index_columns"]
    except (ValueError, KeyError, TypeError, RecursionError):  # pandas has not written it
        levels = None
    named = {level for level in levels if isinstance(level, str)} if isinstance(levels, list) else set()
    return {name for name in schema.names if name in named or _UNNAMED.fullmatch(name)}
