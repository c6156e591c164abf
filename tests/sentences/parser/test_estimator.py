"""DependencyParser as an estimator: input, reproducibility, early stopping, partial_fit, pickles, threads."""

import hashlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks

from rosenblatt import DependencyParser, load, save
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.data.treebank import load_treebank

from .strategies import LINES, is_tree

SENTENCES, HEADS, LABELS = load_treebank()


@pytest.fixture(scope="module")
def model() -> DependencyParser:
    fitted: DependencyParser = DependencyParser().fit(SENTENCES, HEADS, LABELS)
    return fitted


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
def test_checks_of_scikit_learn(check: Any) -> None:
    check("DependencyParser", DependencyParser())


def test_more_labels_than_any_treebank_has() -> None:
    heads, labels = [[0, *range(1, 1000)]], [[f"label {k}" for k in range(1001)]]
    parser = DependencyParser(max_iter=1).fit([["word"] * 1000], heads, [labels[0][:1000]])
    assert len(parser.classes_) == 1000
    with pytest.raises(ValueError, match=r"labels: expected at most 1,000 different ones, .* found 1,001: are they"):
        DependencyParser().fit([["word"] * 1001], [[*heads[0], 1000]], labels)


def test_it_learns_its_treebank(model: DependencyParser) -> None:
    assert model.converged_
    assert model.score(SENTENCES, HEADS, LABELS) > 0.99
    last = clone(model).set_params(readout="last").fit(SENTENCES, HEADS, LABELS)
    assert last.predict(SENTENCES) == (HEADS, LABELS)  # also of the one whose tree is not projective
    assert model.classes_.tolist() == sorted({label for labels in LABELS for label in labels})
    assert model.n_iter_ == len(model.mistakes_) == len(model.sentence_mistakes_) == model.kept_pass_
    assert (model.mistakes_ >= model.sentence_mistakes_).all()
    assert (model.n_features_in_, model.pruned_) == (4, 0)


def test_new_sentences_get_trees(model: DependencyParser) -> None:
    random = np.random.default_rng(0)
    words = [token for sentence in SENTENCES for token in sentence]
    new = [[words[k] for k in random.integers(0, len(words), n)] for n in [0, 1, 2, *random.integers(3, 40, 50)]]
    heads, labels = model.predict(new)
    assert all(map(is_tree, heads))
    assert [list(map(len, one)) for one in (heads, labels)] == [list(map(len, new))] * 2
    assert all(
        (h == 0) == (label == "root") for a, b in zip(heads, labels, strict=True) for h, label in zip(a, b, strict=True)
    )


def test_before_the_fit() -> None:
    with pytest.raises(NotFittedError):
        DependencyParser().predict([["a"]])
    assert not hasattr(DependencyParser(), "classes_")


@pytest.mark.parametrize(
    ("heads", "labels", "error", "said"),
    [
        ([[2, 3]], [["a", "b"]], ValueError, "heads: word 2 of sentence 0: expected the number of a word"),
        ([[2, 1]], [["a", "b"]], ValueError, "heads: word 1 of sentence 0: expected a tree, found a cycle"),
        ([[0, 0]], [["a", "b"]], ValueError, "heads: word 2 of sentence 0: expected one root, found a second one"),
        ([[0, 2]], [["a", "b"]], ValueError, "heads: word 2 of sentence 0: expected another word as the head, found 2"),
        ([[0]], [["a", "b"]], ValueError, "heads: expected 2 heads for sentence 0, found 1"),
        ([[0, 1]], [["a"]], ValueError, "labels: expected 2 labels for sentence 0, found 1"),
        ([], [["a", "b"]], ValueError, "heads: expected the heads of 1 sentences, found 0"),
        ([[0.5, 1]], [["a", "b"]], TypeError, "heads: expected whole numbers, found float64"),
        ([["0", "1"]], [["a", "b"]], TypeError, "heads: expected whole numbers, found <U1"),
        ([[0, 2**40]], [["a", "b"]], TypeError, "heads: expected whole numbers"),
        ([[0, 1]], [["a", 3]], TypeError, "token 1 of sentence 0: expected a str, found a int"),
        ("ab", [["a", "b"]], TypeError, "heads: expected a list of sentences, found a str"),
    ],
)
def test_what_is_refused(heads: Any, labels: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        DependencyParser().fit([["x", "y"]], heads, labels)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="needs at least one word to learn from"):
        DependencyParser().fit([[]], [[]], [[]])
    with pytest.raises(ValueError, match="The 'beam' parameter"):
        DependencyParser(beam=0).fit(SENTENCES, HEADS, LABELS)
    with pytest.raises(TypeError, match="has no parameter 'template': did you mean 'templates'"):
        DependencyParser(template="rich")  # type: ignore[call-arg]


