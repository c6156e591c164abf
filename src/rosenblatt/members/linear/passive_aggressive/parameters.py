"""The parameters of scikit-learn's passive-aggressive classes, each declared once, and the perceptron's run they mean.

Crammer et al. 2006. A step is as long as in scikit-learn: |x|^2 does not count the constant feature.
"""

from typing import Any, ClassVar, Literal

from rosenblatt import _core
from rosenblatt.base.declare import CLASS_WEIGHTS, NOTHING, SEED, OneOf, Parameters, declaration, declare
from rosenblatt.members.linear.parameters import PerceptronParameters


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

    def perceptron(self, **more: Any) -> PerceptronParameters:
        """The same run in the perceptron's words."""
        same = ("C", "fit_intercept", "max_iter", "tol", "early_stopping", "validation_fraction", "n_iter_no_change")
        words = {name: getattr(self, name) for name in (*same, "shuffle", "random_state", "warm_start")}
        return PerceptronParameters(**words, readout=self.readout, step=self.step, multiclass="one-vs-rest", **more)

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
