"""An exact check of a certificate from its claims and the data alone, by code that shares nothing with the solver.

Z has the rows z = y (s, x - c). Weights w with Z w > 0 prove that data is separable; counts with Z^T counts = 0 that it
is not (Gordan 1873). Then w with Z w >= 0, not all 0, proves quasi-complete separation; and rows that sum to 0 and span
all others prove overlap: if Z w >= 0, then z.w = 0 in each of these rows, so in all. For any w and counts,
min Z w / |w| <= gamma <= |Z^T counts| / sum counts. No float decides: numbers are integers over a common denominator.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.record.json import canonical_json
from rosenblatt.theory import data_hash as data
from rosenblatt.theory.data_hash import Array, seal
from rosenblatt.theory.verify.form import check_form, fraction, integer, shown
from rosenblatt.theory.verify.rows import Rows
from rosenblatt.theory.verify.span import check_span

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
    >>> from rosenblatt.theory.data_hash import data_hash
    >>> claims = {
    ...     "format": 1, "separable": True, "kind": "complete", "classes": [-1, 1], "n_rows": 4, "n_features": 2,
    ...     "intercept_scaling": "1", "center": None, "as_decimal": False, "weights": [["-3", "2", "2"]],
    ...     "counts": {"rows": [1, 2, 3], "counts": ["5", "5", "7"]}, "margin": [0.2425, 0.2426],
    ...     "margin_exact": "1/17", "radius_exact": "3", "bound_exact": "51", "engine": "by hand",
    ...     "data": data_hash(*AND),
    ... }
    >>> claims["seal"] = seal(claims)
    >>> verify(claims, *AND).reason
    'separable, z.w >= 1 in all rows; gamma^2 = 1/17, at most 51 mistakes'
    >>> print(verify({**claims, "bound_exact": "50"}, *AND))
    refused: seal: an entry was changed after the certificate was written (floats read as binary numbers)
    """
    if as_decimal is None:
        as_decimal = isinstance(claims, dict) and claims.get("as_decimal") is True
    try:
        reason, ok = _proven(claims, X, y, as_decimal), True
    except ValueError as refusal:
        reason, ok = str(refusal), False
    return Verification(ok, reason, READINGS[as_decimal])


def _proven(claims: Any, X: Any, y: Any, as_decimal: bool) -> str:
    """What was proven, in words; what is not right is a ValueError."""
    check_form(claims)
    if claims["seal"] != seal(claims):
        raise ValueError("seal: an entry was changed after the certificate was written")
    Z = Rows(claims, X, y, as_decimal)
    _check_shapes(claims, Z)
    if claims["data"] != data.data_hash(Z.X, y):
        raise ValueError("data: the numbers or labels are not those of the certificate")
    radius = Z.radius()
    if fraction(claims["radius_exact"]) != radius:
        raise ValueError(f"radius_exact: the largest |z|^2 is {shown(radius)}, not {claims['radius_exact'][:80]}")
    if claims["separable"] is None:
        _expect(claims, "undecided", kind=None, weights=None, margin_exact=None, bound_exact=None)
        _expect({"margin": claims["margin"][0]}, "undecided", margin=0)
        _highest(claims, Z)
        return f"whether it is separable is not claimed; gamma <= {claims['margin'][1]}"
    return _separable(claims, Z, radius) if claims["separable"] else _inseparable(claims, Z)


def _check_shapes(claims: dict[str, Any], Z: Rows) -> None:
    (n, d), width = Z.X.shape, Z.X.shape[1] + Z.first
    claimed = [claims["n_rows"], claims["n_features"], [data.as_label(label) for label in claims["classes"]]]
    for name, of_claims, of_data in zip(("n_rows", "n_features", "classes"), claimed, (n, d, Z.classes), strict=True):
        if canonical_json(of_claims) != canonical_json(of_data):
            raise ValueError(f"{name}: the certificate has {of_claims}, the data has {of_data}")
    if len(Z.c) != d:
        raise ValueError(f"center: expected {d} entries, found {len(Z.c)}")
    if claims["weights"] is not None and [len(row) for row in claims["weights"]] != [width] * Z.n_blocks:
        raise ValueError(f"weights: expected {width} in each row, rows: {Z.n_blocks}")
    if claims["counts"] is not None:
        rows, counts = claims["counts"]["rows"], claims["counts"]["counts"]
        if not 0 < len(rows) == len(counts) == len(set(rows)) or max(rows) >= n * Z.n_rivals:
            raise ValueError(f"counts: expected different rows below {n * Z.n_rivals} and a count for each")


