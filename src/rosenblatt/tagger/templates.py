"""Templates, of which a tagger's attributes are made: the text of CRF++'s template files, and views of a word.

A line is a template. It begins with U (its attributes weigh a label) or B (they weigh a label after another one), and
names what it looks at: `%x[r,c]` is column c of the token r places further. `U05:%x[-1,0]/%x[0,0]` makes an attribute
of the word before and this word. `B` alone weighs pairs of labels; `B01:%x[0,1]` weighs them for each text of column 1.
What two templates make is the same attribute if the lines are the same once the texts are put in.

In place of x stands a view of the text: `lower` (case), `prefix3` and `suffix3` (characters), `shape` (Xx-d: letters,
digits, signs, runs once), `digit`, `upper` and `hyphen` (whether there is one). A view that has nothing to show, as
`suffix3` of "of", makes no attribute. Empty lines and lines that begin with # are left out.
"""

import re
from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt import _core
from rosenblatt.data.blocks import DataFileError

__all__ = ["Template", "parse", "read"]

BUILT_IN = ("pos", "chunk", "ner")  # each a file beside this one
VIEWS = ("x", "lower", "prefix", "suffix", "shape", "digit", "upper", "hyphen")
LONGEST = 99  # of an affix, and the furthest token and column


class Template(NamedTuple):
    """A template: U or B, its literal text with a NUL for each piece, and (offset, column, view, count) of each."""

    kind: str
    literal: str
    pieces: list[tuple[int, int, str, int]]


def parse(lines: Iterable[str], path: str = "templates") -> list[Template]:
    r"""The templates of these lines; a `DataFileError` says where they are wrong.

    Examples
    --------
    >>> parse(["U1:%x[0,0]/%suffix2[-1,0]"])
    [Template(kind='U', literal='U1:\x00/\x00', pieces=[(0, 0, 'x', 0), (-1, 0, 'suffix', 2)])]
    >>> parse(["U01:%x[0,0]", "U02:%x[0;1]"], "chunk.txt")
    Traceback (most recent call last):
    rosenblatt.DataFileError: chunk.txt:2:9: expected ',', found ';1]'
    """
    found = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            found.append(_Line(line.rstrip(), path, number).template())
    if not found:
        raise DataFileError(path, 1, 1, "a template", "none")
    return found


def read(templates: Any) -> list[Template]:
    """The templates of a built-in set, a file, or a list of lines."""
    if isinstance(templates, str) and templates in BUILT_IN:
        text = Path(__file__).with_name(f"{templates}.txt").read_text(encoding="utf-8")
        return parse(text.splitlines(), templates)
    if isinstance(templates, str | PathLike):
        try:
            text = Path(templates).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            names = ", ".join(map(repr, BUILT_IN))
            raise FileNotFoundError(f"templates: expected {names}, a file or a list, found {templates!r}") from None
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            column = error.start - error.object.rfind(b"\n", 0, error.start)
            raise DataFileError(
                fspath(templates), line, column, "UTF-8", repr(error.object[error.start :][:1])
            ) from None
        return parse(text.splitlines(), fspath(templates))
    return parse(templates)


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
    """How many columns a token must have for them: those up to the last that they look at, and at least one.

    >>> n_columns(parse(["U1:%x[0,0]/%x[0,2]", "B"])), n_columns(parse(["B"]))
    (3, 1)
    """
    return 1 + max((column for template in templates for _, column, *_ in template.pieces), default=0)


def compiled(templates: Iterable[Template], boundary: str) -> _core.Templates:
    """The templates as the core has them."""
    views: dict[tuple[int, str, int], int] = {}
    lists: dict[str, list[tuple[str, list[tuple[int, int]]]]] = {"U": [], "B": []}
    for kind, literal, pieces in templates:
        places = [(piece[0], views.setdefault(piece[1:], len(views))) for piece in pieces]
        lists[kind].append((literal, places))
    return _core.Templates(views=list(views), unigrams=lists["U"], bigrams=lists["B"], boundary=boundary)


class _Line:
    """Reads a line from left to right."""

    def __init__(self, text: str, path: str, number: int) -> None:
        self.text, self.path, self.number, self.at = text, path, number, 0

    def template(self) -> Template:
        self.take(r"\s*", "")
        kind = self.take("[UB]", "U or B")
        literal, pieces = kind, []
        while self.at < len(self.text):
            if self.text[self.at] == "%":
                pieces.append(self.piece())
                literal += "\0"
            else:
                literal += self.take("[^%\0]+", "no NUL")
        return Template(kind, literal, pieces)

    def piece(self) -> tuple[int, int, str, int]:
        self.at += 1
        view = self.take("|".join(VIEWS), f"one of {', '.join(VIEWS)} after '%'")
        count = self.number_of("a number of characters", least=1) if view in ("prefix", "suffix") else 0
        self.take(r"\[", "'['")
        offset = self.number_of("a place before or after the token", least=-LONGEST)
        self.take(",", "','")
        column = self.number_of("a column", least=0)
        self.take("]", "']'")
        return offset, column, view, count

    def number_of(self, what: str, least: int) -> int:
        start = self.at
        found = int(self.take(r"[+-]?[0-9]{1,9}", f"{what} from {least} to {LONGEST}"))
        if not least <= found <= LONGEST:
            self.at = start
            self.take(r"(?!)", f"{what} from {least} to {LONGEST}")
        return found

    def take(self, pattern: str, expected: str) -> str:
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            rest = self.text[self.at : self.at + 20]
            column = len(self.text[: self.at].encode("utf-8", "surrogatepass")) + 1
            raise DataFileError(self.path, self.number, column, expected, repr(rest) if rest else "the end of the line")
        self.at = match.end()
        return match[0]
