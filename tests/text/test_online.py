"""Texts one after the other: the model does not depend on how they come in calls, and goes on from files and fits."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import TextClassifier, load, plain_text, save
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.online import TextOnline
from rosenblatt.members.linear.text.parameters import TextParameters


def notes(n: int, seed: int = 0) -> tuple[list[str], list[str]]:
    lot, y = np.random.default_rng(seed), ["red", "blue", "green"]
    words = ["rose cherry blood fire", "sea sky ink ocean", "leaf lawn moss frog"]
    labels = [y[k] for k in lot.integers(0, 3, n)]
    of = [words[y.index(label)].split() for label in labels]
    return [" ".join(lot.choice([*own, *["the", "a", "of", "and", "we"]], 6)) for own in of], labels


def scores(model: Any, texts: list[str]) -> bytes:
    return bytes(model.decision_function(texts).tobytes())


@pytest.mark.parametrize("weighting", ["auto", "log", "binary"])
@pytest.mark.parametrize("size", [1, 7])
def test_the_calls_do_not_matter(weighting: Any, size: int) -> None:
    texts, labels = notes(40)
    at_once = TextClassifier(weighting=weighting).partial_fit(texts, labels)
    in_calls: Any = TextClassifier(weighting=weighting)
    for first in range(0, 40, size):
        in_calls = pickle.loads(pickle.dumps(in_calls))
        in_calls.partial_fit(texts[first : first + size], labels[first : first + size])
    assert scores(in_calls, texts) == scores(at_once, texts)
    assert at_once.classes_.tolist() == ["blue", "green", "red"]


def test_it_learns(tmp_path: Path) -> None:
    texts, labels = notes(400)
    new, expected = notes(200, seed=1)
    model = TextClassifier().partial_fit(texts, labels)
    assert model.score(new, expected) > 0.9
    assert {reason.word for reason in model.explain("the rose", "red") if reason.share > 0.2} == {"rose"}
    assert model.top(["the rose"], 1)[0][0][0] == "red"
    save(model, tmp_path / "model")
    again = load(tmp_path / "model")
    assert scores(again, new) == scores(model, new)
    more, further = notes(50, seed=2)
    assert scores(again.partial_fit(more, further), new) == scores(model.partial_fit(more, further), new)


def test_a_fit_goes_on() -> None:
    texts, labels = notes(300)
    new, expected = notes(300, seed=1)
    fitted = TextClassifier(max_iter=3).fit(texts[:10], labels[:10])
    before = fitted.score(new, expected)
    after = fitted.partial_fit(texts[10:], labels[10:]).score(new, expected)
    assert after > max(before, 0.9)


def test_probabilities_of_a_fit_stay_until_a_label_comes(tmp_path: Path) -> None:
    texts, labels = notes(300)
    new, expected = notes(300, seed=1)
    fitted = TextClassifier().fit(texts, labels)
    assert fitted._fitted_model().calibration is not None
    before = fitted._fitted_model().calibration
    fitted.partial_fit(*notes(100, seed=2))
    p = fitted.predict_proba(new)
    assert fitted._fitted_model().calibration == before
    assert p[np.arange(300), np.searchsorted(fitted.classes_, expected)].mean() > 0.9
    save(fitted, tmp_path / "model")
    again = load(tmp_path / "model").partial_fit(["a red rose"], ["red"])
    assert again.predict_proba(new).sum(axis=1) == pytest.approx(np.ones(300))
    again.partial_fit(["snow"], ["white"])
    for late in (again, TextClassifier().partial_fit(texts, labels)):
        with pytest.raises(ValueError, match="expected a TextClassifier with probabilities, found scores alone"):
            late.predict_proba(new)


def test_two_classes_that_were_fitted_by_ratios_go_on(tmp_path: Path) -> None:
    """The scales stay as they are; a new feature has that of one that a single text has."""
    texts, labels = ["a red rose", "a blue sea", "red wine", "a blue sky"], ["red", "blue", "red", "blue"]
    model = TextClassifier(chars=0).fit(texts, labels)
    before: Any = model._model.encoding.encodings[0]
    at_once = TextClassifier(chars=0).fit(texts, labels)
    new, of_new = ["an icy fjord", "an icy sea", "a cherry", "a rose of blood"], ["blue", "blue", "red", "red"]
    save(model, tmp_path / "model")
    model = load(tmp_path / "model")
    for text, label in zip(new, of_new, strict=True):
        model.partial_fit([text], [label])
        save(model, tmp_path / "model")
        model = load(tmp_path / "model")
    assert model.predict(["icy", "cherry", "a fjord", "blood"]).tolist() == ["blue", "red", "blue", "red"]
    after = model._model.encoding.encodings[0]
    assert (model.weighting_, len(after.features) > len(before.features)) == ("ratio", True)
    known = np.isin(after.features, before.features)
    assert after.scales.scales[known].tolist() == before.scales.scales.tolist()
    assert set(after.scales.scales[~known].tolist()) == {float(np.float32(np.log(2)))}
    assert scores(at_once.partial_fit(new, of_new), texts + new) == scores(model, texts + new)


def test_ratios_need_texts_to_begin_with() -> None:
    expected = "^weighting: expected tfidf, log or binary to learn text by text from nothing, found ratio"
    with pytest.raises(ValueError, match=expected):
        TextClassifier(weighting="ratio").partial_fit(["red", "blue"], ["red", "blue"])


def test_rows_are_those_of_plain_python() -> None:
    """The scale of each text is that of tf-idf over the texts until then."""
    texts = ["the red rose rose", "the sea", "a red one"]
    run = TextOnline(TextParameters(chars=0))
    counted = [plain_text.features(text) for text in texts]
    for k, text in enumerate(texts):
        X = run._take([text])
        scales = plain_text.scales(counted[: k + 1], [0] * (k + 1), "tfidf")
        row = plain_text.row(counted[k], scales, "tfidf")
        assert X.data.tolist() == pytest.approx(list(row.values()), abs=1e-6)


def test_columns_beside_texts(tmp_path: Path) -> None:
    texts, labels = notes(60)
    numbers = np.arange(60.0).reshape(-1, 1)
    rows = TextRows([texts, texts[::-1]], numbers)
    whole = TextOnline(TextParameters())
    whole.learn(rows, labels)
    parts = TextOnline(TextParameters())
    for k in range(60):
        parts.learn(rows[k : k + 1], labels[k : k + 1])
    assert parts.decision(rows).tobytes() == whole.decision(rows).tobytes()
    model = whole.model()
    assert model.encoding.n_others == 1
    np.testing.assert_allclose(model.decision(rows), whole.decision(rows), rtol=1e-4, atol=1e-4)


def test_bad_calls() -> None:
    model = TextClassifier().partial_fit(*notes(20))
    for wrong, message in (("red", "expected a list of texts, found one text"), ([1], "expected texts, found 1")):
        with pytest.raises(TypeError, match=message):
            model.partial_fit(wrong, ["red"])
    with pytest.raises(ValueError, match="labels"):
        model.partial_fit(["a", "b"], ["red"])
    with pytest.raises(ValueError, match="y: expected one label a text to learn text by text, found a list of labels"):
        TextClassifier().partial_fit(["a", "b"], [["red"], []])
