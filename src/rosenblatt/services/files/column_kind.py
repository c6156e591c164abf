"""What the cells of a column of CSV are, as its first block tells: numbers, numbers with a sign, or categories."""

from collections.abc import Callable

import numpy as np

from rosenblatt.base.numbers import is_meant
from rosenblatt.services.files.dates import needs_order
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.files.number_advice import advice, is_number, seems_to_be_a_number, sign_of
from rosenblatt.services.files.text_column import TextColumn

FEW = 32  # values that are looked at first, since most columns of text are nothing else


def most_are_numbers(column: TextColumn, notation: Notation) -> bool | None:
    """Whether most values are numbers; of as many numbers as others the first one tells. None if there is no value."""
    first = column.first()
    if first is None:
        return None
    if column.numbers() is not None:
        return True
    if not _is_meant(first, notation) and not column.n_numbers():
        return False
    coded = column.coded()
    counts = np.bincount(coded.numbers, minlength=len(coded.texts)).tolist()
    values = [(text, count) for text, count in zip(coded.texts, counts, strict=True) if text]
    more = sum(count if _is_meant(text, notation) else -count for text, count in values)
    return more > 0 or (more == 0 and _is_meant(first, notation))


def sign_of_all(column: TextColumn, notation: Notation) -> str | None:
    """The sign that all values have, if they are numbers."""
    if (sign := sign_of(column.first() or "", notation)) is None:
        return None
    texts = filter(None, column.coded().texts)
    return sign if all(sign in text and is_number(text, notation, sign) for text in texts) else None


def needs_an_option(column: TextColumn, notation: Notation, *, dates: bool) -> tuple[int, str, str] | None:
    """If most values would be numbers, or dates, with an option: the row that tells so, what is expected, its text."""

    def would_be_a_number(text: str) -> bool:
        return seems_to_be_a_number(text, notation)

    coded = column.coded()
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
    return coded.first(one == text for one in coded.texts) or 0, expected, text


def _most(kind: Callable[[str], bool], texts: list[str]) -> bool:
    return 2 * sum(map(kind, texts)) > len(texts)


def _is_meant(text: str, notation: Notation) -> bool:
    plain = notation.form().plain(text)
    return is_meant(text if plain is None else plain)
