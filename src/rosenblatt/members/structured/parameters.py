"""The parameters of the structured perceptron, each declared once."""

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Literal

from rosenblatt.base.declare import FUNCTION, NOTHING, SEED, Parameters, declaration, declare, meaning
from rosenblatt.members.offered import NOT_HELD_OUT, Limits, Way


@declaration
class StructuredDeclaration:
    """The parameters of a `StructuredPerceptron`; `features` and `decode` have no default."""

    features: Callable[[Any, Any], Any] = field(
        kw_only=False,
        metadata=meaning(
            """features(x, y): what x and y look like together, Phi(x, y). A dict from names to numbers, a 1-D array, or
            a sparse row. Of dicts, ints and Fractions stay exact.""",
            FUNCTION,
        ),
    )
    decode: Callable[[Any, Any], Any] = field(
        kw_only=False,
        metadata=meaning(
            """decode(weights, x): the y of the highest score, `weights @ features(x, y)`. `weights` goes by the names
            of a dict, where a missing one is 0, or is an array. Of equal scores it may take any, but should always take
            the same: ties are the decoder's.""",
            FUNCTION,
        ),
    )
    loss: Callable[[Any, Any], Any] | None = declare(
        None,
        """loss(y, z): how bad it is to answer z where y is right, 0 or more. PA steps until y is so far ahead of z;
        `score` is 1 less the mean loss. None: 1 for every z but y.""",
        FUNCTION,
        NOTHING,
    )
    rival: Callable[[Any, Any, Any], Any] | None = declare(
        None,
        """rival(weights, x, y): the answer to learn against, which here may depend on y; y itself if there is nothing
        to learn. So the argmax of score plus loss(y, z) asks for a margin, and one that takes z for y if they are level
        counts a tie as a mistake. None: what `decode` says.""",
        FUNCTION,
        NOTHING,
    )
    readout: Literal["last", "average", "vote"] = declare(
        "average",
        """Which weights answer. "last": those after the last visit. "average": the mean of the weights after each
        visit. "vote": every weight vector votes for a whole structure, once for each visit it survived; the first of
        equal ones wins. It never changes the run, and may be changed after the fit; a vote then needs
        `keep_mistakes`.""",
    )
    step: Literal["perceptron", "pa", "pa1", "pa2"] = declare(
        "perceptron",
        """How far to step. "perceptron": 1. "pa", "pa1", "pa2": passive-aggressive, just far enough for the loss.""",
    )
    C: float = declare(1.0, """The largest step of "pa1", the aggressiveness of "pa2".""", over=0)
    shuffle: bool = declare(True, "Whether each pass takes the examples in a new random order; else in the listed one.")
    max_iter: int = declare(100, "The most passes.", least=1)
    early_stopping: bool = declare(
        False, "Whether to hold out a part of the examples and stop when the score on it no longer improves."
    )
    validation_fraction: float = declare(0.1, "The part held out.", over=0, below=1)
    n_iter_no_change: int = declare(5, "For how many passes the score on the part held out may stand still.", least=1)
    keep_mistakes: bool = declare(
        False, """Whether to keep the mistakes, and so `trace_`, the readout "vote" and what `check_run` needs."""
    )
    random_state: Any = declare(0, "Seed of the orders and the part held out.", SEED)


class StructuredParameters(StructuredDeclaration, Parameters):
    """The parameters of a `StructuredPerceptron`."""

    offered: ClassVar[dict[Way, Limits]] = {"more": {"early_stopping": NOT_HELD_OUT}}
