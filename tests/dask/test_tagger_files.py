"""CoNLL files that workers read: the model of one machine, however files are cut, what is refused, and going on."""

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

import rosenblatt
from rosenblatt.dask import SequenceTagger
from rosenblatt.doors.dask import cluster
from tests.dask.conftest import cluster_of
from tests.dask.data import model_bytes
from tests.dask.test_tagger import GIVEN, X, Y, conll_files

WORDS: dict[str, Any] = {**GIVEN, "shards": 3}


def universal(folder: Path) -> Path:
    """The same sentences as CoNLL-U, with comments and ranges, and lines that end as on Windows."""
    lines = []
    for number, (words, tags) in enumerate(zip(X, Y, strict=True)):
        lines.append(f"# sent_id = {number}")
        for place, (word, tag) in enumerate(zip(words, tags, strict=True), start=1):
            lines += [f"{place}-{place + 1}\tab" + "\t_" * 8] if place == 1 and len(words) > 1 else []
            lines.append(f"{place}\t{word}\t_\t{tag}" + "\t_" * 6)
        lines.append("")
    path = folder / "all.conllu"
    path.write_bytes("".join(f"{line}\r\n" for line in lines).encode())
    return path


@pytest.mark.parametrize("part_bytes", [None, 1 << 26, 300, 23])
def test_files_however_they_are_cut(client: Client, tmp_path: Path, part_bytes: int | None) -> None:
    names = conll_files(tmp_path)
    local = rosenblatt.SequenceTagger(**WORDS).fit_file(names)
    model = SequenceTagger(client=client, **WORDS).fit_files(f"{tmp_path}/part-*.txt", part_bytes=part_bytes)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)


@pytest.mark.parametrize("given", [{"early_stopping": True}, {"early_stopping": True, "refit": False}, {"step": "pa1"}])
def test_universal_dependencies_and_parameters(client: Client, tmp_path: Path, given: dict[str, Any]) -> None:
    path, given = universal(tmp_path), {**WORDS, **given}
    local = rosenblatt.SequenceTagger(**given).fit_file(path)
    model = SequenceTagger(client=client, **given).fit_files(f"file://{path}", part_bytes=400)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)
    assert model.file_columns_ == local.file_columns_


def test_compressed_files_and_one_to_choose_by(client: Client, tmp_path: Path) -> None:
    names = conll_files(tmp_path, ".gz")
    passes: list[Any] = []
    model = SequenceTagger(client=client, **WORDS).fit_files(
        [names[0], f"file://{names[2]}"], dev=f"file://{names[1]}", part_bytes=50, watch=passes.append
    )
    local = rosenblatt.SequenceTagger(**WORDS).fit_file([names[0], names[2]], dev=names[1])
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)
    assert [one.score for one in passes] == local.validation_scores_.tolist()
    with pytest.raises(ValueError, match=r"^dev: expected one file, found 3"):
        model.fit_files(names, dev=f"{tmp_path}/part-*.txt.gz")


