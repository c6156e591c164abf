"""A proof that data is separable, or that it is not, which a stranger can check with the data alone.

It is in integers, since any positive multiple of the weights w, or of the multipliers lambda, proves the same: w with
Z w > 0, or counts with sum count z = 0 (so do the mistakes of a perceptron that never converges count up). Together
they enclose the margin: min Z w / |w| <= gamma <= |sum lambda z|, for any w and lambda (Gordan 1873; Wolfe 1976).
"""

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rosenblatt.theory.claims import from_claims, to_claims
from rosenblatt.theory.rounding import float_up, sqrt_up

if TYPE_CHECKING:
    from rosenblatt.theory.verify import Verification

Kind = Literal["complete", "quasi-complete", "overlap"]
MEANING = {
    "complete": "some plane has each class on its own side, and no point on it",
    "quasi-complete": "some plane has no point on the wrong side, but none is without points on it",
    "overlap": "every plane has some point on the wrong side",
}


@dataclass(frozen=True, repr=False)
class Certificate:
    """What `certify` has proven, and the proof.

    Attributes
    ----------
    separable : True, False, or None where the budget was not enough to tell
    kind : "complete": Z w > 0 for some w. "quasi-complete": only Z w >= 0, and not all 0. "overlap": neither. None
        where it was not found out.
    weights : integers w, one row for two classes, one a class for more, the constant feature's first; with Z w > 0, or
        >= 0 if quasi-complete
    counts : row of Z -> a positive integer. Where data is not separable, sum count z = 0; else they prove the upper end
        of `margin`.
    margin : lo and hi, with lo <= gamma <= hi proven; gamma is the margin in the space of the constant feature, which
        the mistake bound needs
    margin_exact : gamma squared, which is rational, if it was found
    radius_exact : R squared, the largest squared length of a row with its constant feature
    intercept_scaling, center, as_decimal : the conventions, see `certify`
    classes, n_rows, n_features, data : what was certified, and its hash
    engine : what decided

    Examples
    --------
    >>> from rosenblatt import certify
    >>> from rosenblatt.data.lectures import AND
    >>> proof = certify(*AND)
    >>> proof.separable, proof.w, proof.margin_exact, proof.bound_exact
    (True, (-3, 2, 2), Fraction(1, 17), Fraction(51, 1))
    >>> bool(proof.verify(*AND)), bool(proof.verify(AND.X, -AND.y))
    (True, False)
    """

    separable: bool | None
    kind: Kind | None
    classes: tuple[Any, ...]
    n_rows: int
    n_features: int
    intercept_scaling: Fraction
    center: tuple[Fraction, ...] | None
    as_decimal: bool
    weights: tuple[tuple[int, ...], ...] | None
    counts: dict[int, int] | None = field(hash=False)
    margin: tuple[float, float]
    margin_exact: Fraction | None
    radius_exact: Fraction
    engine: str
    data: str

    __module__ = "rosenblatt"  # where it is public, so that pickles do not depend on where it lives

    @property
    def w(self) -> tuple[int, ...] | None:
        """The weights in one row, those of one class after the other."""
        return None if self.weights is None else tuple(value for row in self.weights for value in row)

    @property
    def multipliers(self) -> dict[int, Fraction]:
        """The multipliers lambda of the rows of Z that have one: positive, and their sum is 1.

        >>> from rosenblatt import certify
        >>> from rosenblatt.data.lectures import XOR
        >>> list(certify(*XOR).multipliers.values())
        [Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(1, 4)]
        """
        total = sum((self.counts or {}).values())
        return {row: Fraction(count, total) for row, count in (self.counts or {}).items()}

    @property
    def support(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The examples that the multipliers rest on."""
        rivals = max(1, len(self.classes) - 1)
        return np.unique(np.array([row // rivals for row in self.counts or ()], dtype=np.int64))

    @property
    def radius(self) -> float:
        """R, rounded up."""
        return sqrt_up(self.radius_exact)

    @property
    def bound(self) -> float:
        """(R / gamma)^2, the most mistakes that a perceptron can make; from `lo`, rounded up. inf: none is proven."""
        if self.bound_exact is not None:
            return float_up(self.bound_exact)
        lo = self.margin[0]
        return float_up(self.radius_exact / Fraction(lo) ** 2) if lo > 0 else math.inf

    @property
    def bound_exact(self) -> Fraction | None:
        """(R / gamma)^2, which is rational, if gamma squared was found."""
        return self.radius_exact / self.margin_exact if self.margin_exact else None

    @property
    def conventions(self) -> str:
        """What z, R and gamma mean here, in one line."""
        parts = [
            f"constant feature {self.intercept_scaling}, first" if self.intercept_scaling else "no constant feature",
            "x from the origin" if self.center is None else "x from its centre",
            "numbers as the decimals written" if self.as_decimal else "numbers as stored",
        ]
        if len(self.classes) > 2:
            parts.append(f"{len(self.classes)} classes: the right one ahead of each other one")
        elif len(self.classes) == 2:
            parts.append(f"y = +1 is {self.classes[1]!r}")
        return "; ".join(parts)

    def verify(self, X: Any, y: Any, *, as_decimal: bool | None = None) -> "Verification":
        """Check every claim against the data, in exact arithmetic, by code that shares nothing with the solver.

        Floats are read as `certify` read them, or as `as_decimal` says: as binary numbers, or as the decimals written.
        The result is true or false, and says why.
        """
        from rosenblatt.theory.verify import verify

        return verify(to_claims(self), X, y, as_decimal=as_decimal)

    def to_json(self) -> str:
        """The claims, the proof, and the hash of the data."""
        return json.dumps(to_claims(self), indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Certificate":
        """What `to_json` wrote. Nothing is believed: `verify` it.

        >>> from rosenblatt import certify
        >>> from rosenblatt.data.lectures import CMU
        >>> text = certify(*CMU, fit_intercept=False).to_json()
        >>> Certificate.from_json(text).bound_exact
        Fraction(5, 1)
        """
        try:
            return cls(**from_claims(json.loads(text)))
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise ValueError(f"text: expected a certificate as to_json writes it: {error!r}") from None

    def __repr__(self) -> str:  # not the proof itself, which may be long
        said = f"separable={self.separable}, kind={self.kind!r}, margin={self.margin}"
        return f"Certificate({said}, n_rows={self.n_rows}, n_features={self.n_features})"

    def __str__(self) -> str:
        size = f"{self.n_rows} rows, {self.n_features} features, {len(self.classes)} classes"
        if self.separable is None:
            return f"undecided ({size}): gamma <= {self.margin[1]:.6g}; a larger budget may tell\n{self.conventions}"
        lines = [f"{'separable' if self.separable else 'not separable'} ({size}), by {self.engine}"]
        if self.kind is not None:
            lines.append(f"{self.kind}: {MEANING[self.kind]}")
        if self.separable:
            short = self.margin_exact is not None and self.margin_exact.denominator < 10**20
            lo, hi = self.margin
            lines += [
                f"margin   {lo:.9g} <= gamma <= {hi:.9g}" + (f", gamma^2 = {self.margin_exact}" if short else ""),
                f"radius   {self.radius:.9g}",
                f"bound    at most {self.bound_exact if short else f'{self.bound:.9g}'} mistakes, in any order",
            ]
        else:
            first = list(self.multipliers.items())[:6]
            shown = [f"{value} of row {row}" for row, value in first if value.denominator < 10**6]
            if len(shown) < len(self.multipliers):
                shown.append("...")
            lines.append(f"proof    {len(self.multipliers)} rows of Z sum to 0: {', '.join(shown)}")
        return "\n".join([*lines, self.conventions])
