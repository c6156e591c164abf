"""Names follow the glossary of CONTRIBUTING: what a program can tell of it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.project.imports import PACKAGE

FORBIDDEN = {"found", "given", "made", "taken", "said", "kept", "held", "told", "one", "own", "other"}
# Participles that do not end in -ed; and words that do, and are none.
IRREGULAR = re.compile(
    "found|given|made|taken|said|kept|held|told|begun|bound|broken|brought|built|chosen|done|drawn|gone|grown|hidden|"
    "known|left|lost|met|seen|sent|shown|thought|thrown|understood|written"
)
NO_PARTICIPLES = {"seed", "speed", "feed", "embed", "need", "exceed", "proceed", "red"}
# Names that people write or read: what an error found, an option, and the structured perceptron in plain Python.
PUBLIC = {
    "base/exceptions.py": {"found"},
    "services/lessons/trace/answers.py": {"found"},
    "doors/serve/limits.py": {"kept"},
    "plain.py": {"structured"},
}
# A class of a cluster has the name of the local one, whose place it takes.
TWICE = {"Perceptron": {"doors/dask", "doors/sklearn"}, "SequenceTagger": {"doors/dask", "doors/sklearn"}}


def names_against_the_glossary(source: str) -> list[str]:
    """The functions of a file that are named by a participle alone, and the forbidden names that it gives."""
    return [f"{line}: {name}" for line, name in sorted({*_names(ast.parse(source))})]


def _names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if is_participle(node.name) and not any("property" in ast.unparse(it) for it in node.decorator_list):
                yield node.lineno, node.name
        elif isinstance(node, ast.arg) and node.arg.strip("_") in FORBIDDEN:
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name.strip("_") in FORBIDDEN:
                yield node.lineno, name


def is_participle(name: str) -> bool:
    """Whether a name is one word, and that a participle; properties may be named so."""
    word = name.strip("_")
    return bool(IRREGULAR.fullmatch(word) or re.fullmatch("[a-z]+ed", word)) and word not in NO_PARTICIPLES


def classes_of_one_name(sources: dict[str, str]) -> dict[str, list[str]]:
    """The names that several classes have, with their files."""
    places = defaultdict(list)
    for path, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def _sources() -> dict[str, str]:
    paths: list[Path] = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_names_follow_the_glossary() -> None:
    names = {path: names_against_the_glossary(source) for path, source in _sources().items()}
    places = {(path, place.split()[1]) for path, those in names.items() for place in those}
    assert places == {(path, name) for path, allowed in PUBLIC.items() for name in allowed}


def test_a_class_name_occurs_once() -> None:
    places = classes_of_one_name(_sources())
    rooms = {name: {"/".join(path.split("/")[:2]) for path in paths} for name, paths in places.items()}
    assert {name: places[name] for name in places if rooms[name] != TWICE.get(name)} == {}


def test_planted_violations_are_seen() -> None:
    source = "class A:\n def _checked(self, given): self.made = 1\n @property\n def fitted(self): found = 1\n"
    assert names_against_the_glossary(f"{source}def seed(): ...") == ["2: _checked", "2: given", "2: made", "4: found"]
    assert classes_of_one_name({"a.py": source, "b.py": source, "c.py": ""}) == {"A": ["a.py", "b.py"]}