def test_one_word_and_more_words_than_were_learned() -> None:
    model = DependencyParser().fit([["yes"]], [[0]], [["root"]])
    heads, labels = model.predict([["yes"], ["oh", "yes", "no"]])
    assert heads[0] == [0]
    assert is_tree(heads[1])
    assert {label for of_sentence in labels for label in of_sentence} == {"root"}


def test_a_seed_is_a_run() -> None:
    one, same, other = (
        DependencyParser(max_iter=4, random_state=seed).fit(SENTENCES, HEADS, LABELS) for seed in (0, 0, 1)
    )
    arrays = [model._model.weights.arrays() for model in (one, same, other)]
    assert all(np.array_equal(a, b) for a, b in zip(arrays[0], arrays[1], strict=True))
    assert one.mistakes_.tolist() != other.mistakes_.tolist()
    # On every machine: these bytes were learned on one of them.
    digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays[0])).hexdigest()
    assert digest[:16] == DIGEST


DIGEST = "f0a7e8da832fe7cc"


def test_threads_change_nothing(model: DependencyParser) -> None:
    many = SENTENCES * 5
    expected = DependencyParser(n_jobs=1).set_params().fit(SENTENCES, HEADS, LABELS).predict(many)
    for n_jobs in (None, 2, 3, -1):
        assert clone(model).set_params(n_jobs=n_jobs).fit(SENTENCES, HEADS, LABELS).predict(many) == expected
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: model.predict(many), range(4))) == [expected] * 4


def test_the_readout_may_change_after_the_fit(model: DependencyParser) -> None:
    last = clone(model).set_params(readout="last").fit(SENTENCES, HEADS, LABELS)
    assert last.mistakes_.tolist() == model.mistakes_.tolist()
    other = pickle.loads(pickle.dumps(model)).set_params(readout="last")
    assert other.predict(SENTENCES) == last.predict(SENTENCES)


def test_early_stopping() -> None:
    words: Any = {"early_stopping": True, "validation_fraction": 0.3, "max_iter": 8, "prune": 0}
    model = DependencyParser(**words).fit(SENTENCES, HEADS, LABELS)
    scores = model.validation_scores_
    assert model.n_iter_ == int(scores.argmax()) + 1  # trained again on all, for so many passes
    assert 0.3 < scores.max() < 1
    kept = DependencyParser(**words, refit=False).fit(SENTENCES, HEADS, LABELS)
    assert kept.validation_scores_.tolist() == scores.tolist()
    assert (kept.n_iter_, kept.kept_pass_) == (len(scores), int(scores.argmax()) + 1)
    with pytest.raises(AttributeError, match="only if sentences were held out"):
        _ = DependencyParser().fit(SENTENCES, HEADS, LABELS).validation_scores_


def test_exploration_changes_the_run_from_the_second_pass_on() -> None:
    runs = [
        DependencyParser(exploration=e, max_iter=3).fit(SENTENCES, HEADS, LABELS).mistakes_.tolist() for e in (0, 0.9)
    ]
    assert runs[0][0] == runs[1][0]
    assert runs[0][1:] != runs[1][1:]


