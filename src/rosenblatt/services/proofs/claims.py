"""A certificate as plain data, as its JSON has it: numbers of any size as text, and a seal over all of it.

Whatever a field holds is written as it is; `theory.verify` reads it back, and takes only what is as it should be.
"""

import math
from fractions import Fraction
from typing import Any

from rosenblatt.base.data_hash import seal
from rosenblatt.services.proofs.verify.form import Claims, fraction, integer

FORMAT = 1
LONG = 1 << 3000  # beyond it Python limits how many decimal digits it reads; hexadecimal ones it does not
KERNEL = ("gamma", "coef0", "degree")
AS_THEY_ARE = ("separable", "n_rows", "n_features", "as_decimal", "data")
OF_LINES = ("kind", "engine")


def sealed(claims: Claims) -> Claims:
    """With the seal; a ValueError if they hold what JSON cannot."""
    return {**claims, "seal": seal(claims)}


def claims_of_lines(certificate: Any) -> Claims:
    """Everything that a `Certificate` says, and the proof."""
    exact = {name: _text(getattr(certificate, name)) for name in ("intercept_scaling", "center", "weights")}
    return {**_shared(certificate), **{name: getattr(certificate, name) for name in OF_LINES}, **exact}


def claims_of_kernel(certificate: Any) -> Claims:
    """Everything that a `KernelCertificate` says, and the proof."""
    given = {name: getattr(certificate, name) for name in KERNEL}
    kernel = {name: value if name == "degree" else _text(value) for name, value in given.items() if value is not None}
    return {
        **_shared(certificate),
        "kernel": {"name": certificate.kernel, **kernel},
        "dual": _text(certificate.dual),
    }


def _shared(certificate: Any) -> Claims:
    counts, margin, square, radius = (
        getattr(certificate, name) for name in ("counts", "margin", "margin_exact", "radius_exact")
    )
    if isinstance(counts, dict):
        counts = {"rows": list(counts), "counts": _text(list(counts.values()))}
    if isinstance(margin, tuple):
        margin = ["inf" if isinstance(end, float) and end == math.inf else end for end in margin]
    has_bound = all(isinstance(value, int | Fraction) and value for value in (square, radius))
    return {
        "format": FORMAT,
        **{name: getattr(certificate, name) for name in AS_THEY_ARE},
        "classes": certificate.classes,
        "counts": counts,
        "margin": margin,
        "margin_exact": _text(square),
        "radius_exact": _text(radius),
        "bound_exact": _text(Fraction(radius) / Fraction(square)) if has_bound else None,
    }


def fields_of_lines(claims: Claims) -> dict[str, Any]:
    """The fields of a `Certificate`, from claims in the right form."""
    center, weights = claims["center"], claims["weights"]
    return {
        **_fields(claims),
        **{name: claims[name] for name in OF_LINES},
        "intercept_scaling": fraction(claims["intercept_scaling"]),
        "center": None if center is None else tuple(map(fraction, center)),
        "weights": None if weights is None else tuple(tuple(map(integer, row)) for row in weights),
    }


def fields_of_kernel(claims: Claims) -> dict[str, Any]:
    """The fields of a `KernelCertificate`, from claims in the right form."""
    kernel = claims["kernel"]
    return {
        **_fields(claims),
        "kernel": kernel["name"],
        "degree": kernel.get("degree"),
        **{name: fraction(kernel[name]) if name in kernel else None for name in ("gamma", "coef0")},
        "dual": None if claims["dual"] is None else tuple(map(integer, claims["dual"])),
    }


def _fields(claims: Claims) -> dict[str, Any]:
    counts, square = claims["counts"], claims["margin_exact"]
    return {
        **{name: claims[name] for name in AS_THEY_ARE},
        "classes": tuple(claims["classes"]),
        "counts": None if counts is None else dict(zip(counts["rows"], map(integer, counts["counts"]), strict=True)),
        "margin": tuple(map(float, claims["margin"])),
        "margin_exact": None if square is None else fraction(square),
        "radius_exact": fraction(claims["radius_exact"]),
    }


def _text(value: Any) -> Any:
    """Integers and fractions, also those within, as text: decimal digits, or hexadecimal ones if they are very many."""
    if isinstance(value, tuple | list):
        return [_text(part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    value = Fraction(value)
    parts = [value.numerator] if value.denominator == 1 else [value.numerator, value.denominator]
    return "/".join(str(part) if abs(part) < LONG else hex(part) for part in parts)
