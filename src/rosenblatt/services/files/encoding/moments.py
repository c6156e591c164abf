"""The mean and the deviation of a column that comes block by block."""

import math
import sys

from rosenblatt.base.arrays import Array


class Moments:
    """The mean and the scale of the values seen so far, to the bit those of scikit-learn's `StandardScaler`.

    Each block has its mean and its sum of squared deviations, corrected for the rounding of that mean; they are joined
    as Chan, Golub and LeVeque do it (Algorithms for computing the sample variance, 1983).

    >>> import numpy as np
    >>> moments = Moments()
    >>> moments.see(np.array([1.0, 2.0]))
    >>> moments.see(np.array([6.0]))
    >>> moments.mean, moments.scale == (14 / 3) ** 0.5
    (3.0, True)
    """

    def __init__(self) -> None:
        self._count, self._mean, self._variance = 0.0, 0.0, 0.0

    def see(self, values: Array) -> None:
        """More values, at least one."""
        before, new = self._count, float(len(values))
        count, sum_before, sum_new = before + new, self._mean * before, float(values.sum())
        deviations = values - sum_new / new
        rounding = float(deviations.sum())
        squares = float((deviations * deviations).sum()) - rounding * rounding / new
        if before:
            ratio = before / new
            between = sum_before / ratio - sum_new
            squares = self._variance * before + squares + ratio / count * (between * between)
        self._count, self._mean, self._variance = count, (sum_before + sum_new) / count, squares / count

    @property
    def empty(self) -> bool:
        """Whether nothing was seen."""
        return not self._count

    @property
    def mean(self) -> float:
        """NaN if nothing was seen."""
        return self._mean if self._count else math.nan

    @property
    def scale(self) -> float:
        """The deviation; 1 if rounding alone may have made it, as that of a constant.

        NaN if nothing was seen, or if the squares of the values are too large for a float.
        """
        if not self._count or self._variance == -math.inf:
            return math.nan
        epsilon = sys.float_info.epsilon
        error_of_mean = self._count * self._mean * epsilon
        if self._variance <= self._count * epsilon * self._variance + error_of_mean * error_of_mean:
            return 1.0
        return math.sqrt(self._variance)
