"""What a certificate must look like as plain data, and how its numbers are read: the one reader for all who read one.

Integers are text, very long ones in hexadecimal digits, whose number is limited, so that no single step of the check
takes long. Whatever can be seen without the data is looked at here: the entries and their form, the seal, and that they
agree with each other.
"""

import re
from fractions import Fraction
from typing import Any

from rosenblatt.base.data_hash import seal
from rosenblatt.base.record.json import canonical_json, strict_json
from rosenblatt.services.proofs.verify.shown import fraction_text

# Digits; the time to read decimal ones grows with the square of their number
MOST_DECIMAL, MOST_HEXADECIMAL = 4000, 50_000
_TOO_LONG = re.compile(rf'["/-]([1-9][0-9]{{{MOST_DECIMAL}}}|0x[0-9a-f]{{{MOST_HEXADECIMAL + 1}}})')


def _list_of(item: str) -> str:
    return rf"\[(?:(?:{item})(?:,(?:{item}))*+)?\]"  # *+ never goes back, so that long lists take no memory


_SIZE = r"0|[1-9][0-9]*"
_NUMBER = rf"(?:{_SIZE})(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
_STRING = r'"(?:[^"\\]|\\.)*"'
_POSITIVE = rf"(?:[1-9][0-9]{{0,{MOST_DECIMAL - 1}}}|0x[1-9a-f][0-9a-f]{{0,{MOST_HEXADECIMAL - 1}}})"
_INTEGER = f"(?:0|-?{_POSITIVE})"
_FRACTION = f'"{_INTEGER}(?:/{_POSITIVE})?"'
_OVER_0 = f'"{_POSITIVE}(?:/{_POSITIVE})?"'
_FROM_0 = f'(?:"0"|{_OVER_0})'
_COUNTS = r'\{"counts":' + _list_of(f'"{_POSITIVE}"') + ',"rows":' + _list_of(_SIZE) + r"\}"
_KERNELS = "|".join(
    [
        rf'\{{"coef0":{_FROM_0},"name":"linear"\}}',
        rf'\{{"coef0":{_FROM_0},"degree":[1-9][0-9]{{0,2}},"gamma":{_OVER_0},"name":"poly"\}}',
        rf'\{{"gamma":{_OVER_0},"name":"rbf"\}}',
    ]
)
_OF_ALL = {
    "format": ("1", "1"),
    "separable": ("true|false|null", "true, false or null"),
    "classes": (_list_of(f"{_STRING}|-?{_NUMBER}|true|false"), "a list of labels"),
    **dict.fromkeys(("n_rows", "n_features"), (_SIZE, "a size")),
    "as_decimal": ("true|false", "true or false"),
    "counts": (f"{_COUNTS}|null", "rows and their counts, positive integers as text, or null"),
    "margin": (rf'\[{_NUMBER},(?:{_NUMBER}|"inf")\]', "two numbers that are not negative; the second may be 'inf'"),
    "radius_exact": (_FRACTION, "a fraction as text"),
    **dict.fromkeys(("margin_exact", "bound_exact"), (f"{_FRACTION}|null", "a fraction as text, or null")),
    **dict.fromkeys(("data", "seal"), (_STRING, "text")),
}
_OF_LINES = {
    **_OF_ALL,
    "kind": ('"complete"|"quasi-complete"|"overlap"|null', "complete, quasi-complete, overlap or null"),
    "intercept_scaling": (_FRACTION, "a fraction as text"),
    "center": (f"{_list_of(_FRACTION)}|null", "a list of fractions as text, or null"),
    "weights": (_list_of(_list_of(f'"{_INTEGER}"')) + "|null", "rows of integers as text, or null"),
    "engine": (_STRING, "text"),
}
_OF_KERNELS = {
    **_OF_ALL,
    "kernel": (_KERNELS, "linear, poly or rbf with its own parameters: gamma > 0, coef0 >= 0, degree from 1 to 999"),
    "dual": (_list_of(f'"{_INTEGER}"') + "|null", "integers as text, or null"),
}

Claims = dict[str, Any]


def read_claims(text: str | bytes) -> Claims:
    """The claims of a certificate's JSON; whatever is wrong with it is a ValueError. That they are true is not said."""
    try:
        claims = strict_json(text)
    except RecursionError:
        raise ValueError("claims: expected a certificate, found JSON that is nested too deeply") from None
    check_form(claims)
    return claims  # type: ignore[no-any-return]  # a dict: its form was checked


def is_of_kernel(claims: Claims) -> bool:
    return "kernel" in claims


def check_form(claims: Any) -> None:
    """Refuse what is not a certificate as one is written, or contradicts itself."""
    forms = _OF_KERNELS if isinstance(claims, dict) and is_of_kernel(claims) else _OF_LINES
    odd = (claims.keys() if isinstance(claims, dict) else set()) ^ forms.keys()
    if odd:
        names = ", ".join(sorted(map(str, odd)))
        raise ValueError(f"claims: expected the entries of a certificate, these are missing or unknown: {names:.200}")
    for name, (form, expected) in forms.items():
        text = canonical_json(claims[name])
        if not re.fullmatch(form, text):
            if _TOO_LONG.search(text):
                expected = f"integers of at most {MOST_DECIMAL} decimal or {MOST_HEXADECIMAL} hexadecimal digits"
            raise ValueError(f"{name}: expected {expected}, found {text[:80]}")
    if claims["seal"] != seal(claims):
        raise ValueError("seal: an entry was changed after the certificate was written")
    _check_sizes(claims)
    _check_agreement(claims)


