"""A proof that a kernel separates the data, or that it does not, which a stranger can check with the data alone.

It is that of `certificate`, in the space of the kernel's features phi: w is a sum of a_i phi(x_i) with integers a, so
that only the kernel between examples is needed. Of rbf no value is rational: the checker encloses them, and its gamma
squared is never claimed exactly.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

from rosenblatt.services.proofs.claims import claims_of_kernel, fields_of_kernel
from rosenblatt.services.proofs.proven import Proven, check_sort
from rosenblatt.services.proofs.verify.form import Claims
from rosenblatt.services.proofs.verify.shown import six_digits


@dataclass(frozen=True, repr=False)
class KernelCertificate(Proven):
    """What `certify_kernel` has proven, and the proof.

    Attributes
    ----------
    separable : True, False, or None where the budget was not enough to tell
    dual : integers a, one a row of X, those of one class after the other if there are more than two, for which Z w > 0.
        None where there are none, or (rbf only) none was found: it separates whatever has no point of two classes.
    counts : row of Z -> a positive integer. Where the data is not separable, sum count z = 0; else they prove the upper
        end of `margin`.
    margin : lo and hi, with lo <= gamma <= hi proven; gamma is the margin in the kernel's feature space
    margin_exact : gamma squared, if it was found
    radius_exact : R squared, the largest k(x, x), or twice that with more than two classes
    kernel, gamma, coef0, degree : the kernel, and those of its parameters that it has; None for others
    as_decimal : see `certify_kernel`
    classes, n_rows, n_features, data : what was certified, and its hash

    Examples
    --------
    >>> from rosenblatt.data.lectures import XOR
    >>> from rosenblatt import certify_kernel
    >>> proof = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    >>> print(proof)
    separable by the kernel (x.x' + 1)^2 (4 rows, 2 features, 2 classes)
    margin   gamma = 0.29277
    radius   3
    bound    at most 105 mistakes, in any order
    numbers as stored; y = +1 is 1
    >>> bool(proof.verify(*XOR)), bool(KernelCertificate.from_json(proof.to_json()).verify(XOR.X, -XOR.y))
    (True, False)
    """

    separable: bool | None
    classes: tuple[Any, ...]
    n_rows: int
    n_features: int
    kernel: str
    gamma: Fraction | None
    coef0: Fraction | None
    degree: int | None
    as_decimal: bool
    dual: tuple[int, ...] | None
    counts: dict[int, int] | None = field(hash=False)
    margin: tuple[float, float]
    margin_exact: Fraction | None
    radius_exact: Fraction
    data: str

    __module__ = "rosenblatt"  # where it is public, so that pickles do not depend on where it lives

    def _claims(self) -> Claims:
        return claims_of_kernel(self)

    @classmethod
    def of_claims(cls, claims: Claims) -> Self:
        """The certificate that says so; the claims are in the right form."""
        check_sort(claims, kernel=True)
        return cls(**fields_of_kernel(claims))

    @property
    def formula(self) -> str:
        """The kernel between x and x'."""
        gamma = "" if self.gamma in (1, None) else f"{six_digits(self.gamma)} "
        constant = f" + {six_digits(self.coef0)}" if self.coef0 else ""
        if self.kernel == "rbf":
            return f"exp(-{gamma}|x - x'|^2)"
        return f"({gamma}x.x'{constant})^{self.degree}" if self.kernel == "poly" else f"x.x'{constant}"

    @property
    def _conventions(self) -> list[str]:
        return []

    @property
    def _verdict(self) -> str:
        return f"{super()._verdict} by the kernel {self.formula}"

    def __repr__(self) -> str:  # not the proof itself, which may be long
        said = f"separable={self.separable}, kernel={self.kernel!r}, margin={self.margin}"
        return f"KernelCertificate({said}, n_rows={self.n_rows}, n_features={self.n_features})"
