"""Certificates: the lectures' values, data that is hard to decide, and every verdict against an exact oracle."""

import copy
import math
import pickle
import sys
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.proofs.certificate import Certificate
from rosenblatt.services.proofs.separability import certify
from tests.proofs import oracle


def proven(X: Any, y: Any, **words: Any) -> Certificate:
    """The certificate, after it was checked and sent through its text."""
    proof = certify(X, y, **words)
    assert proof.verify(X, y), proof.verify(X, y).reason
    again = Certificate.from_json(proof.to_json())
    assert again == proof
    return proof


def exact_values(proof: Certificate) -> Any:
    """Gamma squared, R squared, and the bound."""
    return proof.margin_exact, proof.radius_exact, proof.bound_exact


def test_and() -> None:
    proof = proven(*AND)
    assert proof.separable
    assert proof.kind == "complete"
    assert proof.w == (-3, 2, 2)
    assert exact_values(proof) == (Fraction(1, 17), 3, 51)
    assert proof.bound == 51
    lo, hi = proof.margin
    assert Fraction(lo) ** 2 <= Fraction(1, 17) <= Fraction(hi) ** 2
    assert math.nextafter(lo, 1) >= hi


def test_xor() -> None:
    proof = proven(*XOR)
    assert proof.separable is False
    assert proof.kind == "overlap"
    assert proof.multipliers == dict.fromkeys(range(4), Fraction(1, 4))
    assert proof.bound == math.inf
    assert proof.margin == (0.0, 0.0)


def test_six_points_through_the_origin() -> None:
    proof = proven(*CMU, fit_intercept=False)
    assert exact_values(proof) == (1, 5, 5)


def test_why_a_bias() -> None:
    without = proven([[1], [2]], [-1, 1], fit_intercept=False)
    assert without.multipliers == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    with_bias = proven([[1], [2]], [-1, 1])
    assert exact_values(with_bias) == (Fraction(1, 13), 5, 65)


def test_constant_feature_and_centre_change_the_bound() -> None:
    assert proven(*AND, center=True).bound_exact == Fraction(27, 2)
    half = proven(*AND, center=True, intercept_scaling=Fraction(707, 1000))
    assert abs(half.bound - 10) < 1e-3
    # 0, 1, 2, 9 with two classes: the perceptron makes 9 mistakes, far below the bound
    assert math.floor(proven([[0], [1], [2], [9]], [-1, -1, 1, 1]).bound) == 1066


def test_scaling_features_but_not_the_constant() -> None:
    assert proven(AND.X * 100, AND.y).bound_exact == Fraction(225031251, 1250)
    assert math.floor(proven(AND.X * 100, AND.y).bound) == 180025
    assert math.floor(proven(AND.X / 100, AND.y, as_decimal=True).bound) == 80025
    assert proven(AND.X * 100, AND.y, intercept_scaling=100).bound_exact == 51


IRIS_01 = Fraction(170164544, 1130355)


def test_iris_raw_and_centred() -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    two = y < 2
    assert proven(X[two], y[two], as_decimal=True).bound_exact == IRIS_01
    assert round(proven(X[two], y[two]).bound, 2) == 150.54
    assert round(proven(X[two], y[two], center=True).bound, 2) == 13.17
    assert proven(X[y > 0], y[y > 0]).kind == "overlap"


def test_simplex_of_fifty_points() -> None:
    labels = np.random.default_rng(0).choice([-1, 1], 50)
    assert proven(np.eye(50, dtype=int), labels).bound_exact is not None
    assert proven(np.eye(50, dtype=int), labels, fit_intercept=False).bound_exact == 50


def test_one_class_only() -> None:
    assert proven([[0, 0], [1, 0], [0, 1]], [1, 1, 1]).separable
    around = proven([[1, 0], [-1, 1], [0, -1]], [1, 1, 1], fit_intercept=False)
    assert list(around.multipliers.values()) == [Fraction(1, 3)] * 3


def test_a_class_alone_is_positive_unless_it_is_minus_one() -> None:
    for label, sign in ((1, 1), (0, 1), (-1, -1)):
        w = proven([[2.0], [3.0]], [label, label], fit_intercept=False).w
        assert w == (sign,)


def test_certificates_are_values() -> None:
    proof = certify(*AND)
    assert copy.deepcopy(proof) == pickle.loads(pickle.dumps(proof)) == proof
    assert len({proof, certify(*AND), certify(*XOR)}) == 2
    assert repr(proof).startswith("Certificate(separable=True, kind='complete'")


