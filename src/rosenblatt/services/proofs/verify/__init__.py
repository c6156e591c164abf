"""An exact check of a certificate from its claims and the data alone, by code that shares nothing with the solver.

Z has the rows z = y (s, x - c). Weights w with Z w > 0 prove that data is separable; counts with Z^T counts = 0 that it
is not (Gordan 1873). Then w with Z w >= 0, not all 0, proves quasi-complete separation; and rows that sum to 0 and span
all others prove overlap: if Z w >= 0, then z.w = 0 in each of these rows, so in all. For any w and counts,
min Z w / |w| <= gamma <= |Z^T counts| / sum counts. No float decides: numbers are integers over a common denominator.
Of a kernel Z has the features of the examples, and only their products are needed.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base import data_hash as data
from rosenblatt.base.data_hash import Array, seal
from rosenblatt.base.record.json import canonical_json
from rosenblatt.services.proofs.verify.form import Claims, check_form, fraction, integer, is_of_kernel
from rosenblatt.services.proofs.verify.kernel_rows import KernelRows
from rosenblatt.services.proofs.verify.rows import Examples, LineRows, check_span
from rosenblatt.services.proofs.verify.shown import at_most, enclosure, fraction_text

__all__ = ["Verification", "seal", "verify"]

READINGS = {False: "floats read as binary numbers", True: "floats read as the decimals written"}


@dataclass(frozen=True)
class Verification:
    """Whether a certificate is right, what was proven or refused, and how floats were read. True if it is right."""

    ok: bool
    reason: str
    reading: str

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return f"{'verified' if self.ok else 'refused'}: {self.reason} ({self.reading})"


def verify(claims: Any, X: Any, y: Any, as_decimal: bool | None = None) -> Verification:
    """Check all that a certificate says about the data.

    Parameters
    ----------
    claims
        The certificate as plain data: json.loads(certificate.to_json()).
    X
        The rows: anything that numpy makes a table of numbers of, or a sparse matrix of scipy.
    y
        The labels.
    as_decimal
        Whether to read floats as the decimals written; None: as the certificate does.

    Examples
    --------
    The lecture's AND function is separated by -3 + 2 x1 + 2 x2 with gamma^2 = 1/17, so 51 mistakes are the most.

    >>> from rosenblatt.data.lectures import AND
    >>> from rosenblatt.base.data_hash import data_hash
    >>> claims = {
    ...     "format": 1, "separable": True, "kind": "complete", "classes": [-1, 1], "n_rows": 4, "n_features": 2,
    ...     "intercept_scaling": "1", "center": None, "as_decimal": False, "weights": [["-3", "2", "2"]],
    ...     "counts": {"rows": [1, 2, 3], "counts": ["5", "5", "7"]}, "margin": [0.2425, 0.2426],
    ...     "margin_exact": "1/17", "radius_exact": "3", "bound_exact": "51", "engine": "by hand",
    ...     "data": data_hash(*AND),
    ... }
    >>> claims["seal"] = seal(claims)
    >>> verify(claims, *AND).reason
    'separable: z.w > 0 for every example; 0.2425 <= gamma <= 0.2426, at most 51 mistakes'
    >>> print(verify({**claims, "bound_exact": "50"}, *AND))
    refused: seal: an entry was changed after the certificate was written (floats read as binary numbers)
    """
    if as_decimal is None:
        as_decimal = isinstance(claims, dict) and claims.get("as_decimal") is True
    try:
        reason, ok = _proven(claims, X, y, as_decimal), True
    except ValueError as error:
        reason, ok = str(error), False
    return Verification(ok, reason, READINGS[as_decimal])


def refusal(reason: str) -> Verification:
    """The answer to something that is not even a certificate."""
    return Verification(ok=False, reason=reason, reading="the data was not looked at")


def _proven(claims: Any, X: Any, y: Any, as_decimal: bool) -> str:
    """What was proven, in words; what is not right is a ValueError."""
    check_form(claims)
    Z = (KernelRows if is_of_kernel(claims) else LineRows)(claims, X, y, as_decimal)
    _check_data(claims, Z, y)
    radius = Z.radius()
    if fraction(claims["radius_exact"]) != radius:
        raise ValueError(
            f"radius_exact: the largest |z|^2 is {fraction_text(radius)}, not {claims['radius_exact'][:80]}"
        )
    if claims["separable"] is None:
        _highest(claims, Z)
        return f"whether it is separable is not claimed; {_margin(claims)}"
    return _separable(claims, Z, radius) if claims["separable"] else _inseparable(claims, Z)


def _check_data(claims: Claims, Z: Examples, y: Any) -> None:
    """Raise an error unless it is the data of the certificate."""
    claimed = [claims["n_rows"], claims["n_features"], [data.as_label(label) for label in claims["classes"]]]
    actual = [*Z.X.shape, Z.classes]
    for name, of_claims, of_data in zip(("n_rows", "n_features", "classes"), claimed, actual, strict=True):
        if canonical_json(of_claims) != canonical_json(of_data):
            raise ValueError(f"{name}: the certificate has {of_claims!s:.80}, the data has {of_data!s:.80}")
    if claims["data"] != data.data_hash(Z.X, y):
        raise ValueError("data: the numbers or labels are not those of the certificate")


def _weights(claims: Claims) -> Array:
    """w, a row for each block, or what it is made of."""
    if is_of_kernel(claims):
        return np.array([integer(value) for value in claims["dual"]], dtype=object)
    return np.array([[integer(value) for value in row] for row in claims["weights"]], dtype=object)


def _counts(claims: Claims) -> tuple[Array, Array]:
    counts = claims["counts"]
    return np.array(counts["rows"], dtype=np.int64), np.array([integer(n) for n in counts["counts"]], dtype=object)


def _highest(claims: Claims, Z: LineRows | KernelRows) -> Fraction | None:
    """The highest that gamma^2 can be by the counts, if there are any."""
    hi = claims["margin"][1]
    if claims["counts"] is None:
        return None
    highest = Z.highest(*_counts(claims))
    if hi != "inf" and Fraction(hi) ** 2 < highest:
        raise ValueError(f"margin: gamma <= {hi} is not proven, the counts prove gamma^2 <= {fraction_text(highest)}")
    return highest


def _margin(claims: Claims) -> str:
    lo, hi = map(float, claims["margin"])
    return enclosure(lo, hi)


def _separable(claims: Claims, Z: LineRows | KernelRows, radius: Fraction) -> str:
    lo, exact = claims["margin"][0], claims["margin_exact"]
    if isinstance(Z, KernelRows) and claims["dual"] is None:
        if clash := Z.clash():
            first, second = (Z.name(example * Z.n_rivals) for example in clash)
            raise ValueError(f"separable: {first} and {second} are one point of two classes")
        _highest(claims, Z)
        return f"separable: no point has two classes, and rbf tells any points apart; {_margin(claims)}"
    least, row, lowest = Z.lowest(_weights(claims))
    if least <= 0:
        raise ValueError(f"{Z.name(row)}: z.w = {fraction_text(least)}, expected > 0")
    highest = _highest(claims, Z)
    if Fraction(lo) ** 2 > lowest:
        raise ValueError(f"margin: gamma >= {lo} is not proven, the weights prove gamma^2 >= {fraction_text(lowest)}")
    if exact is not None and not lowest == fraction(exact) == highest:
        proven = f"{fraction_text(lowest)} <= gamma^2" + ("" if highest is None else f" <= {fraction_text(highest)}")
        raise ValueError(f"margin_exact: gamma^2 = {exact[:80]} is not proven, only {proven}")
    square = Fraction(lo) ** 2 if exact is None else lowest
    bound = f", {at_most(radius / square)}" if square else ""
    return f"separable: z.w > 0 for every example; {_margin(claims)}{bound}"


def _inseparable(claims: Claims, Z: LineRows | KernelRows) -> str:
    rows, counts = _counts(claims)
    if not Z.vanishes(rows, counts):
        raise ValueError("counts: the rows times their counts do not sum to 0")
    proven = f"not separable: {len(rows)} row{'s' * (len(rows) > 1)} of Z times their counts sum to 0"
    if isinstance(Z, KernelRows) or claims["kind"] is None:
        return proven
    if claims["kind"] == "overlap":
        check_span(Z, rows)
        return f"{proven} and span all others; overlap"
    (least, row), (greatest, _) = Z.ends(_weights(claims))
    if least < 0:
        raise ValueError(f"{Z.name(row)}: z.w = {fraction_text(least)}, expected >= 0")
    if greatest == 0:
        raise ValueError("weights: z.w = 0 in all rows, expected > 0 in some")
    return f"{proven}; quasi-complete, z.w >= 0 for every example and > 0 for some"
