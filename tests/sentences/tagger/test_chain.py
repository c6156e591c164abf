"""The core against a chain in plain Python, exactly: decoding, n best, updates, averages, number types."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import SequenceTagger, _core
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, number_labels
from rosenblatt.members.sentences.tagger.templates import build_templates, parse

from .plain_chain import Run, features, ranked
from .strategies import corpora, lines

PASSES = 3
boundaries = st.sampled_from(["mark", "drop"])


def fitted(data: Any, lines: list[str], **words: Any) -> SequenceTagger:
    model = SequenceTagger(templates=lines, max_iter=PASSES, **words)
    model.fit(*data)
    return model


def plain(data: Any, model: SequenceTagger) -> Run:
    """The same run. The seed is that of the fit, drawn as it draws it."""
    X, y = data
    seed = None
    if model.shuffle:
        seed = int(np.random.RandomState(model.random_state).randint(np.iinfo(np.int64).max, dtype=np.int64))
    orders = [_core.order(len(X), seed=seed, pass_number=k).tolist() for k in range(PASSES)]
    return Run(parse(model.templates), model.boundary, model.share, model.min_count).train(X, y, orders)


@settings(max_examples=150, deadline=None)
@given(data=corpora(), lines=lines, boundary=boundaries, shuffle=st.booleans(), share=st.sampled_from([None, "-"]))
def test_run_and_readouts(data: Any, lines: list[str], boundary: str, shuffle: bool, share: str | None) -> None:
    model = fitted(data, lines, boundary=boundary, shuffle=shuffle, random_state=3, share=share)
    run = plain(data, model)
    assert list(zip(model.sentence_mistakes_, model.mistakes_, strict=True)) == run.mistakes
    assert model.converged_ == (run.mistakes[-1] == (0, 0))
    for readout, w in (("last", run.w), ("average", run.average())):
        model.set_params(readout=readout)
        labels = model.classes_.tolist()
        for sentence, tags, best in zip(data[0], model.predict(data[0]), model.predict_nbest(data[0], 5), strict=True):
            expected = ranked(run.templates, w, sentence, labels, boundary, share)
            assert tuple(tags) == expected[0][1]
            assert [tuple(z) for z, _ in best] == [z for _, z in expected[:5]]
            # the sum of integers is exact, and is divided once
            assert [score for _, score in best] == [float(score) for score, _ in expected[:5]]


@settings(max_examples=100, deadline=None)
@given(data=corpora(), lines=lines, boundary=boundaries, share=st.sampled_from([None, "-"]), least=st.integers(2, 4))
def test_rare_attributes_are_left_out(
    data: Any, lines: list[str], boundary: str, share: str | None, least: int
) -> None:
    model = fitted(data, lines, boundary=boundary, share=share, min_count=least)
    run = plain(data, model)
    assert list(zip(model.sentence_mistakes_, model.mistakes_, strict=True)) == run.mistakes
    labels = model.classes_.tolist()
    for sentence, tags in zip(data[0], model.predict(data[0]), strict=True):
        assert tuple(tags) == ranked(run.templates, run.average(), sentence, labels, boundary, share)[0][1]


def test_rare_attributes_where_nobody_knows_which_they_are() -> None:
    model = SequenceTagger(min_count=2)
    with pytest.raises(ParameterError, match=r"min_count: expected 1 for partial_fit.*, found 2: further sentences"):
        model.partial_fit([["a"]], [["A"]])
    with pytest.raises(ParameterError, match="min_count: expected 1 in shards, found 2: no shard sees all tokens"):
        model.set_params(shards=2).fit([["a"], ["b"]], [["A"], ["B"]])
    chain = _core.Chain(labels=1, attributes=1, integers=True)
    words = build_templates(parse(["U:%x[0,0]"]), "mark"), as_corpus([["a"]]), np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="min_count must be at least 1"):
        _core.ChainTraining(chain, *words, min_count=0)


@settings(max_examples=100, deadline=None)
@given(data=corpora(max_labels=4), lines=lines, promotions=st.integers(0, 2), shuffle=st.booleans())
def test_number_types_make_the_same_run(data: Any, lines: list[str], promotions: int, shuffle: bool) -> None:
    model = fitted(data, lines, shuffle=shuffle)
    chain = _core.Chain(labels=len(model.classes_), attributes=len(lines), integers=True)
    corpus, templates = as_corpus(data[0]), build_templates(parse(lines), "mark")
    target = np.searchsorted(model.classes_, [tag for tags in data[1] for tag in tags]).astype(np.int32)
    training = _core.ChainTraining(chain, templates, corpus, target)
    for _ in range(promotions):
        training.promote()
    assert training.type == ["int16", "int32", "double"][promotions]
    seed = int(np.random.RandomState(0).randint(np.iinfo(np.int64).max, dtype=np.int64)) if shuffle else None
    for number, wrong in enumerate(model.mistakes_):
        words: dict[str, Any] = {"step": "perceptron", "C": 1.0, "sentences": np.arange(len(corpus))}
        assert training.run(**words, seed=seed, pass_number=number)[1] == wrong
    for found, expected in zip(training.chain().arrays(), model._model.chain.arrays(), strict=True):
        np.testing.assert_array_equal(found, expected)


def trained(X: Any, y: Any, lines: list[str], passes: int) -> _core.ChainTraining:
    """In the listed order."""
    classes, target = number_labels(as_tags(y, as_corpus(X)))
    chain = _core.Chain(labels=len(classes), attributes=len(lines), integers=True)
    training = _core.ChainTraining(chain, build_templates(parse(lines), "mark"), as_corpus(X), target)
    words: dict[str, Any] = {"step": "perceptron", "C": 1.0, "sentences": np.arange(len(X))}
    assert training.type == "int16"
    for number in range(passes):
        training.run(**words, seed=None, pass_number=number)
    return training


def test_weights_that_grow_are_promoted() -> None:
    """One attribute that all tokens share flips between two labels, ever further apart; nothing wraps."""
    X, y = [["a"] * 700, ["a"] * 700], [["P"] * 700, ["Q"] * 700]
    model = SequenceTagger(templates=[f"U{k}:%x[0,0]" for k in range(30)], max_iter=3, shuffle=False).fit(X, y)
    training = trained(X, y, [f"U{k}:%x[0,0]" for k in range(30)], passes=2)
    assert training.type == "int32"  # 700 is more than 32767 / (3 * 30)
    assert model.mistakes_.tolist() == [1400 - 700, 1400, 1400]
    assert max(abs(model._model.chain.arrays()[4])) == 700


def test_a_sentence_too_long_for_int16_is_promoted_before_it_wraps() -> None:
    n = 40_000
    model = SequenceTagger(templates=["U:%x[0,0]"], max_iter=1, shuffle=False).fit([["a"] * n], [["Q"] * n + []])
    assert model.mistakes_.tolist() == [0]  # the only label
    model = SequenceTagger(templates=["U:%x[0,0]"], max_iter=1, shuffle=False)
    model.fit([["a"] * n, ["b"]], [["Q"] * n, ["P"]])
    assert model.mistakes_.tolist() == [n]
    assert trained([["a"] * n, ["b"]], [["Q"] * n, ["P"]], ["U:%x[0,0]"], passes=1).type == "int32"
    assert sorted(model._model.chain.arrays()[4].tolist()) == [-n, n]


@settings(max_examples=60, deadline=None)
@given(data=corpora(max_tokens=3), lines=lines, step=st.sampled_from(["pa", "pa1", "pa2"]))
def test_first_passive_aggressive_step(data: Any, lines: list[str], step: Any) -> None:
    """From zero, the step is the root of the wrong labels over the squared length of all that is added."""
    X, y = data
    s = next((s for s, tags in enumerate(y) if any(tag != min(map(min, filter(None, y))) for tag in tags)), None)
    if s is None:
        return
    low = min(map(min, filter(None, y)))
    model = SequenceTagger(templates=lines, step=step, C=0.25, max_iter=1, shuffle=False, readout="last")
    model.partial_fit(X[: s + 1], y[: s + 1], classes=sorted({tag for tags in y for tag in tags}))
    change = features(parse(lines), X[s], y[s], "mark")
    change.subtract(features(parse(lines), X[s], [low] * len(X[s]), "mark"))
    norm2 = sum(count * count for count in change.values())
    loss = float(np.sqrt(sum(tag != low for tag in y[s])))
    tau = {"pa": loss / max(norm2, 1), "pa1": min(0.25, loss / max(norm2, 1)), "pa2": loss / (norm2 + 2)}[step]
    expected = sorted(tau * count for count in change.values() if count) if norm2 else []
    np.testing.assert_allclose(sorted(model._model.chain.arrays()[4]), expected, rtol=1e-12)
    if step == "pa" and norm2:
        scores = {tuple(z): score for z, score in model.predict_nbest([X[s]], 100)[0]}
        assert scores[tuple(y[s])] - scores[(low,) * len(y[s])] == pytest.approx(loss)


def test_passive_aggressive_averages_are_means() -> None:
    X, y = [["a", "b"], ["b", "a"], ["c", "a"]], [["P", "Q"], ["Q", "Q"], ["P", "P"]]
    model = SequenceTagger(templates=["U:%x[0,0]", "B"], step="pa1", shuffle=False)
    snapshots: list[dict[Any, float]] = []
    for sentence, tags in zip(X, y, strict=True):
        model.partial_fit([sentence], [tags], classes=["P", "Q"])
        keys, before, counts, labels, w, _ = model._model.chain.arrays()
        cells = list(
            zip(np.repeat(keys, counts).tolist(), np.repeat(before, counts).tolist(), labels.tolist(), strict=True)
        )
        snapshots.append(dict(zip(cells, w.tolist(), strict=True)))
    keys, before, counts, labels, w, sums = model._model.chain.arrays()
    cells = list(
        zip(np.repeat(keys, counts).tolist(), np.repeat(before, counts).tolist(), labels.tolist(), strict=True)
    )
    expected = [sum(snapshot.get(cell, 0.0) for snapshot in snapshots) / 3 for cell in cells]
    np.testing.assert_allclose((3 * w - sums) / 3, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n", [1, 7, 100])
def test_n_best_of_everything(n: int) -> None:
    """There are no more sequences than there are; they come in the order of brute force."""
    X, y = [["a", "b", "a"]], [["P", "Q", "R"]]
    model = SequenceTagger(templates=["U:%x[0,0]", "B"], max_iter=1, readout="last").fit(X, y)
    best = model.predict_nbest(X, n)[0]
    run = Run(parse(["U:%x[0,0]", "B"])).train([[("a",), ("b",), ("a",)]], y, [[0]])
    expected = ranked(run.templates, run.w, [("a",), ("b",), ("a",)], ["P", "Q", "R"], "mark")
    assert [(tuple(z), Fraction(score)) for z, score in best] == [(z, score) for score, z in expected[:n]]
