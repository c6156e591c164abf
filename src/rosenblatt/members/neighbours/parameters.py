"""The parameters of the perceptron's neighbours, each declared once."""

from dataclasses import field
from typing import Any, Literal

from rosenblatt.base.declare import (
    CLASS_WEIGHTS,
    NOTHING,
    NUMBERS,
    SEED,
    OneOf,
    Parameters,
    declaration,
    declare,
    meaning,
)


@declaration
class UnitDeclaration:
    """The parameters of a `LinearUnit`."""

    method: Literal["batch", "stochastic"] = declare(
        "batch",
        """After how many rows a step is made. "batch": after all of them. "stochastic": after each.""",
    )
    eta0: float | Literal["auto"] = declare(
        "auto",
        """The learning rate. "auto" is 1/lambda_max of X'CX for "batch", half of the largest rate that converges, and
        1/(10 R^2) for "stochastic", R^2 being the largest squared length of a row. One that is too large is a
        `DivergenceError`.""",
        over=0,
    )
    learning_rate: Literal["constant", "invscaling"] = declare(
        "constant", """How the rate goes on. "constant": as `eta0`. "invscaling": eta0 / t^power_t at step t."""
    )
    power_t: float = declare(0.25, """How fast "invscaling" falls.""", least=0)
    init: Any = declare(
        "zeros",
        """The start: "zeros", "random" (normal), or an array; with an intercept it may have one entry more, the
        constant feature's weight first, as in the lectures. A classifier of more than two classes takes one row a
        class.""",
        OneOf(("zeros", "random")),
        NUMBERS,
    )
    fit_intercept: bool = declare(True, "Whether to add the lectures' constant feature.")
    intercept_scaling: float = declare(1.0, "The value of the constant feature.", over=0)
    max_iter: int = declare(1000, "The most passes.", least=1)
    tol: float | None = declare(
        1e-6,
        """"batch" ends when the gradient is `tol` of the one at w = 0, "stochastic" when five passes in a row find no E
        that is lower by `tol` of E at w = 0. None: all passes are made, as long as they change a weight.""",
        least=0,
    )
    shuffle: bool = declare(True, """Whether "stochastic" takes the rows in a new random order at each pass.""")
    warm_start: bool = declare(False, "Whether a further `fit` starts from the last weights.")
    random_state: Any = declare(0, "Seed of the orders and the random start.", SEED)


class UnitParameters(UnitDeclaration, Parameters):
    """The parameters of a `LinearUnit`, and what a run derives from them."""

    @property
    def bias(self) -> float:
        """The value of the constant feature; 0 if there is none."""
        return float(self.intercept_scaling) if self.fit_intercept else 0.0


@declaration
class UnitClassifierDeclaration(UnitDeclaration):
    """The parameters of a `LinearUnitClassifier`."""

    class_weight: Any = declare(
        None,
        """Weights of the classes, which multiply those of the rows: a dict, or "balanced".""",
        OneOf(("balanced",)),
        CLASS_WEIGHTS,
        NOTHING,
    )


class UnitClassifierParameters(UnitClassifierDeclaration, UnitParameters):
    """The parameters of a `LinearUnitClassifier`."""


@declaration
class HypothesesDeclaration:
    """The parameters of `RandomHypotheses`."""

    k: int = field(
        default=100,
        kw_only=False,
        metadata=meaning("How many hyperplanes are tried. The first k of k + 1 are the same.", least=1),
    )
    hypotheses: Any = declare(
        None,
        """The hyperplanes to try instead of random ones, one a row: (k, n_features), or with an intercept
        (k, n_features + 1), the constant feature's weight first.""",
        NUMBERS,
        NOTHING,
    )
    fit_intercept: bool = declare(True, "Whether a hyperplane may miss the origin.")
    random_state: Any = declare(0, "Seed of the hyperplanes.", SEED)


class HypothesesParameters(HypothesesDeclaration, Parameters):
    """The parameters of `RandomHypotheses`."""
