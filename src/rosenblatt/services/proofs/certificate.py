"""A proof that data is separable, or that it is not, which a stranger can check with the data alone.

It is in integers, since any positive multiple of the weights w, or of the multipliers lambda, proves the same: w with
Z w > 0, or counts with sum count z = 0 (so do the mistakes of a perceptron that never converges count up). Together
they enclose the margin: min Z w / |w| <= gamma <= |sum lambda z|, for any w and lambda (Gordan 1873; Wolfe 1976).

A kernel's certificate is the same in the space of the kernel's features phi: w is a sum of a_i phi(x_i) with integers
a, so that only the kernel between examples is needed. Of rbf no value is rational: the checker encloses them, and its
gamma squared is never claimed exactly.

As JSON a certificate has numbers of any size as text, and a seal over all of it. Whatever a field holds is written as
it is; `verify` reads it back, and takes only what is as it should be.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from rosenblatt.base.data_hash import seal
from rosenblatt.services.proofs.exact_numbers import float_up, sqrt_up
from rosenblatt.services.proofs.verify.form import Claims, fraction, integer, is_of_kernel, read_claims
from rosenblatt.services.proofs.verify.shown import at_most, enclosure, six_digits

if TYPE_CHECKING:
    from rosenblatt.services.proofs.verify import Verification

FORMAT = 1
LONG_TEXT = 1 << 3000  # beyond it Python limits how many decimal digits it reads; hexadecimal ones it does not
PLAIN = ("separable", "n_rows", "n_features", "as_decimal", "data")  # fields that are in JSON as they are


def _text(value: Any) -> Any:
    """Integers and fractions, also those within, as text: decimal digits, or hexadecimal ones if they are very many."""
    if isinstance(value, tuple | list):
        return [_text(part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    value = Fraction(value)
    parts = [value.numerator] if value.denominator == 1 else [value.numerator, value.denominator]
    return "/".join(str(part) if abs(part) < LONG_TEXT else hex(part) for part in parts)


# A notebook has rules for tables too. Ours name the class, because the more specific rule wins.
STYLE = """<style>
table.rosenblatt-proof { border-collapse: collapse; }
table.rosenblatt-proof caption { caption-side: top; text-align: left; padding: .4em 0; }
table.rosenblatt-proof caption strong { display: block; }
table.rosenblatt-proof :is(th, td) { padding: .15em .7em .15em 0; border: 0; text-align: left; vertical-align: top; }
table.rosenblatt-proof tr { background: none; }
</style>"""


def html_of(caption: Sequence[str], facts: Sequence[tuple[str, str]]) -> str:
    """A table of names and what they are; the first line of the caption is the verdict. ASCII only.

    >>> html_of(["separable"], [("bound", "x < 5")]).splitlines()[-2]
    '<tr><th scope="row">bound</th><td>x &lt; 5</td></tr>'
    """
    verdict, *notes = map(escape, caption)
    rows = [f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in facts]
    head = f"<caption><strong>{verdict}</strong>{'<br>'.join(notes)}</caption>"
    lines = [STYLE, '<table class="rosenblatt-proof">', head, "<tbody>", *rows, "</tbody></table>"]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


FEW = 6  # how many rows of a proof are printed
LONG = 200  # a number with so many digits is not printed


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
    _checked: ClassVar["Verification | None"] = None  # what `verify` said the last time

    def _claims(self) -> Claims:
        """Everything that it says, and the proof, as plain data without the seal."""
        counts, margin, square, radius = (
            getattr(self, name) for name in ("counts", "margin", "margin_exact", "radius_exact")
        )
        if isinstance(counts, dict):
            counts = {"rows": list(counts), "counts": _text(list(counts.values()))}
        if isinstance(margin, tuple):
            margin = ["inf" if isinstance(end, float) and end == math.inf else end for end in margin]
        has_bound = all(isinstance(value, int | Fraction) and value for value in (square, radius))
        return {
            "format": FORMAT,
            **{name: getattr(self, name) for name in PLAIN},
            "classes": self.classes,
            "counts": counts,
            "margin": margin,
            "margin_exact": _text(square),
            "radius_exact": _text(radius),
            "bound_exact": _text(Fraction(radius) / Fraction(square)) if has_bound else None,
        }

    def _sealed_claims(self) -> Claims:
        """The claims with the seal; a ValueError if they hold what JSON cannot."""
        claims = self._claims()
        return {**claims, "seal": seal(claims)}

    @classmethod
    def _fields(cls, claims: Claims) -> dict[str, Any]:
        """The fields of the certificate that makes these claims, which are in the right form."""
        counts, square = claims["counts"], claims["margin_exact"]
        rows = None if counts is None else zip(counts["rows"], map(integer, counts["counts"]), strict=True)
        return {
            **{name: claims[name] for name in PLAIN},
            "classes": tuple(claims["classes"]),
            "counts": None if rows is None else dict(rows),
            "margin": tuple(map(float, claims["margin"])),
            "margin_exact": None if square is None else fraction(square),
            "radius_exact": fraction(claims["radius_exact"]),
        }

    @classmethod
    def of_claims(cls, claims: Claims) -> Self:
        """The certificate that makes these claims, which are in the right form; one of the other sort is refused."""
        sort = "KernelCertificate" if is_of_kernel(claims) else "Certificate"
        if sort != cls.__name__:
            raise ValueError(f"this is a {sort}, not a {cls.__name__}")
        return cls(**cls._fields(claims))

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
        raise NotImplementedError

    @property
    def _verdict(self) -> str:
        return "undecided" if self.separable is None else "separable" if self.separable else "not separable"

    @property
    def _how(self) -> str:
        return ""

    def verify(self, X: Any, y: Any, *, as_decimal: bool | None = None) -> "Verification":
        """Check every claim against the data, in exact arithmetic, by code that shares nothing with the solver.

        Floats are read as `certify` read them, or as `as_decimal` says: as binary numbers, or as the decimals written.
        The result is true or false, and says why.
        """
        from rosenblatt.services.proofs.verify import refusal, verify

        try:
            verification = verify(self._sealed_claims(), X, y, as_decimal=as_decimal)
        except ValueError as error:
            verification = refusal(str(error))
        object.__setattr__(self, "_checked", verification)  # a notebook shows it; it is not part of the claims
        return verification

    def to_json(self) -> str:
        """The claims, the proof, and the hash of the data."""
        return json.dumps(self._sealed_claims(), indent=1)

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
        return []

    def _facts(self) -> list[tuple[str, str]]:
        if self.separable is None:
            return [("margin", f"{enclosure(*self.margin)}; a larger budget may tell more")]
        if not self.separable:
            return [("proof", self._rows_of_proof)]
        bound = "none is proven" if self._bound is None else f"{at_most(self._bound)}, in any order"
        return [("margin", enclosure(*self.margin)), ("radius", f"{self.radius:.6g}"), ("bound", bound)]

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict, what is proven, and whether it was verified."""
        checked = self._checked
        verified = (
            "not yet: verify(X, y) checks the proof against the data, exactly" if checked is None else str(checked)
        )
        verdict, *notes = self.text().splitlines()[: 1 + len(self._notes())]
        return html_of([verdict, *notes], [*self._facts(), ("verified", verified), ("read as", self.conventions)])

    @property
    def _rows_of_proof(self) -> str:
        """The first rows that sum to 0, by their examples, which people count from 1."""
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

    __module__ = "rosenblatt"  # the public name, so that a pickle does not depend on this file's place

    @property
    def w(self) -> tuple[int, ...] | None:
        """The weights in one row, those of one class after the other."""
        return None if self.weights is None else tuple(value for row in self.weights for value in row)

    def _claims(self) -> Claims:
        exact = {name: _text(getattr(self, name)) for name in ("intercept_scaling", "center", "weights")}
        return {**super()._claims(), "kind": self.kind, "engine": self.engine, **exact}

    @classmethod
    def _fields(cls, claims: Claims) -> dict[str, Any]:
        center, weights = claims["center"], claims["weights"]
        return {
            **super()._fields(claims),
            "kind": claims["kind"],
            "engine": claims["engine"],
            "intercept_scaling": fraction(claims["intercept_scaling"]),
            "center": None if center is None else tuple(map(fraction, center)),
            "weights": None if weights is None else tuple(tuple(map(integer, row)) for row in weights),
        }

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

    def __repr__(self) -> str:  # leaves out the proof itself, because it may be long
        verdict = f"separable={self.separable}, kind={self.kind!r}, margin={self.margin}"
        return f"Certificate({verdict}, n_rows={self.n_rows}, n_features={self.n_features})"


