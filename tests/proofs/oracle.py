"""Exact answers for tiny data, by trying every subset of rows, in Fractions.

dist(0, conv Z) is reached at the point of least norm of the affine hull of some affinely independent rows, with weights
>= 0 (Caratheodory). A row takes part in a combination that is 0 iff it takes part in one of affinely independent rows,
since all combinations are sums of such. If no row is left out, they overlap; else the rows left out are separable by a
plane through all others.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.data_hash import data_hash, seal

Vector = list[Fraction]
Claims = dict[str, Any]


class Answer(NamedTuple):
    kind: str
    margin2: Fraction  # gamma squared; 0 if not separable
    radius2: Fraction
    lam: Vector  # >= 0, sum 1, |Z^T lam|^2 = margin2; as many rows as can be if it is 0
    w: Vector | None  # Z w > 0, or >= 0 and not all 0; None if they overlap


def signed_rows(X: Any, y: Any, scaling: Any = 1, center: Any = None) -> list[Vector]:
    """Z: rows y (s, x - c); with k > 2 classes for each rival + in the block of its class, - in the rival's."""
    classes, rows = sorted(set(y)), []
    for x, label in zip(X, y, strict=True):
        shifted = [Fraction(a) - Fraction(c) for a, c in zip(x, center or [0] * len(x), strict=True)]
        example = [Fraction(scaling), *shifted] if scaling else shifted
        if len(classes) <= 2:
            rows.append([(1 if label == classes[-1] and classes != [-1] else -1) * a for a in example])
        else:
            rivals = [rival for rival in classes if rival != label]
            rows += [[((c == label) - (c == rival)) * a for c in classes for a in example] for rival in rivals]
    return rows


def solve(Z: Sequence[Vector]) -> Answer:
    """What kind of data it is, gamma^2 and R^2, and the proofs."""
    radius2 = max(dot(z, z) for z in Z)
    points = list(points_of_hull(_gram(Z), len(Z[0]) + 1))
    margin2, lam = min(points)
    if margin2 > 0:
        return Answer("complete", margin2, radius2, lam, _combine(Z, lam))
    zeros = [lam for norm2, lam in points if norm2 == 0]
    lam = [sum(weights) / len(zeros) for weights in zip(*zeros, strict=True)]
    rest = [z for z, weight in zip(Z, lam, strict=True) if weight == 0]
    if not rest:
        return Answer("overlap", Fraction(0), radius2, lam, None)
    basis = _orthogonal([z for z, weight in zip(Z, lam, strict=True) if weight])
    rest = [_without(z, basis) for z in rest]
    nearest = min(points_of_hull(_gram(rest), len(rest[0]) + 1))[1]
    return Answer("quasi-complete", Fraction(0), radius2, lam, _combine(rest, nearest))


def dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def _combine(Z: Sequence[Vector], lam: Vector) -> Vector:
    return [dot(lam, list(column)) for column in zip(*Z, strict=True)]


def _gram(Z: Sequence[Vector]) -> list[Vector]:
    return [[dot(u, v) for v in Z] for u in Z]


def points_of_hull(gram: Sequence[Vector], most: int) -> Iterator[tuple[Fraction, Vector]]:
    """The point of least norm of the affine hull of each subset, where it lies in the convex hull: |p|^2, weights.

    Of `most` rows at most, by the products of all rows.
    """
    for size in range(1, min(len(gram), most) + 1):
        for subset in combinations(range(len(gram)), size):
            # G lam = mu 1 and sum lam = 1, for the Gram matrix G; then |p|^2 = mu
            table = [[*(gram[i][j] for j in subset), Fraction(-1), Fraction(0)] for i in subset]
            table.append([*[Fraction(1)] * size, Fraction(0), Fraction(1)])
            solution = _solution(table)
            if solution is not None and min(solution[:-1]) >= 0:
                lam = [Fraction(0)] * len(gram)
                for i, weight in zip(subset, solution, strict=False):
                    lam[i] = weight
                yield solution[-1], lam


def _solution(table: list[Vector]) -> Vector | None:
    """The solution of the square system [A b] by elimination, if there is just one."""
    for k in range(len(table)):
        pivot = next((i for i in range(k, len(table)) if table[i][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [a / table[k][k] for a in table[k]]
        for i in range(len(table)):
            if i != k and table[i][k]:
                table[i] = [a - table[i][k] * b for a, b in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]


def _orthogonal(vectors: Sequence[Vector]) -> list[Vector]:
    """Orthogonal vectors that span the same (Gram and Schmidt)."""
    basis: list[Vector] = []
    for v in vectors:
        rest = _without(v, basis)
        if any(rest):
            basis.append(rest)
    return basis


def _without(v: Vector, basis: Sequence[Vector]) -> Vector:
    for b in basis:
        factor = dot(v, b) / dot(b, b)
        v = [a - factor * c for a, c in zip(v, b, strict=True)]
    return v


# The same as a certificate.


def sealed(claims: Claims, **changes: Any) -> Claims:
    claims = {**claims, **changes}
    return {**claims, "seal": seal(claims)}


def certified(X: Any, y: Any, read: Any = None, scaling: Any = 1, center: Any = None, decimal: bool = False) -> Claims:
    """The certificate that the oracle gives. `read`: the numbers of X as they are to be read, if not as they are."""
    read = np.asarray(X, dtype=object).tolist() if read is None else read
    labels = np.asarray(y).tolist()
    classes = sorted(set(labels))
    answer = solve(signed_rows(read, labels, scaling, center))
    separable = answer.kind == "complete"
    counted = [(row, weight) for row, weight in enumerate(answer.lam) if weight]
    n_blocks = len(classes) if len(classes) > 2 else 1
    weights = None if answer.w is None else np.array(_whole(answer.w), dtype=object).reshape(n_blocks, -1).tolist()
    return sealed(
        {
            "format": 1,
            "separable": separable,
            "kind": answer.kind,
            "classes": classes,
            "n_rows": len(read),
            "n_features": len(read[0]),
            "intercept_scaling": str(scaling),
            "center": None if center is None else [str(value) for value in center],
            "as_decimal": decimal,
            "weights": weights,
            "counts": {"rows": [row for row, _ in counted], "counts": _whole([weight for _, weight in counted])},
            "margin": [_root(answer.margin2, 0), _root(answer.margin2, math.inf)],
            "margin_exact": str(answer.margin2),
            "radius_exact": str(answer.radius2),
            "bound_exact": str(answer.radius2 / answer.margin2) if separable else None,
            "engine": "oracle",
            "data": data_hash(X, y),
        }
    )


def _whole(values: list[Fraction]) -> list[str]:
    common = math.lcm(*(value.denominator for value in values))
    return [str(value * common) for value in values]


def _root(square: Fraction, towards: float) -> float:
    value = math.sqrt(square)
    while (Fraction(value) ** 2 - square) * (1 if towards == 0 else -1) > 0:
        value = math.nextafter(value, towards)
    return value
