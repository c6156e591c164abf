"""A kernel perceptron with a budget that learns without end, row by row.

Each row is a block of its own, and dense: products of blocks of another size, or of sparse rows, may have other bits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import answers, class_list, merge
from rosenblatt.base.rows import Matrix, SparseRows, as_rows, as_type, core_rows
from rosenblatt.members.kernel.learn import KernelMethod
from rosenblatt.members.kernel.learner import KernelLearner
from rosenblatt.members.kernel.model import KernelModel
from rosenblatt.members.kernel.parameters import KERNELS, KernelParameters
from rosenblatt.members.kernel.state import DualState
from rosenblatt.members.kernel.threads import Workers, workers
from rosenblatt.members.online_run import Answered, check_class_weight, check_endless
from rosenblatt.members.randomness import random_state

_ENDLESS: dict[str, tuple[tuple[Any, ...], str]] = {
    "readout": (("last", "average"), "others need every mistake ever made"),
    "normalise": ((False,), "it needs every mistake ever made"),
    "passes": ((None,), "there is one, without end"),
    "suffix": ((None,), "there is one pass, without end"),
    "kernel": (KERNELS[:-1], "rows that come have no kernel yet"),
    "early_stopping": ((False,), "each row is learned when it comes, and none is held out"),
}
_WIDEST = 2**16


class KernelOnline:
    """A kernel perceptron's run that is never over.

    Parameters
    ----------
    parameters
        Those of a `KernelPerceptron`, with a budget, and a gamma that needs no rows.
    before
        The model to go on from; it stays as it is.
    same_pass
        Whether its last pass goes on, as that of a run that `model` gave; else a new one begins.
    classes
        Labels that are known before the first row.

    Examples
    --------
    The lecture's XOR, twice.

    >>> run = KernelOnline(KernelParameters(kernel="poly", degree=2, coef0=1, gamma=1, budget=4))
    >>> X, y = [[-1, -1], [-1, 1], [1, -1], [1, 1]] * 2, [-1, 1, 1, -1] * 2
    >>> [taken.label for taken in run.learn(X, y)]
    [None, -1, -1, -1, -1, 1, 1, -1]
    """

    in_place, portion = True, 8

    def __init__(
        self,
        parameters: KernelParameters,
        before: KernelModel | None = None,
        *,
        same_pass: bool = False,
        classes: Any = None,
    ) -> None:
        check_endless(parameters, _ENDLESS)
        check_class_weight(parameters.class_weight)
        if parameters.budget is None:
            raise ParameterError("budget: expected the most support vectors of a run without end, found None")
        if parameters.kernel != "linear" and parameters.gamma == "scale" and before is None:
            raise ParameterError("gamma: expected a number or 'auto' before the first row, found 'scale'")
        self.parameters = parameters
        self._state: DualState | None = None
        self._classes = np.empty(0) if classes is None else class_list(classes)
        self._passes, self._n_seen, self._n_updates = list[int](), 0, 0
        self._n_features: int | None = None
        if before is not None:
            self._state = before.state.copy()
            self._passes, self._n_seen, self._n_updates = [*before.passes], before.n_seen, before.n_updates
            self._classes, self._n_features = before.classes, before.n_features
        self._begun = same_pass

    @property
    def classes(self) -> Array | None:
        """The labels so far."""
        return self._classes if len(self._classes) else None

    @property
    def n_features(self) -> int | None:
        """How wide rows are; None before the first."""
        return self._n_features

    def learn(self, X: Any, y: Sequence[Any]) -> list[Answered]:
        """Answer and learn each row, in order."""
        X = self._dense(X)
        with workers(None) as threads:
            return [self._learn_one(X[k : k + 1], label, threads) for k, label in enumerate(y)]

    def _dense(self, X: Any) -> Matrix:
        X = as_rows(X)
        if X.shape[1] > _WIDEST:
            raise ValueError(f"expected rows of at most {_WIDEST:,} features for a kernel, found {X.shape[1]:,}")
        return X.toarray() if isinstance(X, SparseRows) else X

    def _learn_one(self, x: Matrix, label: Any, threads: Workers) -> Answered:
        if self._state is None and len(self._classes):  # with labels that were told there is something to answer with
            method = KernelMethod(self.parameters, threads, listed=True)
            self._state = method.begin(self._classes, x, random_state(self.parameters.random_state))[0].state
        taken = None if self._state is None else self._labels(self._decision(x, threads))[0]
        self._n_seen += 1
        try:
            self._visit(x, label, threads)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):  # the numbers are too large to go on with
            return Answered(taken, learned=False)
        return Answered(taken)

    def _visit(self, x: Matrix, label: Any, threads: Workers) -> None:
        p, method = self.parameters, KernelMethod(self.parameters, threads, listed=True)
        core_rows(x)
        classes = merge(self._classes[:0] if not len(self._classes) else self._classes, np.asarray([label]))
        state = self._state
        if state is None:
            learner, _ = method.begin(classes, x, random_state(p.random_state))
        else:
            state = state if len(classes) == len(self._classes) else state.grown(self._classes, classes)
            learner = KernelLearner(p, state, threads)
        x = as_type(x, learner.dtype)
        target = np.array([1 if len(classes) == 1 else np.searchsorted(classes, label)], dtype=np.int32)
        weight = None if p.class_weight is None else np.array([p.class_weight.get(label, 1.0)], dtype=x.dtype)
        mistakes, _, updates = learner.train_more(x, target, weight, p.rule, number=np.array([self._n_seen - 1]))
        if not self._begun:
            self._passes, self._begun = [*self._passes, 0], True
        else:
            del learner.state.ends[-2]  # one pass, which goes on
        self._state, self._classes, self._n_features = learner.state, classes, x.shape[1]
        self._passes[-1] += int(mistakes[0])
        self._n_updates += updates

    def _decision(self, X: Matrix, threads: Workers) -> Array:
        state, p = self._state, self.parameters
        assert state is not None
        X = as_type(X, state.dtype)
        core_rows(X)
        return state.decision(X, p.answering, p.tie, threads)

    def _labels(self, decision: Array) -> list[Any]:
        labels = self._classes.tolist()
        if len(labels) == 1:
            return labels * len(decision)
        return [labels[k] for k in answers(decision, self.parameters.tie).tolist()]

    def answer(self, X: Any) -> tuple[list[Any], Array]:
        """The labels of rows as the model is now, and their scores."""
        with workers(None) as threads:
            decision = self._decision(self._dense(X), threads)
        return self._labels(decision), decision

    def model(self) -> KernelModel:
        """What was learned so far; all that came after `before` counts as one pass."""
        if self._state is None:
            raise ValueError("expected an example to learn from before there is a model, found none")
        state = KernelLearner(self.parameters, self._state.copy(), Workers(None)).finished()
        counts: Any = (self._n_features, self._n_seen, self._n_updates, [*self._passes])
        return KernelModel(self.parameters, self._classes, state, *counts)
