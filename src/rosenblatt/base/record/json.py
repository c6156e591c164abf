"""JSON as records are written and read: one text for one value, and nothing in it that JSON does not have."""

import json
from itertools import pairwise
from reprlib import repr as short
from typing import Any

LONGEST = 4000  # digits of an integer; Python itself reads and writes a few more


def canonical_json(value: Any) -> str:
    r"""The one JSON text of a value: keys sorted, no spaces, ASCII.

    >>> canonical_json({"b": [1, 2.5], "a": "ä"})
    '{"a":"\\u00e4","b":[1,2.5]}'
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        raise ValueError("expected what JSON can hold: this is nested too deeply") from None
    except ValueError as error:
        problem = "this holds itself" if "Circular" in str(error) else f"a number has more than {LONGEST} digits"
        raise ValueError(f"expected what JSON can hold: {problem}") from None
    except TypeError as error:
        raise ValueError(f"expected what JSON can hold: {error}") from None


def parse_json(text: str | bytes, what: str) -> dict[str, Any]:
    """A JSON object without a name that comes twice, and without what is not a number."""
    try:
        value = strict_json(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what}: expected JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{what}: expected a JSON object, found {short(value)}")  # noqa: TRY004 - of a file
    return value


def strict_json(text: str | bytes) -> Any:
    """Any JSON value, read as strictly. Of what is no JSON, the JSONDecodeError knows the place.

    >>> strict_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: the name 'a' comes twice
    """
    text = text.decode("utf-8") if isinstance(text, bytes) else text
    return json.loads(text, object_pairs_hook=_without_twins, parse_constant=_no_number, parse_int=_integer)


def _integer(text: str) -> int:
    if len(text) > LONGEST:
        raise ValueError(f"a number of {len(text)} digits is too long: expected at most {LONGEST}")
    return int(text)


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twin = next(a for a, b in pairwise(sorted(name for name, _ in pairs)) if a == b)
        raise ValueError(f"the name {short(twin)} comes twice")
    return entries


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number")