def test_errors_name_the_place(client: Client, tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("dogs N\nbark V\n\n" * 20)
    second.write_text("dogs N\nbark V\n\n" * 20 + "cats N\nsleep V now\n\n" + "a N\n\n" * 9)
    model = SequenceTagger(client=client, **WORDS)
    expected = r"b\.txt:62:9: expected 2 columns, .* found 'now'"
    with pytest.raises(ValueError, match=expected):
        model.fit_files([str(first), str(second)])
    with pytest.raises(ValueError, match=r"b\.txt:62:9: expected 2 columns"):
        model.fit_files([str(first), str(second)], part_bytes=40)
    second.write_text("dogs NNS N\n")
    with pytest.raises(ValueError, match=r"b\.txt: expected 2 columns, as in the file to learn from, found 3"):
        model.fit_files([str(first), str(second)])
    second.write_text("\n\n")
    with pytest.raises(ValueError, match=r"b\.txt:3:1: expected a token, found the end of the file"):
        model.fit_files([str(first), str(second)])
    with pytest.raises(ValueError, match=r"looks at column 1, which has the tags to learn"):
        model.set_params(templates=["U:%x[0,1]"]).fit_files(str(first), columns=[0, 1], tag=1)
    assert not hasattr(model, "classes_")


def test_sentences_that_do_not_fit_are_refused(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "MEMORY", 1e-8)
    with pytest.raises(MemoryError, match=r"the rows take .* GB or more, and 2 workers of .* have room for .* GB"):
        SequenceTagger(client=client, **WORDS).fit_files(conll_files(tmp_path))


def test_a_file_that_changes_between_two_readings(tmp_path: Path) -> None:
    names = conll_files(tmp_path)
    with cluster_of(1, silence_logs=50) as workers, Client(workers, set_as_default=False) as client:

        def watch(so_far: Any) -> None:
            if so_far.number == 1:
                Path(names[1]).write_text("other O\n")
                for worker in client.run(os.getpid).values():
                    os.kill(worker, signal.SIGKILL)

        with pytest.raises(ValueError, match=r"part-1\.txt: expected a file that stays as it is while it is read"):
            SequenceTagger(client=client, **WORDS).fit_files(names, watch=watch)


class StoppedError(Exception):
    """What ends a run in the middle."""


@pytest.mark.parametrize("given", [{}, {"early_stopping": True}, {"early_stopping": True, "refit": False}])
def test_going_on_from_a_checkpoint(client: Client, tmp_path: Path, given: dict[str, Any]) -> None:
    names, given = conll_files(tmp_path), {**WORDS, **given}
    expected: list[int] = []
    local = rosenblatt.SequenceTagger(**given).fit_file(names, watch=lambda so_far: expected.append(so_far.number))
    made: list[int] = []

    def watch(so_far: Any) -> None:
        made.append(so_far.number)
        if len(made) in (2, 5):
            raise StoppedError

    model = SequenceTagger(client=client, **given)
    for resume in (False, True, True):
        try:
            model.fit_files(names, checkpoint=tmp_path / "run.part", resume=resume, watch=watch)
            break
        except StoppedError:
            assert not hasattr(model, "classes_")
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)
    assert made == expected  # no pass was made twice
    Path(names[1]).write_text("other O\n")
    with pytest.raises(ValueError, match="expected a checkpoint of the same run"):
        model.fit_files(names, checkpoint=tmp_path / "run.part", resume=True)
    with pytest.raises(ValueError, match="resume: expected a checkpoint to go on from"):
        model.fit(X, Y, resume=True)


DRIVER = """
import os, signal, sys
from distributed import Client
from rosenblatt.dask import SequenceTagger

def watch(so_far):
    if so_far.number == 2:
        os.kill(os.getpid(), signal.SIGKILL)

client = Client(sys.argv[1], set_as_default=False)
model = SequenceTagger(client=client, rounds=2, max_iter=4, shards=3)
model.fit_files(sys.argv[3:], checkpoint=sys.argv[2], watch=watch)
"""


def test_a_driver_that_is_killed_and_goes_on_at_the_command_line(client: Client, tmp_path: Path) -> None:
    names, checkpoint, address = conll_files(tmp_path), tmp_path / "run.part", str(client.scheduler.address)
    command = [sys.executable, "-c", DRIVER, address, str(checkpoint), *names]
    assert subprocess.run(command, capture_output=True, timeout=240).returncode == -signal.SIGKILL
    words = ["tag", "train", *names, "--shards", "3", "--rounds", "2", "--max-iter", "4", "--model", "model"]

    def run(*more: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "rosenblatt", *words, "--json", *more]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)

    done = run("--dask", address, "--checkpoint", "run.part", "--resume")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["pass"] for line in done.stderr.splitlines()] == [3, 4]
    assert not checkpoint.exists()
    local = rosenblatt.SequenceTagger(**WORDS).fit_file(names)
    assert model_bytes(rosenblatt.load(tmp_path / "model"), tmp_path) == model_bytes(local, tmp_path)
    assert "--resume needs --checkpoint" in run("--dask", address, "--resume").stderr
    assert "--checkpoint has a meaning with --dask alone" in run("--checkpoint", "run.part").stderr


def test_a_part_without_sentences(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "gaps.txt.gz"
    path.write_bytes(gzip.compress(b"a A\n\n"))
    long = tmp_path / "long.txt"
    long.write_text("a A\nb B\n" + "\n" * 200 + "b B\n")
    paths = [str(path), str(long)]
    model = SequenceTagger(client=client, **WORDS).fit_files(paths, part_bytes=20)
    local = rosenblatt.SequenceTagger(**WORDS).fit_file(paths)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)
