"""What the cells of a column of CSV are, as its first block tells: numbers, numbers with a sign, or categories.

And what a cell that is no number may be, and which option would read it: for messages.
"""

import re
import unicodedata
from collections.abc import Callable

import numpy as np

from rosenblatt.base.numbers import exact, is_meant
from rosenblatt.services.files.dates import needs_order
from rosenblatt.services.files.notation import BLANKS, Notation
from rosenblatt.services.files.text_column import TextColumn

_NAME = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]+")  # looks like an identifier: 5f0c, A12
_POWER = re.compile(r"\d+[eE]\d+")  # a number, but too large to be one here
_NOTHING = re.compile(r"\W+|n\.?a\.?|none|nil|unknown|missing|undefined|#?n/?a!?", re.IGNORECASE)


def is_number(text: str, notation: Notation, sign: str = "") -> bool:
    """Whether a cell is a number, with or without the sign of its column.

    >>> is_number("1.5", Notation()), is_number("$1,234.5", Notation()), is_number("$1,234.5", Notation(), "$")
    (True, False, True)
    """
    plain = notation.form(sign).plain(text)
    return plain is not None and exact(plain) is not None


def is_sign(text: str) -> bool:
    """Whether it is what sums of money have beside their numbers, or %."""
    return len(text) == 1 and (text == "%" or unicodedata.category(text) == "Sc")


def sign_of(text: str, notation: Notation) -> str | None:
    """The sign of a currency, or %, of a number that has one before or after it.

    >>> [sign_of(text, Notation()) for text in ("-$5", "1,234.50 €", "49%", "5", "$", "a%")]
    ['$', '€', '%', None, None, None]
    """
    signs = set(filter(is_sign, text))
    if len(signs) != 1 or text.count(sign := signs.pop()) != 1 or not is_number(text, notation, sign):
        return None
    return sign


def advice(text: str, notation: Notation) -> str:
    """Options that would read a cell that is no number, in brackets; "" if none would.

    >>> [advice(text, Notation()) for text in ("12,5 €", "-", "calm")]
    [' (or --decimal , for a decimal comma)', ' (or --na -, if it is missing)', '']
    >>> advice("1.234,5", Notation())
    ' (or --decimal , for a decimal comma, and --thousands .)'
    """
    decimal = "." if notation.decimal == "," else ","
    options = []
    if not (sign := sign_of(text, notation)):
        between = [mark for mark in (decimal, "'", *BLANKS.values()) if mark in text]
        if option := _with_decimal(text, decimal, notation):
            options.append(option)
        if notation.thousands is None and between and _is_amount(text, notation.but(thousands=between[0])):
            options.append(f"--thousands {_spelling(between[0])} for groups of digits")
    else:
        options.append(f"{sign!r} in all cells of a column of features")
    if _NOTHING.fullmatch(text):
        options.append(f"--na {text if re.fullmatch(r'[-.A-Za-z]+', text) else repr(text)}, if it is missing")
    if _NAME.fullmatch(text) and not _POWER.fullmatch(text):
        options.append("--categorical, --text or --ignore in training, if the column has names")
    return f" (or {'; '.join(options)})" if options else ""


def _with_decimal(text: str, decimal: str, notation: Notation) -> str:
    """How the other mark before the decimals reads it, with one between groups of digits if it takes that; or ""."""
    option = f"--decimal {decimal} for a decimal {'comma' if decimal == ',' else 'point'}"
    if _is_amount(text, notation.but(decimal=decimal, thousands=None)):
        return option
    for mark in (notation.decimal, "'", *BLANKS.values()):
        if decimal in text and mark in text and _is_amount(text, notation.but(decimal=decimal, thousands=mark)):
            return f"{option}, and --thousands {_spelling(mark)}"
    return ""


def _is_amount(text: str, notation: Notation) -> bool:
    return is_number(text, notation) or sign_of(text, notation) is not None


def _spelling(mark: str) -> str:
    """A mark as it is typed at the command line."""
    return {"'": '"\'"', **{blank: name for name, blank in BLANKS.items()}}.get(mark, mark)


def seems_to_be_a_number(text: str, notation: Notation) -> bool:
    """Whether it is a number, or some option or a sign would make it one."""
    if not any(map(str.isdigit, text)):
        return False
    options = ("--decimal", "--thousands", "in all cells")
    return is_number(text, notation) or any(word in advice(text, notation) for word in options)


FEW = 32  # so many values are looked at first, because that is enough for most columns of text


def most_are_numbers(column: TextColumn, notation: Notation) -> bool | None:
    """Whether most values are numbers; of as many numbers as others the first one tells. None if there is no value."""
    first = column.first()
    if first is None:
        return None
    if column.numbers() is not None:
        return True
    if not _is_meant(first, notation) and not column.n_numbers():
        return False
    coded = column.codes()
    counts = np.bincount(coded.numbers, minlength=len(coded.texts)).tolist()
    values = [(text, count) for text, count in zip(coded.texts, counts, strict=True) if text]
    more = sum(count if _is_meant(text, notation) else -count for text, count in values)
    return more > 0 or (more == 0 and _is_meant(first, notation))


def sign_of_all(column: TextColumn, notation: Notation) -> str | None:
    """The sign that all values have, if they are numbers."""
    if (sign := sign_of(column.first() or "", notation)) is None:
        return None
    texts = filter(None, column.codes().texts)
    return sign if all(sign in text and is_number(text, notation, sign) for text in texts) else None


def needs_an_option(column: TextColumn, notation: Notation, *, dates: bool) -> tuple[int, str, str] | None:
    """If most values would be numbers, or dates, with an option: the row that tells so, what is expected, its text."""

    def would_be_a_number(text: str) -> bool:
        return seems_to_be_a_number(text, notation)

    coded = column.codes()
    texts = [text for text in coded.texts if text]
    kinds = (would_be_a_number, *([needs_order] if dates else []))
    seems = next((kind for kind in kinds if all(_most(kind, some) for some in (texts[:FEW], texts))), None)
    if seems is None:
        return None
    text = next((text for text in texts if seems(text) and not is_number(text, notation)), None)
    if text is None:
        return None
    if seems is needs_order:
        expected = "a date as 2024-05-31 (or --date-order dmy or mdy for dates such as 5/6/2024)"
    elif sign := sign_of(text, notation):
        text = next(text for text in texts if sign not in text or not is_number(text, notation, sign))
        expected = f"a number with its {sign!r}{advice(text, notation)}"
    else:
        expected = f"a number{advice(text, notation)}"
    return coded.first(candidate == text for candidate in coded.texts) or 0, expected, text


def _most(kind: Callable[[str], bool], texts: list[str]) -> bool:
    return 2 * sum(map(kind, texts)) > len(texts)


def _is_meant(text: str, notation: Notation) -> bool:
    plain = notation.form().plain(text)
    return is_meant(text if plain is None else plain)
