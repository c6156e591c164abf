"""The members are registered once: each part is there, and no other file lists them."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import rosenblatt
from rosenblatt.base.declare import Parameters
from rosenblatt.members import MEMBERS, Member, register
from rosenblatt.members.model import Model

SOURCE = Path(rosenblatt.__file__).parent
# The public names are listed in two files of the package, for people and editors; a few members are what a page shows.
LISTS_OF_NAMES = {"__init__.py", "members/__init__.py"}
MOST = 3  # members that a display may name: a list of more is a registry


def registries(source: str) -> list[int]:
    """The lines of displays (lists, dicts, sets, tuples) that name more members than a file has business with."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict) and len({*_words(node)} & {*MEMBERS}) > MOST
    ]


def _words(node: ast.List | ast.Tuple | ast.Set | ast.Dict) -> list[Any]:
    entries = node.keys if isinstance(node, ast.Dict) else node.elts
    return [entry.value for entry in entries if isinstance(entry, ast.Constant)]


def test_no_other_file_lists_the_members() -> None:
    found = {path.relative_to(SOURCE).as_posix(): registries(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines and path not in LISTS_OF_NAMES} == {}


def test_a_second_registry_is_seen() -> None:
    planted = "HOMES = {'Perceptron': 1, 'KernelPerceptron': 2, 'LinearUnit': 3, 'SequenceTagger': 4}"
    assert registries(planted) == [1]
    assert registries("SHOWN = ['Perceptron', 'KernelPerceptron', 'LinearUnit']") == []


@pytest.mark.parametrize("kind", MEMBERS)
def test_every_part_is_there(kind: str) -> None:
    member = MEMBERS[kind]
    model, parameters, estimator = (member.load(part) for part in ("model", "parameters", "estimator"))
    assert issubclass(model, Model)
    assert not inspect.isabstract(model)
    assert (model.kind, model.parameters_of()) == (kind, parameters)
    assert model.conventions == " ".join(model.conventions.split())
    assert issubclass(parameters, Parameters)
    assert estimator is getattr(rosenblatt, kind)
    assert member.fit is None or callable(member.load("fit"))
    assert member.online is None or {"learn", "answer", "model"} <= {*dir(member.load("online"))}


def test_a_kind_is_registered_once() -> None:
    with pytest.raises(ValueError, match=re.escape("kind: expected a new name, found 'Perceptron'")):
        register(Member(kind="Perceptron", parameters="", model=""))
