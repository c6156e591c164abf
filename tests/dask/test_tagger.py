"""The tagger on a cluster of real processes: the model file of one machine, whatever the cluster is and suffers."""

import gc
import gzip
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client
from sklearn.base import clone

import rosenblatt
from rosenblatt import load
from rosenblatt.base.engines import Serial
from rosenblatt.dask import SequenceTagger
from rosenblatt.doors.dask.engine import Made
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, number_labels
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import SentenceShard, SentenceShards, TrainingSet, prepare_shard
from rosenblatt.members.sentences.tagger.templates import parse
from rosenblatt.members.shards import spans
from tests.dask.conftest import cluster_of, until
from tests.dask.data import model_bytes

RANDOM = np.random.default_rng(0)
WORDS = np.array([f"{'äbcd'[k % 4]}w{k}" for k in range(60)])
NUMBERS = [RANDOM.integers(0, len(WORDS), RANDOM.integers(1, 9)) for _ in range(101)]
X = [WORDS[sentence].tolist() for sentence in NUMBERS]
Y = [["PQRS"[RANDOM.integers(4) if RANDOM.random() < 0.2 else k % 4] for k in sentence] for sentence in NUMBERS]
GIVEN: dict[str, Any] = {"rounds": 2, "max_iter": 4}


def alone(folder: Path, **given: Any) -> bytes:
    return model_bytes(rosenblatt.SequenceTagger(**{**GIVEN, **given}).fit(X, Y), folder)


def conll_files(folder: Path, suffix: str = "") -> list[str]:
    """The sentences in three files, the second with few of them."""
    names = []
    for number, part in enumerate((slice(40), slice(40, 45), slice(45, None))):
        text = "".join(
            "".join(f"{word} {tag}\n" for word, tag in zip(words, tags, strict=True)) + "\n"
            for words, tags in zip(X[part], Y[part], strict=True)
        ).encode()
        path = folder / f"part-{number}.txt{suffix}"
        path.write_bytes(gzip.compress(text) if suffix == ".gz" else text)
        names.append(str(path))
    return names


@pytest.fixture(scope="module")
def one_worker() -> Iterator[Client]:
    with cluster_of(1) as cluster, Client(cluster, set_as_default=False) as client:
        yield client


@pytest.mark.parametrize("n_shards", [2, 3])
@pytest.mark.parametrize("cluster", ["one_worker", "client"])
@pytest.mark.parametrize("given", [{}, {"step": "pa1"}, {"early_stopping": True, "max_iter": 3}])
def test_the_bits_of_one_machine(
    request: pytest.FixtureRequest, cluster: str, n_shards: int, given: dict[str, Any], tmp_path: Path
) -> None:
    given = {**GIVEN, **given, "shards": n_shards}
    model = SequenceTagger(client=request.getfixturevalue(cluster), **given).fit(X, Y)
    assert model_bytes(model.to_local(), tmp_path) == alone(tmp_path, **given)
    assert model.predict(X[:3]) == model.to_local().predict(X[:3])


def test_workers_hold_the_shards_and_let_them_go(client: Client) -> None:
    held: list[list[str]] = []

    def watch(_: Any) -> None:
        held.append([key for key, workers in client.who_has().items() if key.startswith("shard_of") and workers])

    model = SequenceTagger(client=client, shards=3, **GIVEN).fit(X, Y, watch=watch)
    assert [len(keys) for keys in held] == [3] * model.n_iter_
    assert held[0] == held[-1]
    gc.collect()
    assert until(lambda: not client.futures)


@pytest.mark.parametrize("all_of_them", [False, True])
def test_workers_that_are_killed(all_of_them: bool, tmp_path: Path) -> None:
    killed: list[int] = []

    def watch(one: Any) -> None:
        if one.number == 2:
            found = list(client.run(os.getpid).values())
            killed.extend(found if all_of_them else found[:1])
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    with cluster_of(2, silence_logs=30) as cluster, Client(cluster, set_as_default=False) as client:
        model = SequenceTagger(client=client, shards=3, **GIVEN).fit(X, Y, watch=watch)
        assert len(killed) == 1 + all_of_them
        assert model_bytes(model.to_local(), tmp_path) == alone(tmp_path, shards=3)


