"""What the columns of a CoNLL file are to a tagger: which of them templates look at, and which one has the tags.

Templates number the columns of a token from 0. In a file of columns these are the columns of the file; in CoNLL-U it is
the form alone, or the columns that are named. The column with the tags is not for templates.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from rosenblatt.members.sentences.columns import Format, column_number
from rosenblatt.members.sentences.tagger.templates import Template, line, n_columns


class FileColumns(NamedTuple):
    """Whether it is CoNLL-U, which columns templates look at as 0, 1, ..., and which one has the tags."""

    universal: bool
    seen: tuple[int | str, ...]
    tag: int | str

    @property
    def format(self) -> Format:
        """The format, as the readers of files name it."""
        return "conllu" if self.universal else "columns"


def columns_of(
    templates: list[Template], universal: bool, columns: Sequence[int | str] | None, tag: int | str | None
) -> FileColumns:
    """The columns that are given; else the form and UPOS of CoNLL-U, or all that templates look at and the last one.

    >>> from rosenblatt.members.sentences.tagger.templates import parse
    >>> columns_of(parse(["U:%x[0,1]"]), False, None, None)
    FileColumns(universal=False, seen=(0, 1), tag=-1)
    """
    default = ("form",) if universal else tuple(range(n_columns(templates)))
    seen = default if columns is None else tuple(columns)
    tag = tag if tag is not None else "upos" if universal else -1
    for column in (*seen, tag):
        column_number(column, universal=universal)
    for template in templates:
        for _, column, *_ in template.pieces:
            if column >= len(seen):
                raise ValueError(
                    f"templates: {line(template)!r} looks at column {column}, but columns are {list(seen)}"
                )
    return FileColumns(universal, seen, tag)


def are_columns(found: Any) -> bool:
    """Whether the record of a model file may have these."""
    if found is None:
        return True
    if not (isinstance(found, list | tuple) and len(found) == 3 and isinstance(found[1], list | tuple) and found[1]):
        return False
    texts_or_numbers = all(type(column) in (int, str) for column in (*found[1], found[2]))
    return isinstance(found[0], bool) and texts_or_numbers