def _check_sizes(claims: Claims) -> None:
    n_rows, n_features, n_classes = claims["n_rows"], claims["n_features"], len(claims["classes"])
    n_blocks, n_rivals = n_classes if n_classes > 2 else 1, max(1, n_classes - 1)
    if is_of_kernel(claims):
        if claims["dual"] is not None and len(claims["dual"]) != n_blocks * n_rows:
            raise ValueError(f"dual: expected {n_blocks * n_rows} entries, found {len(claims['dual'])}")
        kernel = claims["kernel"]
        parts = [integer(part) for name in ("gamma", "coef0") for part in kernel.get(name, "1").split("/")]
        check_powers(parts, kernel.get("degree", 1))
    else:
        width = n_features + (fraction(claims["intercept_scaling"]) != 0)
        if claims["center"] is not None and len(claims["center"]) != n_features:
            raise ValueError(f"center: expected {n_features} entries, found {len(claims['center'])}")
        if claims["weights"] is not None and [len(row) for row in claims["weights"]] != [width] * n_blocks:
            raise ValueError(f"weights: expected {width} in each row, rows: {n_blocks}")
    if claims["counts"] is not None:
        rows, counts = claims["counts"]["rows"], claims["counts"]["counts"]
        if not 0 < len(rows) == len(counts) == len(set(rows)) or max(rows) >= n_rows * n_rivals:
            raise ValueError(f"counts: expected different rows below {n_rows * n_rivals} and a count for each")


def check_powers(parts: list[int], degree: int) -> None:
    """Refuse numerators and denominators of gamma and coef0 that are very long once they are taken to the degree."""
    if max(map(int.bit_length, parts)) * degree > 4 * MOST_HEXADECIMAL:
        most = 4 * MOST_HEXADECIMAL // degree
        raise ValueError(f"kernel: expected gamma and coef0 of integers of at most {most} bits, for degree {degree}")


def _check_agreement(claims: Claims) -> None:
    """What the verdict says of the other entries, and that they belong together."""
    proof = "dual" if is_of_kernel(claims) else "weights"
    lo, hi = claims["margin"]
    if any(isinstance(end, int) and not _is_double(end) for end in (lo, hi)):
        raise ValueError("margin: expected numbers that a double holds")
    if claims["counts"] is None and claims["separable"] is not False:
        _expect({"margin": hi}, "there are no counts", margin="inf")
    if claims["separable"] is None:
        _expect(claims, "undecided", margin_exact=None, bound_exact=None, **{proof: None})
        _expect({"margin": lo}, "undecided", margin=0)
    elif claims["separable"]:
        _check_bound(claims)
    else:
        _expect(claims, "not separable", margin=[0, 0], margin_exact="0", bound_exact=None)
        if claims["counts"] is None:
            raise ValueError("counts: expected the proof, found none")
    if proof == "dual":
        _check_dual(claims)
    else:
        _check_kind(claims)


def _check_bound(claims: Claims) -> None:
    if claims["margin_exact"] is None:
        _expect(claims, "gamma^2 is not claimed", bound_exact=None)
        return
    square = fraction(claims["margin_exact"])
    if square <= 0:
        raise ValueError(f"margin_exact: expected gamma^2 > 0 if separable, found {claims['margin_exact'][:80]}")
    bound = fraction(claims["radius_exact"]) / square
    if claims["bound_exact"] is None or fraction(claims["bound_exact"]) != bound:
        raise ValueError(f"bound_exact: (R / gamma)^2 is {fraction_text(bound)}, not {claims['bound_exact']!s:.80}")


def _check_kind(claims: Claims) -> None:
    if claims["separable"]:
        _expect(claims, "separable", kind="complete")
    elif claims["separable"] is None:
        _expect(claims, "undecided", kind=None)
    elif claims["kind"] == "complete":
        _expect(claims, "not separable", kind="overlap")
    if (claims["separable"] or claims["kind"] == "quasi-complete") and claims["weights"] is None:
        raise ValueError("weights: expected the proof, found none")
    if claims["separable"] is False and claims["kind"] != "quasi-complete":
        _expect(claims, "it is not separated", weights=None)


def _check_dual(claims: Claims) -> None:
    if claims["separable"] is False:
        _expect(claims, "not separable", dual=None)
    if claims["separable"] is not True:
        return
    if claims["kernel"]["name"] == "rbf":
        _expect(claims, "the kernel is rbf, whose values are irrational", margin_exact=None)
        if claims["dual"] is None:
            _expect({"margin": claims["margin"][0]}, "there is no dual", margin=0)
    elif claims["dual"] is None:
        raise ValueError("dual: expected the proof, found none")


def _expect(claims: Claims, verdict: str, **entries: Any) -> None:
    for name, expected in entries.items():
        if claims[name] != expected:
            raise ValueError(f"{name}: expected {canonical_json(expected)} if {verdict}, found {claims[name]!s:.80}")


def _is_double(value: int) -> bool:
    try:
        return float(value) == value
    except OverflowError:
        return False


def integer(text: str) -> int:
    """Decimal or hexadecimal digits."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * int(digits, 16 if digits.startswith("0x") else 10)


def fraction(text: str) -> Fraction:
    """A numerator and a denominator, or an integer."""
    return Fraction(*map(integer, text.split("/")))
