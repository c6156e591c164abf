"""A proof that data is separable, or that it is not, which a stranger can check with the data alone.

It is in integers, since any positive multiple of the weights w, or of the multipliers lambda, proves the same: w with
Z w > 0, or counts with sum count z = 0 (so do the mistakes of a perceptron that never converges count up). Together
they enclose the margin: min Z w / |w| <= gamma <= |sum lambda z|, for any w and lambda (Gordan 1873; Wolfe 1976).
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Self

from rosenblatt.services.proofs.claims import claims_of_lines, fields_of_lines
from rosenblatt.services.proofs.proven import FEW, Proven, check_sort
from rosenblatt.services.proofs.verify.form import Claims
from rosenblatt.services.proofs.verify.shown import six_digits

Kind = Literal["complete", "quasi-complete", "overlap"]
MEANING = {
    "complete": "some plane has each class on its own side, and no point on it",
    "quasi-complete": "some plane has no point on the wrong side, but none is without points on it",
    "overlap": "every plane has some point on the wrong side",
}


@dataclass(frozen=True, repr=False)
class Certificate(Proven):
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

    def _claims(self) -> Claims:
        return claims_of_lines(self)

    @classmethod
    def of_claims(cls, claims: Claims) -> Self:
        """The certificate that says so; the claims are in the right form."""
        check_sort(claims, kernel=False)
        return cls(**fields_of_lines(claims))

    @property
    def _conventions(self) -> list[str]:
        scaling, center = self.intercept_scaling, self.center
        return [
            f"constant feature {six_digits(scaling)}, first" if scaling else "no constant feature",
            "x from the origin" if center is None else f"x from the centre {_vector(center)}",
        ]

    def _notes(self) -> list[str]:
        return [] if self.kind is None else [f"{self.kind}: {MEANING[self.kind]}"]

    @property
    def _how(self) -> str:
        return "" if self.separable is None else f", by {self.engine}"

    def __repr__(self) -> str:  # not the proof itself, which may be long
        said = f"separable={self.separable}, kind={self.kind!r}, margin={self.margin}"
        return f"Certificate({said}, n_rows={self.n_rows}, n_features={self.n_features})"


def _vector(values: tuple[Fraction, ...]) -> str:
    first = [six_digits(value) for value in values[:FEW]]
    return f"({', '.join([*first, *(['...'] if len(values) > FEW else [])])})"
