"""The lines of templates: of a built-in set, a file or a list; and what reads such a line from left to right."""

import re
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from rosenblatt.base.exceptions import DataFileError


def template_lines(templates: Any, folder: Path, built_in: Sequence[str]) -> tuple[list[str], str]:
    """The lines, and what to call them in messages. Each built-in set is a file of `folder`."""
    if isinstance(templates, str) and templates in built_in:
        return (folder / f"{templates}.txt").read_text(encoding="utf-8").splitlines(), templates
    if isinstance(templates, str | PathLike):
        try:
            text = Path(templates).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            names = ", ".join(map(repr, built_in))
            raise FileNotFoundError(f"templates: expected {names}, a file or a list, found {templates!r}") from None
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            column = error.start - error.object.rfind(b"\n", 0, error.start)
            raise DataFileError(
                fspath(templates), line, column, "UTF-8", repr(error.object[error.start :][:1])
            ) from None
        return text.splitlines(), fspath(templates)
    return list(templates), "templates"


class LineReader:
    """Takes one thing after the other from a line; a `DataFileError` says what was expected instead, and where."""

    def __init__(self, text: str, path: str, number: int) -> None:
        self.text, self.path, self.number, self.at = text, path, number, 0

    def take(self, pattern: str, expected: str) -> str:
        """What matches here."""
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            rest = self.text[self.at : self.at + 20]
            column = len(self.text[: self.at].encode("utf-8", "surrogatepass")) + 1
            raise DataFileError(self.path, self.number, column, expected, repr(rest) if rest else "the end of the line")
        self.at = match.end()
        return match[0]

    def number_of(self, what: str, least: int, most: int) -> int:
        """A number within limits."""
        start = self.at
        found = int(self.take(r"[+-]?[0-9]{1,9}", f"{what} from {least} to {most}"))
        if not least <= found <= most:
            self.at = start
            self.take(r"(?!)", f"{what} from {least} to {most}")
        return found
