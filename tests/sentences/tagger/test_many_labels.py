"""More labels than rows are written out for, and labels that share weights, against plain Python, exactly."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import SequenceTagger, _core, load, save
from rosenblatt.members.sentences.tagger.templates import parse

from .plain_chain import Run, best, ranked
from .strategies import lines, tokens

LABELS = [f"{part}-{k:02}" for part in "PQR" for k in range(24)]
shares = st.sampled_from([None, "-"])


@st.composite
def corpora(draw: Any) -> tuple[Any, Any]:
    """Sentences with labels of a few places among the many: most weights stay zero, and ties are everywhere."""
    X = draw(st.lists(st.lists(tokens, min_size=1, max_size=4), min_size=1, max_size=4))
    label = st.sampled_from(draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=6, unique=True)))
    return X, [[draw(label) for _ in sentence] for sentence in X]


@settings(max_examples=60, deadline=None)
@given(data=corpora(), lines=lines, share=shares)
def test_the_oracle(data: Any, lines: list[str], share: str | None) -> None:
    """What Viterbi's rule finds is the first of all sequences."""
    X, y = [sentence[:3] for sentence in data[0]], [tags[:3] for tags in data[1]]
    labels = sorted({tag for tags in y for tag in tags})[:4]
    run = Run(parse(lines), "mark", share).train(X, y, [range(len(X))])
    for sentence in X:
        expected = ranked(run.templates, run.w, sentence, labels, "mark", share)
        assert best(run.templates, run.w, sentence, labels, "mark", share) == expected[0][1]


@settings(max_examples=100, deadline=None)
@given(data=corpora(), lines=lines, share=shares)
def test_a_search_that_leaves_labels_out_finds_the_first_of_all_sequences(
    data: Any, lines: list[str], share: str | None
) -> None:
    """With few labels, so that all can be tried."""
    X, y = [sentence[:3] for sentence in data[0]], [tags[:3] for tags in data[1]]
    run = Run(parse(lines), "mark", share).train(X, y, [range(len(X))] * 2)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ChainTraining", "ChainTagger"):
            patch.setattr(_core, name, partial(getattr(_core, name), most_dense_labels=0))
        model = SequenceTagger(templates=lines, share=share, shuffle=False, max_iter=2).fit(X, y)
        for readout, w in (("last", run.w), ("average", run.average())):
            model.set_params(readout=readout)
            for sentence, tags in zip(X, model.predict(X), strict=True):
                expected = ranked(run.templates, w, sentence, model.classes_.tolist(), "mark", share)
                assert tuple(tags) == expected[0][1]
    assert list(zip(model.sentence_mistakes_, model.mistakes_, strict=True)) == run.mistakes


@settings(max_examples=40, deadline=None)
@given(data=corpora(), lines=lines, share=shares, known=st.integers(1, len(LABELS)))
def test_a_run_that_gets_more_labels(data: Any, lines: list[str], share: str | None, known: int) -> None:
    """At first only some of the labels are there, so that the rows of a few become those of many."""
    (X, y), model = data, SequenceTagger(templates=lines, share=share)
    run = Run(parse(lines), "mark", share)
    for classes in (LABELS[:known], LABELS, LABELS):
        there = sorted({*classes, *(tag for tags in y for tag in tags)})
        model.partial_fit(X, y, classes=classes)
        run.train(X, y, [range(len(X))], there)
        assert (model.sentence_mistakes_[-1], model.mistakes_[-1]) == run.mistakes[-1]
        assert model.classes_.tolist() == there
    for readout, w in (("last", run.w), ("average", run.average())):
        expected = [best(run.templates, w, sentence, LABELS, "mark", share) for sentence in X]
        model.set_params(readout=readout)
        assert list(map(tuple, model.predict(X))) == expected
        assert [tuple(found[0][0]) for found in model.predict_nbest(X, 2)] == expected


def sentences(seed: int, count: int) -> tuple[Any, Any]:
    """Words, and labels that mostly follow from them."""
    random = np.random.default_rng(seed)
    words = [random.integers(0, 200, size) for size in random.integers(1, 12, count)]
    tags = [
        np.where(random.random(len(one)) < 0.2, random.integers(0, len(LABELS), len(one)), one % 72) for one in words
    ]
    return [[f"w{word}" for word in one] for one in words], [[LABELS[tag] for tag in one] for one in tags]


@pytest.mark.parametrize("share", [None, "-"])
@pytest.mark.parametrize("step", ["perceptron", "pa1"])
def test_shards_threads_and_model_files(step: Any, share: str | None, tmp_path: Path) -> None:
    X, y = sentences(1, 300)
    words: Any = {"templates": ["U:%x[0,0]", "U1:%x[-1,0]", "B"], "step": step, "share": share, "max_iter": 3}
    model = SequenceTagger(**words).fit(X, y)
    assert len(model.classes_) > 64
    expected = model.predict(X)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict(X) == expected
    assert again.get_params() == model.get_params()
    for one in (model, again):
        one.partial_fit([["w1", "new"]], [["Q-00", "S-00"]])
    assert again.predict(X) == model.predict(X)
    sharded = [SequenceTagger(**words, shards=3, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2)]
    for found, other in zip(*(one._model.chain.arrays() for one in sharded), strict=True):
        np.testing.assert_array_equal(found, other)
    assert sharded[0]._model.chain.parts.tolist() == ([] if share is None else sharded[1]._model.chain.parts.tolist())


def test_shared_weights_tell_of_labels_that_were_not_seen_with_a_word() -> None:
    """Of a word that was a noun once, both cases are known to be nouns."""
    X = [["dog", "."], ["dogs", "!"], ["runs", "."], ["ran", "!"], ["dog", "!"]]
    y = [["N-1", "P"], ["N-2", "P"], ["V-1", "P"], ["V-2", "P"], ["N-1", "P"]]
    model = SequenceTagger(templates=["U:%prefix3[0,0]", "U1:%x[1,0]", "B"], share="-").fit(X, y)
    assert model.predict([["dogged", "!"]])[0][0][0] == "N"
    assert len(model._model.chain.parts) == 5
    assert model._model.chain.parts.max() == 2


def test_share_is_kept_and_refused() -> None:
    model = SequenceTagger(templates=["U:%x[0,0]"], share="-").fit([["a", "b"]], [["A-1", "A-2"]])
    before = vars(model).copy()
    with pytest.raises(ValueError, match=r"^share: expected what the weights were learned with, found None: use fit"):
        model.set_params(share=None).partial_fit([["a"]], [["A-1"]])
    assert model._model is before["_model"]
    with pytest.raises(ValueError, match=r"^share: expected a text that is not empty or None, found ''"):
        SequenceTagger(share="").fit([["a"]], [["A"]])
