"""The structured perceptron as a scikit-learn estimator. The member learns and answers."""

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows, as_scipy
from rosenblatt.doors.sklearn.estimator import FittedModel, parameters_of, public
from rosenblatt.members.structured.parameters import StructuredDeclaration, StructuredParameters
from rosenblatt.members.structured.perceptron import (
    StructuredModel,
    StructuredRun,
    examples,
    fit_structured,
    learn_more_structured,
)

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.structured import StructuredTrace


@public(StructuredParameters)
class StructuredPerceptron(FittedModel, BaseEstimator, StructuredDeclaration):
    """A perceptron whose answer is a structure: a sequence, a tree, a ranking, or a class.

    Attributes
    ----------
    weights_ : the weights that answer: by name, or an array
    n_iter_ : passes made
    converged_ : whether the last pass made no mistake
    mistakes_, n_updates_ : mistakes of each pass, and of all passes
    trace_ : with `keep_mistakes`, every update as data that prints

    Examples
    --------
    Which of two words is the verb, 0 or 1? The features of an answer are the ends of both words.

    >>> from rosenblatt import StructuredPerceptron
    >>> def features(x, y):
    ...     return {("verb", x[y][-2:]): 1, ("noun", x[1 - y][-2:]): 1}
    >>> def decode(weights, x):
    ...     return max((0, 1), key=lambda y: weights @ features(x, y))
    >>> X, y = [["flies", "walked"], ["dogs", "barked"], ["singing", "birds"]], [1, 1, 0]
    >>> model = StructuredPerceptron(features, decode, shuffle=False, keep_mistakes=True).fit(X, y)
    >>> model.mistakes_, model.converged_, model.predict([["cats", "hunted"], ["playing", "cats"]])
    (array([1, 0]), True, [1, 0])
    >>> print(model.trace_)
    pass  visit  example  right  answer  added                                                       |w|  k
       1      1        1  1      0       (verb, ed) +1, (noun, es) +1, (verb, es) -1, (noun, ed) -1    2  1
    converged: 6 visits in 2 passes, 1 update; at all other visits nothing had to change
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn from all examples, pass after pass, until one makes no mistake or `max_iter` ends it.

        Parameters
        ----------
        X
            Inputs: any objects that `features` and `decode` know.
        y
            The right outputs, as `decode` would give them.
        """
        parameters = parameters_of(self)
        self._model, end = fit_structured(parameters, X, y)
        if end == "limit" and parameters.is_default("max_iter"):
            warnings.warn(self._model.not_converged(), ConvergenceWarning, stacklevel=2)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learn from further examples: one pass in the listed order, starting from the current weights.

        Chained calls equal one listed pass of `fit` over all of the examples. Each call first copies the weights,
        because a call that fails must change nothing. So a few calls with many examples are cheaper than many calls
        with few.
        """
        self._model = learn_more_structured(parameters_of(self), vars(self).get("_model"), X, y)
        return self

    @property
    def n_iter_(self) -> int:
        """The number of passes."""
        return len(self._fitted_model().state.passes)

    @property
    def n_updates_(self) -> int:
        """The number of mistakes in all passes."""
        return int(self._fitted_model().state.n_updates)

    @property
    def converged_(self) -> bool:
        """Whether the last pass made no mistake."""
        return bool(self._fitted_model().converged)

    @property
    def mistakes_(self) -> Array:
        """The mistakes of each pass."""
        return np.array(self._fitted_model().state.passes)

    @property
    def weights_(self) -> Any:
        """The weights that answer: by name, or an array."""
        return self._fitted_model().weights(self.readout)

    def weights_for(self, readout: str) -> Any:
        """Return the weights of another readout, from the same run: "last" or "average"."""
        return self._fitted_model().weights(readout)

    def score_of(self, x: Any, y: Any) -> Any:
        """Return w.Phi(x, y), which `predict` maximises."""
        return self._fitted_model().score_of(x, y)

    def predict(self, X: Any) -> list[Any]:
        """The output for each input."""
        answers: list[Any] = self._fitted_model().predict(list(X))
        return answers

    def votes(self, x: Any) -> list[tuple[Any, int]]:
        """Return the answers of all weight vectors, each with the visits that they survived; the most votes first."""
        votes: list[tuple[Any, int]] = self._fitted_model().votes(x)
        return votes

    def score(self, X: Any, y: Any) -> float:
        """Return 1 minus the mean loss: without a `loss`, the share of outputs that are right."""
        return 1.0 - float(self._fitted_model().mean_loss(*examples(X, y)))

    @property
    def trace_(self) -> "StructuredTrace":
        """Every update as data that prints."""
        from rosenblatt.services.lessons.trace.structured import StructuredTrace

        return StructuredTrace.of(self._run)

    @property
    def _run(self) -> StructuredRun:
        """The run as users see it: rows are scipy's if their features are."""
        run: StructuredRun = self._fitted_model().state
        if not run.mistakes or not isinstance(run.mistakes[0].difference, SparseRows):
            return run
        mistakes = [mistake._replace(difference=as_scipy(mistake.difference)) for mistake in run.mistakes]
        return replace(run, mistakes=mistakes)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the run as plain objects, so that a pickle does not depend on the classes behind it."""
        state = dict(BaseEstimator.__getstate__(self))
        if "_model" in state:
            state["_model"] = state["_model"].state.as_plain()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        run = state.pop("_model", None)
        BaseEstimator.__setstate__(self, state)
        if run is not None:
            self._model = StructuredModel(parameters_of(self), StructuredRun.of_plain(run))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.no_validation = True  # only `features` and `decode` know what x is
        return tags
