"""The core's solvers of separability as Python sees them: the lectures' data, dense and sparse, in chunks, misused."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from rosenblatt import _core
from rosenblatt.base.rows import core_rows

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
TOL = 1e-9


def signed(labels: list[int]) -> Any:
    """The corners of the square with the constant feature first, times their labels."""
    return np.array(labels)[:, np.newaxis] * np.column_stack([np.ones(4), CORNERS])


AND, XOR = signed([-1, -1, -1, 1]), signed([-1, 1, 1, -1])


def long_csr(Z: Any) -> Any:
    Z = sp.csr_array(Z)
    Z.indices, Z.indptr = Z.indices.astype(np.int64), Z.indptr.astype(np.int64)
    return Z


KINDS: dict[str, Callable[[Any], Any]] = {"dense": np.asarray, "sparse": sp.csr_array, "long": long_csr}
small_rows = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=st.integers(-3, 3))


@pytest.fixture
def cloud() -> Any:
    """Rows on one side of a plane, by a small margin."""
    random = np.random.default_rng(3)
    Z = random.normal(size=(3000, 15))
    return np.where(Z[:, :1] > 0, Z, -Z) + np.eye(15)[0] * 0.05


@pytest.fixture
def baseline() -> Iterator[None]:
    """The compilation for any machine; only something to compare where the machine has AVX2."""
    if not _core.machine_has_avx2():
        pytest.skip("this machine has no AVX2: there is only one path")
    yield
    _core.use_avx2(use=True)


def searched(Z: Any, corral: Any = None, tol: float = TOL) -> tuple[Any, str]:
    search = _core.NearestPoint(core_rows(Z), corral)
    return search, search.run(1000, tol)


@pytest.mark.parametrize("kind", KINDS)
def test_nearest_point_of_and(kind: str) -> None:
    search, status = searched(KINDS[kind](AND))
    assert status == "optimal"
    np.testing.assert_allclose(search.point * 17, [-3, 2, 2], atol=1e-12)
    np.testing.assert_allclose([search.length**2, search.lowest], 1 / 17)
    assert sorted(search.corral) == [1, 2, 3]
    np.testing.assert_allclose(AND[search.corral].T @ search.weights, search.point)


@pytest.mark.parametrize("kind", KINDS)
def test_xor_meets_the_origin(kind: str) -> None:
    search, status = searched(KINDS[kind](XOR))
    assert status == "meets"
    assert sorted(search.corral) == [0, 1, 2, 3]
    np.testing.assert_allclose(search.weights, 0.25)


@given(Z=small_rows)
def test_each_answer_comes_with_its_proof(Z: Any) -> None:
    search, status = searched(Z)
    assert (search.weights > 0).all()
    assert abs(search.weights.sum() - 1) < 1e-12
    if status == "optimal":
        assert (Z @ search.point).min() >= (1 - 2 * TOL) * search.length**2 > 0
    else:
        assert status == "meets"
        assert np.abs(Z[search.corral].T @ search.weights).max() < 1e-13
    assert searched(sp.csr_array(Z))[1] == status


@pytest.mark.parametrize("kind", KINDS)
def test_nearest_point_in_chunks(cloud: Any, kind: str) -> None:
    Z = KINDS[kind](cloud)
    whole, status = searched(Z)
    assert status == "optimal"
    chunks = _core.NearestPoint(core_rows(Z))
    statuses: list[str] = []
    while not statuses or statuses[-1] == "running":
        statuses.append(chunks.run(1, TOL))
        assert chunks.n_passes == len(statuses)
    assert statuses[-1] == "optimal"
    assert chunks.n_passes == whole.n_passes > 2
    assert chunks.n_steps == whole.n_steps
    for name in ("corral", "weights", "point"):
        np.testing.assert_array_equal(getattr(chunks, name), getattr(whole, name))


def test_nearest_point_from_a_corral(cloud: Any) -> None:
    cold, _ = searched(cloud)
    warm, status = searched(cloud, corral=cold.corral)
    assert (status, warm.n_passes, warm.n_steps) == ("optimal", 1, 0)
    np.testing.assert_allclose(warm.point, cold.point)
    other, status = searched(cloud, corral=np.arange(20))
    assert status == "optimal"
    np.testing.assert_allclose(other.length, cold.length)


@pytest.mark.parametrize("kind", KINDS)
def test_descent_closes_upon_the_margin(cloud: Any, kind: str) -> None:
    Z = cloud + np.eye(15)[0]  # on rows as close to each other as the cloud's, descent takes long
    margin, descent = searched(Z)[0].length, _core.DualDescent(core_rows(KINDS[kind](Z)), 0)
    for _ in range(200):
        descent.run(1)
        lo, hi = descent.lowest() / np.sqrt(descent.squared_length), np.sqrt(descent.squared_length) / descent.total
        assert lo * (1 - 1e-9) <= margin <= hi * (1 + 1e-9)
    assert lo > 0.999 * hi
    np.testing.assert_allclose(descent.alpha @ Z, descent.weights, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(descent.lowest(), (Z @ descent.weights).min())


def test_descent_in_chunks(cloud: Any) -> None:
    whole, chunks = (_core.DualDescent(core_rows(cloud), 1) for _ in range(2))
    whole.run(6)
    for epochs in (1, 2, 0, 3):
        chunks.run(epochs)
        chunks.lowest()
    np.testing.assert_array_equal(whole.alpha, chunks.alpha)
    np.testing.assert_array_equal(whole.weights, chunks.weights)


@given(Z=small_rows)
def test_peeling(Z: Any) -> None:
    peeled, sparse = _core.peel(core_rows(Z)), _core.peel(core_rows(sp.csr_array(Z)))
    for name in ("core", "columns", "signs", "taken", "starts"):
        np.testing.assert_array_equal(getattr(peeled, name), getattr(sparse, name))
    assert sorted([*peeled.core, *peeled.taken]) == list(range(len(Z)))
    core = Z[peeled.core]
    np.testing.assert_array_equal((core > 0).any(axis=0), (core < 0).any(axis=0))
    for k, column in enumerate(peeled.columns):
        rows = peeled.taken[peeled.starts[k] : peeled.starts[k + 1]]
        assert (Z[rows, column] * peeled.signs[k] > 0).all()
    w = peeled.weights(np.arange(Z.shape[1], dtype=np.float64))
    assert (Z[peeled.taken] @ w > 0).all()
    np.testing.assert_array_equal(np.delete(w, peeled.columns), np.delete(np.arange(Z.shape[1]), peeled.columns))


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bits_with_and_without_avx2(cloud: Any, kind: str) -> None:
    found = []
    for avx2 in (True, False):
        _core.use_avx2(avx2)
        descent = _core.DualDescent(core_rows(KINDS[kind](cloud)), 0)
        descent.run(3)
        found.append((searched(KINDS[kind](cloud))[0].point, descent.weights))
    np.testing.assert_array_equal(found[0], found[1])


def test_solvers_beside_each_other(cloud: Any) -> None:
    with ThreadPoolExecutor(4) as pool:
        points = list(pool.map(lambda _: searched(cloud)[0].point, range(8)))
    assert all((point == points[0]).all() for point in points)


def test_the_rows_outlive_their_array() -> None:
    search, peeled = _core.NearestPoint(core_rows(AND.copy())), _core.peel(core_rows(AND.copy()))
    descent = _core.DualDescent(core_rows(AND.copy()), 0)
    junk = [np.full(12, 1e9) for _ in range(100)]
    descent.run(1)
    assert search.run(100, TOL) == "optimal"
    assert len(peeled.core) == len(junk[0]) - 8
    assert descent.total > 0


def outside() -> Any:
    """One row whose column 9 is not among its 3."""
    return _core.sparse_rows(np.ones(1), np.array([9], dtype=np.int32), np.array([0, 1], dtype=np.int32), 3)


MISUSES: dict[str, tuple[Callable[[], Any], str]] = {
    "no row": (lambda: _core.NearestPoint(core_rows(AND[:0])), "at least one row"),
    "no row to descend": (lambda: _core.DualDescent(core_rows(AND[:0]), 0), "at least one row"),
    "zero row": (lambda: _core.DualDescent(core_rows(np.eye(3)[:2] @ np.diag([1, 0, 1])), 0), r"length \(row 1\)"),
    "too long": (lambda: _core.DualDescent(core_rows(np.full((1, 1), 1e200)), 0), "too large"),
    "corral": (lambda: _core.NearestPoint(core_rows(AND), np.array([0, 4])), r"rows 0 to 3 \(row 4\)"),
    "not finite": (lambda: _core.NearestPoint(_core.dense_rows(np.array([[1.0], [np.nan]]))), r"NaN.*\(row 1\)"),
    "column": (lambda: _core.peel(outside()), "column index is outside of the 3 columns"),
    "weights": (lambda: _core.peel(core_rows(AND)).weights(np.zeros(4)), "one weight a column"),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_refused(misuse: str) -> None:
    action, words = MISUSES[misuse]
    with pytest.raises(ValueError, match=words):
        action()


def test_only_doubles() -> None:
    for solver in (_core.NearestPoint, _core.peel):
        with pytest.raises(TypeError, match="expected rows of float64, found rows of float32"):
            solver(core_rows(AND.astype(np.float32)))