def _expect(claims: dict[str, Any], verdict: str, **entries: Any) -> None:
    for name, expected in entries.items():
        if claims[name] != expected:
            raise ValueError(f"{name}: expected {canonical_json(expected)} if {verdict}, found {claims[name]!s:.80}")


def _weights(claims: dict[str, Any]) -> Array:
    if claims["weights"] is None:
        raise ValueError("weights: expected the proof, found none")
    return np.array([[integer(value) for value in row] for row in claims["weights"]], dtype=object)


def _counted(claims: dict[str, Any], Z: Rows) -> tuple[Array, Array, Fraction]:
    """The rows with counts, Z^T counts times a positive number, and |Z^T counts / sum counts|^2."""
    if claims["counts"] is None:
        raise ValueError("counts: expected the proof, found none")
    rows = np.array(claims["counts"]["rows"], dtype=np.int64)
    counts = np.array([integer(value) for value in claims["counts"]["counts"]], dtype=object)
    total, denominator = Z.combination(rows, counts)
    return rows, total, Fraction((total**2).sum(), (denominator * counts.sum()) ** 2)


def _highest(claims: dict[str, Any], Z: Rows) -> Fraction | None:
    """The highest that gamma^2 can be by the counts, if there are any."""
    hi = claims["margin"][1]
    if claims["counts"] is None:
        _expect({"margin": hi}, "there are no counts", margin="inf")
        return None
    highest = _counted(claims, Z)[2]
    if hi != "inf" and Fraction(hi) ** 2 < highest:
        raise ValueError(f"margin: gamma <= {hi} is not proven, the counts prove gamma^2 <= {shown(highest)}")
    return highest


def _separable(claims: dict[str, Any], Z: Rows, radius: Fraction) -> str:
    _expect(claims, "separable", kind="complete")
    weights, (lo, hi), exact = _weights(claims), claims["margin"], claims["margin_exact"]
    (least, row), _ = Z.ends(weights)
    if least <= 0:
        raise ValueError(f"{Z.name(row)}: z.w = {shown(least)}, expected > 0")
    lowest, highest = least**2 / (weights**2).sum(), _highest(claims, Z)
    if Fraction(lo) ** 2 > lowest:
        raise ValueError(f"margin: gamma >= {lo} is not proven, the weights prove gamma^2 >= {shown(lowest)}")
    if exact is None:
        _expect(claims, "gamma^2 is not claimed", bound_exact=None)
        return f"separable, z.w >= {shown(least)} in all rows; {lo} <= gamma <= {hi}"
    if not lowest == fraction(exact) == highest:
        proven = f"{shown(lowest)} <= gamma^2" + ("" if highest is None else f" <= {shown(highest)}")
        raise ValueError(f"margin_exact: gamma^2 = {exact[:80]} is not proven, only {proven}")
    bound = radius / lowest
    if claims["bound_exact"] is None or fraction(claims["bound_exact"]) != bound:
        raise ValueError(f"bound_exact: (R / gamma)^2 is {shown(bound)}, not {claims['bound_exact']!s:.80}")
    proven = f"gamma^2 = {shown(lowest)}, at most {shown(bound)} mistakes"
    return f"separable, z.w >= {shown(least)} in all rows; {proven}"


def _inseparable(claims: dict[str, Any], Z: Rows) -> str:
    _expect(claims, "not separable", margin=[0, 0], margin_exact="0", bound_exact=None)
    rows, total, _ = _counted(claims, Z)
    if total.any():
        raise ValueError("counts: the rows times their counts do not sum to 0")
    proven = f"not separable, {len(rows)} rows of Z times their counts sum to 0"
    if claims["kind"] == "quasi-complete":
        (least, row), (greatest, _) = Z.ends(_weights(claims))
        if least < 0:
            raise ValueError(f"{Z.name(row)}: z.w = {shown(least)}, expected >= 0")
        if greatest == 0:
            raise ValueError("weights: z.w = 0 in all rows, expected > 0 in some")
        return f"{proven}; quasi-complete, z.w >= 0 in all rows and > 0 in some"
    _expect(claims, "it is not separated", weights=None)
    if claims["kind"] is None:
        return proven
    _expect(claims, "not separable", kind="overlap")
    check_span(Z, rows)
    return f"{proven} and span all others; overlap"
