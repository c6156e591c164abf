"""Passive-aggressive steps (Crammer et al. 2006) in the words of scikit-learn's classes: for labels, and for numbers.

A row loses l = max(0, 1 - y s); with numbers l = max(0, |y - s| - epsilon). Then w <- w + tau y x (for numbers the sign
of y - s in the place of y), with tau = min(C, l / |x|^2), or for a squared loss tau = l / (|x|^2 + 1 / 2C): just far
enough, held by C. As in scikit-learn, |x|^2 does not count the constant feature. The run is the perceptron's.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.declare import CLASS_WEIGHTS, NOTHING, SEED, OneOf, Parameters, declaration, declare
from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows, without_duplicates
from rosenblatt.members.advice import PYTHON, Voice, more_passes
from rosenblatt.members.fit import fit, learn_more, one_pass
from rosenblatt.members.linear.model import LinearModel, run_from_record
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.randomness import hold_out, random_state
from rosenblatt.members.rows import InMemory, Order, Visits, WeightedRows
from rosenblatt.members.run import Watch
from rosenblatt.members.sample_weight import as_numbers, checked_weight, counting_rows, one_a_row
from rosenblatt.members.stopping import End


@declaration
class PassiveAggressiveDeclaration:
    """What the classifier and the regressor are made with."""

    C: float = declare(
        1.0,
        """How aggressive a step is. With the first `loss` no step is longer than `C`; with the squared one it softens
        each step.""",
        over=0,
    )
    fit_intercept: bool = declare(True, "Whether there is an intercept; |x|^2 does not count it, as in scikit-learn.")
    max_iter: int = declare(1000, "The most passes of `fit`.", least=1)
    tol: float | None = declare(
        1e-3,
        """End when the loss of a row, or with `early_stopping` the score on the part held out, has not improved by more
        than this for `n_iter_no_change` passes. None: do not.""",
        least=0,
    )
    early_stopping: bool = declare(
        False, "Whether to hold out a part of the rows and stop when the score on it no longer improves."
    )
    validation_fraction: float = declare(0.1, "The part held out.", over=0, below=1)
    n_iter_no_change: int = declare(5, "For how many passes the loss or the score may stand still.", least=1)
    shuffle: bool = declare(True, "Whether each pass takes the rows in a new random order; else in the listed one.")
    verbose: int = declare(0, "Whether to print a line after each pass.", least=0)
    random_state: Any = declare(None, "Seed of the orders and the part held out.", SEED)
    warm_start: bool = declare(False, "Whether a further `fit` starts from the last weights.")
    average: bool | int = declare(
        False,
        """Whether the mean of the weights after each visit answers, and not those after the last. A number over 1: the
        mean begins with the visit of this number.""",
        least=0,
    )


class PassiveAggressiveParameters(PassiveAggressiveDeclaration, Parameters):
    """What a run makes of the parameters that the classifier and the regressor share."""

    tie: ClassVar[str] = "mistake"
    counted: ClassVar[str] = "updates"

    @property
    def readout(self) -> Literal["last", "average"]:
        """Which weights answer."""
        return "average" if self.average else "last"

    @property
    def unaveraged(self) -> int:
        """How many visits the mean leaves out."""
        return max(0, int(self.average) - 1)

    @property
    def step(self) -> Literal["pa1", "pa2"]:
        """The step of this loss."""
        loss: str = getattr(self, "loss")  # noqa: B009 - each declares its own
        return "pa2" if loss.startswith("squared") else "pa1"

    def perceptron(self) -> PerceptronParameters:
        """The same run in the perceptron's words."""
        same = ("C", "fit_intercept", "max_iter", "tol", "early_stopping", "validation_fraction", "n_iter_no_change")
        words = {name: getattr(self, name) for name in (*same, "shuffle", "random_state", "warm_start")}
        words["class_weight"] = getattr(self, "class_weight", None)
        return PerceptronParameters(**words, readout=self.readout, step=self.step, multiclass="one-vs-rest")

    def rule(self) -> _core.Rule:
        """For the core."""
        return _core.Rule(
            tie=self.tie,
            margin=self.margin,
            step=self.step,
            C=self.C,
            r=1.0,
            multiclass="one-vs-rest",
            batch_size=1,
            norm_of_constant=False,
        )

    @property
    def margin(self) -> float:
        """How far the right answer must be ahead."""
        return 1.0


