"""What can go wrong, by name, and how a fit that fails leaves its model as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class ParameterError(ValueError):
    """A parameter that is not what it may be, or does not go with another."""


class DivergenceError(ValueError):
    """The learning rate is too large: the loss rises instead of falling.

    >>> from rosenblatt import LinearUnit
    >>> LinearUnit(eta0=0.32).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    Traceback (most recent call last):
    rosenblatt.DivergenceError: eta0=0.32 is too large: E rose from 0.87233 (pass 7) to 0.8769 (pass 8). On this data \
batch descent converges below 2/lambda_max = 0.31386. Use eta0='auto', a smaller number, or scale the features
    """

    __module__ = "rosenblatt"


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Puts every attribute back as it was if the block fails, also by Ctrl-C."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
