"""How the text of a table is written: its characters, its header, what is missing, how numbers and dates look.

What a user says of a file is a `Notation`; a model remembers that of the table it was trained on. It is of text alone:
the columns of Parquet, Arrow and frames have types.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from reprlib import repr as short
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rosenblatt._core import CellForm

NA = ("NA", "N/A", "NaN", "nan", "null", "NULL")  # missing, like the empty cell
ORDERS = ("dmy", "mdy")
ENCODING_ERRORS = ("error", "replace")
# between groups of digits, by name because some are hard to type
BLANKS = {"space": " ", "nbsp": "\xa0", "nnbsp": "\u202f"}
UTF8 = "utf-8"
_NO_CHARACTERS = ("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem")


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How a table is written; each field is a word of `read_table` and an option of the command line.

    >>> notation = Notation.of(na=["?"], decimal=",", thousands=".")
    >>> notation.form().plain("1.234,5"), notation.form("€").plain("1.234,5 €"), Notation().form().plain("1.5")
    ('1234.5', '1234.5', '1.5')
    """

    # None: there is a header unless `names` are given; a warning tells if it looks like data
    header: bool | None = None
    names: tuple[str, ...] | None = None
    na: tuple[str, ...] = NA
    decimal: str = "."
    thousands: str | None = None
    date_order: str | None = None
    encoding: str = UTF8
    encoding_errors: str = "error"  # what bytes are that are no character: an error, or U+FFFD in their place

    @classmethod
    def of(cls, **words: Any) -> Self:
        """These words, each as it may be; a ValueError names the first that is not."""
        return cls().but(**words)

    def but(self, **words: Any) -> Self:
        """The same with some other words, all checked."""
        for name in words.keys() - asdict(self).keys():
            raise TypeError(f"{name}: expected one of {', '.join(asdict(self))}")
        if isinstance(words.get("encoding"), str):
            words["encoding"] = _codec(words["encoding"])
        for name in ("names", "na"):
            if isinstance(words.get(name), Sequence) and not isinstance(words[name], str):
                words[name] = tuple(words[name])
        changed = replace(self, **words)
        changed._check()
        return changed

    def _check(self) -> None:
        marks, names = (self.decimal, self.thousands), self.names
        for name, holds, expected in (
            ("header", self.header is None or isinstance(self.header, bool), "True, False or None"),
            ("names", names is None or _are_texts(names), "a list of names or None"),
            ("na", _are_texts(self.na), "a list of texts"),
            ("decimal", _is_mark(self.decimal), "one character before the decimals, as . or ,"),
            ("thousands", self.thousands is None or _is_mark(self.thousands), "one character between groups of digits"),
            ("thousands", marks[0] != marks[1], "another character than that before the decimals"),
            ("date_order", self.date_order is None or self.date_order in ORDERS, f"{' or '.join(ORDERS)} or None"),
            ("encoding", isinstance(self.encoding, str), "the name of an encoding"),
            ("encoding_errors", self.encoding_errors in ENCODING_ERRORS, " or ".join(ENCODING_ERRORS)),
        ):
            if not holds:
                raise ValueError(f"{name}: expected {expected}, found {short(getattr(self, name))}")
        if names is not None and (not all(names) or len(set(names)) < len(names)):
            raise ValueError(f"names: expected a name of its own for each column, found {short(list(names))}")

    @property
    def has_header(self) -> bool:
        """Whether the first line is one: unless names are given without a word on it."""
        return self.names is None if self.header is None else self.header

    @property
    def missing(self) -> frozenset[str]:
        """All texts that stand for nothing."""
        return frozenset((*self.na, ""))

    def form(self, sign: str = "") -> "CellForm":
        """How the core reads cells; of a column whose numbers have a sign, as $ or %, with that."""
        return _form(self.na, self.decimal, self.thousands or "", sign)

    def as_record(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The notation of a model file. Nothing of it is believed."""
        names = asdict(cls()).keys()
        if not isinstance(record, dict) or record.keys() != names:
            raise ValueError(f"notation: expected an object with {', '.join(names)}, found {short(record)}")
        return cls.of(**record)


PLAIN = Notation()


@lru_cache(maxsize=64)
def _form(na: tuple[str, ...], decimal: str, thousands: str, sign: str) -> "CellForm":
    from rosenblatt import _core

    return _core.CellForm(missing=list(na), decimal=decimal, groups=thousands, sign=sign)


def _codec(name: str) -> str:
    try:
        codec = codecs.lookup(name) if re.fullmatch(r"[\w. -]{1,40}", name, re.ASCII) else None
    except LookupError:
        codec = None
    if codec is None or not getattr(codec, "_is_text_encoding", True) or codec.name in _NO_CHARACTERS:
        raise ValueError(
            f"encoding: expected how characters are written, as utf-8, latin-1, cp1252 or utf-16, found {name!r}"
        )
    return UTF8 if codec.name == "utf-8-sig" else codec.name


def _are_texts(texts: Any) -> bool:
    return isinstance(texts, tuple) and all(isinstance(text, str) and _is_text(text) for text in texts)


def _is_text(text: str) -> bool:
    return not re.search("[\ud800-\udfff]", text)


def _is_mark(mark: Any) -> bool:
    return isinstance(mark, str) and len(mark) == 1 and _is_text(mark) and not re.match(r"[0-9eE+\-/\r\n\0]", mark)
