"""The error of predicted numbers: the mean square, its root, and the share of the variance that is explained."""

import math
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked


class SquaredError(NamedTuple):
    """`r2` is 1 minus the squared errors divided by the squared distances of y from its mean; None if y is constant."""

    mean: float
    root: float
    r2: float | None

    @classmethod
    def of(cls, y: Any, outputs: Array) -> "SquaredError":
        """The errors of outputs, compared with the right numbers.

        >>> SquaredError.of([0.0, 1.0, 2.0], np.array([0.5, 1.0, 1.5]))
        SquaredError(mean=0.16666666666666666, root=0.408248290463863, r2=0.75)
        """
        return SumsOfSquares.of(y, outputs).error()


class SumsOfSquares(NamedTuple):
    """The sums that give the errors: squared distances of the outputs from y, and of y from its mean."""

    n_rows: int
    squares: float
    mean: float
    spread: float

    @classmethod
    def of(cls, y: Any, outputs: Array) -> "SumsOfSquares":
        refuse_masked(y, "y")
        true = np.asarray(y, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            mean = true.mean()
            squares, spread = ((true - outputs) ** 2).sum(), ((true - mean) ** 2).sum()
        return cls(len(true), float(squares), float(mean), float(spread))

    def __add__(self, more: "SumsOfSquares") -> "SumsOfSquares":  # type: ignore[override]
        """Join the sums of two sets of rows, as Chan, Golub and LeVeque do (1983)."""
        n_rows, apart = self.n_rows + more.n_rows, more.mean - self.mean
        spread = self.spread + more.spread + apart * apart * (self.n_rows * more.n_rows / n_rows)
        mean = self.mean + apart * (more.n_rows / n_rows)
        return SumsOfSquares(n_rows, self.squares + more.squares, mean, spread)

    def error(self) -> SquaredError:
        if not (math.isfinite(self.squares) and math.isfinite(self.spread)):
            raise ValueError("the squares of y - w.x are not finite: scale y")
        mean = self.squares / self.n_rows
        return SquaredError(mean, math.sqrt(mean), 1 - self.squares / self.spread if self.spread > 0 else None)
