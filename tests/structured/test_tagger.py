"""The fast tagger is the structured perceptron with the plain chain: the same updates, weights, averages, exactly."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import SequenceTagger, StructuredPerceptron
from rosenblatt.members.sentences.tagger.templates import Template, parse

from ..sentences.tagger.plain_chain import attributes
from ..sentences.tagger.strategies import corpora
from .chain import Chain

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
LABELS = ["P", "P-2", "Q"]
UNIGRAMS = ["U0:%x[0,0]", "U1:%x[-1,0]/%x[0,1]", "U2:%x[1,1]", "U3:%x[-2,0]", "U4"]
lines = st.lists(st.sampled_from(UNIGRAMS), min_size=1, unique=True).map(lambda chosen: [*chosen, "B"])
boundaries: Any = st.sampled_from(["mark", "drop"])


def as_attributes(templates: list[Template], X: Any, boundary: str) -> list[list[list[str]]]:
    return [[attributes(templates, x, t, "U", boundary) for t in range(len(x))] for x in X]


def weights_of(model: SequenceTagger) -> dict[str, list[Fraction]]:
    """The weights of each readout that are not 0; which is whose, the scores of sequences tell."""
    *_, w, sums = model._model.chain.arrays()
    average = [Fraction(total, model._model.chain.visits) for total in (model._model.chain.visits * w - sums).tolist()]
    return {"last": sorted(filter(None, w.tolist())), "average": sorted(filter(None, average))}


def exact_weights(model: StructuredPerceptron) -> dict[str, dict[Any, Any]]:
    """The same of the other one, by name."""
    w, sums, n = model._run.w, model._run.sums, model._run.visits
    return {"last": w, "average": {name: Fraction(n * value - sums[name], n) for name, value in w.items()}}


def compare(fast: SequenceTagger, plain: StructuredPerceptron, X: Any, inputs: Any, chain: Chain) -> None:
    found = weights_of(fast)
    for readout, w in exact_weights(plain).items():
        assert found[readout] == sorted(filter(None, w.values()))
        fast.set_params(readout=readout)
        for x, (best, *others) in zip(inputs, fast.predict_nbest(X, 4), strict=True):
            assert best[0] == chain.decode(w, x)
            for y, score in (best, *others):  # the core sums integers and divides once
                assert score == float(sum(w.get(name, 0) * count for name, count in chain.features(x, y).items()))


@settings(max_examples=60, deadline=None)
@given(data=corpora(), lines=lines, boundary=boundaries, shuffle=st.booleans(), seed=st.integers(0, 5))
def test_the_same_run(data: Any, lines: list[str], boundary: Any, shuffle: bool, seed: int) -> None:
    X, y = data
    words: Any = {"max_iter": 3, "shuffle": shuffle, "random_state": seed}
    fast = SequenceTagger(templates=lines, boundary=boundary, **words).fit(X, y)
    chain, inputs = Chain(fast.classes_.tolist()), as_attributes(parse(lines), X, boundary)
    plain = StructuredPerceptron(chain.features, chain.decode, **words).fit(inputs, y)
    assert fast.sentence_mistakes_.tolist() == plain.mistakes_.tolist()
    assert (fast.n_iter_, fast.converged_) == (plain.n_iter_, plain.converged_)
    compare(fast, plain, X, inputs, chain)


@settings(max_examples=40, deadline=None)
@given(data=corpora(max_sentences=4), lines=lines, boundary=boundaries)
def test_update_for_update(data: Any, lines: list[str], boundary: Any) -> None:
    X, y = data
    fast, chain = SequenceTagger(templates=lines, boundary=boundary), Chain(LABELS)
    plain, inputs = StructuredPerceptron(chain.features, chain.decode), as_attributes(parse(lines), X, boundary)
    for x, seen, tags in zip(X, inputs, y, strict=True):
        fast.partial_fit([x], [tags], classes=LABELS)
        plain.partial_fit([seen], [tags])
        compare(fast, plain, X, inputs, chain)
