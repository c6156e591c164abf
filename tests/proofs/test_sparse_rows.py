"""Rows of our own, without scipy, mean the same as scipy's matrices and as arrays: hashes, proofs, margins, runs."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from rosenblatt import Perceptron, certify, check_run, margins, trace
from rosenblatt.base.data_hash import data_hash
from rosenblatt.base.rows import SparseRows, sparse
from rosenblatt.data.lectures import AND
from rosenblatt.services.proofs.bounds import freund_schapire, novikoff
from rosenblatt.services.proofs.signed_rows import combinations, magnitudes, oppose, products, scale, with_constant
from tests import oldest

integers = st.integers(-3, 3)
tables = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=integers)
labelled = st.lists(st.tuples(integers, integers, integers, st.integers(0, 2)), min_size=2, max_size=8)


@given(X=tables, data=st.data())
def test_algebra_is_that_of_arrays(X: Any, data: st.DataObject) -> None:
    n, d = X.shape
    S = sparse(X)
    w, factors = (np.array(data.draw(st.lists(integers, min_size=k, max_size=k)), dtype=float) for k in (d, n))
    assert with_constant(S, 2.0).toarray().tolist() == with_constant(X, 2.0).tolist()
    assert scale(S, factors).toarray().tolist() == scale(X, factors).tolist()
    assert magnitudes(S).toarray().tolist() == magnitudes(X).tolist()
    assert products(S, w).tolist() == products(X, w).tolist()
    assert combinations(factors[np.newaxis], S).tolist() == combinations(factors[np.newaxis], X).tolist()


@given(X=tables, pairs=st.data())
def test_each_row_against_its_rival(X: Any, pairs: st.DataObject) -> None:
    choice = st.permutations(range(4))
    own, rival = np.array([pairs.draw(choice)[:2] for _ in X]).T
    expected = np.zeros((len(X), 4, X.shape[1]))
    expected[np.arange(len(X)), own], expected[np.arange(len(X)), rival] = X, -X
    assert oppose(sparse(X), own, rival, 4).toarray().tolist() == expected.reshape(len(X), -1).tolist()


@settings(max_examples=60, deadline=None)
@given(rows=labelled, fit_intercept=st.booleans())
def test_proofs_hold_for_every_kind(rows: Any, fit_intercept: bool) -> None:
    *X, y = np.array(rows).T
    kinds = np.transpose(X), sp.csc_array(np.transpose(X)), sparse(np.transpose(X))
    proofs = [certify(X, y, fit_intercept=fit_intercept) for X in kinds]
    assert len({(proof.separable, proof.kind, proof.margin_exact, proof.data) for proof in proofs}) == 1
    assert proofs[1] == proofs[2]
    assert all(proof.verify(X, y) for proof in proofs for X in kinds)


def mixed() -> tuple[SparseRows, Any]:
    """Rows with columns in any order, one of them twice, and a zero that is stored."""
    indptr, indices = np.array([0, 3, 3, 6]), np.array([2, 0, 2, 1, 0, 2])
    data = np.array([1.0, 2, 3, 0, -1, 5])
    return SparseRows(data, indices, indptr, 3), np.array([[2, 0, 4.0], [0, 0, 0], [-1, 0, 5]])


def test_columns_may_come_in_any_order_and_twice() -> None:
    X, dense = mixed()
    y = [0, 1, 1]
    assert data_hash(X, y) == data_hash(dense, y) == data_hash(sp.coo_array(dense), y)
    assert certify(X, y).margin_exact == certify(dense, y).margin_exact
    assert certify(X, y).verify(X, y)
    w = (1, 2, 3, 4)
    assert margins(w, X, y).tolist() == margins(w, dense, y).tolist()
    assert novikoff(X, y, w=(-1, -1, 0, 1)).bound_exact == novikoff(dense, y, w=(-1, -1, 0, 1)).bound_exact
    assert freund_schapire(X, y).bound == pytest.approx(freund_schapire(dense, y).bound)


def test_integers_stay_integers() -> None:
    large = 2**53 + 1
    X = SparseRows(np.array([large, 1]), np.array([0, 1]), np.array([0, 1, 2]), 2)
    assert certify(X, [0, 1]) == certify(sp.csr_array(X.toarray()), [0, 1])
    assert (
        data_hash(X, [0, 1]) == data_hash([[large, 0], [0, 1]], [0, 1]) != data_hash([[large - 1, 0], [0, 1]], [0, 1])
    )


@pytest.mark.parametrize(
    ("indices", "indptr", "said"),
    [
        ([0, 3], [0, 1, 2], "columns from 0 to 2, found 0 to 3"),
        ([0, -1], [0, 1, 2], "columns from 0 to 2, found -1 to 0"),
        ([0, 1], [0, 2, 1], "the starts of 2 rows among 2 values"),
        ([0, 1], [1, 1, 2], "the starts of 2 rows among 2 values"),
        ([0, 1], [0, 1, 3], "the starts of 2 rows among 2 values"),
    ],
)
def test_what_is_no_matrix_is_refused(indices: Any, indptr: Any, said: str) -> None:
    X = SparseRows(np.ones(2), np.array(indices), np.array(indptr), 3)
    for ask in (data_hash, certify):
        with pytest.raises(ValueError, match=said):
            ask(X, [0, 1])


def test_runs_on_sparse_rows() -> None:
    random = np.random.default_rng(1)
    dense = random.integers(-2, 3, size=(30, 5)) * random.integers(2, size=(30, 5))
    y = random.integers(3, size=30)
    X, theirs = sparse(dense.astype(float)), sp.csr_array(dense.astype(float))
    model = Perceptron(keep_mistakes=True, shuffle=False, tol=1).fit(theirs, y)
    assert str(check_run(model, X, y)) == str(check_run(model, theirs, y)) == str(check_run(model, dense, y))
    assert str(check_run(model._model, X, y)) == str(check_run(model, X, y))  # the member itself
    run = trace(X, y, max_iter=3)
    assert run.to_json() == trace(dense, y, max_iter=3).to_json()
    assert run.predict(X).tolist() == trace(dense, y, max_iter=3).predict(dense).tolist()


def test_of_many_contradictions_the_first_is_reported() -> None:
    X = np.array([[5, 5], [1, 2], [3, 4], [1, 2], [3, 4]])
    for kind in (np.asarray, sp.csr_array, sparse):
        proof = certify(kind(X), [0, 0, 0, 1, 1])
        assert list(proof.counts or {})[:2] == [1, 3]


@oldest.sparse_vectors
def test_a_sparse_vector_is_no_table() -> None:
    proof = certify(*AND)
    found = proof.verify(sp.coo_array([1, 2]), [0])
    assert found.reason == "X: expected a table of at least one row, found shape (2,)"
