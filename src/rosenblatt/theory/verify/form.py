"""What a certificate must look like as plain data, before anything in it is looked at, and how its numbers are read.

Integers of any size are text, very long ones in hexadecimal digits.
"""

import re
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from rosenblatt.record.json import canonical_json


def _list_of(item: str) -> str:
    return rf"\[(?:(?:{item})(?:,(?:{item}))*)?\]"


_SIZE = r"0|[1-9][0-9]*"
_NUMBER = rf"(?:{_SIZE})(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
_STRING = r'"(?:[^"\\]|\\.)*"'
_POSITIVE = r"(?:[1-9][0-9]*|0x[1-9a-f][0-9a-f]*)"
_INTEGER = f"(?:0|-?{_POSITIVE})"
_FRACTION = f'"{_INTEGER}(?:/{_POSITIVE})?"'
_WEIGHTS = _list_of(_list_of(f'"{_INTEGER}"'))
_COUNTS = r'\{"counts":' + _list_of(f'"{_POSITIVE}"') + ',"rows":' + _list_of(_SIZE) + r"\}"
_FORM = {
    "format": ("1", "1"),
    "separable": ("true|false|null", "true, false or null"),
    "kind": ('"complete"|"quasi-complete"|"overlap"|null', "complete, quasi-complete, overlap or null"),
    "classes": (_list_of(f"{_STRING}|-?{_NUMBER}|true|false"), "a list of labels"),
    **dict.fromkeys(("n_rows", "n_features"), (_SIZE, "a size")),
    "intercept_scaling": (_FRACTION, "a fraction as text"),
    "center": (f"{_list_of(_FRACTION)}|null", "a list of fractions as text, or null"),
    "as_decimal": ("true|false", "true or false"),
    "weights": (f"{_WEIGHTS}|null", "rows of integers as text, or null"),
    "counts": (f"{_COUNTS}|null", "rows and their counts, positive integers as text, or null"),
    "margin": (rf'\[{_NUMBER},(?:{_NUMBER}|"inf")\]', "two numbers that are not negative; the second may be 'inf'"),
    "radius_exact": (_FRACTION, "a fraction as text"),
    **dict.fromkeys(("margin_exact", "bound_exact"), (f"{_FRACTION}|null", "a fraction as text, or null")),
    **dict.fromkeys(("engine", "data", "seal"), (_STRING, "text")),
}


def check_form(claims: Any) -> None:
    odd = (claims.keys() if isinstance(claims, dict) else set()) ^ _FORM.keys()
    if odd:
        names = ", ".join(sorted(map(str, odd)))
        raise ValueError(f"claims: expected the entries of a certificate, these are missing or unknown: {names}")
    for name, (form, expected) in _FORM.items():
        text = canonical_json(claims[name])
        if not re.fullmatch(form, text):
            raise ValueError(f"{name}: expected {expected}, found {text[:80]}")


def integer(text: str) -> int:
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    # int() limits the number of decimal digits, Decimal does not
    return sign * (int(digits, 16) if digits.startswith("0x") else int(Decimal(digits)))


def fraction(text: str) -> Fraction:
    return Fraction(*map(integer, text.split("/")))


def shown(value: Fraction) -> str:
    if max(abs(value.numerator), value.denominator) < 1 << 64:
        return str(value)
    return f"about {Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator))}"
