"""The perceptron on a cluster: the bits of one machine, however the rows are cut and whoever learns from them."""

from pathlib import Path
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client
from sklearn.base import clone

import rosenblatt
from rosenblatt.base.arrays import Array
from rosenblatt.dask import Perceptron
from tests.dask.conftest import cluster_of
from tests.dask.data import model_bytes, rows

X, Y = rows()


def assert_same(model: Perceptron, local: rosenblatt.Perceptron, folder: Path) -> None:
    assert model_bytes(model.to_local(), folder) == model_bytes(local, folder)


@pytest.mark.parametrize("shards", [1, 2, 3, 8, 20])
@pytest.mark.parametrize("chunks", [(240, 7), (50, 3), (7, 7)])
def test_the_bits_of_one_machine_however_rows_are_cut(
    client: Client, tmp_path: Path, shards: int, chunks: tuple[int, int]
) -> None:
    given: dict[str, Any] = {"shards": shards, "readout": "average", "max_iter": 4, "random_state": 5}
    local = rosenblatt.Perceptron(**given).fit(X, Y)
    model = Perceptron(client=client, **given).fit(da.from_array(X, chunks), da.from_array(Y, 64))
    assert_same(model, local, tmp_path)


def test_one_two_and_three_workers_give_the_same_bits(tmp_path: Path) -> None:
    given: dict[str, Any] = {"readout": "average", "max_iter": 3}
    arrays = da.from_array(X, (50, 7)), da.from_array(Y, 50)
    with cluster_of(1) as cluster, Client(cluster, set_as_default=False) as client:
        for n_workers in (1, 2, 3):
            cluster.scale(n_workers)
            client.wait_for_workers(n_workers, timeout=120)
            for shards in (2, 3, 8):
                model = Perceptron(shards=shards, client=client, **given).fit(*arrays)
                assert_same(model, rosenblatt.Perceptron(shards=shards, **given).fit(X, Y), tmp_path)


@pytest.mark.parametrize(
    "given",
    [
        {"step": "pa1", "C": 0.5, "class_weight": "balanced"},
        {"class_weight": {"apple": 2.0, "bean": 1.0, "carrot": 0.5}, "tol": 1e-3, "shuffle": False},
        {"init": "random", "eta0": 0.5, "fit_intercept": False},
        {"batch_size": 8, "rounds": 3, "multiclass": "one-vs-rest"},
        {"max_iter": "auto", "n_iter_no_change": 2, "tol": 0.1},
    ],
)
def test_parameters_mean_the_same(client: Client, tmp_path: Path, given: dict[str, Any]) -> None:
    X, y = rows(n_classes=3, seed=1)
    given = {"shards": 3, "max_iter": 3, **given}
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)  # a third of the rows does not count
    local = rosenblatt.Perceptron(**given).fit(X, y, weight)
    model = Perceptron(client=client, **given).fit(da.from_array(X, (31, 7)), da.from_array(y, 31), weight)
    assert_same(model, local, tmp_path)


def _frames() -> tuple[Any, Any]:
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    frame["label"] = Y
    parts = dd.from_pandas(frame, npartitions=4)
    return parts.drop(columns="label"), parts["label"]


def _sparse_blocks() -> tuple[Any, Any]:
    return da.from_array(X, (60, 7)).map_blocks(sp.csr_matrix), da.from_array(Y, 60)


def _of_unknown_sizes() -> tuple[Any, Any]:
    arrays = da.from_array(X, (60, 7)), da.from_array(Y, 60)
    there = arrays[0][:, 0] > -100
    return arrays[0][there], arrays[1][there]


@pytest.mark.parametrize(
    "make",
    [_frames, _sparse_blocks, _of_unknown_sizes, lambda: (X, Y), lambda: (sp.csr_array(X), Y), lambda: (X.tolist(), Y)],
)
def test_what_rows_may_come_as(client: Client, tmp_path: Path, make: Any) -> None:
    found, labels = make()
    model = Perceptron(shards=3, max_iter=3, client=client).fit(found, labels)
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    local = rosenblatt.Perceptron(shards=3, max_iter=3).fit(
        frame if make is _frames else X, Y.astype(object) if make is _frames else Y
    )
    assert_same(model, local, tmp_path)
    assert list(getattr(model, "feature_names_in_", [])) == (list(frame.columns) if make is _frames else [])


