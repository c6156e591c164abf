"""The parameters of the kernel perceptron, each declared once, and what a run derives from them."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rosenblatt import _core
from rosenblatt.base.declare import FUNCTION, SEED, OneOf, declaration, declare
from rosenblatt.members.offered import NOT_CALIBRATED, NOT_HELD_OUT, Limit, Limits, Way, no_zero_or_balanced, only
from rosenblatt.members.parameters import RunDeclaration, RunParameters

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")
_EVERY = "it needs every mistake ever made"


@dataclass(frozen=True)
class Readout:
    """Which hypotheses answer, whether they are normalised, and which passes they come from."""

    name: str = "average"
    normalise: bool = False
    passes: float | None = None
    suffix: float | None = None


@declaration
class KernelDeclaration(RunDeclaration):
    """The parameters of a `KernelPerceptron`."""

    kernel: Any = declare(
        "rbf",
        """The kernel. "linear": a.b + coef0 (coef0=1 is the lectures' constant feature). "poly": (gamma a.b +
        coef0)^degree. "rbf": exp(-gamma |a - b|^2). "sigmoid": tanh(gamma a.b + coef0). "precomputed": X is the kernel
        between rows, and `predict` takes that between new rows and all training rows. Or a callable: kernel(A, B) gives
        the values between the rows of A and those of B, (len(A), len(B)); sparse rows come as scipy's CSR arrays.""",
        OneOf(KERNELS),
        FUNCTION,
    )
    degree: int = declare(3, """The degree of "poly".""", least=0)
    gamma: float | Literal["scale", "auto"] = declare(
        "scale",
        """The gamma of "rbf", "poly" and "sigmoid". "scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features;
        `partial_fit` takes it from the first rows.""",
        over=0,
        below=math.inf,
    )
    coef0: float = declare(0.0, """The constant of "linear", "poly" and "sigmoid".""", over=-math.inf, below=math.inf)
    readout: Literal["last", "average", "vote", "random"] = declare(
        "average",
        """Which hypotheses answer. "average": the mean over all visits. "last": the one after the last visit; best with
        a margin. "vote": each votes, once for each visit it survived. "random": that after a visit drawn by lot. This,
        `normalise`, `passes` and `suffix` never change the run, and may be changed after the fit.""",
    )
    normalise: bool = declare(False, "Whether each hypothesis is first divided by its length in feature space.")
    passes: float | None = declare(
        None, "Answer as after so many passes, such as 0.1 or 3. None: all.", over=0, below=math.inf
    )
    suffix: float | None = declare(
        None, "Average, vote or draw over the last so many passes only. None: all.", over=0, below=math.inf
    )
    margin: float = declare(
        0.0,
        """y s <= margin is a mistake, in units of the kernel: for rbf k(x, x) is 1; for others mind how large k(x, x)
        is.""",
        least=0,
        below=math.inf,
    )
    eta0: float = declare(
        1.0,
        "The learning rate. Without a margin it only scales the coefficients.",
        over=0,
        below=math.inf,
    )
    budget: int | None = declare(None, "The most support vectors. None: as many as there are mistaken rows.", least=1)
    budget_policy: Literal["project", "stop"] = declare(
        "project",
        """What to do at a mistake that finds the budget full. "project": project it on the vectors that are there;
        this keeps the last and the average hypothesis, and is the best by far. "stop": pass it over; this keeps every
        readout.""",
    )
    multiclass: Literal["argmax", "one-vs-rest"] = declare(
        "one-vs-rest",
        """How more than two classes are learned. "one-vs-rest": a machine a class, this class or another. "argmax": the
        right class against its best rival. All machines share the support vectors and the kernel values.""",
    )
    shuffle: bool = declare(
        True,
        """Whether the rows are taken in random order: dealt out to blocks once, then every pass takes the blocks, and
        the rows in each, in a new order. Else in the listed order.""",
    )
    max_iter: int | Literal["auto"] = declare(
        "auto",
        """The most passes; "auto": until one is clean or they no longer get better. Up to 1000 rows it makes 100 in any
        case, and then, or with more rows, goes on as long as passes make fewer and fewer mistakes. See
        `rosenblatt.members.stopping`.""",
        least=1,
    )
    block_size: int = declare(
        512,
        "How many rows are scored at once. In the listed order it has no effect but on time and memory.",
        least=1,
    )
    cache_size: float = declare(
        200, "Megabytes of kernel values to keep from one pass to the next.", least=0, below=math.inf
    )
    random_state: Any = declare(0, "Seed of the orders, of the part held out, and of what is drawn.", SEED)


class KernelParameters(KernelDeclaration, RunParameters):
    """The parameters of a `KernelPerceptron`, and what a run derives from them."""

    offered: ClassVar[dict[Way, Limits]] = {
        "more": {"early_stopping": NOT_HELD_OUT, "probabilities": NOT_CALIBRATED},
        "endless": {
            "readout": only("last", "average", why="others need every mistake ever made"),
            "normalise": only(False, why=_EVERY),
            "passes": only(None, why="there is one, without end"),
            "suffix": only(None, why="there is one pass, without end"),
            "kernel": only(*KERNELS[:-1], why="rows that come have no kernel yet"),
            "early_stopping": only(False, why="each row is learned when it comes, and none is held out"),
            "class_weight": no_zero_or_balanced("how many rows a class will have is not known"),
            "probabilities": NOT_CALIBRATED,
            "budget": Limit(lambda budget: budget is not None, "the most support vectors", "it would grow without end"),
        },
    }

    @property
    def has_margin(self) -> bool:
        return self.margin > 0

    @property
    def answering(self) -> Readout:
        return Readout(self.readout, self.normalise, self.passes, self.suffix)

    @property
    def rule(self) -> _core.Rule:
        return _core.Rule(
            tie=self.tie,
            margin=self.margin / self.eta0,
            step="perceptron",
            C=1.0,
            r=1.0,
            multiclass=self.multiclass,
            batch_size=1,
        )