@declaration
class PassiveAggressiveClassifierDeclaration(PassiveAggressiveDeclaration):
    """What a `PassiveAggressiveClassifier` is made with."""

    loss: Literal["hinge", "squared_hinge"] = declare(
        "hinge", """"hinge": PA-I, no step is longer than `C`. "squared_hinge": PA-II."""
    )
    n_jobs: int | None = declare(
        None, "Changes nothing: all classes are learned in one pass over the rows.", nonzero=True
    )
    class_weight: Any = declare(
        None,
        """Weights of the classes: a dict, or "balanced".""",
        OneOf(("balanced",)),
        CLASS_WEIGHTS,
        NOTHING,
    )


class PassiveAggressiveClassifierParameters(PassiveAggressiveClassifierDeclaration, PassiveAggressiveParameters):
    """The parameters of a `PassiveAggressiveClassifier`."""


@declaration
class PassiveAggressiveRegressorDeclaration(PassiveAggressiveDeclaration):
    """What a `PassiveAggressiveRegressor` is made with."""

    loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = declare(
        "epsilon_insensitive",
        """"epsilon_insensitive": PA-I, no step is longer than `C`. "squared_epsilon_insensitive": PA-II.""",
    )
    epsilon: float = declare(0.1, "An output that is not farther than this from its number is left alone.", least=0)


class PassiveAggressiveRegressorParameters(PassiveAggressiveRegressorDeclaration, PassiveAggressiveParameters):
    """The parameters of a `PassiveAggressiveRegressor`."""

    @property
    def margin(self) -> float:
        """The gap of a number is minus its distance."""
        return -float(self.epsilon)


class PassiveAggressiveModel(LinearModel):
    """What both share."""

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """What to say of a run that `max_iter` has ended, where `tol` was to."""
        return (
            f"pass {len(self.passes)} was the last, and the loss still falls by more than {voice.parameter('tol')} a "
            f"pass: {more_passes(voice, self.passes)}, or raise {voice.parameter('tol')}"
        )


