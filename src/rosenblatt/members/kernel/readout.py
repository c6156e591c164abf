"""Which hypotheses of a run answer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Readout:
    """The readout, whether hypotheses are normalised, the passes to look at, and the last of them."""

    name: str = "average"
    normalise: bool = False
    passes: float | None = None
    suffix: float | None = None
