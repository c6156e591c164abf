"""The classifier of texts: what it takes, answers, says and stores."""

import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from rosenblatt import Perceptron, TextClassifier, load, plain_text, save
from rosenblatt.services.records.model_file import summary

WORDS = {"red": ["rose", "cherry", "blood"], "green": ["grass", "leaf", "moss"], "blue": ["sky", "sea", "ink"]}


def sentences(n: int, colours: tuple[str, ...], *, seed: int = 0, wrong: float = 0) -> tuple[list[str], list[str]]:
    """Texts with a word of their colour among words that say nothing; some have a wrong label."""
    random = np.random.RandomState(seed)
    labels = [colours[k] for k in random.randint(len(colours), size=n)]
    fillers = [f"w{k}" for k in range(40)]
    texts = [" ".join([*random.choice(fillers, 6), random.choice(WORDS[label])]) for label in labels]
    return texts, [random.choice(colours) if random.rand() < wrong else label for label in labels]


TWO, THREE = ("red", "blue"), ("red", "green", "blue")


@pytest.mark.parametrize("colours", [TWO, THREE])
def test_it_learns(colours: tuple[str, ...]) -> None:
    model = TextClassifier().fit(*sentences(300, colours))
    texts, labels = sentences(200, colours, seed=1)
    assert model.score(texts, labels) == 1.0
    assert model.classes_.tolist() == sorted(colours)
    assert model.weighting_ == ("ratio" if len(colours) == 2 else "tfidf")
    assert model.chars_ == 4
    assert model.decision_function(texts).shape == ((200,) if len(colours) == 2 else (200, 3))


def test_the_rows_are_those_of_plain_text() -> None:
    texts, y = ["red red rose", "blue sky", "red sky", ""], ["a", "b", "a", "b"]
    model = TextClassifier(chars=0, weighting="tfidf", r=1, max_iter=2, probabilities=False).fit(texts, y)
    counted = [plain_text.features(text) for text in texts]
    scales = plain_text.scales(counted, [0, 1, 0, 1], "tfidf")
    rows = [plain_text.row(text, scales, "tfidf") for text in counted]
    merged, place = plain_text.merge_hapaxes(rows)
    X = np.zeros((4, max(column for row in merged for column in row) + 1))
    for number, row in enumerate(merged):
        X[number, list(row)] = list(row.values())
    passes = [Perceptron(step="arow", max_iter=n).fit(X, y) for n in (1, 2)]
    coef = np.mean([linear.coef_[0] for linear in passes], axis=0)
    weights = {feature: float(np.float16(coef[column] * share)) for feature, (column, share) in place.items()}
    scores = [sum(value * weights[feature] for feature, value in row.items()) for row in rows]
    scores += np.mean([linear.intercept_ for linear in passes])
    np.testing.assert_allclose(model.decision_function(texts), scores, atol=1e-5)


def test_reasons_in_a_notebook() -> None:
    model = TextClassifier().fit(*sentences(300, TWO))
    text = "w1 <b>sea</b> ink\nw2 rose"
    reasons = model.explain(text)
    assert (reasons.text, reasons.label) == (text, "blue")
    assert "".join(piece for piece, _ in reasons.pieces()) == text
    assert max(abs(share) for _, share in reasons.pieces()) == 1.0
    html = reasons._repr_html_()
    assert html.startswith('<p style="white-space: pre-wrap"><b>blue</b>: ')
    assert "&lt;" in html
    assert "<b>sea" not in html
    assert re.search(r'dotted rgb\(217 119 6\)" title="takes \d+% of the largest share">rose</mark>', html)
    assert re.search(r"solid rgb\(37 99 235\)[^>]+>sea</mark>", html)
    assert model.explain("")._repr_html_().endswith("</b>: </p>")
    assert pickle.loads(pickle.dumps(reasons)) == reasons


def test_noisy_labels_make_weaker_steps() -> None:
    assert TextClassifier().fit(*sentences(600, THREE)).r_ == 0.5
    assert TextClassifier().fit(*sentences(600, THREE, wrong=0.5)).r_ > 2
    assert TextClassifier(r=3).fit(*sentences(600, THREE, wrong=0.5)).r_ == 3