class PassiveAggressiveClassifierModel(PassiveAggressiveModel):
    """One row of weights for two classes, one a class for more."""

    kind: ClassVar[str] = "PassiveAggressiveClassifier"
    conventions: ClassVar[str] = (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = x.w + bias * last row of w; if `average` is not 0 and n = "
        "visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    )


class PassiveAggressiveRegressorModel(PassiveAggressiveModel):
    """One row of weights, whose scores are the numbers. It has no classes: `classes` is empty."""

    kind: ClassVar[str] = "PassiveAggressiveRegressor"
    conventions: ClassVar[str] = (
        "w: a weight a feature, the constant feature's last; output = x.w + bias * last of w; if `average` is not 0 "
        "and n = visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    )
    n_classes: ClassVar[None] = None

    @property
    def labels(self) -> None:
        """There are none."""
        return

    def predict(self, X: Matrix) -> Array:
        """The number of each row."""
        return self.decision(X)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:  # noqa: ARG003
        """From a record."""
        none = np.empty(0)
        return cls(parameters, none, n_features=n_features, **run_from_record(n_features, none, parts))


@dataclass(frozen=True)
class PassiveAggressiveMember(LinearMember):
    """The perceptron in the frames of a run, with these steps. `parameters` says `words` as a perceptron does."""

    words: Any

    @classmethod
    def of(cls, words: PassiveAggressiveParameters) -> Self:
        """With these parameters."""
        return cls(words.perceptron(), words)

    @property
    def model_class(self) -> type[LinearModel]:  # type: ignore[override]
        """Of labels."""
        return PassiveAggressiveClassifierModel

    def begin(
        self, classes: Array, X: Matrix, random: np.random.RandomState, start: Any = None
    ) -> tuple[LinearState, int | None]:
        """As a perceptron, but the average may begin later."""
        state, seed = super().begin(classes, X, random, start)
        return state.with_changes(unaveraged=self.words.unaveraged), seed

    def visit(self, state: LinearState, rows: WeightedRows, order: Order) -> Visits:
        """By the core."""
        rule = self.words.rule()
        return Visits(*state.train(rows.rows, rows.X, rows.target, rows.weight, rule, number=None, **order._asdict()))

    def model(self, state: LinearState, *counts: Any) -> LinearModel:
        """What was learned."""
        model: LinearModel = super().model(state, *counts)
        model.parameters = self.words
        return model


class NumbersMember(PassiveAggressiveMember):
    """The same for numbers: a row has lost if its output is farther than epsilon from its number."""

    @property
    def model_class(self) -> type[LinearModel]:  # type: ignore[override]
        """Of numbers."""
        return PassiveAggressiveRegressorModel

    def measure(self, target: Array, decision: Array, weight: Array | None) -> float:
        """R^2; it has no meaning where all numbers are the same, and the mean square stands for it."""
        squares = np.average((target - decision) ** 2, weights=weight)
        spread = np.average((target - np.average(target, weights=weight)) ** 2, weights=weight)
        return float(1 - squares / spread if spread > 0 else -squares)


def fit_classes(
    parameters: PassiveAggressiveClassifierParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    start: Any = None,
    before: LinearModel | None = None,
    watch: Watch | None = None,
) -> tuple[LinearModel, End | None]:
    """Learn labels; returns the model, and why the run has ended.

    `start`: the weights of this fit alone, as `init` has them; `before`: the model to start from.
    """
    start = start if before is None else before
    return fit(PassiveAggressiveMember.of(parameters), X, y, sample_weight, watch, start=start)


def learn_more_classes(
    parameters: PassiveAggressiveClassifierParameters,
    before: LinearModel | None,
    X: Any,
    y: Any,
    classes: Any = None,
    sample_weight: Any = None,
) -> LinearModel:
    """One pass over further rows, from `before`, which is used up, or from the start."""
    model: LinearModel = learn_more(PassiveAggressiveMember.of(parameters), before, X, y, classes, sample_weight)
    return model


def fit_numbers(
    parameters: PassiveAggressiveRegressorParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    start: Any = None,
    before: PassiveAggressiveRegressorModel | None = None,
    watch: Watch | None = None,
) -> tuple[PassiveAggressiveRegressorModel, End | None]:
    """Learn numbers; returns the model, and why the run has ended.

    >>> p = PassiveAggressiveRegressorParameters(fit_intercept=False, epsilon=0, C=10, max_iter=1, shuffle=False)
    >>> fit_numbers(p, [[1.0], [2.0]], [2.0, 1.0])[0].coef
    array([[0.5]])
    """
    p, member = parameters, NumbersMember.of(parameters)
    X, y, weight, number = _check_numbers(X, y, sample_weight)
    random, out = random_state(p.random_state), None
    if p.early_stopping:
        number, held_out = hold_out(number, p.validation_fraction, random)
        out = WeightedRows.of(X, y, weight, held_out)
    if len(number) < X.shape[0]:
        core_rows(X)  # before rows are taken from it: an error has the number of the row in X
    state, seed = member.begin(np.empty(0), X, random, start if before is None else before)
    stop, rows = member.stopping(len(number)), WeightedRows.of(X, y, weight, number)
    return InMemory(rows, member, state, np.empty(0), X.shape[1], X.shape[0], stop, seed, out).go(watch)


def learn_more_numbers(
    parameters: PassiveAggressiveRegressorParameters,
    before: PassiveAggressiveRegressorModel | None,
    X: Any,
    y: Any,
    sample_weight: Any = None,
) -> PassiveAggressiveRegressorModel:
    """One pass over further rows in the listed order, from `before`, which is used up, or from the start."""
    X, y, weight, number = _check_numbers(X, y, sample_weight)
    member = NumbersMember.of(parameters)
    if before is None:
        state, _ = member.begin(np.empty(0), X, random_state(parameters.random_state))
    else:
        X, state = before.rows(X), before.state
    y = np.asarray(as_type(y, state.dtype))
    model: PassiveAggressiveRegressorModel = one_pass(member, state, before, np.empty(0), X, y, weight, number)
    return model


def _check_numbers(X: Any, y: Any, sample_weight: Any) -> tuple[Matrix, Array, Array | None, Array]:
    """Rows, numbers, weights, and which rows have one that is not 0."""
    X = without_duplicates(as_rows(X))
    y = as_numbers(one_a_row(y, X, "numbers"), X.dtype)
    weight = None if sample_weight is None else checked_weight(sample_weight, X)
    return X, y, weight, counting_rows(weight, X.shape[0])
