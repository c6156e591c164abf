"""The parameters of the perceptron and of passive-aggressive steps, each declared once, and what a run derives from
them.

This file does not import numpy, because the command line builds its options from here.
"""

import math
from typing import Any, ClassVar, Literal

from rosenblatt import _core
from rosenblatt.base.declare import CLASS_WEIGHTS, NOTHING, NUMBERS, SEED, OneOf, Parameters, declaration, declare
from rosenblatt.members.offered import (
    NOT_CALIBRATED,
    NOT_HELD_OUT,
    NOT_VALIDATE,
    Limit,
    Limits,
    Way,
    no_zero_or_balanced,
    only,
)
from rosenblatt.members.parameters import RunDeclaration, RunParameters, default_rounds

_OTHERS = "votes and kept mistakes need every mistake of one run, a pocket all rows in one place"
_IN_BLOCKS = "votes and kept mistakes need the rows of all mistakes, a pocket all rows, and blocks of a file are let go"
_ONE_RUN: Limits = {
    "readout": only("last", "average", why=f"{_OTHERS}: use readout='average', or shards=1"),
    "keep_mistakes": only(False, why="shards make many runs: leave it out, or use shards=1"),
}
_OF_FILES: Limits = {
    "readout": only("last", "average", why=_IN_BLOCKS),
    "keep_mistakes": only(False, why=_IN_BLOCKS),
    "early_stopping": only(False, why="rows cannot be held out of a file; give another file to the evaluation"),
    "max_iter": NOT_VALIDATE,
}
_FROM_ZEROS = Limit(
    lambda init: isinstance(init, str) and init == "zeros",
    "'zeros'",
    "how many features there are is known at the end of the file",
)


@declaration
class PerceptronDeclaration(RunDeclaration):
    """The parameters of a `Perceptron`."""

    readout: Literal["last", "average", "vote", "pocket"] = declare(
        "last",
        """Which weights answer. "last": those after the last visit. "average": the mean of the weights after each
        visit, the best choice for real data. "vote": every weight vector votes, once for each visit it survived.
        "pocket": the weights with the fewest mistakes on the training set (each new weight vector is tried on it, which
        takes time on large inseparable data, so that max_iter="auto" makes fewer passes). Else it never changes the
        run, and it may be changed after the fit.""",
    )
    step: Literal["perceptron", "pa", "pa1", "pa2", "arow"] = declare(
        "perceptron",
        """How far to step. "perceptron": `eta0`. "pa", "pa1", "pa2": passive-aggressive, just far enough to reach the
        margin, limited by `C`. "arow": confidence-weighted, second order, with `r`.""",
    )
    margin: float | None = declare(
        None,
        """How far ahead the right answer must be: y s <= margin is a mistake. None: 0, and 1 for PA and AROW. For these
        y s = margin is right, as there is nothing to correct.""",
        least=0,
    )
    C: float = declare(1.0, """The largest step of "pa1", the aggressiveness of "pa2".""", over=0)
    r: float = declare(1.0, """The regularisation of "arow": the larger, the smaller its steps.""", over=0)
    init: Any = declare(
        "zeros",
        """The weights to start from. "random": normal. Or an array of one row for two classes, one a class for more;
        with an intercept the rows may have one entry more, the constant feature's weight first, as in the
        lectures.""",
        OneOf(("zeros", "random")),
        NUMBERS,
    )
    max_iter: int | Literal["auto", "validate"] = declare(
        "auto",
        """The most passes. "auto": until one is clean, or the rows are known to be inseparable and passes no longer get
        better. It has a budget of visits that separates small separable sets; over large sets it goes on as long as
        passes make fewer and fewer mistakes. "validate": as many as make the fewest mistakes on rows that are held out
        first, and then over all rows. See `rosenblatt.members.stopping`.""",
        least=1,
    )
    batch_size: int | Literal["all"] = declare(
        1,
        """How many rows are scored before the weights change. 1 is the online rule. b adds the mistakes of b rows as
        one sum; "all" is batch gradient descent on the perceptron loss.""",
        least=1,
    )
    fit_intercept: bool = declare(
        True, "Whether to add the lectures' constant feature, the same for dense and sparse data."
    )
    intercept_scaling: float = declare(1.0, "The value of the constant feature.", over=0)
    keep_mistakes: bool = declare(
        False,
        """Whether to keep the mistakes. So `dual_coef_` and the readouts "average" and "vote" are there, whatever
        `readout` is.""",
    )
    shards: int = declare(
        1,
        """How many parts the rows are cut into, which learn at the same time from the same weights, and are then mixed
        (McDonald, Hall, Mann 2010). 1: the sequential rule. The result depends on it and on the seed, never on how many
        threads do the work. On separable rows the mistakes, as they are mixed, are at most (R / gamma)^2, as those of
        one run; but many shards need more passes, see `rounds`. Not with the readouts "vote" and "pocket" and
        `keep_mistakes`.""",
        least=1,
    )
    rounds: int | Literal["auto"] = declare(
        "auto",
        """How often a pass mixes the `shards`. "auto": once for fewer than 16, then for every 8 of them. More rounds
        make up for many shards, but each costs a copy of the weights a shard.""",
        least=1,
    )
    warm_start: bool = declare(False, "Whether a further `fit` starts from the last weights.")