def test_pruning(model: DependencyParser) -> None:
    pruned = clone(model).set_params(prune=0.5).fit(SENTENCES, HEADS, LABELS)
    assert pruned.mistakes_.tolist() == model.mistakes_.tolist()
    assert 0 < pruned.n_weight_rows_ < model.n_weight_rows_
    assert pruned.pruned_ == 0.5
    assert pruned.score(SENTENCES, HEADS, LABELS) > 0.95


def test_partial_fit_learns_new_labels(model: DependencyParser) -> None:
    later = pickle.loads(pickle.dumps(model)).set_params(readout="last")
    before = later.predict(SENTENCES)
    later.partial_fit([["oh", "no"]], [[2, 0]], [["interjection", "top"]])
    assert {*later.classes_} == {*model.classes_, "interjection", "top"}
    assert clone(model).set_params(readout="last").fit(SENTENCES, HEADS, LABELS).predict(SENTENCES) == before
    for _ in range(20):
        later.partial_fit([["oh", "no"]], [[2, 0]], [["interjection", "top"]])
    assert later.predict([["oh", "no"]]) == ([[2, 0]], [["interjection", "top"]])


def test_a_beam() -> None:
    model = DependencyParser(beam=4, templates=LINES, max_iter=10).fit(SENTENCES, HEADS, LABELS)
    assert model.mistakes_[-1] < model.mistakes_[0]
    assert (model.mistakes_ == model.sentence_mistakes_).all()
    assert all(map(is_tree, model.predict(SENTENCES).heads))


def test_a_model_of_a_size(tmp_path: Path) -> None:
    """Small weights are left out until it fits, and not many more."""
    X, heads, labels = load_treebank()
    whole = DependencyParser(max_iter=3).fit(X, heads, labels)
    sizes = {}
    for size in (200, 100):
        model = DependencyParser(max_iter=3, max_size=f"{size}kB").fit(X, heads, labels)
        save(model, tmp_path / "m")
        sizes[size] = (tmp_path / "m").stat().st_size
        assert 700 * size < sizes[size] < 1000 * size + 10_000  # the record around the weights comes in addition
        assert 0 < model.n_weight_rows_ < whole.n_weight_rows_
        assert load(tmp_path / "m").predict(X) == model.predict(X)
    assert DependencyParser(max_iter=3, max_size="100MB").fit(X, heads, labels).n_weight_rows_ == whole.n_weight_rows_
    empty = DependencyParser(max_iter=1, max_size="0.01kB").fit(X, heads, labels)
    assert empty.n_weight_rows_ <= 1
    with pytest.raises(ParameterError, match="max_size: expected a size such as '2MB' or '500kB' or None, found 10"):
        DependencyParser(max_size=10).fit(X, heads, labels)
    with pytest.raises(ParameterError, match="max_size: expected None for partial_fit"):
        whole.set_params(max_size="1MB").partial_fit(X, heads, labels)


def test_where_a_language_has_no_parts_of_speech_of_its_own(tmp_path: Path) -> None:
    """The case stands beside the universal ones in their place, in training, in answers and in files."""
    words = [("ház", "NOUN", "Case=Nom|Number=Sing"), ("házat", "NOUN", "Case=Acc|Number=Sing"), ("lát", "VERB", "_")]
    X = [[(form, part, part, feats) for form, part, feats in words]] * 2
    like = {"NOUN": "NOUN|Case=", "VERB": "VERB"}
    with_case = [[(form, part, like[part] + feats[5:8], feats) for form, part, feats in words]] * 2
    heads, labels = [[3, 3, 0]] * 2, [["nsubj", "obj", "root"]] * 2
    lines = ["%x[s0,2]/%x[b0,2]"]
    seen = DependencyParser(templates=lines, max_iter=3).fit(with_case, heads, labels)
    model = DependencyParser(templates=lines, max_iter=3).fit(X, heads, labels)
    for a, b in zip(model._model.weights.arrays(), seen._model.weights.arrays(), strict=True):
        np.testing.assert_array_equal(a, b)
    save(model, tmp_path / "m")
    for parser in (model, load(tmp_path / "m")):
        assert parser.predict(X) == seen.predict(with_case)
