"""What pyproject.toml says of the package: a version for all, and an oldest version of everything it needs."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rosenblatt

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: needs for name, needs in PROJECT["optional-dependencies"].items() if name != "bench"}
NEEDED = [*PROJECT["dependencies"], *(one for needs in EXTRAS.values() for one in needs)]


def test_one_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [PROJECT["version"]] == [rosenblatt.__version__]


@pytest.mark.parametrize("one", [one for one in NEEDED if not one.startswith("rosenblatt[")])
def test_an_oldest_version_is_named(one: str) -> None:
    # `make test-oldest` installs just these; without one it would try the newest.
    assert re.match(r"[\w.-]+>=[\d.]+(; |$)", one)


def test_all_are_all() -> None:
    assert PROJECT["optional-dependencies"]["all"] == [f"rosenblatt[{','.join(sorted(set(EXTRAS) - {'all'}))}]"]
