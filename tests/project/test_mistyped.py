"""A person who follows the README, a page or a --help and mistypes one word is told which, and what was meant."""

import shlex
from collections.abc import Iterator
from typing import Any

import click
import pytest

import rosenblatt
from rosenblatt.doors.cli.program import VERBS, program, run
from tests import oldest
from tests.pages.page import blocks, commands, pages


def typed() -> Iterator[list[str]]:
    """What consoles of the README and of the pages, and examples of the help, give the program."""
    for verb in verbs(program):
        for example in getattr(verb, "examples", []):
            yield from calls(example)
    for page in pages():
        for block in blocks(page.read_text(encoding="utf-8")):
            if block.language == "console":
                for command in commands(block):
                    if "No such option" not in command.expected:  # which is wrong on purpose
                        yield from calls(command.text)


def verbs(command: click.Command) -> Iterator[click.Command]:
    """A command, and those within it."""
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if (verb := command.get_command(context, name)) is not None:
                yield from verbs(verb)


def calls(command: str) -> Iterator[list[str]]:
    """The arguments of each call of the program in the first line of a command, which a here-document may follow."""
    line = shlex.shlex(command.replace("\\\n", " ").partition("\n")[0], posix=True, punctuation_chars=True)
    line.whitespace_split = True
    words: list[str] = []
    for word in [*line, ";"]:
        if not set(word) <= set("();<>|&"):
            words.append(word)
            continue
        if words[:1] == ["rosenblatt"]:
            yield words[1:]
        words = []


# Each option of each verb once. Of the shortest there is nothing to mistype.
OPTIONS = {
    (*(word for word in line[:2] if word in (*VERBS, "run", "eval")), word): (line, at)
    for line in typed()
    for at, word in enumerate(line)
    if word.startswith("--") and "=" not in word and len(word) > 4
}
ESTIMATORS = [found for name in rosenblatt.__all__ if hasattr(found := getattr(rosenblatt, name), "get_params")]


def mistyped(word: str) -> str:
    """Two letters in each other's place."""
    at = len(word) // 2
    while word[at] == word[at + 1]:
        at -= 1
    return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"


def test_there_is_something_to_mistype() -> None:
    assert len(OPTIONS) > 40
    assert [*calls("a | rosenblatt tag run 'b c' --json > d; x && rosenblatt demo  # --e")] == [
        ["tag", "run", "b c", "--json"],
        ["demo"],
    ]
    assert len(ESTIMATORS) > 5


@oldest.option_meant
@pytest.mark.parametrize(("line", "at"), OPTIONS.values(), ids=map(" ".join, OPTIONS))
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
    for name in estimator._parameters_class.declarations():
        if len(name) > 3:
            with pytest.raises(TypeError, match=rf"has no parameter '{mistyped(name)}': did you mean '{name}'"):
                estimator(**{mistyped(name): 1})
    with pytest.raises(TypeError, match=r"has no parameter 'zzz': it has \w+, "):
        estimator(zzz=1)
