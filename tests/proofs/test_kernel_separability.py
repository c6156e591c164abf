"""Separable by a kernel: as in the space of its features, and no run makes more mistakes than the bound."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import KernelCertificate, KernelPerceptron, certify, certify_kernel
from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND, XOR
from rosenblatt.services.proofs.verify.kernel_rows import exponentials
from tests.linear.strategies import Data, data_sets

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
small = data_sets(max_rows=7, max_features=2)


@settings(max_examples=60, deadline=None)
@given(small)
def test_the_linear_kernel_is_certify(data: Data) -> None:
    proof, linear = certify_kernel(*data, kernel="linear", coef0=1), certify(*data)
    assert proof.separable is linear.separable
    assert proof.verify(*data)
    if proof.margin_exact is not None:
        assert (proof.margin_exact, proof.radius_exact) == (linear.margin_exact, linear.radius_exact)


@settings(max_examples=60, deadline=None)
@given(small, st.integers(1, 3), st.sampled_from([1, Fraction(1, 2)]))
def test_a_polynomial_kernel_is_certify_on_its_monomials(data: Data, degree: int, gamma: Any) -> None:
    proof = certify_kernel(*data, kernel="poly", degree=degree, gamma=gamma, coef0=1)
    columns = [np.ones(len(data.y)), *data.X.T]
    monomials = [np.prod(part, axis=0) for part in combinations_with_replacement(columns, degree)]
    assert proof.separable is certify(np.array(monomials).T, data.y, fit_intercept=False).separable
    assert proof.verify(*data)
    if proof.separable:
        model = KernelPerceptron(kernel="poly", degree=degree, gamma=float(gamma), coef0=1, shuffle=False, max_iter=99)
        assert model.fit(*data).n_updates_ <= proof.bound
        assert proof.margin[0] <= proof.margin[1]


@settings(max_examples=60, deadline=None)
@given(small)
def test_rbf_separates_what_has_no_contradiction(data: Data) -> None:
    proof = certify_kernel(*data, kernel="rbf", gamma=0.5)
    clash = any((x == z).all() and a != b for x, a in zip(*data, strict=True) for z, b in zip(*data, strict=True))
    assert proof.separable is not clash
    assert proof.verify(*data)
    assert proof.margin[0] <= proof.margin[1]
    if not clash:
        model = KernelPerceptron(gamma=0.5, shuffle=False, max_iter=99).fit(*data)
        assert model.n_updates_ <= proof.bound


def test_xor() -> None:
    proof = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    assert (proof.margin_exact, proof.radius_exact, proof.bound_exact) == (Fraction(3, 35), Fraction(9), Fraction(105))
    no = certify_kernel(*XOR, kernel="linear", coef0=1)
    assert (no.separable, no.counts, no.margin, no.bound) == (False, {0: 1, 1: 1, 2: 1, 3: 1}, (0, 0), np.inf)
    rbf = certify_kernel(*XOR, kernel="rbf", gamma=1)
    true = (1 - np.exp(-1)) ** 2 / 4  # |sum l y phi|^2 with l = 1/4 each
    assert rbf.margin[0] ** 2 <= true <= rbf.margin[1] ** 2
    assert rbf.margin[1] - rbf.margin[0] < 1e-12


SAME = np.array([[1, 2], [1, 2], [3, 1], [3, 1]]), np.array([0, 1, 0, 1])
THREE = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]]), np.array(["a", "b", "c", "a", "b"])
INF = float("inf")
LINEAR, POLY = {"kernel": "linear"}, {"kernel": "poly", "degree": 2, "coef0": 1}
FORGED: list[tuple[dict[str, Any], Any, dict[str, Any]]] = [
    (POLY, XOR, {"margin": (0.3, 0.3)}),
    (POLY, XOR, {"margin": (0.29, 0.29)}),
    (POLY, XOR, {"margin_exact": Fraction(1, 9)}),
    (POLY, XOR, {"radius_exact": Fraction(8)}),
    (POLY, XOR, {"radius_exact": None}),
    (POLY, XOR, {"dual": (1, 1, 1, 1)}),
    (POLY, XOR, {"dual": None}),
    (POLY, XOR, {"dual": (-13.0, 8.0, 8.0, -6.0)}),
    (POLY, XOR, {"counts": {9: 1}}),
    (POLY, XOR, {"counts": {}}),
    (POLY, XOR, {"counts": 7}),
    (POLY, XOR, {"separable": False}),
    (POLY, XOR, {"separable": 1}),
    (POLY, XOR, {"degree": 2.0}),
    (POLY, XOR, {"degree": 3}),
    (POLY, XOR, {"degree": -2}),
    (POLY, XOR, {"degree": 10**9}),
    (POLY, XOR, {"gamma": Fraction(2)}),
    (POLY, XOR, {"gamma": 1.0}),
    (POLY, XOR, {"coef0": Fraction(-1)}),
    (POLY, XOR, {"coef0": None}),
    (POLY, XOR, {"as_decimal": 0}),
    (POLY, XOR, {"n_rows": True}),
    (POLY, XOR, {"classes": (1, -1)}),
    (POLY, XOR, {"data": "sha256:"}),
    (POLY, XOR, {"margin": (0.29, 10**400)}),
    (POLY, XOR, {"margin": (10**5000, 10**5000)}),
    (POLY, XOR, {"margin": (np.nan, 1.0)}),
    (POLY, XOR, {"margin": 3}),
    (LINEAR, XOR, {"margin": (5.0, 7.0)}),
    (LINEAR, XOR, {"margin_exact": Fraction(9)}),
    (LINEAR, XOR, {"radius_exact": Fraction(10**9)}),
    (LINEAR, XOR, {"separable": 0}),
    (LINEAR, XOR, {"kernel": "sigmoid"}),
    (LINEAR, XOR, {"kernel": "rbf"}),
    (LINEAR, XOR, {"gamma": Fraction(1)}),
    ({"kernel": "rbf"}, XOR, {"gamma": Fraction(0), "dual": None, "margin": (0.0, INF), "margin_exact": None}),
    ({"kernel": "rbf"}, XOR, {"gamma": Fraction(-1), "dual": None, "margin": (0.0, INF), "margin_exact": None}),
    ({"kernel": "rbf"}, XOR, {"gamma": None, "dual": None, "margin": (0.0, INF)}),
    ({"kernel": "rbf"}, XOR, {"dual": None}),
    ({"kernel": "rbf"}, XOR, {"margin_exact": Fraction(1, 4)}),
    ({"kernel": "rbf"}, SAME, {"counts": {2: 1}}),
    ({"kernel": "rbf"}, SAME, {"counts": {0: 1, 3: 1}}),
    ({"kernel": "rbf"}, SAME, {"separable": True, "counts": None, "margin": (0.0, INF), "margin_exact": None}),
    ({"kernel": "rbf"}, THREE, {"dual": (1,) * 5}),
    ({"kernel": "rbf"}, THREE, {"dual": (1,) * 15}),
    ({"kernel": "rbf"}, THREE, {"classes": ("a", "b")}),
    (POLY, THREE, {"separable": False, "margin": (0.0, 0.0), "margin_exact": Fraction(0), "dual": None}),
]


@pytest.mark.parametrize(("words", "data", "change"), FORGED, ids=range(len(FORGED)))
def test_a_forged_proof_is_refused(words: dict[str, Any], data: Any, change: dict[str, Any]) -> None:
    proof = certify_kernel(*data, **words)
    assert proof.verify(*data)
    forged = replace(proof, **change).verify(*data)
    assert not forged
    assert "Exceeds the limit" not in forged.reason


def test_the_proof_is_of_the_data() -> None:
    proof = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    assert proof.verify(XOR.X, -XOR.y).reason == "data: the numbers or labels are not those of the certificate"
    assert not certify_kernel(*XOR, kernel="linear", coef0=1).verify(*AND)
    moved = replace(proof, data=data_hash(XOR.X, -XOR.y))
    assert moved.verify(XOR.X, -XOR.y).reason.startswith("example 1: z.w = ")


@settings(max_examples=60, deadline=None)
@given(data_sets(max_rows=6, max_features=2, max_classes=4), st.sampled_from(["linear", "poly", "rbf"]))
def test_classes_of_any_number(data: Data, kernel: Any) -> None:
    proof = certify_kernel(*data, kernel=kernel, coef0=1, degree=2)
    assert proof.verify(*data), proof.verify(*data)
    assert KernelCertificate.from_json(proof.to_json()) == proof
    if kernel == "linear":
        lines = certify(*data)
        assert (proof.separable, proof.radius_exact) == (lines.separable, lines.radius_exact)
        assert proof.margin_exact in (None, lines.margin_exact)


def test_a_run_of_three_classes_makes_no_more_mistakes_than_its_bound() -> None:
    proof = certify_kernel(*THREE, kernel="rbf", gamma=0.5)
    model = KernelPerceptron(gamma=0.5, multiclass="argmax", shuffle=False, max_iter=99).fit(*THREE)
    assert 0 < model.n_updates_ <= proof.bound < 100
    assert str(proof).endswith("3 classes: the right one ahead of each other one")


def test_numbers_of_every_size() -> None:
    for X in ([[1e200], [-1e200]], [[1e-200], [-1e-200]], [[10**400], [0]], [[5e-324], [1.0]], [[0.0], [0.0]]):
        for words in (LINEAR, POLY, {"kernel": "poly", "degree": 5, "gamma": 1e-9}, {"kernel": "rbf", "gamma": 1e9}):
            proof = certify_kernel(X, [0, 1], **words)
            assert proof.verify(X, [0, 1]), (X, words, proof.verify(X, [0, 1]))
            assert str(proof)


def test_gamma_may_be_a_word_of_the_perceptron() -> None:
    assert certify_kernel(*XOR, kernel="rbf", gamma="scale").gamma == 2
    assert certify_kernel(*XOR, kernel="rbf", gamma="auto").gamma == Fraction(1, 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"kernel": "sigmoid"}, "kernel must be 'linear', 'poly' or 'rbf'"),
        ({"kernel": "poly", "coef0": -1}, "coef0 must be a number >= 0, got -1"),
        ({"kernel": "poly", "coef0": np.nan}, "coef0 must be a number >= 0, got nan"),
        ({"kernel": "poly", "degree": 0}, "degree must be a whole number from 1 to 999, got 0"),
        ({"kernel": "poly", "degree": 2.5}, "degree must be a whole number from 1 to 999, got 2.5"),
        (
            {"kernel": "poly", "gamma": Fraction(1, 2**201), "degree": 999},
            "integers of at most 200 bits, for degree 999",
        ),
        ({"kernel": "poly", "budget": math.nan}, "budget must be a number of seconds, got nan"),
        ({"kernel": "rbf", "gamma": 0}, "gamma must be a number > 0, got 0"),
        ({"kernel": "rbf", "gamma": "large"}, "gamma must be a number > 0, got 'large'"),
    ],
)
def test_what_is_no_such_kernel(words: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        certify_kernel(*XOR, **words)


def test_exponentials_are_within_their_error() -> None:
    from decimal import Decimal, localcontext

    random = np.random.default_rng(5)
    pairs = [(int(n), int(d)) for n, d in random.integers(1, 10**6, (300, 2))] + [(0, 1), (10**400, 1), (1, 10**400)]
    pairs += [(96 * 7 + i, 7) for i in range(20)]
    with localcontext() as context:
        context.prec = 80
        for n, d in pairs:
            (found,) = exponentials(np.array([n], dtype=object), d)
            true = (Decimal(-n) / d).exp() * 2**96 if n < 10**9 * d else Decimal(0)
            assert abs(found - true) < 1


@pytest.mark.parametrize(("kernel", "verdict"), [("poly", None), ("linear", None), ("rbf", True)])
def test_beyond_the_budget_nothing_is_guessed(kernel: Any, verdict: bool | None) -> None:
    random = np.random.default_rng(6)
    X, y = random.normal(size=(300, 4)), random.integers(0, 2, 300)
    proof = certify_kernel(X, y, kernel=kernel, budget=0)
    assert (proof.separable, proof.dual, proof.counts, proof.margin) == (verdict, None, None, (0.0, math.inf))
    assert proof.verify(X, y)
    X[1], y[:2] = X[0], [0, 1]  # one point of two classes needs no kernel matrix
    proof = certify_kernel(X, y, kernel=kernel, budget=0)
    assert (proof.separable, proof.counts) == (False, {0: 1, 1: 1})
    assert proof.verify(X, y)


def test_long_values_keep_the_budget() -> None:
    # each of the 40,000 values has 100,000 bits, and to solve for 200 rows of them would take hours
    X = np.random.default_rng(7).normal(size=(200, 2))
    y = np.arange(200) % 2
    proof = certify_kernel(X, y, kernel="poly", degree=999, coef0=1, budget=0.1)
    assert proof.separable is None
    assert proof.verify(X, y)