def _vector(values: tuple[Fraction, ...]) -> str:
    first = [six_digits(value) for value in values[:FEW]]
    return f"({', '.join([*first, *(['...'] if len(values) > FEW else [])])})"


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

    __module__ = "rosenblatt"  # the public name, so that a pickle does not depend on this file's place

    def _claims(self) -> Claims:
        parameters = {"gamma": _text(self.gamma), "coef0": _text(self.coef0), "degree": self.degree}
        kernel = {name: value for name, value in parameters.items() if value is not None}
        return {**super()._claims(), "kernel": {"name": self.kernel, **kernel}, "dual": _text(self.dual)}

    @classmethod
    def _fields(cls, claims: Claims) -> dict[str, Any]:
        kernel = claims["kernel"]
        return {
            **super()._fields(claims),
            "kernel": kernel["name"],
            "degree": kernel.get("degree"),
            **{name: fraction(kernel[name]) if name in kernel else None for name in ("gamma", "coef0")},
            "dual": None if claims["dual"] is None else tuple(map(integer, claims["dual"])),
        }

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

    def __repr__(self) -> str:  # leaves out the proof itself, because it may be long
        verdict = f"separable={self.separable}, kernel={self.kernel!r}, margin={self.margin}"
        return f"KernelCertificate({verdict}, n_rows={self.n_rows}, n_features={self.n_features})"
