"""The same bits for the same input, seed and version: with and without AVX2, alone or beside other threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import LinearUnit, Perceptron, _core

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

MODELS: dict[str, Any] = {
    "average": Perceptron(readout="average", max_iter=3),
    "pa1": Perceptron(step="pa1", C=0.1, max_iter=3),
    "arow": Perceptron(step="arow", readout="average", max_iter=3),
    "vote": Perceptron(readout="vote", max_iter=2),
    "pocket": Perceptron(readout="pocket", max_iter=2),
    "batches": Perceptron(batch_size=7, max_iter=3),
    "one-vs-rest": Perceptron(multiclass="one-vs-rest", max_iter=3),
    "linear unit": LinearUnit(max_iter=5),
    "stochastic": LinearUnit(method="stochastic", max_iter=2),
}


@pytest.fixture
def baseline() -> Iterator[None]:
    """The compilation for any machine; only something to compare where the machine has AVX2."""
    if not _core.machine_has_avx2():
        pytest.skip("this machine has no AVX2: there is only one path")
    yield
    _core.use_avx2(use=True)


def data(kind: str, dtype: str, n_classes: int) -> tuple[Any, Any]:
    random = np.random.default_rng(7)
    X = random.normal(size=(600, 37)).astype(dtype)
    y = (X @ random.normal(size=(37, n_classes)) + random.normal(size=(600, n_classes))).argmax(axis=1)
    return (X, y) if kind == "dense" else (sp.csr_array(np.where(np.abs(X) > 0.7, X, 0)), y)


def bits(model: Any, X: Any, y: Any) -> list[bytes]:
    model.fit(X, y)
    answer = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    return [np.asarray(answer).tobytes(), *([model.coef_.tobytes()] if hasattr(model, "coef_") else [])]


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n_classes", [2, 5, 40])
def test_avx2_gives_the_bits_of_the_baseline(name: str, kind: str, dtype: str, n_classes: int) -> None:
    X, y = data(kind, dtype, n_classes)
    wide = bits(MODELS[name], X, y)
    _core.use_avx2(use=False)
    assert bits(MODELS[name], X, y) == wide


@pytest.mark.parametrize("name", ["average", "arow", "vote"])
def test_threads_change_nothing(name: str) -> None:
    X, y = data("sparse", "float32", 3)
    words = MODELS[name].get_params()
    alone = bits(Perceptron(**words), X, y)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: bits(Perceptron(**words), X, y), range(8)))
    assert together == [alone] * 8


def test_a_seed_is_an_order() -> None:
    X, y = data("dense", "float64", 2)
    fits = {seed: bits(Perceptron(max_iter=2, random_state=seed), X, y) for seed in (0, 1)}
    assert fits[0] == bits(Perceptron(max_iter=2, random_state=0), X, y)
    assert fits[0] != fits[1]
