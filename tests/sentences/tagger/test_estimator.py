"""SequenceTagger as an estimator: input, reproducibility, early stopping, partial_fit, pickles."""

import io
import pickle
import pickletools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks

from rosenblatt import SequenceTagger, _core
from rosenblatt.members.sentences.corpus import as_corpus
from rosenblatt.members.sentences.tagger.templates import FileColumns

from .strategies import corpora, lines


def sentences(seed: int, count: int = 300) -> tuple[list[list[str]], list[list[str]]]:
    random = np.random.RandomState(seed)
    X = [[f"w{k}" for k in random.randint(40, size=random.randint(1, 9))] for _ in range(count)]
    return X, [["ABC"[(int(word[1:]) + (random.rand() < 0.1)) % 3] for word in words] for words in X]


def same(a: SequenceTagger, b: SequenceTagger) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a._model.chain.arrays(), b._model.chain.arrays(), strict=True))


# scikit-learn makes up no sentences, so that its checks with data cannot be run; these need none.
CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_set_params,
    estimator_checks.check_valid_tag_types,
]


@pytest.mark.parametrize("check", CHECKS)
def test_scikit_learn(check: Any) -> None:
    check("SequenceTagger", SequenceTagger())


def test_the_same_seed_makes_the_same_model() -> None:
    X, y = sentences(0)
    first, second, other = (SequenceTagger(random_state=seed).fit(X, y) for seed in (1, 1, 2))
    assert same(first, second)
    assert not same(first, other)
    assert pickle.dumps(first) == pickle.dumps(second)


def test_threads_and_processors_make_no_difference() -> None:
    X, y = sentences(0, 1000)
    model = SequenceTagger().fit(X, y)
    corpus, expected = as_corpus(X), model.predict(X)
    for threads in (1, 2, 5):
        found = model._model.answering().tag(model._model.compiled, corpus, threads)
        assert model.classes_[found].tolist() == [tag for tags in expected for tag in tags]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(model.predict, [X] * 4)) == [expected] * 4
    try:
        _core.use_avx2(use=False)
        assert same(model, SequenceTagger().fit(X, y))
        assert model.predict(X) == expected
    finally:
        _core.use_avx2(use=True)


def test_early_stopping() -> None:
    X, y = sentences(1)
    model = SequenceTagger(early_stopping=True, max_iter=20, n_iter_no_change=2, random_state=5).fit(X, y)
    scores = model.validation_scores_
    best = int(np.argmax(scores)) + 1
    assert len(scores) == min(20, best + 2)
    assert model.n_iter_ == best
    assert model._model.chain.visits == best * len(X)  # again, on all sentences
    part = SequenceTagger(early_stopping=True, max_iter=20, n_iter_no_change=2, random_state=5, refit=False).fit(X, y)
    assert part.validation_scores_.tolist() == scores.tolist()
    assert part._model.chain.visits == best * (len(X) - 30)


def test_early_stopping_needs_two_sentences() -> None:
    with pytest.raises(ValueError, match="early_stopping: expected rows to learn from and rows to hold out, found 1"):
        SequenceTagger(early_stopping=True).fit([["a"]], [["A"]])


@settings(max_examples=60, deadline=None)
@given(data=corpora(), lines=lines)
def test_partial_fit_equals_a_listed_pass(data: Any, lines: list[str]) -> None:
    X, y = data
    whole = SequenceTagger(templates=lines, max_iter=1, shuffle=False).fit(X, y)
    parts = SequenceTagger(templates=lines)
    for sentence, tags in zip(X, y, strict=True):
        parts.partial_fit([sentence], [tags], classes=whole.classes_)
    assert same(whole, parts)
    assert parts._model.chain.visits == len(X)


def test_partial_fit_takes_new_labels() -> None:
    model = SequenceTagger(templates=["U:%x[0,0]", "B"])
    model.partial_fit([["b", "d"]], [["B", "D"]])
    before = model.predict_nbest([["b", "d"]], 1)
    model.partial_fit([], [], classes=["A", "C", "E"])
    assert model.classes_.tolist() == ["A", "B", "C", "D", "E"]
    assert model.predict_nbest([["b", "d"]], 1) == before
    model.partial_fit([["a", "b"]] * 3, [["A", "B"]] * 3)
    assert model.predict([["a", "b", "d"]]) == [["A", "B", "D"]]


