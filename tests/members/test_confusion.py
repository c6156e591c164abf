"""Measures of a classifier: the numbers of scikit-learn's, over any blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

from rosenblatt.base.labels import NumberedLabels
from rosenblatt.services.comparison.confusion import Confusion, Majority, Ranking

ROWS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.booleans()), min_size=1, max_size=40)


@given(rows=ROWS, cut=st.integers(0, 40))
def test_auc_of_blocks(rows: list[tuple[bool, int, bool]], cut: int) -> None:
    positive, scores = np.array([row[0] for row in rows]), np.array([float(row[1]) for row in rows])  # many ties
    ranking = Ranking()
    ranking.add(positive[:cut], scores[:cut])
    ranking.add(positive[cut:], scores[cut:])
    if len(set(positive.tolist())) < 2:
        assert ranking.auc() is None
    else:
        assert ranking.auc() == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true", "ignore:A single label was found")
@given(rows=ROWS, cut=st.integers(1, 39))
def test_shares_of_blocks(rows: list[tuple[bool, int, bool]], cut: int) -> None:
    y, answers, classes = np.array([row[1] for row in rows]), np.array([row[1] * row[2] for row in rows]), np.arange(2)
    answers = np.clip(answers, 0, 1)
    found = Confusion.of(y[:cut], answers[:cut], classes)
    if cut < len(y):
        found += Confusion.of(y[cut:], answers[cut:], classes)
    assert found.balanced_accuracy == pytest.approx(balanced_accuracy_score(y, answers))
    expected = f1_score(y, answers, labels=found.classes, average=None, zero_division=np.nan)
    np.testing.assert_allclose(found.f1, expected)
    values, counts = np.unique(y, return_counts=True)
    assert found.majority == Majority.of(y)
    assert found.majority.label == values[counts.argmax()]
    assert found.majority.error == pytest.approx(1 - counts.max() / len(y))


def test_the_majority_of_numbered_labels() -> None:
    labels = NumberedLabels.of(["yes", "no"], np.array([1, 0, 1], dtype=np.int32))
    assert Majority.of(labels) == Majority.of(np.asarray(labels)) == Majority("no", 1, 1 / 3)
