"""The program in this process, which is what most tests need, in a folder of its own with the files of data/."""

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped, unused-ignore]

from rosenblatt.data.treebank import treebank_path

DATA = Path(__file__).parent / "data"
SCHEMA = json.loads((DATA / "schema.json").read_text(encoding="utf-8"))


class Ended(NamedTuple):
    """How a run of the program ended, and what it said."""

    code: int
    out: str
    err: str

    def result(self, name: str) -> Any:
        """Its JSON, which must be as the schema says."""
        return checked(self.out, name)


def checked(line: str, name: str) -> Any:
    """A line of JSON, if it is as the schema says."""
    found = json.loads(line)
    Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(found)
    return found


@pytest.fixture
def json_of() -> Callable[[str, str], Any]:
    """A line of JSON, if it is as the schema says."""
    return checked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the files of data/ and the treebank that is shipped."""
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    shutil.copy(treebank_path(), tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def rosenblatt(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ended]:
    """The program: rosenblatt("trace", "and.csv", stdin=b"...")."""
    from rosenblatt.doors.cli.program import run

    def called(*args: str, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(args)
        return Ended(code, *capsys.readouterr())

    return called
