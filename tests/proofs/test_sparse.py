"""Sparse data of many columns: peeled, descended upon, and the same as dense where that can be asked."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt.data.lectures import XOR
from rosenblatt.services.proofs.separability import certify

WIDE = 1000  # columns: too many for the nearest point


def words(n: int, d: int = WIDE, seed: int = 0) -> Any:
    """Rows of a few positive values, as of text."""
    random = np.random.default_rng(seed)
    column = np.minimum(random.zipf(1.3, size=(n, 8)) - 1, d - 1)
    return sp.csr_array((random.uniform(0.5, 1, n * 8), (np.repeat(np.arange(n), 8), column.ravel())), shape=(n, d))


def with_block(X: Any, block: Any) -> Any:
    """X with rows below it that use columns of their own."""
    return sp.csr_array(sp.block_diag([X, sp.csr_array(np.asarray(block, dtype=float))]))


def planted(X: Any, seed: int = 1) -> Any:
    return (X @ np.random.default_rng(seed).normal(size=X.shape[1]) > 0).astype(int)


def test_separable_text() -> None:
    X = words(300)
    y = planted(X)
    proof = certify(X, y)
    assert proof.separable
    assert proof.verify(X, y)
    lo, hi = proof.margin
    assert 0.99 * hi < lo <= hi
    exact = certify(X.toarray(), y, exact=True)  # dense: the nearest point
    assert exact.margin_exact is not None
    assert lo**2 <= exact.margin_exact <= hi**2
    assert exact.data == proof.data


def test_a_smaller_gap() -> None:
    X = words(300)
    lo, hi = certify(X, planted(X), gap=1e-8).margin
    assert hi - lo <= 1e-8 * hi


def test_a_row_with_both_labels() -> None:
    X = words(300)
    y = planted(X)
    X, y = sp.csr_array(sp.vstack([X, X[[7]]])), np.append(y, 1 - y[7])
    proof = certify(X, y)
    assert (proof.separable, proof.kind, proof.counts) == (False, "quasi-complete", {7: 1, 300: 1})
    assert proof.verify(X, y)


def test_the_core_decides() -> None:
    # XOR in two columns of its own, below rows that peeling takes away
    X, y = with_block(words(200), XOR.X), np.append(planted(words(200)), XOR.y > 0)
    proof = certify(X, y)
    assert (proof.separable, proof.kind) == (False, "quasi-complete")
    assert proof.counts == dict.fromkeys(range(200, 204), 1)
    assert proof.verify(X, y)


def test_a_core_that_is_separable() -> None:
    block = np.random.default_rng(3).normal(size=(40, 3))
    X, y = with_block(words(200), block), np.append(planted(words(200)), block @ [1, -2, 3] > 0)
    proof = certify(X, y)
    assert proof.separable
    assert proof.verify(X, y)


def test_nothing_to_peel() -> None:
    random = np.random.default_rng(4)
    X = sp.csr_array(np.where(random.random((60, WIDE)) < 0.1, random.normal(size=(60, WIDE)), 0))
    y = random.integers(2, size=60)
    proof = certify(X, y)
    assert proof.separable
    assert proof.verify(X, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_three_classes(fit_intercept: bool) -> None:
    X = words(150)
    y = (X @ np.random.default_rng(7).normal(size=(WIDE, 3))).argmax(axis=1)
    proof = certify(X, y, fit_intercept=fit_intercept)
    assert proof.separable
    assert proof.verify(X, y)
    assert proof.weights is not None
    assert len(proof.weights) == 3


def test_nothing_to_peel_and_not_separable() -> None:
    # one value a row, so that the nearest point rests on two rows, a word with both labels
    random = np.random.default_rng(8)
    X = sp.csr_array((random.normal(size=3000), (np.arange(3000), random.integers(500, size=3000))), shape=(3000, 500))
    y = random.integers(2, size=3000)
    proof = certify(X, y, fit_intercept=False)
    assert (proof.separable, len(proof.support)) == (False, 2)
    assert proof.verify(X, y)


def test_a_thousand_words_with_random_labels() -> None:
    X, y = words(2000, d=500), np.random.default_rng(9).integers(2, size=2000)
    proof = certify(X, y)
    assert proof.separable is False
    assert proof.verify(X, y)
