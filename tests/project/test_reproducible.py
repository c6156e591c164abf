"""The same bits for the same input, seed and version: with and without AVX2, alone or beside other threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from rosenblatt import Perceptron, _core
from tests.project.bits import KERNEL, LINEAR, bits, data

MODELS = {name: model for name, model in (LINEAR | KERNEL).items() if name != "random"}  # which takes two classes only

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture
def baseline() -> Iterator[None]:
    """The compilation for any machine; only something to compare where the machine has AVX2."""
    if not _core.machine_has_avx2():
        pytest.skip("this machine has no AVX2: there is only one path")
    yield
    _core.use_avx2(use=True)


@pytest.mark.usefixtures("baseline")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n_classes", [2, 5, 40])
def test_avx2_gives_the_bits_of_the_baseline(name: str, kind: str, dtype: str, n_classes: int) -> None:
    X, y = data(kind, dtype, n_classes)
    wide = bits(MODELS[name].fit(X, y), X)
    _core.use_avx2(use=False)
    assert bits(MODELS[name].fit(X, y), X) == wide


@pytest.mark.parametrize("name", ["average", "arow", "vote"])
def test_threads_change_nothing(name: str) -> None:
    X, y = data("sparse", "float32", 3)
    words = MODELS[name].get_params()
    alone = bits(Perceptron(**words).fit(X, y), X)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: bits(Perceptron(**words).fit(X, y), X), range(8)))
    assert together == [alone] * 8


def test_a_seed_is_an_order() -> None:
    X, y = data("dense", "float64", 2)
    fits = {seed: bits(Perceptron(max_iter=2, random_state=seed).fit(X, y), X) for seed in (0, 1)}
    assert fits[0] == bits(Perceptron(max_iter=2, random_state=0).fit(X, y), X)
    assert fits[0] != fits[1]
