"""The core learns and parses as plain Python does: the same mistakes, weights, sums and trees, ties included."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DependencyParser
from rosenblatt.members.sentences.parser.learn import ParserRun, Treebank
from rosenblatt.members.sentences.parser.parameters import ParserParameters

from .plain_parser import Parser, explorer
from .strategies import LINES, TEMPLATES, is_tree, treebanks

TreebankLists = tuple[list[Any], list[list[int]], list[list[str]]]


def labels_of(treebank: TreebankLists) -> tuple[list[str], list[str]]:
    """Those of arcs between words, or all if there are none, and those of the root."""
    pairs = [
        (h, label) for heads, labels in zip(*treebank[1:], strict=True) for h, label in zip(heads, labels, strict=True)
    ]
    root = sorted({label for h, label in pairs if h == 0})
    return sorted({label for h, label in pairs if h != 0}) or root, root


def plain(treebank: TreebankLists, passes: int, beam: int, exploration: float, seed: int) -> tuple[Parser, list[int]]:
    """As the core's run in the listed order."""
    parser, mistakes = Parser(TEMPLATES, *labels_of(treebank)), list[int]()
    for number in range(passes):
        explores = explorer(seed, number, exploration if number > 0 else 0.0)
        made = 0
        for x, heads, labels in zip(*treebank, strict=True):
            head, label = [-1, *heads], ["", *labels]
            made += parser.learn(x, head, label, explores) if beam == 1 else parser.search(x, head, label, beam)
        mistakes.append(made)
        if made == 0:
            break
    return parser, mistakes


def check_run(treebank: TreebankLists, beam: int, exploration: float) -> None:
    passes = 4
    words = {"templates": LINES, "beam": beam, "exploration": exploration, "shuffle": False, "max_iter": passes}
    run = ParserRun(ParserParameters(**words), TEMPLATES, Treebank.of(*treebank))  # type: ignore[arg-type]
    model = run.fit()
    parser, mistakes = plain(treebank, passes, beam, exploration, run.seed or 0)
    assert model.mistakes.tolist() == mistakes
    assert model.weights.visits == parser.visits
    *_, actions, w, sums = model.weights.arrays()
    found = sorted(zip(actions.tolist(), w.tolist(), sums.tolist(), strict=True))
    number = {action: k for k, action in enumerate(parser.actions)}
    assert found == sorted((number[key[1]], value, parser.sums[key]) for key, value in parser.w.items())
    for readout in ("last", "average"):
        model.parameters = ParserParameters(**{**words, "readout": readout})  # type: ignore[arg-type]
        heads, labels = model.predict(treebank[0])
        assert list(zip(heads, labels, strict=True)) == [parser.parse(x, readout, beam) for x in treebank[0]]
        assert all(map(is_tree, heads))


@settings(max_examples=60, deadline=None)
@given(treebanks(), st.sampled_from([0.0, 0.5, 0.9, 1.0]))
def test_greedy(treebank: TreebankLists, exploration: float) -> None:
    check_run(treebank, 1, exploration)


@settings(max_examples=25, deadline=None)
@given(treebanks(3), st.sampled_from([2, 3, 8]))
def test_with_a_beam(treebank: TreebankLists, beam: int) -> None:
    check_run(treebank, beam, 0.0)


@settings(max_examples=30, deadline=None)
@given(treebanks())
def test_chained_partial_fits_are_a_listed_pass(treebank: TreebankLists) -> None:
    X, heads, labels = treebank
    words: Any = {"templates": LINES, "shuffle": False, "max_iter": 1}
    whole = DependencyParser(**words).fit(X, heads, labels)
    parts = DependencyParser(**words)
    if labels_of(treebank) != labels_of(([X[0]], [heads[0]], [labels[0]])):
        parts.partial_fit(X[:1], heads[:1], labels[:1])  # labels that come later begin with zero weights
        parts.partial_fit(X[1:], heads[1:], labels[1:])
        assert set(parts.classes_) >= set(whole.classes_)
        return
    for k in range(len(X)):
        parts.partial_fit(X[k : k + 1], heads[k : k + 1], labels[k : k + 1])
    one, other = (model._model.weights.arrays() for model in (whole, parts))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
