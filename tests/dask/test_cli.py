"""`rosenblatt train --dask`: the model of one machine, progress, Ctrl-C, and going on from a checkpoint."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from distributed import Client

from rosenblatt import load
from tests.dask.data import model_bytes
from tests.dask.test_files import table_files, text_files


def run(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "rosenblatt", "train", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)


def test_the_model_of_one_machine(client: Client, tmp_path: Path) -> None:
    text_files(tmp_path)
    words = ["part-*.svm", "--shards", "8", "--rounds", "2", "--max-iter", "3", "--readout", "average"]
    alone = run(*words, "--model", "alone", "--json", folder=tmp_path)
    together = run(*words, "--model", "together", "--dask", _address(client), "--json", folder=tmp_path)
    assert (alone.returncode, together.returncode) == (0, 0), together.stderr
    kept = ("n_rows", "n_features", "classes", "n_iter", "n_updates", "mistakes_of_last_pass")
    assert [json.loads(alone.stdout)[name] for name in kept] == [json.loads(together.stdout)[name] for name in kept]
    first, second = load(tmp_path / "alone"), load(tmp_path / "together")
    assert model_bytes(first, tmp_path) == model_bytes(second, tmp_path)
    lines = [json.loads(line) for line in together.stderr.splitlines()]
    assert [(line["pass"], line["round"]) for line in lines] == [(p, r) for p in (1, 2, 3) for r in (1, 2)]
    assert {line["workers"] for line in lines} == {2}


def test_tables_and_a_local_cluster(tmp_path: Path) -> None:
    table_files(tmp_path, ".csv")
    words = ["table-*.csv", "--shards", "2", "--max-iter", "2", "--label", "walk", "--standardise"]
    assert run(*words, "--model", "alone", folder=tmp_path).returncode == 0
    done = run(*words, "--model", "together", "--dask", "local", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = load(tmp_path / "alone"), load(tmp_path / "together")
    assert model_bytes(first, tmp_path) == model_bytes(second, tmp_path)


def test_texts(client: Client, tmp_path: Path) -> None:
    """What words tell is learned before the workers begin; the model answers texts."""
    words = ("red rose", "the blood is red", "a cherry", "blue sea", "ink and the sky", "blue jeans")
    for part in (1, 2):
        rows = [f"{words[k % 6]} {k},{'red' if k % 6 < 3 else 'blue'}\n" for k in range(60)]
        (tmp_path / f"part-{part}.csv").write_text("note,colour\n" + "".join(rows), encoding="utf-8")
    done = run("part-*.csv", "--text", "note", "--model", "model", "--dask", _address(client), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    model = load(tmp_path / "model")
    assert model.predict(["the red one", "a blue one"]).tolist() == ["red", "blue"]
    assert {reason.word for reason in model.explain("the red one") if reason.share > 0.2} == {"red"}


def test_ctrl_c_and_going_on(client: Client, tmp_path: Path) -> None:
    text_files(tmp_path)
    words = [
        "part-*.svm",
        "--shards",
        "3",
        "--max-iter",
        "300",  # long enough to be interrupted, however late the signal is
        "--model",
        "model",
        "--dask",
        _address(client),
        "--json",
    ]
    command = [sys.executable, "-m", "rosenblatt", "train", *words, "--checkpoint", "run.part"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first round is over
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(timeout=120) in (130, -signal.SIGINT)
    assert "Traceback" not in said
    assert not (tmp_path / "model").exists()
    done = run(*words, "--checkpoint", "run.part", "--resume", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stderr.splitlines()[0])["pass"] > 1
    assert not (tmp_path / "run.part").exists()
    assert run(*words[:5], "--model", "alone", "--shards", "3", folder=tmp_path).returncode == 0
    first, second = load(tmp_path / "alone"), load(tmp_path / "model")
    assert model_bytes(first, tmp_path) == model_bytes(second, tmp_path)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--stream"], 2, "--stream has no meaning with --dask"),
        (["--kernel", "rbf"], 2, "--dask has no meaning with --kernel"),
        (["--unit"], 2, "--dask has no meaning with --unit"),
        (["--readout", "pocket"], 2, "readout: expected 'last' or 'average' on a cluster, found 'pocket'"),
    ],
)
def test_what_does_not_go_together(client: Client, tmp_path: Path, words: list[str], code: int, said: str) -> None:
    text_files(tmp_path)
    done = run("part-*.svm", "--model", "model", "--dask", _address(client), *words, folder=tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def _address(client: Client) -> str:
    return str(client.scheduler.address)
