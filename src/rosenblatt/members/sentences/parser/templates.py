"""Templates of a parser: they make the attributes of a configuration, which the parser scores before each action.

A line is a template: one or more pieces with / between them. A piece looks at a place: `s0` is the top of the stack,
`s1` the word below it, `b0` the next word of the buffer, `b1` the one after it. `s0.l` is the outermost child of s0 on
the left so far, `s0.l2` the one before it, `s0.r` and `s0.r2` those on the right. A piece shows

- `%x[s0,1]`: column 1 of the word there; x can be any view of the templates of taggers:
  `lower`, `prefix3`, `suffix3`, `shape`, `digit`, `upper`, `hyphen`
- `%label[s0.l]`: the label of the arc to it
- `%lefts[s0]`, `%rights[s0]`: how many children it has on that side so far, up to 7
- `%leftlabels[s0]`, `%rightlabels[s0]`: the labels of these
- `%gap[s1,s0]`: the distance of the two in the sentence

Columns are: 0 the word, 1 its universal part of speech, 2 its language-specific one, 3 its features. If there is no
word at a place, the piece shows that. Empty lines and lines that begin with # are ignored.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt import _core
from rosenblatt.members.sentences.templates import LONGEST, VIEWS, LineReader, parse_lines, template_lines

__all__ = ["Piece", "parse", "read"]

BUILT_IN = ("rich", "lean")  # each is a file in this folder
OF_A_NODE = ("label", "leftlabels", "rightlabels", "lefts", "rights")
DEEPEST = 9


class Piece(NamedTuple):
    """What to show of which place; for a view its column and number of characters, for a gap the second place."""

    shown: str
    place: str
    column: int = 0
    length: int = 0
    second: str = ""

    def __str__(self) -> str:
        rest = self.second or (self.column if self.shown in VIEWS else "")
        return f"%{self.shown}{self.length or ''}[{self.place}{'' if rest == '' else f',{rest}'}]"


Template = tuple[Piece, ...]


def parse(lines: Iterable[str], path: str = "templates") -> list[Template]:
    """The templates of these lines. A `DataFileError` names the place of a mistake.

    Examples
    --------
    >>> parse(["%lower[s0,0]/%label[b0.l]"])
    [(Piece(shown='lower', place='s0', column=0, length=0, second=''), Piece(shown='label', place='b0.l', column=0, \
length=0, second=''))]
    >>> parse(["%x[s0,0]", "%x[t0,0]"], "mine.txt")
    Traceback (most recent call last):
    rosenblatt.DataFileError: mine.txt:2:4: expected a place such as s0, b1 or s0.l, found 't0,0]'
    """
    return parse_lines(lines, path, _parse_line)


def read(templates: Any) -> list[Template]:
    """The templates of a built-in set, a file, or a list of lines."""
    lines, name = template_lines(templates, Path(__file__).parent, BUILT_IN)
    return parse(lines, name)


def line(template: Template) -> str:
    """The text of a template.

    >>> line(parse(["%suffix3[s0,0]/%gap[s1,s0]"])[0])
    '%suffix3[s0,0]/%gap[s1,s0]'
    """
    return "/".join(map(str, template))


def build_templates(templates: Iterable[Template]) -> _core.TreeTemplates:
    """The templates in the form of the core: each place, view and piece once."""
    views: dict[tuple[int, str, int], int] = {}
    places: dict[str, int] = {}
    pieces: dict[tuple[str, int, int, int], int] = {}

    def number(piece: Piece) -> int:
        place = places.setdefault(piece.place, len(places))
        second = places.setdefault(piece.second or piece.place, len(places))
        view = 0
        if piece.shown in VIEWS:
            view = views.setdefault((piece.column, piece.shown, piece.length), len(views))
        shown = "view" if piece.shown in VIEWS else piece.shown
        return pieces.setdefault((shown, view, place, second), len(pieces))

    numbers = [(line(template), [number(piece) for piece in template]) for template in templates]
    where = [(place[0] == "b", int(place[1]), place[3:]) for place in places]
    return _core.TreeTemplates(views=list(views), places=where, pieces=list(pieces), templates=numbers)


def _parse_line(reader: LineReader) -> Template:
    pieces = [_parse_piece(reader)]
    while not reader.at_end:
        reader.take("/", "'/' or the end of the line")
        pieces.append(_parse_piece(reader))
    return tuple(pieces)


def _parse_piece(reader: LineReader) -> Piece:
    shown, length = reader.take_shown((*VIEWS, *OF_A_NODE, "gap"))
    reader.take(r"\[", "'['")
    place, column, second = _parse_place(reader), 0, ""
    if shown not in OF_A_NODE:
        reader.take(",", "','")
        if shown == "gap":
            second = _parse_place(reader)
        else:
            column = reader.take_number("a column", 0, LONGEST)
    reader.take("]", "']'")
    return Piece(shown, place, column, length, second)


def _parse_place(reader: LineReader) -> str:
    return reader.take(rf"[sb][0-{DEEPEST}](\.[lr]2?)?", "a place such as s0, b1 or s0.l")
