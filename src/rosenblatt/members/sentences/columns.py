"""The columns of CoNLL files: their numbers, and in CoNLL-U their names."""

import operator
from typing import Literal, TypeAlias

UNIVERSAL_COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

Format: TypeAlias = Literal["auto", "columns", "conllu"]


def column_number(column: int | str, *, universal: bool) -> int:
    """The number of a column, from 0, or from -1 for the last; only those of CoNLL-U have names.

    >>> column_number("upos", universal=True), column_number(-1, universal=False)
    (3, -1)
    """
    if isinstance(column, str):
        if not universal or column not in UNIVERSAL_COLUMNS:
            raise ValueError(f"a column must be a number, or in CoNLL-U one of {UNIVERSAL_COLUMNS}, got {column!r}")
        return UNIVERSAL_COLUMNS.index(column)
    number = operator.index(column)
    limit = len(UNIVERSAL_COLUMNS) if universal else 1 << 20
    if not -limit <= number < limit:
        raise ValueError(f"a column must be a number from {-limit} to {limit - 1}, got {number}")
    return number
