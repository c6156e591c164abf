"""The examples, as a user runs them."""

import importlib.util
import random
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def printed(name: str) -> str:
    result = subprocess.run([sys.executable, str(EXAMPLES / name)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("name", ["multiclass.py", "ranker.py", "parser.py"])
def test_small(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) < 80


def test_classes() -> None:
    text = printed("multiclass.py")
    mistakes = re.findall(r"Perceptron +(\d.*)", text)
    assert len(mistakes) == 2
    assert mistakes[0] == mistakes[1]
    assert mistakes[0].endswith("... 13 1 0")
    assert "to the bit: True" in text
    assert "all of it holds" in text


def test_ranker() -> None:
    text = printed("ranker.py")
    change, euro = map(float, re.findall(r"a change is ([\d.]+) minutes, a euro ([\d.]+)", text)[0])
    assert 15 < change < 25
    assert 2 < euro < 4
    new = [tuple(map(int, row)) for row in re.findall(r"(\d+) minutes, (\d+) euros, changes: (\d)", text)]
    assert len(new) == 4
    assert new == sorted(new, key=lambda route: route[0] + 3 * route[1] + 20 * route[2])
    assert "all of it holds" in text


def test_parser() -> None:
    text = printed("parser.py")
    assert "mistakes of each pass:" in text
    assert text.splitlines()[0].endswith(" 0")
    assert [right == of for right, of in re.findall(r"(\d+) of (\d+) heads right", text)] == [True] * 3


def is_projective_tree(heads: tuple[int, ...]) -> bool:
    arcs = [(min(child, head), max(child, head)) for child, head in enumerate(heads, start=1)]
    crossing = any(a < c < b < d for a, b in arcs for c, d in arcs)
    above = [0, *heads]
    for child in range(1, len(above)):
        steps, node = 0, child
        while node and steps <= len(heads):
            node, steps = above[node], steps + 1
        if node:
            return False
    return not crossing


@pytest.mark.parametrize("seed", range(20))
def test_eisner_finds_the_best_projective_tree(seed: int) -> None:
    parser, rng = module("parser"), random.Random(seed)
    x = [f"w/{rng.choice('ABC')}" for _ in range(rng.randint(1, 4))]
    trees = [y for y in product(range(len(x) + 1), repeat=len(x)) if is_projective_tree(y)]
    names = {name for y in trees for name in parser.features(x, y)}
    w = {name: rng.randint(-9, 9) for name in sorted(names, key=str)}

    def score(y: tuple[int, ...]) -> int:
        return sum(w[name] * count for name, count in parser.features(x, y).items())

    found = parser.decode(w, x)
    assert found in trees
    assert score(found) == max(map(score, trees))
