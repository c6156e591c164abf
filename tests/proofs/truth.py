"""Is what a certificate claims true? Asked of the oracle, not of the checker, for tiny data; in fractions.

Of the kernel rbf no value is rational. Here they come from `decimal` with 60 digits, and a claim may be off by 10^-40.
"""

import json
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

from .oracle import Answer, Claims, Vector, dot, points_of_hull, signed_rows, solve

CLOSE = Fraction(1, 10**40)


class Truth:
    """What is true of some rows and labels, by the conventions of any claims."""

    def __init__(self, X: list[list[Any]], labels: list[Any], data: str) -> None:
        self.X, self.labels, self.data = X, labels, data
        self.classes = sorted(set(labels))
        self.lines = cache(self._lines)
        self.kernel = cache(self._kernel)

    def read(self, as_decimal: bool) -> list[Vector]:
        """The numbers as the claims read them."""
        return [[Fraction(repr(v)) if as_decimal and isinstance(v, float) else Fraction(v) for v in x] for x in self.X]

    def _lines(self, scaling: str, center: Any, as_decimal: bool) -> tuple[list[Vector], Answer]:
        middle = None if center is None else [_number(value) for value in center]
        Z = signed_rows(self.read(as_decimal), self.labels, _number(scaling), middle)
        return Z, solve(Z)

    def _kernel(self, kernel: str, as_decimal: bool) -> tuple[list[Vector], list[Vector], Fraction, Fraction]:
        """The sides of all rows of Z, example by block; K; gamma^2 and R^2."""
        given, X = json.loads(kernel), self.read(as_decimal)
        K = [[kernel_value(given, a, b) for b in X] for a in X]
        units = [[Fraction(i == j) for j in range(len(X))] for i in range(len(X))]
        sides = signed_rows(units, self.labels, 0)  # the rows of Z if the examples were orthogonal
        gram = [[_product(K, z, u) for u in sides] for z in sides]
        margin2 = min(points_of_hull(gram, len(gram)))[0]
        return sides, K, margin2, max(gram[i][i] for i in range(len(gram)))

    def falsehood(self, claims: Claims) -> str:
        """The first claim that is not true; "" if all are."""
        known = {"n_rows": len(self.X), "n_features": len(self.X[0]), "data": self.data, "format": 1}
        for name, value in known.items():
            if claims[name] != value or isinstance(claims[name], bool):
                return name
        if [(isinstance(c, bool), c) for c in claims["classes"]] != [(isinstance(c, bool), c) for c in self.classes]:
            return "classes"
        return self._of_kernel(claims) if "kernel" in claims else self._of_lines(claims)

    def _of_lines(self, claims: Claims) -> str:
        center = None if claims["center"] is None else tuple(claims["center"])
        Z, answer = self.lines(claims["intercept_scaling"], center, claims["as_decimal"])
        if claims["kind"] not in (None, answer.kind):
            return "kind"
        if claims["weights"] is not None:
            w = [_number(value) for row in claims["weights"] for value in row]
            scores = [dot(z, w) for z in Z]
            if min(scores) < 0 or max(scores) == 0 or (claims["separable"] and min(scores) == 0):
                return "weights"
        total = None
        if claims["counts"] is not None:
            counts = [_number(value) for value in claims["counts"]["counts"]]
            chosen = [Z[row] for row in claims["counts"]["rows"]]
            total = [dot(counts, list(column)) for column in zip(*chosen, strict=True)]
        vanishes = total is not None and not any(total)
        return _numbers(claims, answer.margin2, answer.radius2, vanishes, Fraction(0))

    def _of_kernel(self, claims: Claims) -> str:
        kernel, is_rbf = claims["kernel"], claims["kernel"]["name"] == "rbf"
        gamma, coef0 = _number(kernel.get("gamma", "1")), _number(kernel.get("coef0", "0"))
        if gamma <= 0 or coef0 < 0 or kernel.get("degree", 1) < 1:
            return "kernel"
        sides, K, margin2, radius2 = self.kernel(json.dumps(kernel), claims["as_decimal"])
        X = self.read(claims["as_decimal"])
        places = [X.index(x) for x in X]
        if is_rbf and len(set(zip(places, self.labels, strict=True))) > len(set(places)):  # a point of two classes
            margin2 = Fraction(0)
        if claims["dual"] is not None:
            a = [_number(value) for value in claims["dual"]]
            if min(_product(K, z, a) for z in sides) <= 0:
                return "dual"
        vanishes = False
        if claims["counts"] is not None:
            counts = zip(claims["counts"]["rows"], claims["counts"]["counts"], strict=True)
            rows = [[_number(count) * side for side in sides[row]] for row, count in counts]
            sums = [sum(column) for column in zip(*rows, strict=True)]
            if is_rbf:  # by points, whose features are linearly independent
                shares = Counter[tuple[int, int]]()
                for place, number in enumerate(sums):
                    shares[place // len(X), places[place % len(X)]] += int(number)
                vanishes = not any(shares.values())
            else:
                vanishes = _product(K, sums, sums) == 0
        return _numbers(claims, margin2, radius2, vanishes, CLOSE if is_rbf else Fraction(0))


def kernel_value(kernel: dict[str, Any], a: Vector, b: Vector) -> Fraction:
    """By its definition."""
    if kernel["name"] == "rbf":
        exponent = -_number(kernel["gamma"]) * sum((p - q) ** 2 for p, q in zip(a, b, strict=True))
        with localcontext() as context:
            context.prec = 60
            return Fraction((Decimal(exponent.numerator) / exponent.denominator).exp())
    product = _number(kernel.get("gamma", "1")) * dot(a, b) + _number(kernel["coef0"])
    return Fraction(product ** kernel.get("degree", 1))


def _product(K: list[Vector], u: Any, v: Any) -> Fraction:
    """Of two sums of features, block by block."""
    total, n = Fraction(0), len(K)
    for i, one in enumerate(u):
        first = i - i % n
        total += one * dot(K[i % n], v[first : first + n]) if one else 0
    return total


def _number(text: str) -> Fraction:
    """Integers as text, decimal or hexadecimal: one, or two of a fraction."""
    return Fraction(*(int(part, 16) if "0x" in part else int(Decimal(part)) for part in text.split("/")))


def _numbers(claims: Claims, margin2: Fraction, radius2: Fraction, vanishes: bool, off: Fraction) -> str:
    """The verdict and all that is said of margin, radius and bound."""
    lo, hi = claims["margin"]
    if claims["separable"] is not None and claims["separable"] != (margin2 > 0):
        return "separable"
    if claims["separable"] is False and not vanishes:
        return "counts"
    if not isinstance(claims["separable"], bool | None):
        return "separable"
    if Fraction(lo) ** 2 > margin2 * (1 + off) or (hi != "inf" and Fraction(hi) ** 2 < margin2 * (1 - off)):
        return "margin"
    if claims["margin_exact"] is not None and _number(claims["margin_exact"]) != margin2:
        return "margin_exact"
    if _number(claims["radius_exact"]) != radius2:
        return "radius_exact"
    if claims["bound_exact"] is not None and _number(claims["bound_exact"]) * margin2 != radius2:
        return "bound_exact"
    return ""
