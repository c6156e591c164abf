"""Separable by a kernel: as in the space of its features, and no run makes more mistakes than the bound."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import KernelPerceptron, certify
from rosenblatt.data.lectures import AND, XOR
from rosenblatt.theory.kernel_separability import certify_kernel
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


def test_a_proof_of_something_else_is_refused() -> None:
    proof = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
    assert not proof.verify(XOR.X, -XOR.y)
    assert not certify_kernel(*XOR, kernel="linear", coef0=1).verify(*AND)
    changes: list[dict[str, Any]] = [
        {"margin": (0.3, proof.margin[1])},
        {"margin": (proof.margin[0], 0.29)},
        {"margin_exact": Fraction(1, 9)},
        {"radius_exact": Fraction(8)},
        {"dual": (1, 1, 1, 1)},
        {"dual": None},
        {"counts": {9: 1}},
        {"counts": {}},
        {"separable": False},
    ]
    for changed in changes:
        assert not replace(proof, **changed).verify(*XOR), changed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"kernel": "sigmoid"}, "kernel must be 'linear', 'poly' or 'rbf'"),
        ({"kernel": "poly", "coef0": -1}, "expected gamma > 0, coef0 >= 0 and degree >= 0"),
        ({"kernel": "rbf", "gamma": 0}, "expected gamma > 0"),
    ],
)
def test_what_is_no_such_kernel(words: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        certify_kernel(*XOR, **words)
    with pytest.raises(ValueError, match="y must be of two classes, got 3"):
        certify_kernel([[0], [1], [2]], [0, 1, 2], kernel="rbf")
