"""Templates, which make the attributes of a tagger: the format of CRF++'s template files, and views of a word.

A line is a template. It begins with U (its attributes weigh a label) or B (they weigh a label after another one), and
names what it looks at: `%x[r,c]` is column c of the token r places further. `U05:%x[-1,0]/%x[0,0]` makes an attribute
of the word before and this word. `B` alone weighs pairs of labels; `B01:%x[0,1]` weighs them for each text of column 1.
Two templates make the same attribute if their lines are equal after the texts are inserted.

In place of x there can be another view of the text: `lower` (case), `prefix3` and `suffix3` (characters), `shape`
(Xx-d: letters, digits, signs, runs once), `digit`, `upper` and `hyphen` (whether there is one). A view that has nothing
to show, such as `suffix3` of "of", makes no attribute. Empty lines and lines that begin with # are ignored.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt import _core
from rosenblatt.members.sentences.corpus import Format, TagColumns, column_number
from rosenblatt.members.sentences.templates import LONGEST, LineReader, parse_lines, template_lines

__all__ = ["Template", "parse", "read"]

BUILT_IN = ("pos", "chunk", "ner", "atoms", "words", "lemmas")  # each is a file in this folder


class Template(NamedTuple):
    """A template: U or B, its literal text with a NUL for each piece, and (offset, column, view, count) of each."""

    kind: str
    literal: str
    pieces: list[tuple[int, int, str, int]]


def parse(lines: Iterable[str], path: str = "templates") -> list[Template]:
    r"""The templates of these lines. A `DataFileError` names the place of a mistake.

    Examples
    --------
    >>> parse(["U1:%x[0,0]/%suffix2[-1,0]"])
    [Template(kind='U', literal='U1:\x00/\x00', pieces=[(0, 0, 'x', 0), (-1, 0, 'suffix', 2)])]
    >>> parse(["U01:%x[0,0]", "U02:%x[0;1]"], "chunk.txt")
    Traceback (most recent call last):
    rosenblatt.DataFileError: chunk.txt:2:9: expected ',', found ';1]'
    """
    return parse_lines(lines, path, _parse_line)


def read(templates: Any) -> list[Template]:
    """The templates of a built-in set, a file, or a list of lines."""
    lines, name = template_lines(templates, Path(__file__).parent, BUILT_IN)
    return parse(lines, name)


def line(template: Template) -> str:
    """The text of a template.

    >>> line(parse(["U1:%x[0,0]/%suffix2[-1,0]"])[0])
    'U1:%x[0,0]/%suffix2[-1,0]'
    """
    text = template.literal
    for offset, column, view, count in template.pieces:
        text = text.replace("\0", f"%{view}{count or ''}[{offset},{column}]", 1)
    return text


def n_columns(templates: Iterable[Template]) -> int:
    """How many columns a token must have: up to the last column that the templates look at, and at least one.

    >>> n_columns(parse(["U1:%x[0,0]/%x[0,2]", "B"])), n_columns(parse(["B"]))
    (3, 1)
    """
    return 1 + max((column for template in templates for _, column, *_ in template.pieces), default=0)


def build_templates(templates: Iterable[Template], boundary: str) -> _core.Templates:
    """The templates in the form of the core."""
    views: dict[tuple[int, str, int], int] = {}
    lists: dict[str, list[tuple[str, list[tuple[int, int]]]]] = {"U": [], "B": []}
    for kind, literal, pieces in templates:
        places = [(piece[0], views.setdefault(piece[1:], len(views))) for piece in pieces]
        lists[kind].append((literal, places))
    return _core.Templates(views=list(views), unigrams=lists["U"], bigrams=lists["B"], boundary=boundary)


def _parse_line(reader: LineReader) -> Template:
    kind = reader.take("[UB]", "U or B")
    literal, pieces = kind, []
    while not reader.at_end:
        if reader.text[reader.at] == "%":
            pieces.append(_parse_piece(reader))
            literal += "\0"
        else:
            literal += reader.take("[^%\0]+", "no NUL")
    return Template(kind, literal, pieces)


def _parse_piece(reader: LineReader) -> tuple[int, int, str, int]:
    view, count = reader.take_shown()
    reader.take(r"\[", "'['")
    offset = reader.take_number("a place before or after the token", -LONGEST, LONGEST)
    reader.take(",", "','")
    column = reader.take_number("a column", 0, LONGEST)
    reader.take("]", "']'")
    return offset, column, view, count


class FileColumns(NamedTuple):
    """What the columns of a CoNLL file mean to a tagger.

    Templates number the columns that they look at from 0: these are the columns `seen`. The column `tag` has the tags,
    and no template may look at it. If `tag` is a tuple of columns, a tag is the text of all of them.
    """

    universal: bool  # whether the file is CoNLL-U
    seen: tuple[int | str, ...]
    tag: int | str | tuple[int | str, ...]

    @property
    def tags(self) -> tuple[int | str, ...]:
        """The columns of which a tag is made: most often one."""
        return self.tag if isinstance(self.tag, tuple) else (self.tag,)

    @property
    def format(self) -> Format:
        """The format, as the readers of files name it."""
        return "conllu" if self.universal else "columns"


def columns_of(
    templates: list[Template], universal: bool, columns: Sequence[int | str] | None, tag: TagColumns | None
) -> FileColumns:
    """The columns of a file. By default the form and UPOS of CoNLL-U, or all that templates look at and the last one.

    >>> columns_of(parse(["U:%x[0,1]"]), False, None, None)
    FileColumns(universal=False, seen=(0, 1), tag=-1)
    >>> columns_of(parse(["U:%x[0,0]"]), True, None, ["upos", "feats"]).tag
    ('upos', 'feats')
    """
    default = ("form",) if universal else tuple(range(n_columns(templates)))
    seen = default if columns is None else tuple(columns)
    if tag is None:
        tag = "upos" if universal else -1
    elif not isinstance(tag, int | str):
        tag = tag[0] if len(tag) == 1 else tuple(tag)
    files = FileColumns(universal, seen, tag)
    for column in seen:
        column_number(column, universal=universal)
    numbers = [column_number(column, universal=universal) for column in files.tags]
    if not numbers or len(set(numbers)) < len(numbers):
        raise ValueError(f"tag: expected columns, each once, found {list(files.tags)}")
    for template in templates:
        for _, column, *_ in template.pieces:
            if column >= len(seen):
                raise ValueError(
                    f"templates: {line(template)!r} looks at column {column}, but columns are {list(seen)}"
                )
    return files