class PerceptronParameters(PerceptronDeclaration, RunParameters):
    """The parameters of a `Perceptron`, and what a run derives from them."""

    offered: ClassVar[dict[Way, Limits]] = {
        "more": {"early_stopping": NOT_HELD_OUT, "probabilities": NOT_CALIBRATED},
        "shards": _ONE_RUN,
        "cluster": {
            **_ONE_RUN,
            "early_stopping": only(False, why="no row is drawn from shards that are elsewhere; use tol, or max_iter"),
            "max_iter": NOT_VALIDATE,
            "probabilities": NOT_CALIBRATED,
        },
        "stream": {
            **_OF_FILES,
            "shards": only(1, why="shards need the rows in memory"),
            "warm_start": only(False, why="use partial_fit with the blocks of iter_svmlight"),
            "batch_size": only(1, why="a batch would depend on how the file falls into blocks"),
            "init": _FROM_ZEROS,
            "class_weight": no_zero_or_balanced("how many rows a class has is known at the end of the file"),
            "probabilities": NOT_CALIBRATED,
        },
        "endless": {
            "readout": only("last", "average", why=_OTHERS),
            "keep_mistakes": only(False, why="there is no end of them"),
            "shards": only(1, why="rows come one after the other"),
            "batch_size": only(1, why="each row is learned when it comes"),
            "early_stopping": only(False, why="each row is learned when it comes, and none is held out"),
            "class_weight": no_zero_or_balanced("how many rows a class will have is not known"),
            "probabilities": NOT_CALIBRATED,
        },
    }

    @property
    def has_margin(self) -> bool:
        """True with a positive margin: that is the default of PA and AROW."""
        return self.step != "perceptron" or bool(self.margin)

    @property
    def unit(self) -> float:
        """The unit of the weights: the learning rate, if it only scales them. See core/base/step.hpp."""
        return float(self.eta0) if self.step == "perceptron" else 1.0

    @property
    def bias(self) -> float:
        """The value of the constant feature; 0 if there is none."""
        return float(self.intercept_scaling) if self.fit_intercept else 0.0

    @property
    def n_rounds(self) -> int:
        """How often a pass mixes the shards; 1 for a single shard, because it has nothing to mix."""
        if self.shards == 1:
            return 1
        return default_rounds(self.shards) if self.rounds == "auto" else int(self.rounds)

    def rule(self, n_samples: int) -> _core.Rule:
        """The rule of a run over this number of rows, for the core."""
        return _core.Rule(
            tie=self.tie,
            margin=resolve_margin(self.margin, self.step) / self.unit,
            step=self.step,
            C=self.C,
            r=self.r,
            multiclass=self.multiclass,
            batch_size=resolve_batch_size(self.batch_size, self.step, n_samples),
        )


READOUTS = PerceptronParameters.declarations()["readout"].words


def resolve_margin(margin: float | None, step: str) -> float:
    """The given margin; the default is 0 for the perceptron, and 1 for PA and AROW."""
    if margin is None:
        return 0.0 if step == "perceptron" else 1.0
    if margin == 0 and step != "perceptron":
        raise ValueError(f"margin must be over 0 with step={step!r}, whose step is as long as the margin is missed by")
    if not math.isfinite(margin):
        raise ValueError(f"margin must be finite, got {margin}")
    return float(margin)


def resolve_batch_size(batch_size: int | str, step: str, n_samples: int) -> int:
    """The number of rows in a batch, with "all" replaced."""
    size = n_samples if batch_size == "all" else int(batch_size)
    if batch_size != 1 and step != "perceptron":
        raise ValueError(f"batch_size must be 1 with step={step!r}: its step is right for one example at a time")
    return max(1, size)


@declaration
class PassiveAggressiveDeclaration:
    """The parameters that the classifier and the regressor share."""

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
    """What a run derives from the parameters that the classifier and the regressor share."""

    tie: ClassVar[str] = "mistake"
    counted: ClassVar[str] = "updates"

    @property
    def readout(self) -> Literal["last", "average"]:
        return "average" if self.average else "last"

    @property
    def unaveraged(self) -> int:
        """How many visits at the beginning the mean leaves out."""
        return max(0, int(self.average) - 1)

    @property
    def step(self) -> Literal["pa1", "pa2"]:
        loss: str = getattr(self, "loss")  # noqa: B009 - each declares its own
        return "pa2" if loss.startswith("squared") else "pa1"

    def perceptron(self) -> PerceptronParameters:
        """The same run with the parameters of a perceptron."""
        same = ("C", "fit_intercept", "max_iter", "tol", "early_stopping", "validation_fraction", "n_iter_no_change")
        words = {name: getattr(self, name) for name in (*same, "shuffle", "random_state", "warm_start")}
        words["class_weight"] = getattr(self, "class_weight", None)
        return PerceptronParameters(**words, readout=self.readout, step=self.step, multiclass="one-vs-rest")

    def rule(self) -> _core.Rule:
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
        """How far the score of the right answer must exceed the others."""
        return 1.0


@declaration
class PassiveAggressiveClassifierDeclaration(PassiveAggressiveDeclaration):
    """The parameters of a `PassiveAggressiveClassifier`."""

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
    """The parameters of a `PassiveAggressiveRegressor`."""

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