CASES: dict[str, tuple[list[list[Any]], list[int], dict[str, Any], str]] = {
    "one point with both labels": ([[1, 2], [3, 4], [1, 2]], [0, 1, 1], {}, "quasi-complete"),
    "zero row through the origin": ([[0, 0], [1, 1]], [0, 1], {"fit_intercept": False}, "quasi-complete"),
    "only a zero row": ([[0, 0]], [1], {"fit_intercept": False}, "overlap"),
    "collinear + - +": ([[1], [2], [3]], [1, 0, 1], {}, "overlap"),
    "vertex on an edge": ([[0, 0], [2, 0], [1, 0], [1, -3]], [0, 0, 1, 1], {}, "quasi-complete"),
    "a shared vertex": ([[0, 0], [1, 0], [0, 0], [-1, 0]], [0, 0, 1, 1], {}, "quasi-complete"),
    "quasi-complete on a line": ([[-1], [0], [0], [1]], [0, 0, 1, 1], {}, "quasi-complete"),
    "one row": ([[7]], [1], {}, "complete"),
    "a constant column": ([[1, 5], [2, 5]], [0, 1], {}, "complete"),
    "all columns constant": ([[5], [5]], [0, 1], {}, "overlap"),
    "a margin of 2^-52": ([[1.0], [1.0 + 2.0**-52]], [0, 1], {}, "complete"),
    "a point on a segment, but for rounding": ([[0.1], [0.2], [0.3]], [0, 1, 0], {}, "overlap"),
    "very different scales": ([[1e-300, 1e300], [2e-300, 1e300]], [0, 1], {}, "complete"),
    "subnormal": ([[5e-324], [1e-323]], [0, 1], {}, "complete"),
    "integers beyond 2^53": ([[2**53], [2**53 + 1]], [0, 1], {}, "complete"),
    "integers beyond 2^64": ([[2**70, 1], [2**70 + 1, 1]], [0, 1], {}, "complete"),
    "integers beyond all floats": ([[10**400, 1], [10**400 + 1, 1]], [0, 1], {}, "complete"),
    "fractions": ([[Fraction(1, 3)], [Fraction(1, 2)], [Fraction(2, 3)]], [0, 1, 0], {}, "overlap"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_hard_cases(case: tuple[Any, Any, dict[str, Any], str]) -> None:
    X, y, words, kind = case
    assert proven(X, y, **words).kind == kind


def test_binary_and_decimal_numbers_differ() -> None:
    # 0.1 + 0.2 is not 0.3 as binary numbers: the midpoint of 0.1 and 0.5 is
    X, y = [[0.1, 0.7], [0.2, 0.8], [0.3, 0.9]], [0, 1, 0]
    assert proven(X, y, as_decimal=True).kind == "overlap"
    assert proven(X, y, as_decimal=False).kind == "complete"
    decimal = certify(X, y, as_decimal=True)
    assert decimal.verify(X, y, as_decimal=True)
    assert not decimal.verify(X, y, as_decimal=False)


def test_fewer_rows_than_features_are_always_separable() -> None:
    random = np.random.default_rng(1)
    for _ in range(10):
        assert proven(random.normal(size=(20, 30)), random.choice([0, 1], 20)).separable


def test_many_copies_of_a_row() -> None:
    X = np.vstack([np.repeat([[1.0, 2.0]], 10_000, axis=0), [[2.0, 1.0]]])
    assert proven(X, [0] * 10_000 + [1]).separable


def test_one_flipped_label_among_many() -> None:
    random = np.random.default_rng(2)
    X = random.normal(size=(20_000, 5))
    y = (X @ [1, 2, 3, 4, 5] > 0.5).astype(int)
    assert certify(X, y).separable
    deep = int(np.argmax(X @ [1, 2, 3, 4, 5]))
    y[deep] = 0
    assert proven(X, y).separable is False


KINDS = [np.float16, np.float32, np.float64, np.int8, np.int64]


@pytest.mark.parametrize("make", [*(lambda X, kind=kind: X.astype(kind) for kind in KINDS), sp.csr_array, sp.coo_array])
def test_types_do_not_matter(make: Any) -> None:
    proof = proven(make(AND.X), AND.y)
    assert proof.bound_exact == 51
    assert proof.data == certify(*AND).data
    assert proof.verify(*AND)


def points(labels: int) -> Any:
    """A few points of small integers, of up to three features, and their labels."""
    return st.integers(1, 3).flatmap(
        lambda d: st.lists(
            st.tuples(st.lists(st.integers(-2, 2), min_size=d, max_size=d), st.integers(0, labels - 1)),
            min_size=1,
            max_size=7 if labels == 2 else 4,
        )
    )


def check_against_oracle(given_points: Any, fit_intercept: bool) -> None:
    X, y = np.array([x for x, _ in given_points]), np.array([label for _, label in given_points])
    proof = proven(X, y, fit_intercept=fit_intercept)
    truth = oracle.solve(oracle.signed_rows(X.tolist(), y.tolist(), int(fit_intercept)))
    assert proof.kind == truth.kind
    assert proof.separable == (truth.kind == "complete")
    assert proof.margin_exact == truth.margin2
    assert proof.radius_exact == truth.radius2


@given(points(labels=2), st.booleans())
@settings(max_examples=400, deadline=None)
def test_every_verdict_is_the_oracles(given_points: Any, fit_intercept: bool) -> None:
    check_against_oracle(given_points, fit_intercept)


@given(points(labels=3), st.booleans())
@settings(max_examples=100, deadline=None)
def test_of_three_classes_too(given_points: Any, fit_intercept: bool) -> None:
    check_against_oracle(given_points, fit_intercept)


@given(points(labels=2))
@settings(max_examples=100, deadline=None)
def test_without_flint_the_same(given_points: Any) -> None:
    X, y = np.array([x for x, _ in given_points]), np.array([label for _, label in given_points])
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "flint", None)
        without = certify(X, y)
    assert without == certify(X, y)


@given(points(labels=2), st.data())
@settings(max_examples=200, deadline=None)
def test_another_point_or_label_is_refused(given_points: Any, data: Any) -> None:
    X, y = np.array([x for x, _ in given_points]), np.array([label for _, label in given_points])
    proof = certify(X, y)
    row, column = data.draw(st.integers(0, len(X) - 1)), data.draw(st.integers(0, X.shape[1] - 1))
    moved, flipped = X.copy(), y.copy()
    moved[row, column] += data.draw(st.sampled_from([-1, 1]))
    flipped[row] = 1 - flipped[row]
    assert not proof.verify(moved, y)
    assert not proof.verify(X, flipped)


def test_beyond_the_budget_nothing_is_guessed() -> None:
    random = np.random.default_rng(3)
    X, y = random.normal(size=(1500, 400)), random.integers(2, size=1500)
    proof = certify(X, y, budget=0.0)
    assert (proof.separable, proof.kind, proof.margin[0], proof.bound) == (None, None, 0.0, math.inf)
    assert 0 < proof.margin[1] < 1
    assert proof.verify(X, y)
    assert str(proof).startswith("undecided")


@pytest.mark.parametrize(
    ("X", "y", "words", "message"),
    [
        ([[1.0], [np.nan]], [0, 1], {}, "NaN"),
        ([[1.0], [2.0]], [0, np.nan], {}, "Input y contains NaN"),
        ([[1.0], [2.0]], [0, 1], {"intercept_scaling": 0}, "intercept_scaling must be positive"),
        ([[1.0], [2.0]], [0, 1], {"intercept_scaling": np.nan}, "intercept_scaling must be of finite numbers"),
        ([[1.0], [2.0]], [0, 1], {"center": [np.inf]}, "center must be of finite numbers"),
        ([[1.0], [2.0]], [0, 1], {"gap": -1}, "gap must be from 0 to 1"),
        ([[1.0], [2.0]], [0, 1], {"budget": np.nan}, "budget must be a number of seconds"),
        ([[1.0], [2.0]], [0, 1], {"exact": "yes"}, "exact must be True, False or 'auto'"),
        ([["a"], ["b"]], [0, 1], {}, "X must be of numbers, got 'a'"),
        ([[1.0], [2.0]], [0, 1, 1], {}, "inconsistent numbers of samples"),
        ([[1.0], [2.0]], [0, 1], {"center": [1, 2]}, "center must be"),
        ([[1j], [2.0]], [0, 1], {}, "X must be"),
    ],
)
def test_errors_name_the_argument(X: Any, y: Any, words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        certify(X, y, **words)


def test_a_changed_text_is_refused() -> None:
    text = certify(*AND).to_json()
    with pytest.raises(ValueError, match="seal: an entry was changed after the certificate was written"):
        Certificate.from_json(text.replace('"51"', '"50"'))
    with pytest.raises(ValueError, match="expected a certificate"):
        Certificate.from_json("[]")
