"""The greedy parser's rule is `structured` of plain.py with another decoder, where each configuration has one right
action and nothing is explored; and then Novikoff's theorem, as Collins has it, holds for its run.
"""

from itertools import islice
from typing import Any

import pytest

from rosenblatt import DependencyParser, StructuredPerceptron, check_run, plain

from .plain_parser import Configuration, Parser, attributes, costs
from .strategies import LINES, TEMPLATES

SENTENCES = [[("the", "D"), ("dog", "N"), ("barks", "V")], [("she", "P"), ("sees", "V"), ("a", "D"), ("cat", "N")]]
HEADS = [[2, 3, 0], [2, 0, 4, 2]]
LABELS = [["mod", "obj", "root"], ["obj", "root", "mod", "obj"]]
PARSER = Parser(TEMPLATES, ["mod", "obj"], ["root"])


def examples() -> tuple[list[Any], list[Any]]:
    """The configurations on the way to each tree, as (their attributes, what is allowed), and the right actions."""
    X, Y = [], []
    for x, heads, labels in zip(SENTENCES, HEADS, LABELS, strict=True):
        c, head, label = Configuration(len(x)), [-1, *heads], ["", *labels]
        while not c.done():
            allowed, cost = PARSER.allowed(c), costs(c, head)
            right = [a for a in allowed if cost[a[0]] == 0 and PARSER.is_right(c, a, head, label)]
            assert len(right) == 1  # of such sentences the test is about
            if len(allowed) > 1:
                X.append((tuple(attributes(TEMPLATES, c, x)), tuple(allowed)))
                Y.append(right[0])
            c.make(right[0])
    return X, Y


def features(x: Any, y: Any) -> dict[Any, int]:
    return {(f, y): 1 for f in x[0]}


def decode(w: Any, x: Any) -> Any:
    return max(x[1], key=lambda y: sum(w.get(name, 0) for name in features(x, y)))


@pytest.mark.parametrize("passes", [1, 2, 5])
def test_the_weights_are_those_of_the_structured_perceptron(passes: int) -> None:
    X, Y = examples()
    steps = list(islice(plain.structured(X, Y, features, decode), passes * len(X)))
    words: Any = {"templates": LINES, "exploration": 0.0, "shuffle": False, "max_iter": passes}
    model = DependencyParser(**words).fit(SENTENCES, HEADS, LABELS)
    *_, actions, w, _ = model._model.weights.arrays()
    number = {action: k for k, action in enumerate(PARSER.actions)}
    expected = sorted((number[action], weight) for (_, action), weight in steps[-1].items())
    assert sorted(zip(actions.tolist(), w.tolist(), strict=True)) == expected
    assert model._model.weights.visits == model.n_iter_ * len(X)


def test_the_theorem_holds_for_its_run() -> None:
    X, Y = examples()
    run = StructuredPerceptron(features, lambda w, x: decode(dict(w), x), keep_mistakes=True, shuffle=False).fit(X, Y)
    words: Any = {"templates": LINES, "exploration": 0.0, "shuffle": False, "max_iter": 50}
    model = DependencyParser(**words).fit(SENTENCES, HEADS, LABELS)
    assert model.mistakes_.tolist() == run.mistakes_.tolist()
    assert model.converged_
    found = check_run(run)
    assert found
    assert int(model.mistakes_.sum()) <= found.bound
    assert found.radius**2 == pytest.approx(2 * len(TEMPLATES))  # +1 and -1 for each template
