"""A certificate as plain data, as its JSON has it: numbers of any size as text, and a seal over all of it."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rosenblatt.theory.data_hash import seal

FORMAT = 1
LONG = 1 << 3000  # beyond it Python limits how many decimal digits it reads; hexadecimal ones it does not


def to_claims(certificate: Any) -> dict[str, Any]:
    """Everything the certificate says, and the proof."""
    counts, weights = certificate.counts, certificate.weights
    claims = {
        "format": FORMAT,
        "separable": certificate.separable,
        "kind": certificate.kind,
        "classes": list(certificate.classes),
        "n_rows": certificate.n_rows,
        "n_features": certificate.n_features,
        "intercept_scaling": _text(certificate.intercept_scaling),
        "center": None if certificate.center is None else _texts(certificate.center),
        "as_decimal": certificate.as_decimal,
        "weights": None if weights is None else [_texts(row) for row in weights],
        "counts": None if counts is None else {"rows": list(counts), "counts": _texts(counts.values())},
        "margin": [value if math.isfinite(value) else "inf" for value in certificate.margin],
        "margin_exact": _text(certificate.margin_exact),
        "radius_exact": _text(certificate.radius_exact),
        "bound_exact": _text(certificate.bound_exact),
        "engine": certificate.engine,
        "data": certificate.data,
    }
    return {**claims, "seal": seal(claims)}


def from_claims(claims: dict[str, Any]) -> dict[str, Any]:
    """The fields of a certificate; that the seal fits them is looked at here, that they are true is not."""
    if claims.get("format") != FORMAT:
        raise ValueError(f"format: expected {FORMAT}, found {claims.get('format')!r}")
    if claims["seal"] != seal({name: value for name, value in claims.items() if name != "seal"}):
        raise ValueError("seal: the certificate was changed after it was written")
    counts, weights, center = claims["counts"], claims["weights"], claims["center"]
    exact = {name: _number(claims[name]) for name in ("intercept_scaling", "margin_exact", "radius_exact")}
    given = ("separable", "kind", "n_rows", "n_features", "as_decimal", "engine", "data")
    return {
        **{name: claims[name] for name in given},
        **exact,
        "classes": tuple(claims["classes"]),
        "center": None if center is None else tuple(_number(value) for value in center),
        "weights": None if weights is None else tuple(tuple(int(_number(v) or 0) for v in row) for row in weights),
        "counts": None
        if counts is None
        else {row: int(_number(v) or 0) for row, v in zip(counts["rows"], counts["counts"], strict=True)},
        "margin": tuple(float(value) for value in claims["margin"]),
    }


def _text(value: Fraction | int | None) -> str | None:
    """An integer or a fraction: decimal digits, or hexadecimal ones if they would be very many."""
    if value is None:
        return None
    value = Fraction(value)
    parts = [value.numerator] if value.denominator == 1 else [value.numerator, value.denominator]
    return "/".join(str(part) if abs(part) < LONG else hex(part) for part in parts)


def _texts(values: Iterable[Fraction | int]) -> list[str | None]:
    return [_text(value) for value in values]


def _number(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(*(int(part, 0) for part in text.split("/")))
