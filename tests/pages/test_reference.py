"""The reference has a page for every public name and every verb, and each of them has an example."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import api_pages
import click
import pytest
import verb_pages

import rosenblatt
from rosenblatt.doors.cli.command import WithExamples
from rosenblatt.doors.cli.program import VERBS, program
from tests.pages.page import ROOT, blocks, pages

INDEX = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")
MODULES = [name for name in api_pages.names() if isinstance(api_pages.named(name), ModuleType)]


def commands() -> Iterator[tuple[str, click.Command]]:
    """The verbs, and the verbs of verbs, by what is typed."""
    for verb in VERBS:
        command = program.get_command(click.Context(program), verb)
        assert command is not None
        yield verb, command
        if isinstance(command, click.Group):
            yield from ((f"{verb} {name}", own) for name, own in command.commands.items())


COMMANDS = dict(commands())


def test_the_index_has_every_public_name_once() -> None:
    names = re.findall(r"^\| \{py:obj\}`~rosenblatt\.(\w+)` \| \w", INDEX, re.MULTILINE)
    assert sorted(names) == sorted(rosenblatt.__all__)
    submodules = re.findall(r"^\| \{py:mod\}`(rosenblatt[\w.]+)` \| \w", INDEX, re.MULTILINE)
    assert sorted(submodules) == sorted(api_pages.SUBMODULES)


def test_what_pages_have_beside_them_is_there() -> None:
    beside = [name for names in api_pages.BESIDE.values() for name in names]
    assert set(api_pages.BESIDE) <= set(api_pages.names())
    assert len(beside) == len(set(beside))
    assert all(isinstance(api_pages.named(name), type) for name in beside)


def test_what_pages_import_has_a_page() -> None:
    codes = [block.code for page in pages() for block in blocks(page.read_text(encoding="utf-8"))]
    imported = {name for code in codes for name in re.findall(r"from (rosenblatt\.[\w.]+) import", code)}
    assert imported
    assert imported <= set(api_pages.names())


@pytest.mark.parametrize("name", [name for name in api_pages.names() if name not in MODULES])
def test_every_name_has_an_example(name: str) -> None:
    # They run where they are: as doctests of the package, those of classes in tests/project/test_public_classes.py.
    text = inspect.getdoc(api_pages.named(name)) or ""
    assert ">>>" in text
    assert "SKIP" not in text
    kind = "class" if isinstance(api_pages.named(name), type) else "function"
    assert re.search(
        rf"^\.\. auto({kind}|exception):: {re.escape(name)}$", "\n".join(api_pages.page(name)), re.MULTILINE
    )


@pytest.mark.parametrize("name", MODULES)
def test_every_module_lists_its_functions(name: str) -> None:
    module = api_pages.named(name)
    found = [getattr(module, one) for one in api_pages.members(module)]
    assert module.__doc__
    assert all(one.__doc__ for one in found)
    assert any(">>>" in one.__doc__ for one in found) or name == "rosenblatt.members.stopping"
    page = "\n".join(api_pages.page(name))
    assert all(f":: {name}.{one}\n" in page for one in api_pages.members(module))


def test_methods_of_a_class() -> None:
    ours, theirs = api_pages.methods(rosenblatt.Perceptron)
    assert {"fit", "partial_fit", "predict", "decision_function", "fit_file", "certificate"} <= set(ours)
    assert {"get_params", "sparsify", "set_fit_request"} <= set(theirs)


def test_the_index_has_every_verb() -> None:
    assert tuple(re.findall(r"\{doc\}`(\w+) <program/\1>`", INDEX)) == tuple(VERBS)
    for verb in VERBS:
        module, _, name = verb_pages.page(verb).split()[2].partition(":")
        assert getattr(import_module(module), name) is COMMANDS[verb]
        assert f":doc:`{verb}`" in verb_pages.index()


@pytest.mark.parametrize("typed", COMMANDS)
def test_every_verb_has_an_example(typed: str) -> None:
    # That they run is tested in tests/cli/test_help.py. The pictures of `plot` have theirs on its own page.
    command = COMMANDS[typed]
    shown: Any = command if isinstance(command, WithExamples) else COMMANDS[typed.split()[0]]
    assert any(f"rosenblatt {typed}" in line for line in shown.examples)


def test_examples_and_sections_are_shown() -> None:
    ctx = click.Context(COMMANDS["train"], info_name="rosenblatt train")
    usage, options = ["usage"], [".. option:: --tol <tol>", "", "   text", "", ".. option:: --readout <readout>", ""]
    verb_pages.with_examples(None, ctx, usage)
    assert "   $ rosenblatt train data.svm --model model.safetensors" in usage
    verb_pages.in_sections(None, ctx, options)
    places = [options.index(line) for line in (".. rubric:: Learning", ".. rubric:: Stopping")]
    assert places[0] < options.index(".. option:: --readout <readout>") < places[1]
    assert places[1] < options.index(".. option:: --tol <tol>")


@pytest.mark.parametrize("name", [name for name in rosenblatt.__all__ if hasattr(getattr(rosenblatt, name), "fit")])
def test_estimators_link_to_their_page(name: str) -> None:
    given: Any = {"StructuredPerceptron": (dict, max)}.get(name, ())
    model = getattr(rosenblatt, name)(*given)
    link = re.search(r'href="https://([^"]+)/reference/api/([^"]+)\.html"', model._repr_html_())
    assert link is not None
    assert link[1] in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert link[2] in api_pages.names()