@pytest.mark.parametrize("length", [299, 301])
def test_short_texts_have_parts_of_words(length: int) -> None:
    texts = ["é" * (length // 2) + "x" * (length % 2), "y" * length]
    assert TextClassifier(probabilities=False).fit(texts, [0, 1]).chars_ == (4 if length < 300 else 0)


@pytest.mark.parametrize("convert", [list, tuple, np.array, pd.Series, polars.Series, pa.array, pd.Index])
def test_columns_of_any_library(convert: Any) -> None:
    texts, labels = sentences(60, TWO)
    model = TextClassifier(probabilities=False).fit(convert(texts), labels)
    again = TextClassifier(probabilities=False).fit(texts, labels)
    assert model.decision_function(convert(texts)).tobytes() == again.decision_function(texts).tobytes()


def test_bad_texts() -> None:
    texts, labels = sentences(60, TWO)
    model = TextClassifier(probabilities=False).fit(texts, labels)
    with pytest.raises(TypeError, match="X: expected a list of texts, found one text: put it into a list"):
        model.predict("a red rose")
    with pytest.raises(TypeError, match=r"X: expected texts, found None \(row 1\)"):
        model.predict(["fine", None])
    with pytest.raises(TypeError, match=r"X: expected texts, found \[1, 2\] \(row 0\)"):
        model.predict(np.array([[1, 2]]))
    with pytest.raises(ValueError, match="X: expected at least one text, found none"):
        model.predict([])
    with pytest.raises(ValueError, match="X: expected a text with a word, found none"):
        TextClassifier().fit(["", "  \n"], [0, 1])
    with pytest.raises(ValueError, match="y: expected 60 labels, one a text, found 59"):
        TextClassifier().fit(texts, labels[1:])
    with pytest.raises(ValueError, match=r"needs at least 2 classes, got samples of only one class: \['a'\]"):
        TextClassifier().fit(["x", "y"], ["a", "a"])
    for ask in (model.predict, lambda half: TextClassifier().fit(half, ["x", "y"])):
        with pytest.raises(ValueError, match=r"X: expected whole characters, found '\\ud800', .* \(row 1\)"):
            ask(["ä", "\ud800"])
    for table in (pd.DataFrame({"x": texts}), pa.table({"x": texts}), polars.DataFrame({"x": texts})):
        with pytest.raises(TypeError, match=r"X: expected one column of texts, found a table: choose its column"):
            model.predict(table)
    for kind in ({"red"}, {"red": 1}):
        with pytest.raises(TypeError, match=f"X: expected a list of texts, found a {type(kind).__name__}"):
            model.predict(kind)


@pytest.mark.parametrize("text", ["", "!!!", "😀😀", "\0", "שלום עולם", "x" * 100_000, "never seen"])
def test_any_text_has_an_answer(text: str) -> None:
    model = TextClassifier().fit(*sentences(100, THREE))
    assert model.predict([text])[0] in THREE
    assert model.predict_proba([text]).sum() == pytest.approx(1)
    shares = [reason.share for reason in model.explain(text)]
    assert all(map(math.isfinite, shares))


def test_probabilities() -> None:
    texts, labels = sentences(6000, THREE, wrong=0.3)
    model = TextClassifier().fit(texts, labels)
    texts, labels = sentences(2000, THREE, seed=2, wrong=0.3)
    p = model.predict_proba(texts)
    assert p.shape == (2000, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (model.classes_[p.argmax(axis=1)] == model.predict(texts)).all()
    right = model.predict(texts) == np.array(labels)
    assert abs(p.max(axis=1).mean() - right.mean()) < 0.03
    without = TextClassifier(probabilities=False).fit(texts, labels)
    assert not hasattr(without, "predict_proba")
    assert without.r_ == TextClassifier().fit(texts, labels).r_


def test_top() -> None:
    model = TextClassifier().fit(*sentences(300, THREE))
    best = model.top(["the blue sea", "moss"], k=2)
    assert [of_text[0][0] for of_text in best] == ["blue", "green"]
    assert [len(of_text) for of_text in best] == [2, 2]
    assert best[0][0][1] == model.predict_proba(["the blue sea"]).max()
    for k in 0, 1.5:
        with pytest.raises(ValueError, match=f"k: expected a whole number from 1 on, found {k}"):
            model.top(["x"], k=k)
    scores = TextClassifier(probabilities=False).fit(*sentences(300, TWO)).top(["sky"])
    assert scores == [[("blue", -scores[0][1][1]), ("red", scores[0][1][1])]]


@pytest.mark.parametrize("colours", [TWO, THREE])
def test_reasons_make_the_score(colours: tuple[str, ...]) -> None:
    model = TextClassifier(ngrams=3).fit(*sentences(300, colours))
    text = "Äh, the   SEA: sea w1 漢字 rose"
    for label in colours:
        reasons = model.explain(text, label)
        assert [text[reason.begin : reason.end] for reason in reasons] == [reason.word for reason in reasons]
        assert [reason.word for reason in reasons] == ["Äh", ",", "the", "SEA", ":", "sea", "w1", "漢", "字", "rose"]
        decision = model.decision_function([text])[0]
        number = model.classes_.tolist().index(label)
        score = decision[number] if len(colours) > 2 else decision if number else -decision
        constant = model.explain("", label)
        assert constant == []
        empty = model.decision_function([""])[0]
        base = empty[number] if len(colours) > 2 else empty if number else -empty
        assert sum(reason.share for reason in reasons) == pytest.approx(score - base, abs=1e-5)
    assert max(model.explain("w1 sea w2", "blue"), key=lambda reason: reason.share).word == "sea"
    with pytest.raises(ValueError, match=r"label: expected one of .*, found 'pink'"):
        model.explain(text, "pink")


@pytest.mark.parametrize("colours", [TWO, THREE])
@pytest.mark.parametrize("probabilities", [True, False])
def test_model_files(tmp_path: Path, colours: tuple[str, ...], probabilities: bool) -> None:
    texts, labels = sentences(300, colours)
    model = TextClassifier(probabilities=probabilities, class_weight="balanced").fit(texts, labels)
    save(model, tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.decision_function(texts).tobytes() == model.decision_function(texts).tobytes()
    assert again.explain(texts[0]) == model.explain(texts[0])
    assert (again.r_, again.weighting_, again.chars_) == (model.r_, model.weighting_, model.chars_)
    assert again.get_params() == model.get_params()
    if probabilities:
        assert again.predict_proba(texts).tobytes() == model.predict_proba(texts).tobytes()
    said = summary(tmp_path / "model")
    assert (said["class"], said["training"]["rows"]) == ("TextClassifier", 300)
    save(again, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_models_are_as_large_as_their_texts(tmp_path: Path) -> None:
    save(TextClassifier().fit(*sentences(300, THREE)), tmp_path / "model")
    assert (tmp_path / "model").stat().st_size < 60_000


def test_the_same_bytes_again(tmp_path: Path) -> None:
    texts, labels = sentences(200, THREE)
    for name in "ab":
        save(TextClassifier().fit(texts, labels), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_few_texts() -> None:
    model = TextClassifier().fit(["red", "blue"], ["x", "y"])
    assert model.predict(["red", "blue"]).tolist() == ["x", "y"]
    assert model.predict_proba(["red"])[0, 0] > 0.5


@pytest.mark.filterwarnings("ignore:Can't test estimator:sklearn.exceptions.SkipTestWarning")
def test_scikit_learn() -> None:
    check_estimator(TextClassifier())
    texts, labels = sentences(120, TWO)
    assert cross_val_score(TextClassifier(), texts, labels, cv=3).tolist() == [1.0, 1.0, 1.0]
    search = GridSearchCV(TextClassifier(probabilities=False), {"weighting": ["tfidf", "ratio"]}, cv=2)
    assert search.fit(texts, labels).best_score_ == 1.0
    assert clone(TextClassifier(ngrams=3)).ngrams == 3
    with pytest.raises(AttributeError, match="no r_ before it is fitted"):
        _ = TextClassifier().r_
    with pytest.raises(ValueError, match="weighting"):
        TextClassifier(weighting="bm25").fit(texts, labels)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no parameter 'ngram': did you mean 'ngrams'"):
        TextClassifier(ngram=2)  # type: ignore[call-arg]


@pytest.mark.parametrize("colours", [TWO, THREE])
def test_a_model_has_the_size_that_is_asked_for(colours: tuple[str, ...], tmp_path: Path) -> None:
    texts, labels = sentences(900, colours)
    texts = [f"{text} {k}x{k} {k}y{k}" for k, text in enumerate(texts)]
    whole = TextClassifier(max_iter=2, chars=0).fit(texts, labels)
    small = TextClassifier(max_iter=2, chars=0, max_size="20kB").fit(texts, labels)
    for model, left_out in ((whole, False), (small, True)):
        save(model, tmp_path / "m.safetensors")
        assert ((tmp_path / "m.safetensors").stat().st_size <= 20_000) == left_out
        again = load(tmp_path / "m.safetensors")
        assert np.array_equal(again.decision_function(texts), model.decision_function(texts))
    assert small.n_features_in_ < whole.n_features_in_
    assert small.score(*sentences(100, colours, seed=1)) == 1.0


@pytest.mark.parametrize(
    ("size", "error"), [("2", "such as"), (5, "such as"), ("2 MiB", "such as"), ("1kB", "too small")]
)
def test_bad_sizes(size: Any, error: str) -> None:
    with pytest.raises(ValueError, match=f"size: .*{error}"):
        TextClassifier(max_size=size).fit(*sentences(40, THREE))
