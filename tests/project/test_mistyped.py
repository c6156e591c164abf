"""A person who follows the README and mistypes one word gets an answer that helps: which word, and what was meant."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import rosenblatt
from rosenblatt.cli.program import VERBS, run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line, comments=True) for line in re.findall(r"^rosenblatt (.*)$", README, re.MULTILINE)]
OPTIONS = [(line, at) for line in COMMANDS for at, word in enumerate(line) if word.startswith("--")]
ESTIMATORS = [found for name in rosenblatt.__all__ if hasattr(found := getattr(rosenblatt, name), "get_params")]


def mistyped(word: str) -> str:
    """Two letters in each other's place."""
    at = len(word) // 2
    while word[at] == word[at + 1]:
        at -= 1
    return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"


def test_there_is_something_to_mistype() -> None:
    assert len(OPTIONS) > 10
    assert len(ESTIMATORS) > 5


@pytest.mark.parametrize(("line", "at"), OPTIONS)
def test_an_option(line: list[str], at: int, capsys: Any) -> None:
    right, wrong = line[at], mistyped(line[at])
    assert run([*line[:at], wrong, *line[at + 1 :]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert wrong in err
    assert right in err.partition("id you mean")[2]


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb(verb: str, capsys: Any) -> None:
    assert run([mistyped(verb)]) == 2
    assert f"No such command {mistyped(verb)!r}. Did you mean {verb!r}?" in capsys.readouterr().err


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_parameter(estimator: Any) -> None:
    for name in estimator._parameters_class.declared():
        if len(name) > 3:
            with pytest.raises(TypeError, match=rf"has no parameter '{mistyped(name)}': did you mean '{name}'"):
                estimator(**{mistyped(name): 1})
    with pytest.raises(TypeError, match=r"has no parameter 'zzz': it has \w+, "):
        estimator(zzz=1)
