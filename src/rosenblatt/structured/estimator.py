"""The structured perceptron (Collins 2002): any output y, with joint features Phi(x, y), and a decoder, argmax w.Phi.

Where it answers z, not y: w <- w + tau (Phi(x, y) - Phi(x, z)). If some unit u has u.(Phi(x, y) - Phi(x, z)) >= delta
for every wrong z, and these differences are no longer than R, there are at most (R / delta)^2 mistakes, however many
outputs there are. Thin: the run is in `structured_run`, vectors of any kind are in `joint_features`.
"""

import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from rosenblatt import _core
from rosenblatt.learning.stopping import End, Stopping
from rosenblatt.plain import step_length
from rosenblatt.structured.features import as_vector, difference, score, squared_length, zeros_for
from rosenblatt.structured.state import Mistake, StructuredRun, same

if TYPE_CHECKING:
    from rosenblatt.trace.structured import StructuredTrace

Array = np.ndarray[Any, Any]


class StructuredPerceptron(BaseEstimator):
    """A perceptron whose answer is a structure: a sequence, a tree, a ranking, or a class.

    Parameters
    ----------
    features
        features(x, y): what x and y look like together, Phi(x, y). A dict from names to numbers, a 1-D array, or a
        sparse row. Of dicts, ints and Fractions stay exact.
    decode
        decode(weights, x): the y of the highest score, `weights @ features(x, y)`. `weights` goes by the names of a
        dict, where a missing one is 0, or is an array. Of equal scores it may take any, but should always take the
        same: ties are the decoder's.
    loss
        loss(y, z): how bad it is to answer z where y is right, 0 or more. PA steps until y is so far ahead of z;
        `score` is 1 less the mean loss. None: 1 for every z but y.
    rival
        rival(weights, x, y): the answer to learn against, which here may depend on y; y itself if there is nothing to
        learn. So the argmax of score plus loss(y, z) asks for a margin, and one that takes z for y if they are level
        counts a tie as a mistake. None: what `decode` says.
    readout
        Which weights answer. "last": those after the last visit. "average": the mean of the weights after each visit.
        "vote": every weight vector votes for a whole structure, once for each visit it survived; the first of equal
        ones wins. It never changes the run, and may be changed after the fit; a vote then needs `keep_mistakes`.
    step, C
        How far to step. "perceptron": 1. "pa", "pa1", "pa2": passive-aggressive, just far enough for the loss; `C` is
        the largest step of "pa1", the aggressiveness of "pa2".
    shuffle
        Whether each pass takes the examples in a new random order; else in the listed one.
    max_iter
        The most passes.
    early_stopping, validation_fraction, n_iter_no_change
        Whether to hold out a part of the examples, which part, and for how many passes the score on it may stand still.
    keep_mistakes
        Whether to keep the mistakes, and so `trace_`, the readout "vote" and what `check_run` needs.
    random_state
        Seed of the orders and the part held out.

    Attributes
    ----------
    weights_ : the weights that answer: by name, or an array
    n_iter_ : passes made
    converged_ : whether the last pass made no mistake
    mistakes_, n_updates_ : mistakes of each pass, and of all
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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "features": [callable],
        "decode": [callable],
        "loss": [callable, None],
        "rival": [callable, None],
        "readout": [StrOptions({"last", "average", "vote"})],
        "step": [StrOptions({"perceptron", "pa", "pa1", "pa2"})],
        "C": [Interval(Real, 0, None, closed="neither")],
        "shuffle": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "keep_mistakes": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        features: Callable[[Any, Any], Any],
        decode: Callable[[Any, Any], Any],
        *,
        loss: Callable[[Any, Any], Any] | None = None,
        rival: Callable[[Any, Any, Any], Any] | None = None,
        readout: Literal["last", "average", "vote"] = "average",
        step: Literal["perceptron", "pa", "pa1", "pa2"] = "perceptron",
        C: float = 1.0,
        shuffle: bool = True,
        max_iter: int = 100,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        keep_mistakes: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.features = features
        self.decode = decode
        self.loss = loss
        self.rival = rival
        self.readout = readout
        self.step = step
        self.C = C
        self.shuffle = shuffle
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.keep_mistakes = keep_mistakes
        self.random_state = random_state

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
        if self._fit(*_examples(X, y)) == "limit":
            warnings.warn(
                f"pass {self.n_iter_}, the last, still made {self.mistakes_[-1]} mistakes: either no weights get all "
                "examples right, and readout='average' answers better than 'last', or more passes would: max_iter",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _fit(self, X: list[Any], y: list[Any]) -> End | None:
        random = check_random_state(self.random_state)
        rows: Any = np.arange(len(X))
        held_out: Any = rows[:0]
        if self.early_stopping:
            rows, held_out = train_test_split(rows, test_size=self.validation_fraction, random_state=random)
            rows.sort()
        seed = int(random.randint(np.iinfo(np.int64).max, dtype=np.int64)) if self.shuffle else None
        run, cost, over = self._begin(X, y), 0.0, False
        stopping = Stopping(
            n_rows=len(rows),
            n_values=0,
            max_iter=self.max_iter,
            tol=0.0 if self.early_stopping else None,
            n_iter_no_change=self.n_iter_no_change,
        )
        while not over:
            order = rows[_core.order(len(rows), seed=seed, pass_number=len(run.passes))]
            self._pass(run, X, y, order.tolist())
            if self.early_stopping:
                answers = self._answers(run, [X[i] for i in held_out])
                cost = float(np.mean([self._loss(y[i], z) for i, z in zip(held_out, answers, strict=True)]))
            over = stopping.after(run.passes[-1:], cost)
        run.n_seen = len(X)
        self._set_run(run)
        return stopping.end

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learn from further examples: one pass in the listed order, from the weights as they are.

        Chained calls equal one listed pass of `fit` over all of the examples. The weights are copied first, as what
        fails changes nothing: many examples a call are cheaper than many calls.
        """
        X, y = _examples(X, y)
        run = self._run.copied() if hasattr(self, "_run") else self._begin(X, y)
        self._pass(run, X, y, range(len(X)), first=run.n_seen)
        run.n_seen += len(X)
        self._set_run(run)
        return self

    def _begin(self, X: list[Any], y: list[Any]) -> StructuredRun:
        w, sums = (zeros_for(self.features(X[0], y[0])) for _ in range(2))
        return StructuredRun(w, sums, [] if self.keep_mistakes or self.readout == "vote" else None)

    def _pass(self, run: StructuredRun, X: list[Any], y: list[Any], order: Any, first: int = 0) -> None:
        """One pass; `first` is the number of X[0] among all examples that were given."""
        run.passes.append(0)
        for i in order:
            z = self.decode(run.w, X[i]) if self.rival is None else self.rival(run.w, X[i], y[i])
            if not same(y[i], z):
                apart = difference(self.features(X[i], y[i]), self.features(X[i], z))
                norm2 = squared_length(apart)
                missing = 1 if self.step == "perceptron" else self._loss(y[i], z) - score(run.w, apart)
                if missing > 0:
                    tau = step_length(self.step, missing, norm2, 1, self.C)
                    run.add(Mistake(run.visits, len(run.passes), first + i, y[i], z, tau, apart))
                    run.passes[-1] += 1
            run.visits += 1

    def _loss(self, y: Any, z: Any) -> Any:
        loss = int(not same(y, z)) if self.loss is None else self.loss(y, z)
        if not 0 <= loss < float("inf"):
            raise ValueError(f"loss must be finite and not below 0; of {y!r} and {z!r} it is {loss!r}")
        return loss

    def _set_run(self, run: StructuredRun) -> None:
        self._run = run
        self.n_iter_, self.n_updates_, self.converged_ = len(run.passes), run.n_updates, run.passes[-1] == 0

    @property
    def mistakes_(self) -> Array:
        """The mistakes of each pass."""
        check_is_fitted(self)
        return np.array(self._run.passes)

    @property
    def weights_(self) -> Any:
        """The weights that answer: by name, or an array."""
        return self.weights_for(self.readout)

    def weights_for(self, readout: str) -> Any:
        """The weights that another readout answers with, from the same run: "last" or "average"."""
        check_is_fitted(self)
        if readout not in ("last", "average"):
            raise AttributeError(f"{readout!r} has no single weight vector; take weights_for('average') or ('last')")
        return self._run.weights(readout)

    def score_of(self, x: Any, y: Any) -> Any:
        """w.Phi(x, y), which `predict` makes as large as it can."""
        return score(self.weights_, as_vector(self.features(x, y)))

    def predict(self, X: Any) -> list[Any]:
        """The output for each input."""
        check_is_fitted(self)
        return self._answers(self._run, list(X))

    def votes(self, x: Any) -> list[tuple[Any, int]]:
        """The answers of all weight vectors, and how many visits those survived that give it; the most votes first."""
        check_is_fitted(self)
        return [(y, n) for y, n in sorted(self._run.votes(self.decode, [x])[0], key=lambda vote: -vote[1])]

    def score(self, X: Any, y: Any) -> float:
        """1 less the mean loss: without a `loss` the share of outputs that are right."""
        X, y = _examples(X, y)
        return 1.0 - float(np.mean([self._loss(*pair) for pair in zip(y, self.predict(X), strict=True)]))

    @property
    def trace_(self) -> "StructuredTrace":
        """Every update as data that prints."""
        from rosenblatt.trace.structured import StructuredTrace

        check_is_fitted(self)
        return StructuredTrace.of(self._run)

    def _answers(self, run: StructuredRun, X: list[Any]) -> list[Any]:
        if self.readout == "vote":
            return [max(votes, key=lambda vote: vote[1])[0] for votes in run.votes(self.decode, X)]
        return [self.decode(run.weights(self.readout), x) for x in X]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.no_validation = True  # only `features` and `decode` know what an x is
        return tags


def _examples(X: Any, y: Any) -> tuple[list[Any], list[Any]]:
    X, y = list(X), list(y)
    if len(X) != len(y) or not X:
        raise ValueError(f"X and y must be as many, and one at least; got {len(X)} inputs and {len(y)} outputs")
    return X, y
