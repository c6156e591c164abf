"""What a cell that is no number may be, and which option would read it: for messages."""

import re
import unicodedata

from rosenblatt.base.numbers import exact
from rosenblatt.services.files.notation import BLANKS, Notation

_NAME = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]+")  # as an identifier: 5f0c, A12
_POWER = re.compile(r"\d+[eE]\d+")  # a number, but one that is too large
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
    other = "." if notation.decimal == "," else ","
    said = []
    if not (sign := sign_of(text, notation)):
        between = [mark for mark in (other, "'", *BLANKS.values()) if mark in text]
        if decimal := _with_decimal(text, other, notation):
            said.append(decimal)
        if notation.thousands is None and between and _is_amount(text, notation.but(thousands=between[0])):
            said.append(f"--thousands {_typed(between[0])} for groups of digits")
    else:
        said.append(f"{sign!r} in all cells of a column of features")
    if _NOTHING.fullmatch(text):
        said.append(f"--na {text if re.fullmatch(r'[-.A-Za-z]+', text) else repr(text)}, if it is missing")
    if _NAME.fullmatch(text) and not _POWER.fullmatch(text):
        said.append("--categorical, --text or --ignore in training, if the column has names")
    return f" (or {'; '.join(said)})" if said else ""


def _with_decimal(text: str, decimal: str, notation: Notation) -> str:
    """How the other mark before the decimals reads it, with one between groups of digits if it takes that; or ""."""
    told = f"--decimal {decimal} for a decimal {'comma' if decimal == ',' else 'point'}"
    if _is_amount(text, notation.but(decimal=decimal, thousands=None)):
        return told
    for mark in (notation.decimal, "'", *BLANKS.values()):
        if decimal in text and mark in text and _is_amount(text, notation.but(decimal=decimal, thousands=mark)):
            return f"{told}, and --thousands {_typed(mark)}"
    return ""


def _is_amount(text: str, notation: Notation) -> bool:
    return is_number(text, notation) or sign_of(text, notation) is not None


def _typed(mark: str) -> str:
    """A mark as one types it at the command line."""
    return {"'": '"\'"', **{blank: name for name, blank in BLANKS.items()}}.get(mark, mark)


def seems_to_be_a_number(text: str, notation: Notation) -> bool:
    """Whether it is a number, or some option or a sign would make it one."""
    if not any(map(str.isdigit, text)):
        return False
    options = ("--decimal", "--thousands", "in all cells")
    return is_number(text, notation) or any(word in advice(text, notation) for word in options)
