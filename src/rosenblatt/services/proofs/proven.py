"""What all certificates share: margin, radius and bound, the checking, the JSON, and how the verdict is printed."""

import json
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from rosenblatt.services.proofs.claims import sealed
from rosenblatt.services.proofs.html import html_of
from rosenblatt.services.proofs.rounding import float_up, sqrt_up
from rosenblatt.services.proofs.verify.form import Claims, is_of_kernel, read_claims
from rosenblatt.services.proofs.verify.shown import at_most, enclosed

if TYPE_CHECKING:
    from rosenblatt.services.proofs.verify import Verification

FEW = 6  # rows of a proof that are printed
LONG = 200  # digits that are no longer printed


class Proven:
    """A verdict on rows Z with its proof."""

    separable: bool | None
    classes: tuple[Any, ...]
    n_rows: int
    n_features: int
    as_decimal: bool
    counts: dict[int, int] | None
    margin: tuple[float, float]
    margin_exact: Fraction | None
    radius_exact: Fraction
    _checked: ClassVar["Verification | None"] = None  # the last time, by `verify`

    def _claims(self) -> Claims:
        """Everything that it says, without the seal."""
        raise NotImplementedError

    @classmethod
    def of_claims(cls, claims: Claims) -> Self:
        """The certificate that says so; the claims are in the right form."""
        raise NotImplementedError

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
        """The rows of X that the multipliers rest on."""
        rivals = max(1, len(self.classes) - 1)
        return np.unique(np.array([row // rivals for row in self.counts or ()], dtype=np.int64))

    @property
    def radius(self) -> float:
        """R, rounded up."""
        return sqrt_up(self.radius_exact)

    @property
    def bound(self) -> float:
        """(R / gamma)^2, the most mistakes that a perceptron can make; from `lo`, rounded up. inf: none is proven."""
        bound = self._bound
        return math.inf if bound is None else float_up(bound)

    @property
    def bound_exact(self) -> Fraction | None:
        """(R / gamma)^2, which is rational, if gamma squared was found."""
        return self.radius_exact / self.margin_exact if self.margin_exact else None

    @property
    def _bound(self) -> Fraction | None:
        lo = self.margin[0]
        if self.bound_exact is not None or not lo > 0:
            return self.bound_exact
        return self.radius_exact / Fraction(lo) ** 2

    @property
    def conventions(self) -> str:
        """What z, R and gamma mean here, in one line."""
        parts = [*self._conventions, "numbers as the decimals written" if self.as_decimal else "numbers as stored"]
        if len(self.classes) > 2:
            parts.append(f"{len(self.classes)} classes: the right one ahead of each other one")
        elif len(self.classes) == 2:
            parts.append(f"y = +1 is {self.classes[1]!r}")
        return "; ".join(parts)

    @property
    def _conventions(self) -> list[str]:
        """Those of lines, or of a kernel."""
        raise NotImplementedError

    @property
    def _verdict(self) -> str:
        """The first words."""
        return "undecided" if self.separable is None else "separable" if self.separable else "not separable"

    @property
    def _how(self) -> str:
        """What decided, after them."""
        return ""

    def verify(self, X: Any, y: Any, *, as_decimal: bool | None = None) -> "Verification":
        """Check every claim against the data, in exact arithmetic, by code that shares nothing with the solver.

        Floats are read as `certify` read them, or as `as_decimal` says: as binary numbers, or as the decimals written.
        The result is true or false, and says why.
        """
        from rosenblatt.services.proofs.verify import refused, verify

        try:
            found = verify(sealed(self._claims()), X, y, as_decimal=as_decimal)
        except ValueError as error:
            found = refused(str(error))
        object.__setattr__(self, "_checked", found)  # for a notebook; it is no part of what is claimed
        return found

    def to_json(self) -> str:
        """The claims, the proof, and the hash of the data."""
        return json.dumps(sealed(self._claims()), indent=1)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` wrote, read as strictly as `rosenblatt verify` does. Nothing is believed: `verify` it.

        >>> from rosenblatt import Certificate, certify
        >>> from rosenblatt.data.lectures import CMU
        >>> text = certify(*CMU, fit_intercept=False).to_json()
        >>> Certificate.from_json(text).bound_exact
        Fraction(5, 1)
        """
        try:
            return cls.of_claims(read_claims(text))
        except ValueError as error:
            raise ValueError(f"text: expected a certificate as to_json writes it: {error}") from None

    def __str__(self) -> str:
        return self.text()

    def text(self, *, exact: bool = False) -> str:
        """The verdict for people; with the fractions too, if they are asked for.

        >>> from rosenblatt import certify
        >>> from rosenblatt.data.lectures import AND
        >>> print(certify(*AND).text(exact=True).splitlines()[-2])
        exactly  gamma^2 = 1/17, R^2 = 3, (R / gamma)^2 = 51
        """
        sizes = {"row": self.n_rows, "feature": self.n_features, "class": len(self.classes)}
        counted = [f"{n} {noun}{'' if n == 1 else 'es' if noun == 'class' else 's'}" for noun, n in sizes.items()]
        facts = [f"{name:9}{value}" for name, value in self._facts()]
        lines = [f"{self._verdict} ({', '.join(counted)}){self._how}", *self._notes(), *facts]
        if exact and self.separable:
            squares = {"gamma^2": self.margin_exact, "R^2": self.radius_exact, "(R / gamma)^2": self.bound_exact}
            known = [_in_full(name, value) for name, value in squares.items() if value is not None]
            lines.append(f"exactly  {', '.join(known)}")
        return "\n".join([*lines, self.conventions])

    def _notes(self) -> list[str]:
        """Further lines after the first."""
        return []

    def _facts(self) -> list[tuple[str, str]]:
        """What is proven, by name."""
        if self.separable is None:
            return [("margin", f"{enclosed(*self.margin)}; a larger budget may tell more")]
        if not self.separable:
            return [("proof", self._rows_of_proof)]
        bound = "none is proven" if self._bound is None else f"{at_most(self._bound)}, in any order"
        return [("margin", enclosed(*self.margin)), ("radius", f"{self.radius:.6g}"), ("bound", bound)]

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict, what is proven, and whether it was verified."""
        checked = self._checked
        said = "not yet: verify(X, y) checks the proof against the data, exactly" if checked is None else str(checked)
        verdict, *notes = self.text().splitlines()[: 1 + len(self._notes())]
        return html_of([verdict, *notes], [*self._facts(), ("verified", said), ("read as", self.conventions)])

    @property
    def _rows_of_proof(self) -> str:
        """People count examples from 1."""
        counts = self.counts or {}
        rivals = max(1, len(self.classes) - 1)
        first = list(counts.items())[:FEW]
        terms = [f"{count if count < 10**6 else 'many'} of example {row // rivals + 1}" for row, count in first]
        if len(terms) < len(counts):
            terms.append("...")
        return f"{len(counts)} row{'s' * (len(counts) > 1)} of Z sum to 0: {', '.join(terms)}"


def _in_full(name: str, value: Fraction) -> str:
    if max(value.numerator, value.denominator) < 10**LONG:
        return f"{name} = {value}"
    return f"{name} has more than {LONG} digits (to_json has them all)"


def check_sort(claims: Claims, *, kernel: bool) -> None:
    """Refuse a certificate of the other sort."""
    if is_of_kernel(claims) != kernel:
        names = {False: "Certificate", True: "KernelCertificate"}
        raise ValueError(f"this is a {names[not kernel]}, not a {names[kernel]}")
