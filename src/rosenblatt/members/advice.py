"""The advice about a run that ended with mistakes, in the words of Python or of another door."""

from collections.abc import Sequence
from typing import Any


class Voice:
    """How Python names a parameter with some of its values, and how it proves separability."""

    def parameter(self, name: str, *values: str | float) -> str:
        """Such as readout='average' or 'pocket', or tol=0.1."""
        words = [repr(value) if isinstance(value, str) else f"{value:.5g}" for value in values]
        return f"{name}={' or '.join(words)}" if values else name

    @property
    def scaling(self) -> str:
        """How to scale the features."""
        return "sklearn.preprocessing.StandardScaler"

    def proof(self, **conventions: Any) -> str:
        """The call that decides whether the rows are separable."""
        options = "".join(f", {name}={value!r}" for name, value in conventions.items())
        return f"rosenblatt.{'certify_kernel' if 'kernel' in conventions else 'certify'}(X, y{options})"


PYTHON = Voice()


def still(passes: Sequence[int], counted: str) -> str:
    """What was still wrong in the last pass. With a margin, right rows inside it count too, and are no mistakes."""
    number, n_rows = len(passes), passes[-1]
    if counted == "mistakes":
        return f"pass {number}, the last, still made {n_rows:,} mistake{'' if n_rows == 1 else 's'}"
    return f"pass {number}, the last, still found {n_rows:,} row{'' if n_rows == 1 else 's'} wrong or inside the margin"


def more_passes(voice: Voice, passes: Sequence[int]) -> str:
    """The advice if only more passes are needed."""
    return f"set {voice.parameter('max_iter')} above {len(passes)}"


def for_inseparable(voice: Voice, readout: str, better: Sequence[str]) -> str:
    """Readouts that answer better than the last weights, or a note that the readout is one of them already."""
    if readout in ("average", "vote", "pocket"):
        return f"{voice.parameter('readout', readout)} is made for that"
    return f"{voice.parameter('readout', *better)} answers better"
