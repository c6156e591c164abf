"""What to say of a run that ended with mistakes, in the words of the door that says it: Python's, or its own."""

from collections.abc import Sequence
from typing import Any


class Voice:
    """How Python names a parameter with some of its values, and the way to a proof of separability."""

    def parameter(self, name: str, *values: str | float) -> str:
        """Such as readout='average' or 'pocket', or tol=0.1."""
        words = [repr(value) if isinstance(value, str) else f"{value:.5g}" for value in values]
        return f"{name}={' or '.join(words)}" if values else name

    @property
    def scaling(self) -> str:
        """What scales the features."""
        return "sklearn.preprocessing.StandardScaler"

    def proof(self, **conventions: Any) -> str:
        """The call that tells whether the rows are separable."""
        options = "".join(f", {name}={value!r}" for name, value in conventions.items())
        return f"rosenblatt.{'certify_kernel' if 'kernel' in conventions else 'certify'}(X, y{options})"


PYTHON = Voice()


def still(passes: Sequence[int], counted: str) -> str:
    """How the last pass went; where rows inside the margin count, they are no mistakes."""
    number, n_rows = len(passes), passes[-1]
    if counted == "mistakes":
        return f"pass {number}, the last, still made {n_rows:,} mistake{'' if n_rows == 1 else 's'}"
    return f"pass {number}, the last, still found {n_rows:,} row{'' if n_rows == 1 else 's'} wrong or inside the margin"


def more_passes(voice: Voice, passes: Sequence[int]) -> str:
    """What to do if passes are all that is missing."""
    return f"set {voice.parameter('max_iter')} above {len(passes)}"


def for_inseparable(voice: Voice, readout: str, better: Sequence[str]) -> str:
    """Which readouts answer better than the last weights, or that one of them answers already."""
    if readout in ("average", "vote", "pocket"):
        return f"{voice.parameter('readout', readout)} is made for that"
    return f"{voice.parameter('readout', *better)} answers better"