def test_float32_stays_float32(client: Client, tmp_path: Path) -> None:
    narrow = X.astype(np.float32)
    model = Perceptron(shards=2, max_iter=3, client=client).fit(da.from_array(narrow, (100, 7)), da.from_array(Y, 100))
    assert model.coef_.dtype == np.float32
    assert_same(model, rosenblatt.Perceptron(shards=2, max_iter=3).fit(narrow, Y), tmp_path)


def test_without_a_number_partitions_are_shards(client: Client, tmp_path: Path) -> None:
    parts = da.from_array(X, (80, 7)), da.from_array(Y, 80)  # as equal as three shards are
    model = Perceptron(max_iter=3, client=client).fit(*parts)
    assert model.shards is None
    assert_same(model, rosenblatt.Perceptron(shards=3, max_iter=3).fit(X, Y), tmp_path)


def test_empty_partitions_and_partitions_of_one_class(client: Client) -> None:
    order = np.argsort(Y, kind="stable")
    sizes = (0, 100, 0, 140)
    found = da.from_array(X[order], (sizes, 7)), da.from_array(Y[order], (sizes,))
    model = Perceptron(max_iter=5, readout="average", client=client).fit(*found)
    assert model.classes_.tolist() == ["apple", "bean"]
    assert model.to_local().shards == 4
    assert model.score(*found) > 0.7


def test_more_shards_than_rows(client: Client, tmp_path: Path) -> None:
    model = Perceptron(shards=9, client=client).fit(da.from_array(X[:4], (3, 7)), da.from_array(Y[:4], 3))
    assert_same(model, rosenblatt.Perceptron(shards=9).fit(X[:4], Y[:4]), tmp_path)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_answers_are_lazy_and_those_of_one_machine(client: Client, n_classes: int) -> None:
    X, y = rows(n_classes=n_classes)
    lazy = da.from_array(X, (70, 2))
    model = Perceptron(shards=2, max_iter=3, client=client).fit(lazy, y)
    local = model.to_local()
    answers: Array = client.compute(model.predict(lazy), sync=True)
    decisions: Array = client.compute(model.decision_function(lazy), sync=True)
    assert isinstance(model.predict(lazy), da.Array)
    assert answers.tolist() == local.predict(X).tolist() == model.predict(X).tolist()
    assert decisions.tolist() == local.decision_function(X).tolist() == model.decision_function(X).tolist()
    assert model.score(lazy, y) == pytest.approx(local.score(X, y)) == model.score(X, y)
    assert model.predict(_frame_of(X)).compute(scheduler="synchronous").tolist() == answers.tolist()


def _frame_of(X: Array) -> Any:
    return dd.from_pandas(pd.DataFrame(X), npartitions=3)


def test_a_warm_start_goes_on_from_the_weights(client: Client, tmp_path: Path) -> None:
    given: dict[str, Any] = {"shards": 3, "max_iter": 2, "warm_start": True}
    local = rosenblatt.Perceptron(**given).fit(X, Y).fit(X, Y)
    model = Perceptron(client=client, **given).fit(X, Y).fit(X, Y)
    assert_same(model, local, tmp_path)


def test_it_is_an_estimator(client: Client) -> None:
    model = Perceptron(client=client, max_iter=3)
    assert set(model.get_params()) == set(rosenblatt.Perceptron().get_params()) | {"client"}
    copied = clone(model.set_params(shards=2))
    assert copied.client is client
    assert copied.get_params() == model.get_params()


def test_whoever_watches_ends_the_run(client: Client) -> None:
    words: dict[str, Any] = {"shards": 3, "rounds": 2, "readout": "average"}
    arrays = da.from_array(X, (50, 7)), da.from_array(Y, 50)
    model = Perceptron(client=client, **words, max_iter=4).fit(*arrays, watch=lambda one: one.over and one.number == 2)
    local = rosenblatt.Perceptron(**words, max_iter=2).fit(X, Y)
    assert model.n_iter_ == 2
    assert model.coef_.tobytes() == local.coef_.tobytes()
    ended = Perceptron(client=client, **words, max_iter=4).fit(*arrays, watch=lambda one: not one.over)
    assert ended.n_iter_ == 1  # of which one round was made
    assert 0 < ended.mixed_mistakes_[0] <= ended.mistakes_[0] < local.mistakes_[0]
