"""A member in one file, winnow.py, has every way of running, a model file and the command line, without a registry."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import write_svmlight
from rosenblatt.base.engines import Serial, Threads
from rosenblatt.members import MEMBERS, register
from rosenblatt.members.fit import fit, learn_more, untrained_model
from rosenblatt.members.run import Pass
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.records.model_file import Stored, read, write
from rosenblatt.services.stream.fit import fit_in_memory, fit_stream, open_stream
from tests.members.winnow import WINNOW, WinnowMember, WinnowOnline, WinnowParameters

RNG = np.random.default_rng(3)
X = RNG.integers(0, 2, size=(120, 9)).astype(float)
X = X[X[:, 0] + X[:, 3] != X[:, 5] + X[:, 7]][:60]
Y = np.where(X[:, 0] + X[:, 3] > X[:, 5] + X[:, 7], "yes", "no")


@pytest.fixture
def registered() -> Iterator[None]:
    """The family has one more member."""
    register(WINNOW)
    yield
    del MEMBERS[WINNOW.kind]


def member(**words: Any) -> WinnowMember:
    return WinnowMember(WinnowParameters.of(**words))


def same(one: Any, other: Any) -> None:
    """The same weights to the bit, the same mistakes and updates."""
    assert one.state.u.tobytes() == other.state.u.tobytes()
    assert (one.passes, one.n_updates, one.classes.tolist()) == (other.passes, other.n_updates, other.classes.tolist())


def svmlight(path: Path, rows: Any = X, labels: Any = Y) -> Path:
    write_svmlight(rows, np.unique(labels, return_inverse=True)[1], str(path))
    return path


def test_fit() -> None:
    model, end = fit(member(max_iter=200), X, Y)
    assert end == "clean"
    assert model.predict(X).tolist() == Y.tolist()
    assert model.passes[-1] == 0
    few, end = fit(member(max_iter=1, shuffle=False), X, Y)
    assert (end, len(few.passes)) == ("limit", 1)
    held_out, _ = fit(member(early_stopping=True, max_iter=50), X, Y)
    assert held_out.n_seen == 60
    assert untrained_model(member(), X, ["no", "yes"]).state.u.tolist() == np.zeros((9, 2)).tolist()


def test_whoever_watches_may_end_it() -> None:
    heard: list[Pass] = []

    def watch(one: Pass) -> bool:
        heard.append(one)
        return one.number == 2

    model, end = fit(member(shuffle=False), X, Y, watch=watch)
    assert end == "callback"
    assert [one.number for one in heard] == [1, 2]
    same(heard[1].model(), model)
    same(model, fit(member(shuffle=False, max_iter=2), X, Y)[0])


def test_partial_fit_and_classes_that_come_later() -> None:
    once = fit(member(shuffle=False, max_iter=1), X, Y)[0]
    same(learn_more(member(), None, X, Y), once)
    model = learn_more(member(), None, X[:30], Y[:30])
    model = learn_more(member(), model, X[30:], Y[30:])
    assert model.state.u.tobytes() == once.state.u.tobytes()
    assert model.n_seen == 60
    model = learn_more(member(), model, X[:5], ["perhaps"] * 5)
    assert (model.classes.tolist(), model.state.u.shape) == (["no", "perhaps", "yes"], (9, 3))


def test_shards() -> None:
    one = fit(member(shards=3, max_iter=4), X, Y, engine=Serial())[0]
    same(fit(member(shards=3, max_iter=4), X, Y, engine=Threads(2))[0], one)
    assert len(one.mixed) == len(one.passes)
    assert fit(member(shards=3, max_iter=200), X, Y)[0].predict(X).tolist() == Y.tolist()


def test_a_file_block_by_block(tmp_path: Path) -> None:
    path = svmlight(tmp_path / "rows.svm")
    expected = fit(member(shuffle=False, max_iter=3), X, (Y == "yes").astype(float))[0]

    def stream() -> Any:
        return open_stream(path, Reading())

    found = fit_stream(member(max_iter=3), stream())
    same(found.model, expected)
    same(fit_in_memory(member(max_iter=3), [path], Reading()).model, expected)
    ended = fit_stream(member(max_iter=3), stream(), watch=lambda so_far: so_far.over)
    assert (ended.end, ended.model.passes) == ("callback", expected.passes[:1])

    def power_goes(so_far: Pass) -> None:
        if so_far.number == 2 and so_far.over:
            raise RuntimeError

    checkpoint = tmp_path / "run.part"
    with pytest.raises(RuntimeError):
        fit_stream(member(max_iter=3), stream(), checkpoint, seconds=0, watch=power_goes)
    same(fit_stream(member(max_iter=3), stream(), checkpoint, resume=True).model, expected)


def test_without_end() -> None:
    run = WinnowOnline(WinnowParameters())
    answers = run.learn(X, Y.tolist())
    assert answers[0].label is None
    again = WinnowOnline(WinnowParameters())
    for k in range(len(Y)):
        assert again.learn(X[k : k + 1], Y[k : k + 1].tolist()) == answers[k : k + 1]
    same(again.model(), run.model())
    assert sum(answer.label == label for answer, label in zip(answers, Y, strict=True)) > 40


@pytest.mark.usefixtures("registered")
def test_model_file(tmp_path: Path) -> None:
    model = fit(member(max_iter=200), X, Y)[0]
    write(Stored(model), tmp_path / "m.safetensors")
    again: Any = read(tmp_path / "m.safetensors").model
    same(again, model)
    assert again.predict(X).tolist() == Y.tolist()


@pytest.mark.parametrize("way", [[], ["--shards", "2"], ["--stream"]], ids=["memory", "shards", "stream"])
def test_command_line(tmp_path: Path, way: list[str]) -> None:
    path, model = svmlight(tmp_path / "rows.svm"), tmp_path / "m.safetensors"
    program = "from tests.members.winnow import add; add(); from rosenblatt.doors.cli import main; main()"
    words = ["train", str(path), "--winnow", "--alpha", "1.5", "--no-shuffle", "--max-iter", "200", *way]

    def run(*args: str) -> str:
        done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert "passes" in run(*words, "--model", str(model))
    assert "Winnow" in run("inspect", str(model))
    assert run("predict", str(model), str(path)).split() == ["1" if y == "yes" else "0" for y in Y]
