"""What the templates of taggers and parsers share: the source of their lines, the views of a text, and one reader.

A view shows a text of a token: `x` (unchanged), `lower` (case), `prefix3` and `suffix3` (characters), `shape` (Xx-d:
letters, digits, signs, runs once), `digit`, `upper` and `hyphen` (whether there is one).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeVar

from rosenblatt.base.exceptions import DataFileError

VIEWS = ("x", "lower", "prefix", "suffix", "shape", "digit", "upper", "hyphen")
LONGEST = 99  # the longest affix, and the furthest token and column

T = TypeVar("T")


class LineReader:
    """Reads a line piece by piece. A `DataFileError` says what was expected, what was found, and where."""

    def __init__(self, text: str, path: str, number: int) -> None:
        self.text, self.path, self.number, self.at = text, path, number, 0

    @property
    def at_end(self) -> bool:
        """Whether the line is at its end."""
        return self.at == len(self.text)

    def take(self, pattern: str, expected: str) -> str:
        """Read the text that matches here."""
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            rest = self.text[self.at : self.at + 20]
            column = len(self.text[: self.at].encode("utf-8", "surrogatepass")) + 1
            raise DataFileError(self.path, self.number, column, expected, repr(rest) if rest else "the end of the line")
        self.at = match.end()
        return match[0]

    def take_number(self, what: str, least: int, most: int) -> int:
        """Read a number within limits."""
        start = self.at
        number = int(self.take(r"[+-]?[0-9]{1,9}", f"{what} from {least} to {most}"))
        if not least <= number <= most:
            self.at = start
            self.take(r"(?!)", f"{what} from {least} to {most}")
        return number

    def take_shown(self, words: Sequence[str] = VIEWS) -> tuple[str, int]:
        """Read what a piece shows: one of these words after %, and the number of characters of an affix, else 0."""
        self.take("%", "'%'")
        shown = self.take("|".join(words), f"one of {', '.join(words)} after '%'")
        is_affix = shown in ("prefix", "suffix")
        return shown, self.take_number("a number of characters", 1, LONGEST) if is_affix else 0


def parse_lines(lines: Iterable[str], path: str, parse_line: Callable[[LineReader], T]) -> list[T]:
    """The templates of these lines. Empty lines and lines that begin with # are ignored."""
    parsed = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            reader = LineReader(line.rstrip(), path, number)
            reader.take(r"\s*", "")
            parsed.append(parse_line(reader))
    if not parsed:
        raise DataFileError(path, 1, 1, "a template", "none")
    return parsed


def template_lines(templates: Any, folder: Path, built_in: Sequence[str]) -> tuple[list[str], str]:
    """The lines of a built-in set, a file or a list, and their name for messages.

    Each built-in set is a file in `folder`.
    """
    if isinstance(templates, str) and templates in built_in:
        return (folder / f"{templates}.txt").read_text(encoding="utf-8").splitlines(), templates
    if not isinstance(templates, str | PathLike):
        return list(templates), "templates"
    try:
        text = Path(templates).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        names = ", ".join(map(repr, built_in))
        raise FileNotFoundError(f"templates: expected {names}, a file or a list, found {templates!r}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        column = error.start - error.object.rfind(b"\n", 0, error.start)
        byte = repr(error.object[error.start :][:1])
        raise DataFileError(fspath(templates), line, column, "UTF-8", byte) from None
    return text.splitlines(), fspath(templates)
