"""Several labels a text: in Python as lists, in files with a separator; thresholds, F1, what is refused."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from rosenblatt import TextClassifier, load, save
from rosenblatt.members.linear.text.several import LabelSets, best_threshold, choose_thresholds, f1_of

WORDS = {"red": ["rose", "cherry", "blood"], "green": ["grass", "leaf", "moss"], "blue": ["sky", "sea", "ink"]}


def notes(n: int, *, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """Texts with a word for each of their labels, of which there may be none."""
    random = np.random.RandomState(seed)
    labels = [
        [colour for colour, share in zip(WORDS, (0.5, 0.4, 0.15), strict=True) if random.rand() < share]
        for _ in range(n)
    ]
    fillers = [f"w{k}" for k in range(40)]
    return [" ".join([*random.choice(fillers, 6), *(random.choice(WORDS[c]) for c in of)]) for of in labels], labels


def test_lists_of_labels(tmp_path: Path) -> None:
    model, (texts, labels) = TextClassifier().fit(*notes(800)), notes(300, seed=1)
    assert model.classes_.tolist() == ["blue", "green", "red"]
    answers = model.predict(texts)
    assert [type(of_text) for of_text in answers[:2]] == [list, list]
    assert [] in answers.tolist()
    has = LabelSets.of(labels, None, model.classes_).has
    micro, macro = f1_of(model.decision_function(texts) > 0, has)
    assert micro > 0.97
    assert macro > 0.95
    assert model.score(texts, labels) == np.mean([sorted(a) == sorted(b) for a, b in zip(answers, labels, strict=True)])
    p = model.predict_proba(texts)
    assert p.shape == (300, 3)
    np.testing.assert_array_equal(p > 0.5, model.decision_function(texts) > 0)
    assert abs(p.mean() - has.mean()) < 0.03
    assert [best[0][0] for best in model.top(["w1 w2 the sea", "moss w1"], k=2)] == ["blue", "green"]
    assert max(model.explain("w1 w2 the sea", "blue"), key=lambda reason: reason.share).word == "sea"
    save(model, tmp_path / "m.st")
    again = load(tmp_path / "m.st")
    np.testing.assert_array_equal(again.predict_proba(texts), p)
    assert again.predict(texts).tolist() == answers.tolist()


def test_a_separator_is_the_same() -> None:
    texts, labels = notes(400)
    joined = TextClassifier(label_separator=";").fit(texts, [";".join(of) for of in labels])
    lists = TextClassifier().fit(texts, labels)
    np.testing.assert_array_equal(joined.decision_function(texts), lists.decision_function(texts))
    assert joined.score(texts, [";".join(of) for of in labels]) == lists.score(texts, labels)


def test_a_rare_label_gets_a_threshold_below_zero() -> None:
    random = np.random.RandomState(0)
    rare = [
        ["common", "rare"] if random.rand() < 0.03 else ["common"] if random.rand() < 0.5 else [] for _ in range(1500)
    ]
    texts = [
        " ".join(
            [
                *random.choice([f"w{k}" for k in range(30)], 4),
                *(["bell"] if "common" in of else []),
                *(["horn"] if "rare" in of and random.rand() < 0.7 else []),
            ]
        )
        for of in rare
    ]
    model = TextClassifier(chars=0).fit(texts, rare)
    assert "rare" in model.predict(["w1 w2 horn w3"])[0]


def test_thresholds_by_hand() -> None:
    scores, right = np.array([3.0, 2.0, 1.0, 0.0]), np.array([True, False, True, False])
    assert best_threshold(scores, right) == 0.5  # F1 is 2/3, 1/2, 4/5, 2/3
    assert best_threshold(np.zeros(3), np.array([True, False, False])) < 0  # equal scores are answered alike
    decision = np.stack([scores, scores - 10], axis=1)
    has = np.stack([right, np.zeros(4, dtype=bool)], axis=1)
    found = choose_thresholds(decision, has)
    assert found.tolist() == [0.5, 0.5]  # a label that nobody has: the one for all labels


def test_f1_is_that_of_scikit_learn() -> None:
    random = np.random.RandomState(0)
    answers, has = random.rand(50, 6) < 0.4, random.rand(50, 6) < 0.4
    micro, macro = f1_of(answers, has)
    assert micro == pytest.approx(f1_score(has, answers, average="micro"))
    assert macro == pytest.approx(f1_score(has, answers, average="macro"))


def test_what_is_refused() -> None:
    texts = ["a b", "c d", "e f"]
    for y, words, message in (
        ([["x"], ["x"], []], {}, r"needs at least 2 labels, found \['x'\]"),
        ([["x"], ["y"]], {}, "expected 3 lists of labels, one a text, found 2"),
        ([["x"], "y", []], {}, r"expected a list of labels for each text, found 'y' \(row 1\)"),
        ([["x"], ["y"], []], {"weighting": "ratio"}, "expected neither weights nor 'ratio'"),
        (["x", "y", ""], {"label_separator": ""}, "label_separator: expected a text that is not empty or None"),
        ([["x"], ["y"], []], {"class_weight": {"x": 2}}, "expected neither weights nor 'ratio'"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            TextClassifier(**words).fit(texts, y)
    few = TextClassifier().fit(texts, [["x"], ["y"], ["x", "y"]])  # too few for thresholds
    assert few.predict_proba(texts).shape == (3, 2)
