"""Rosenblatt: the perceptron family for Python.

Names are imported when they are first used, so that `import rosenblatt` costs little more than `import numpy`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import losses, plain
    from rosenblatt.exceptions import DivergenceError
    from rosenblatt.linear_unit import LinearUnit, LinearUnitClassifier
    from rosenblatt.perceptron import Perceptron
    from rosenblatt.protocol import online
    from rosenblatt.random_hypotheses import RandomHypotheses

__version__ = "0.1.0"

_HOME = {
    "DivergenceError": "rosenblatt.exceptions",
    "LinearUnit": "rosenblatt.linear_unit",
    "LinearUnitClassifier": "rosenblatt.linear_unit",
    "Perceptron": "rosenblatt.perceptron",
    "RandomHypotheses": "rosenblatt.random_hypotheses",
    "losses": "rosenblatt.losses",
    "online": "rosenblatt.protocol",
    "plain": "rosenblatt.plain",
}

__all__ = [
    "DivergenceError",
    "LinearUnit",
    "LinearUnitClassifier",
    "Perceptron",
    "RandomHypotheses",
    "losses",
    "online",
    "plain",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    module = import_module(_HOME[name])
    value = module if _HOME[name] == f"rosenblatt.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
