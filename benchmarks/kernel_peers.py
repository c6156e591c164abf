"""What others offer for kernels, set up for the same work. Each has `fit` and `predict`."""

import importlib.util
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from benchmarks.data import Array


def svc() -> Any:
    return SVC(C=10, gamma=0.02, cache_size=2000)


def nystroem(components: int, penalty: float) -> Any:
    """Features from the kernel with rows drawn by lot, then a linear classifier."""
    return make_pipeline(Nystroem(gamma=0.02, n_components=components, random_state=0), _linear(penalty))


def fourier(components: int, penalty: float) -> Any:
    """Random Fourier features, then the same."""
    return make_pipeline(RBFSampler(gamma=0.02, n_components=components, random_state=0), _linear(penalty))


def _linear(penalty: float) -> Any:
    return SGDClassifier(alpha=penalty, average=True, max_iter=5, tol=None, random_state=0)


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


class Libsvm:
    """libsvm by its own package, as SVC is set up above.

    It is loaded at once: its threads can be held to one only after that.
    """

    def __init__(self) -> None:
        from libsvm import svmutil

        self._svm = svmutil

    def fit(self, X: Array, y: Array) -> Self:
        problem = self._svm.svm_problem(y, sp.csr_matrix(X))
        self.model_ = self._svm.svm_train(problem, self._svm.svm_parameter("-c 10 -g 0.02 -m 2000 -q"))
        return self

    def predict(self, X: Array) -> Array:
        return np.asarray(self._svm.svm_predict([], sp.csr_matrix(X), self.model_, "-q")[0])


class VotedPerceptrons:
    """PyPI's votedperceptron, a machine a class: polynomial of degree 4, one pass. It adds the constant feature."""

    def fit(self, X: Array, y: Array) -> Self:
        from votedperceptron import VotedPerceptron

        kernel = {"kernel_type": "polynomial", "degree": 4, "gamma": 1, "coef0": 0}
        self.machines_ = [VotedPerceptron(kernel) for _ in range(10)]
        for digit, machine in enumerate(self.machines_):
            machine.train(X, np.where(y == digit, 1, -1))
        return self

    def predict(self, X: Array) -> Array:
        return np.asarray([np.argmax([machine.predict(x, "score") for machine in self.machines_]) for x in X])
