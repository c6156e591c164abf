"""The package of models: made of a small treebank, built and put on the path as a user does it, and found by name."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import load
from rosenblatt.data.treebank import treebank_path

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ("Tokens", "Sentences", "Words", "UPOS", "Lemmas", "LAS", "MLAS", "BLEX")
ENDINGS = ("safetensors", "json", "LICENSE")
TEXT = "The old dog sleeps in the garden. A small cat watches the birds.\n"


def run(*command: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *map(str, command)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package without models, and beside it a treebank in three parts."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(ROOT / "models", folder / "models", ignore=shutil.ignore_patterns(*map("*.{}".format, ENDINGS)))
    sentences = treebank_path().read_text(encoding="utf-8").strip().split("\n\n")
    for part, chosen in (("train", sentences[:40]), ("dev", sentences[40:50]), ("test", sentences[50:])):
        put(folder / f"{part}.conllu", "\n\n".join(chosen) + "\n\n")
    put(folder / "TERMS", "Do with it what you like.\n")
    put(folder / "letter.txt", TEXT)
    return folder


def make(folder: Path, name: str, **other: str) -> subprocess.CompletedProcess[str]:
    parts = [folder / other.get(part, f"{part}.conllu") for part in ("train", "dev", "test")]
    return run(folder / "models" / "make.py", name, *parts, "--licence", folder / "TERMS")


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    made = make(folder, "tiny")
    assert (made.returncode, made.stderr) == (0, "")
    pip = (
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        "-w",
        folder,
        folder / "models",
    )
    built = run(*pip)
    assert built.returncode == 0, built.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


def test_a_wheel_has_model_licence_and_figures(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if name.startswith("rosenblatt_models/")}
        assert names == {f"rosenblatt_models/{name}" for name in ("__init__.py", *map("tiny.{}".format, ENDINGS))}
        figures = json.loads(file.read("rosenblatt_models/tiny.json"))
        assert file.read("rosenblatt_models/tiny.LICENSE") == b"Do with it what you like.\n"
    assert (figures["trained_on"], figures["right_on"]) == ("train.conllu", "test.conllu")
    for source in ("from_text", "from_tokens"):
        assert all(0 < figures[source][name] <= 100 for name in FIGURES)
    assert figures["from_tokens"]["Tokens"] == 100


def test_a_model_is_known_by_its_name(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "site")
    path = os.pathsep.join([str(folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    expected = load(folder / "site" / "rosenblatt_models" / "tiny.safetensors").annotate(TEXT).conllu
    answered = run("-m", "rosenblatt", "text", "run", "tiny", folder / "letter.txt", PYTHONPATH=path)
    assert (answered.returncode, answered.stderr, answered.stdout) == (0, "", expected)
    code = f"import rosenblatt, sys; print(rosenblatt.load('tiny').annotate({TEXT!r}).conllu, end='')"
    code += "; assert 'rosenblatt_models' not in sys.modules"
    assert run("-c", code, PYTHONPATH=path).stdout == expected
    counted = run("-m", "rosenblatt", "text", "eval", "tiny", folder / "test.conllu", "--json", PYTHONPATH=path)
    figures = json.loads((folder / "site" / "rosenblatt_models" / "tiny.json").read_text(encoding="utf-8"))
    las = json.loads(counted.stdout)["table"]["LAS"]["f1"]
    assert round(100 * las, 2) == figures["from_text"]["LAS"]
    other = run("-m", "rosenblatt", "text", "run", "xx", folder / "letter.txt", PYTHONPATH=path)
    assert (other.returncode, other.stdout) == (1, "")
    assert other.stderr.startswith("error: xx: No such file or directory, and no installed model of this name")
    assert "tiny" in other.stderr


def test_a_file_comes_before_an_installed_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="install a package such as rosenblatt-models"):
        load("xx")
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*xx\.st'$"):
        load("xx.st")
    put(tmp_path / "xx", "no model")
    with pytest.raises(ValueError, match="xx"):
        load("xx")


def test_what_is_refused(folder: Path) -> None:
    before = sorted((folder / "models" / "src").rglob("*"))
    assert re.search("expected letters and digits, such as en, found 'a/b'", make(folder, "a/b").stderr)
    binary = run(folder / "models" / "make.py", "de", *[folder / "test.conllu"] * 3, "--licence", sys.executable)
    assert "expected a licence as text in UTF-8" in binary.stderr
    missing = make(folder, "de", train="none.conllu")
    assert (missing.returncode, "none.conllu" in missing.stderr, "Traceback" in missing.stderr) == (1, True, False)
    assert sorted((folder / "models" / "src").rglob("*")) == before


def test_it_is_no_part_of_rosenblatt(tmp_path: Path) -> None:
    code = f"from scikit_build_core.build import build_sdist; print(build_sdist({str(tmp_path)!r}))"
    built = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    data = (tmp_path / built.stdout.split()[-1]).read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data)) as file:
        folders = {name.split("/")[1] for name in file.getnames()}
    assert {"src", "core", "pyproject.toml"} <= folders
    assert "models" not in folders
