"""The parameters that the linear and the kernel perceptron share: when is it a mistake, which order, how long."""

from typing import Any, Literal

from rosenblatt.base.declare import CLASS_WEIGHTS, NOTHING, SEED, OneOf, Parameters, declaration, declare


@declaration
class RunDeclaration:
    """The parameters of every run over rows and labels."""

    tie: Literal["mistake", "positive", "negative"] = declare(
        "mistake",
        """What a score of 0 is. "mistake": wrong for either class, the lectures' y s <= 0. "positive": sign(0) = +1.
        "negative": sign(0) = -1. With more than two classes a tie goes to the last or the first of them.""",
    )
    eta0: float = declare(
        1.0, "The learning rate. From a zero start without margin it only scales the weights.", over=0
    )
    shuffle: bool = declare(True, "Whether each pass takes the rows in a new random order; else in the listed one.")
    tol: float | None = declare(
        None,
        """End also when the loss has not fallen by more than this a row for `n_iter_no_change` passes. None: do
        not.""",
        least=0,
    )
    multiclass: Literal["argmax", "one-vs-rest"] = declare(
        "argmax",
        """How more than two classes are learned. "argmax": one weight row a class, the right class against its best
        rival, two rows move. "one-vs-rest": one binary perceptron a class.""",
    )
    class_weight: Any = declare(
        None,
        """Weights of the classes, which scale the steps, of PA-I and PA-II `C`, of AROW 1 / `r`: a dict, or
        "balanced".""",
        OneOf(("balanced",)),
        CLASS_WEIGHTS,
        NOTHING,
    )
    early_stopping: bool = declare(
        False, "Whether to hold out a part of the rows and stop when the score on it no longer improves."
    )
    validation_fraction: float = declare(0.1, "The part held out.", over=0, below=1)
    n_iter_no_change: int = declare(5, "For how many passes the loss or the score may stand still.", least=1)
    probabilities: bool = declare(
        False,
        """Whether scores become probabilities: runs over all rows but a fifth show how sure scores are to be right.
        From 15,000 rows on that is one run more; for fewer there are up to five.""",
    )
    n_jobs: int | None = declare(
        None,
        """Threads for the work that can be divided: shards, kernel values. None: one; -1: all cores. The result does
        not depend on it.""",
        nonzero=True,
    )
    random_state: Any = declare(0, "Seed of the orders, the random start and the part held out.", SEED)


class RunParameters(RunDeclaration, Parameters):
    """The same parameters, and what a run derives from them."""

    @property
    def counted(self) -> str:
        """What a pass counts: with a margin, right answers inside it change the weights too."""
        return "updates" if self.has_margin else "mistakes"

    @property
    def has_margin(self) -> bool:
        """Whether an answer must exceed a positive margin."""
        raise NotImplementedError


def default_rounds(shards: int) -> int:
    """How often a pass mixes, unless told: once for fewer than 16 shards, then for every 8 of them.

    Measured on 700,000 rows with 47,000 features, test error of the averaged perceptron after 6 passes, 3 seeds: one
    shard .092; 2 shards .096; 8 shards with 1, 8 rounds .112, .108; 32 shards with 1, 4, 8, 32 rounds .142, .136, .132,
    .128, for 1, 1.2, 1.3, 2.3 times the time, since each round copies and adds the weights of all shards. Fewer rows
    or more features make that dearer, and passive-aggressive steps gain nothing by it.
    A tagger agrees, F1 of chunks (CoNLL-2000) after 6 passes, 3 seeds: one shard 93.69; 2 shards with 1, 2 rounds
    93.65, 93.65; 8 shards with 1, 4 rounds 93.14, 93.25; 32 shards with 1, 4, 8, 32 rounds 92.06, 92.36, 92.48, 92.69,
    for 1, 1.2, 1.5, 2.4 times the time.
    """
    return max(1, shards // 8)
