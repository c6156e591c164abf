"""The oracle on cases known by hand; its answers prove themselves, and the checker of certificates agrees."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.proofs.verify import verify
from tests.linear.strategies import Data, data_sets

from .oracle import certified, dot, sealed, signed_rows, solve

FRACTIONS = st.fractions(min_value=-2, max_value=2, max_denominator=3)
POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]
KNOWN: dict[str, tuple[Any, Any, Any, tuple[str, Any, Any]]] = {
    "AND": (AND.X, AND.y, 1, ("complete", Fraction(1, 17), 3)),
    "AND centred": (AND.X - 0.5, AND.y, 1, ("complete", Fraction(1, 9), Fraction(3, 2))),
    "XOR": (XOR.X, XOR.y, 1, ("overlap", 0, 3)),
    "CMU": (CMU.X, CMU.y, 0, ("complete", 1, 5)),
    "one class": (POINTS, [1, 1, 1, 1], 1, ("complete", 1, 3)),
    "one class around the origin": ([[1, 0], [0, 1], [-1, -1]], [1, 1, 1], 0, ("overlap", 0, 2)),
    "one row": ([[3]], [1], 1, ("complete", 10, 10)),
    "a zero row": ([[0], [1]], [1, 1], 0, ("quasi-complete", 0, 1)),
    "nothing but a zero row": ([[0]], [1], 0, ("overlap", 0, 0)),
    "opposite duplicates": ([[2], [2]], [-1, 1], 1, ("overlap", 0, 5)),
    "collinear + - +": ([[0], [1], [2]], [1, -1, 1], 1, ("overlap", 0, 5)),
    "touching at 0": ([[-1], [0], [0], [1]], [-1, -1, 1, 1], 1, ("quasi-complete", 0, 2)),
    "vertex on an edge": ([[0, 0], [2, 0], [1, 1], [1, 0], [1, -1]], [1, 1, 1, -1, -1], 1, ("quasi-complete", 0, 5)),
    "shared vertex": ([[0, 0], [1, 0], [0, 0], [0, 1]], [1, 1, -1, -1], 1, ("quasi-complete", 0, 2)),
    "three classes on a line": ([[0], [1], [2]], [0, 1, 2], 1, ("complete", Fraction(3, 50), 10)),
    "three classes at a point": ([[1], [1], [1]], [0, 1, 2], 1, ("overlap", 0, 4)),
}


@pytest.mark.parametrize(("X", "y", "scaling", "expected"), KNOWN.values(), ids=KNOWN.keys())
def test_known_cases(X: Any, y: Any, scaling: int, expected: tuple[str, Any, Any]) -> None:
    answer = solve(signed_rows(X, y, scaling))
    assert (answer.kind, answer.margin2, answer.radius2) == expected


def test_proofs_of_the_lectures() -> None:
    assert solve(signed_rows(*AND)).w == [Fraction(-3, 17), Fraction(2, 17), Fraction(2, 17)]
    assert solve(signed_rows(*AND)).lam == [0, Fraction(5, 17), Fraction(5, 17), Fraction(7, 17)]
    assert solve(signed_rows(*XOR)).lam == [Fraction(1, 4)] * 4


def test_the_centre_is_taken_off() -> None:
    assert signed_rows([[1, 5]], [1], 2, [Fraction(1, 2), 3]) == [[2, Fraction(1, 2), 2]]


@settings(deadline=None, max_examples=40)
@given(data=data_sets(max_classes=3, max_rows=4, max_features=2))
def test_answers_prove_themselves(data: Data) -> None:
    Z = signed_rows(data.X.astype(int).tolist(), data.y.tolist())
    answer = solve(Z)
    p = [dot(answer.lam, list(column)) for column in zip(*Z, strict=True)]
    assert (sum(answer.lam), dot(p, p)) == (1, answer.margin2)
    assert min(answer.lam) >= 0
    if answer.w is None:
        assert answer.kind == "overlap"
        assert (any(p), min(answer.lam) > 0) == (False, True)  # z.w >= 0 in all rows is then z.w = 0
        return
    entries = [dot(z, answer.w) for z in Z]
    if answer.kind == "complete":
        assert min(entries) > 0
        assert min(entries) ** 2 == answer.margin2 * dot(answer.w, answer.w)
    else:
        assert (answer.kind, any(p)) == ("quasi-complete", False)
        assert min(entries) == 0 < max(entries)


@settings(deadline=None, max_examples=50)
@given(data=data_sets(max_rows=6, max_features=2))
def test_no_weights_do_better(data: Data) -> None:
    Z = signed_rows(data.X.astype(int).tolist(), data.y.tolist())
    answer = solve(Z)
    for w in product(range(-2, 3), repeat=len(Z[0])):
        entries = [dot(z, [Fraction(a) for a in w]) for z in Z]
        if min(entries) > 0:
            assert answer.kind == "complete"
            assert min(entries) ** 2 <= answer.margin2 * sum(a * a for a in w)
        elif min(entries) == 0 < max(entries):
            assert answer.kind != "overlap"


@settings(deadline=None, max_examples=50)
@given(data=data_sets(max_classes=3, max_rows=4, max_features=2), scaling=FRACTIONS, shift=st.none() | FRACTIONS)
def test_the_checker_accepts_every_answer(data: Data, scaling: Fraction, shift: Fraction | None) -> None:
    center = None if shift is None else [shift] * data.X.shape[1]
    claims = certified(data.X, data.y, scaling=scaling, center=center)
    for X in (data.X, sp.csr_array(data.X)):
        result = verify(claims, X, data.y)
        assert result, result.reason
    for kind in {"complete", "quasi-complete", "overlap"} - {claims["kind"]}:
        weights = None if kind == "overlap" else claims["weights"]
        assert not verify(sealed(claims, kind=kind, weights=weights), data.X, data.y)


@settings(deadline=None)
@given(data=data_sets(max_classes=3, max_rows=5, max_features=3), draw=st.data())
def test_any_weights_and_counts_prove_what_they_do(data: Data, draw: st.DataObject) -> None:
    Z = signed_rows(data.X.astype(int).tolist(), data.y.tolist())
    w = draw.draw(st.lists(st.integers(-3, 3), min_size=len(Z[0]), max_size=len(Z[0])))
    counts = draw.draw(st.lists(st.integers(1, 3), min_size=len(Z), max_size=len(Z)))
    hi = draw.draw(st.floats(0, 3))
    (n, d), classes = data.X.shape, np.unique(data.y).tolist()
    blocks = np.array(w).reshape(len(classes) if len(classes) > 2 else 1, -1)
    claims = {**certified(*AND), "classes": classes, "n_rows": n, "n_features": d, "data": data_hash(data.X, data.y)}
    claims |= {"radius_exact": str(max(dot(z, z) for z in Z)), "margin_exact": None, "bound_exact": None}
    claims |= {"weights": blocks.astype(str).tolist(), "margin": [0, "inf"]}
    claims |= {"counts": {"rows": list(range(len(Z))), "counts": [str(count) for count in counts]}}
    least = min(dot(z, [Fraction(a) for a in w]) for z in Z)
    assert bool(verify(sealed(claims), data.X, data.y)) == (least > 0)
    nothing = {"weights": None, "kind": None}
    total = [dot([Fraction(c) for c in counts], list(column)) for column in zip(*Z, strict=True)]
    inseparable = sealed(claims, **nothing, separable=False, margin=[0, 0], margin_exact="0")
    assert bool(verify(inseparable, data.X, data.y)) == (not any(total))
    undecided = sealed(claims, **nothing, separable=None, margin=[0, hi])
    assert bool(verify(undecided, data.X, data.y)) == (Fraction(hi) ** 2 * sum(counts) ** 2 >= dot(total, total))