def test_what_is_held_goes_as_what_it_is_made_of() -> None:
    """A shard that moves from worker to worker in the middle of a run learns what it would have learned."""
    corpus = as_corpus(X)
    classes, target = number_labels(as_tags(Y, corpus))
    parameters = TaggerParameters(shards=2)
    data = TrainingSet(parameters, parse(["U:%x[0,0]", "U1:%suffix1[-1,0]", "B"]), len(classes), corpus, target)
    stays, moves = (SentenceShards(each, Serial()) for each in (data, pickle.loads(pickle.dumps(data))))
    for run in (stays, moves):
        run.begin(np.arange(len(corpus)))
    parts = [data.part(np.arange(*span)) for span in spans(len(corpus), 2)]
    held = [Made(prepare_shard, part, 1) for part in enumerate(parts)]
    for number in range(3):
        assert all(isinstance(one.value, SentenceShard) for one in held)
        held = pickle.loads(pickle.dumps(held))
        moves.shards = [one.value for one in held]
        assert moves.go_on(7, number) == stays.go_on(7, number)
    assert pickle.dumps(moves.chain()) == pickle.dumps(stays.chain())


def test_the_face_of_an_estimator(client: Client) -> None:
    model = SequenceTagger(client=client, shards=2, max_iter=1, share="-")
    assert set(model.get_params()) == {*rosenblatt.SequenceTagger().get_params(), "client"}
    assert clone(model).client is client
    again = pickle.loads(pickle.dumps(model.fit(X, Y)))
    assert again.client is None
    assert again.predict(X) == model.predict(X)
    with pytest.raises(AttributeError, match=r"partial_fit is for one machine: model\.to_local\(\)"):
        model.partial_fit(X, Y)
    with pytest.raises(AttributeError, match="on a cluster it is fit_files"):
        model.fit_file("part.txt")


def test_what_is_refused(client: Client, tmp_path: Path) -> None:
    model = SequenceTagger(client=client)
    for fit, given in ((model.fit, (X, Y)), (model.fit_files, (conll_files(tmp_path),))):
        with pytest.raises(ValueError, match=r"^shards: expected at least 2 on a cluster, found 1"):
            fit(*given)
    model.set_params(shards=2, templates="chunk")
    with pytest.raises(ValueError, match="the templates look at column 1, but there are 1 columns"):
        model.fit(X, Y)
    with pytest.raises(FileNotFoundError, match="expected files of such names, found none"):
        model.fit_files(f"{tmp_path}/none-*.txt")
    assert not hasattr(model, "classes_")


def test_the_command_line(client: Client, tmp_path: Path) -> None:
    conll_files(tmp_path)

    def run(*more: str) -> "subprocess.CompletedProcess[str]":
        words = ["tag", "train", "part-*.txt", "--max-iter", "3", "--json", *more]
        command = [sys.executable, "-m", "rosenblatt", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)

    address = str(client.scheduler.address)
    assert run("--shards", "2", "--model", "alone").returncode == 0
    for number, where in enumerate((address, "local")):
        done = run("--shards", "2", "--model", f"together-{number}", "--dask", where)
        assert done.returncode == 0, done.stderr
        assert [json.loads(line)["pass"] for line in done.stderr.splitlines()] == [1, 2, 3]
        first, second = load(tmp_path / "alone"), load(tmp_path / f"together-{number}")
        assert model_bytes(first, tmp_path) == model_bytes(second, tmp_path)
    done = run("--model", "none", "--dask", address)
    assert (done.returncode, "shards: expected at least 2 on a cluster" in done.stderr) == (2, True)
    done = run("--shards", "2", "--model", "none", "--dask", address, "--dev", "-")
    assert (done.returncode, "--dask: expected files by name, found standard input" in done.stderr) == (2, True)
    assert not (tmp_path / "none").exists()
