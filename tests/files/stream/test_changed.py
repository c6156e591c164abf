"""A file that changes while it is learned from, pass after pass: that is said, and no model is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import Perceptron
from rosenblatt.doors.cli.program import run
from rosenblatt.services.files.reading import Reading

from .files import bytes_of, write

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
CHANGED = "data.svm: expected a file that stays as it is while it is read; it has changed"
PARAMETERS: dict[str, Any] = {"max_iter": 3, "tol": None}


def more_rows(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"1 1:1\n")


def fewer_rows(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-5]))


def a_new_column(path: Path) -> None:
    path.write_bytes(b"1 99:1\n" + path.read_bytes())


def a_new_class(path: Path) -> None:
    path.write_bytes(b"7 1:1\n" + path.read_bytes())


def broken(path: Path) -> None:
    path.write_bytes(b"1 x\n")


def gone(path: Path) -> None:
    path.unlink()


CHANGES = (more_rows, fewer_rows, a_new_column, a_new_class, broken, gone)


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("after", ["pass", "block"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_that_changes(tmp_path: Path, change: Callable[[Path], None], after: str, cached: bool) -> None:
    path, done = write(tmp_path / "data.svm", n_rows=400), list[int]()

    def watch(so_far: Any) -> None:
        if not done and so_far.over == (after == "pass"):
            done.append(1)
            change(path)

    model = Perceptron(shuffle=False, **PARAMETERS)
    with pytest.raises(ValueError, match=f"{CHANGED}$"):
        model.fit_file(path, cache=tmp_path / "c.arrow" if cached else None, watch=watch)
    assert done
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, change: Callable[[Path], None]
) -> None:
    path, model = write(tmp_path / "data.svm", n_rows=400), tmp_path / "m"
    model.write_bytes(b"old")
    changing(monkeypatch, lambda: change(path))
    assert run(["train", str(path), "--stream", "--max-iter", "3", "--model", str(model), "--json"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"error: {tmp_path}/{CHANGED}"
    assert model.read_bytes() == b"old"


def changing(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]) -> None:
    """Something happens after the first pass of `train --json`, when its line is printed."""
    import rosenblatt.doors.cli.progress as progress

    said: Any = vars(progress)["print_json"]

    def print_json(line: dict[str, Any], **options: Any) -> None:
        said(line, **options)
        if line["pass"] == 1:
            change()

    monkeypatch.setattr(progress, "print_json", print_json)


@pytest.mark.parametrize("line", [b"9,9,9,yes\n", b""])
def test_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, line: bytes) -> None:
    path = tmp_path / "data.csv"
    rows = b"".join(b"%d,%d,%s\n" % (k % 7, k % 5, [b"no", b"yes"][k % 3 == 0]) for k in range(100))
    path.write_bytes(b"a,b,y\n" + rows)
    changing(monkeypatch, lambda: path.write_bytes(b"a,b,new,y\n" + line + rows))
    assert run(["train", str(path), "--stream", "--max-iter", "3", "--model", str(tmp_path / "m"), "--json"]) == 1
    said = f"error: {path}: expected a file that stays as it is while it is read; it has changed"
    assert capsys.readouterr().err.splitlines()[-1] == said
    assert not (tmp_path / "m").exists()


def test_a_table_that_changes_once_its_encoding_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    path, learned = tmp_path / "data.csv", Reading.learn_encoding_before
    path.write_bytes(b"a,y\n1,no\n2,yes\n")

    def learn_and_change(files: Any, name: str) -> Any:
        encoding = learned(files, name)
        path.write_bytes(b"a,y\n1,no\n2,yes\n3,maybe\n")
        return encoding

    monkeypatch.setattr(Reading, "learn_encoding_before", learn_and_change)
    assert run(["train", str(path), "--stream", "--model", str(tmp_path / "m")]) == 1
    assert "it has changed" in capsys.readouterr().err


def test_a_cache_that_is_swapped(tmp_path: Path) -> None:
    """For that of another file: it is not taken for its own, and the model is the same."""
    path, other = write(tmp_path / "data.svm", n_rows=400), write(tmp_path / "other.svm", n_rows=300, seed=1)
    expected = bytes_of(Perceptron(readout="average", max_iter=3).fit_file(path), tmp_path)
    Perceptron(max_iter=1).fit_file(other, cache=tmp_path / "other.arrow")
    cache, done = tmp_path / "c.arrow", list[int]()

    def watch(so_far: Any) -> None:
        if so_far.over and not done:
            done.append(1)
            (tmp_path / "other.arrow").replace(cache)

    model = Perceptron(readout="average", max_iter=3).fit_file(path, cache=cache, watch=watch)
    assert done
    assert bytes_of(model, tmp_path) == expected