def test_pickle_and_clone() -> None:
    X, y = sentences(2)
    for step in ("perceptron", "pa1"):
        model = SequenceTagger(step=step, max_iter=2).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        assert same(model, again)
        assert again.predict(X) == model.predict(X)
        assert same(model.partial_fit(X, y), again.partial_fit(X, y))
        assert not hasattr(clone(model), "classes_")


def test_a_pickle_names_no_module_but_the_package() -> None:
    """So that it can be read after the modules have moved; all that is known of the fit comes back."""
    text = b"the DT B-NP\ndog NN I-NP\n\ndogs NNS B-NP\nbark VBP B-VP\n"
    model = SequenceTagger(templates="chunk", early_stopping=True).fit_file(io.BytesIO(text))
    model.predict([[("a", "DT")]])
    content = pickle.dumps(model)
    texts = {arg for _, arg, _ in pickletools.genops(content) if isinstance(arg, str)}
    assert {text for text in texts if text.startswith("rosenblatt")} == {"rosenblatt"}
    again = pickle.loads(content)
    assert again.file_columns_ == model.file_columns_ == FileColumns(universal=False, seen=(0, 1), tag=-1)
    assert again.file_columns_.seen == (0, 1)
    fitted = [name for name in dir(model) if name.endswith("_") and not name.startswith("_")]
    assert "validation_scores_" in fitted
    for name in fitted:
        np.testing.assert_equal(getattr(again, name), getattr(model, name))


def test_score() -> None:
    model = SequenceTagger().fit([["a", "b"]], [["A", "B"]])
    assert model.score([["a", "b"], []], [["A", "Z"], []]) == 0.5


BAD: list[tuple[Any, Any, type[Exception], str]] = [
    ("ab", [["A"]], TypeError, r"X: expected a list of sentences, found a str"),
    (["ab"], [["A"]], TypeError, r"X: expected sentence 0 to be a list, found a str"),
    ([["a"], 3], [["A"], []], TypeError, r"X: expected sentence 1 to be a list, found a int"),
    ([["a"]], [], ValueError, r"y: expected the labels of 1 sentences, found 0"),
    ([["a"], ["b", "c"]], [["A"], ["B"]], ValueError, r"y: expected 2 labels for sentence 1, found 1"),
    ([["a"], ["b", 1]], [["A"], ["B", "C"]], TypeError, r"token 1 of sentence 1: expected a str, found a int"),
    ([[("a", "X"), ("b",)]], [["A", "B"]], ValueError, r"token 1 of sentence 0: expected 2 columns, found \('b',\)"),
    ([["a"]], [[1]], TypeError, r"token 0 of sentence 0: expected a str, found a int"),
    ([[]], [[]], ValueError, r"at least one token to learn from, found none"),
    ([], [], ValueError, r"at least one token to learn from, found none"),
]


@pytest.mark.parametrize(("X", "y", "error", "message"), BAD)
def test_bad_input(X: Any, y: Any, error: type[Exception], message: str) -> None:
    model = SequenceTagger().fit([["a"], ["b"]], [["A"], ["B"]])
    before = vars(model).copy()
    with pytest.raises(error, match=message):
        model.fit(X, y)
    assert vars(model) == before


def test_not_fitted() -> None:
    with pytest.raises(NotFittedError):
        SequenceTagger().predict([["a"]])
    with pytest.raises(NotFittedError):
        SequenceTagger().predict_nbest([["a"]], 1)


def test_large_tag_sets() -> None:
    """A thousand labels."""
    X = [[f"w{k}" for k in range(s, s + 50)] for s in range(0, 1000, 50)]
    y = [[f"t{word[1:]}" for word in words] for words in X]
    model = SequenceTagger(templates=["U:%x[0,0]", "B"], max_iter=100, readout="last").fit(X, y)
    assert len(model.classes_) == 1000
    assert model.converged_
    assert model.predict(X) == y
