"""What others offer for the same work, set up so that it is the same work: a given number of passes, no penalty."""

import importlib.util
from typing import Any

import scipy.sparse as sp
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.svm import LinearSVC

from benchmarks.data import Array
from benchmarks.timing import Seconds, once


def perceptron(passes: int, *, shuffle: bool = True) -> Any:
    return Perceptron(max_iter=passes, tol=None, shuffle=shuffle, random_state=0)


def perceptron_as_it_comes() -> Any:
    return Perceptron(random_state=0)


def averaged_perceptron(passes: int) -> Any:
    return SGDClassifier(
        loss="perceptron",
        average=True,
        penalty=None,
        learning_rate="constant",
        eta0=1,
        max_iter=passes,
        tol=None,
        random_state=0,
    )


def passive_aggressive(passes: int) -> Any:
    return SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=1, max_iter=passes, tol=None, random_state=0
    )


def hinge(**settings: Any) -> Any:
    return SGDClassifier(loss="hinge", random_state=0, **settings)


def linear_svm(**settings: Any) -> Any:
    return LinearSVC(random_state=0, **settings)


def has_river() -> bool:
    return importlib.util.find_spec("river") is not None


def river_epoch(X: sp.csr_matrix, y: Array, sample: int = 1_500) -> Seconds:
    """One pass of river's Perceptron, from the seconds of the first `sample` rows, as the dictionaries it takes."""
    from river.linear_model import Perceptron as RiverPerceptron

    sample = min(sample, len(y))
    rows = [dict(zip(x.indices.tolist(), x.data.tolist(), strict=True)) for x in (X[i] for i in range(sample))]
    labels = (y[:sample] == y.max()).tolist()
    model = RiverPerceptron()

    def learn() -> None:
        for row, label in zip(rows, labels, strict=True):
            model.learn_one(row, label)

    return once(learn) * (len(y) / sample)
