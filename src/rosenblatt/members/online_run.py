"""A run that is never over: rows come as they will, and each is answered before it is learned.

What is learned does not depend on the portions that rows come in, to the bit. Its model counts all rows as one pass.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from rosenblatt.base.arrays import Array
from rosenblatt.base.declare import Parameters
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.members.model import Model


class Answered(NamedTuple):
    """What an example was taken for before it was learned (None: before any label), and whether it was learned.

    It is not learned, and changes nothing, if its numbers are too large to go on with.
    """

    label: Any
    learned: bool = True


class OnlineRun(Protocol):
    """A member that learns example by example."""

    in_place: bool  # whether `answer` must wait while it learns
    portion: int  # examples that are to be learned at a time, where others wait

    @property
    def classes(self) -> Array | None:
        """The labels so far; None before the first example, if none were told."""
        ...

    @property
    def n_features(self) -> int | None:
        """How wide its rows are; None before the first."""
        ...

    def learn(self, X: Any, y: Sequence[Any]) -> list[Answered]:
        """Answer and learn each example, in order."""
        ...

    def answer(self, X: Any) -> tuple[list[Any], Any]:
        """The labels of examples as the model is now, and the scores behind them, if it has any."""
        ...

    def model(self) -> Model:
        """What was learned so far, whatever is learned next."""
        ...


def check_class_weight(weights: Any) -> None:
    """A `ParameterError` where it needs all labels at once, or passes examples over."""
    if isinstance(weights, str) or (weights is not None and not all(weight > 0 for weight in weights.values())):
        raise ParameterError(f"class_weight: expected weights over 0 of labels, found {weights!r}")


def check_no_rows_held_out(parameters: Any) -> None:
    """A `ParameterError` where examples are to be held out of a single pass that has none to spare."""
    if parameters.early_stopping:
        raise ParameterError(
            "early_stopping: expected False for partial_fit, which makes one pass over all it gets, found True: hold "
            "examples out yourself, or use fit"
        )


def check_endless(parameters: Parameters, needed: Mapping[str, tuple[tuple[Any, ...], str]]) -> None:
    """A `ParameterError` where a parameter is not one of those that a run without end can have."""
    for name, (offered, why) in needed.items():
        if (found := getattr(parameters, name)) not in offered:
            expected = " or ".join(map(repr, offered))
            raise ParameterError(f"{name}: expected {expected} in a run without end, found {found!r}: {why}")
