"""Rosenblatt: the perceptron family for Python.

Names are imported when they are first used, so that `import rosenblatt` costs little more than `import numpy`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import losses, plain, plot
    from rosenblatt.data.blocks import DataFileError
    from rosenblatt.data.svmlight import iter_svmlight, read_svmlight
    from rosenblatt.data.svmlight_writer import write_svmlight
    from rosenblatt.exceptions import DivergenceError
    from rosenblatt.kernel.estimator import KernelPerceptron
    from rosenblatt.linear_unit import LinearUnit, LinearUnitClassifier
    from rosenblatt.model_file import load, save
    from rosenblatt.perceptron import Perceptron
    from rosenblatt.protocol import online
    from rosenblatt.random_hypotheses import RandomHypotheses
    from rosenblatt.theory import bounds
    from rosenblatt.theory.certificate import Certificate
    from rosenblatt.theory.check_run import check_run
    from rosenblatt.theory.margin import margin
    from rosenblatt.theory.separability import certify
    from rosenblatt.trace import check, trace

__version__ = "0.1.0"

_MODULES = {
    "bounds": "rosenblatt.theory.bounds",
    "losses": "rosenblatt.losses",
    "plain": "rosenblatt.plain",
    "plot": "rosenblatt.plot",
    "trace": "rosenblatt.trace",  # a module that can be called
}

_HOME = {
    "Certificate": "rosenblatt.theory.certificate",
    "DataFileError": "rosenblatt.data.blocks",
    "DivergenceError": "rosenblatt.exceptions",
    "KernelPerceptron": "rosenblatt.kernel.estimator",
    "LinearUnit": "rosenblatt.linear_unit",
    "LinearUnitClassifier": "rosenblatt.linear_unit",
    "Perceptron": "rosenblatt.perceptron",
    "RandomHypotheses": "rosenblatt.random_hypotheses",
    "certify": "rosenblatt.theory.separability",
    "check": "rosenblatt.trace",
    "check_run": "rosenblatt.theory.check_run",
    "iter_svmlight": "rosenblatt.data.svmlight",
    "load": "rosenblatt.model_file",
    "margin": "rosenblatt.theory.margin",
    "online": "rosenblatt.protocol",
    "read_svmlight": "rosenblatt.data.svmlight",
    "save": "rosenblatt.model_file",
    "write_svmlight": "rosenblatt.data.svmlight_writer",
}

__all__ = [
    "Certificate",
    "DataFileError",
    "DivergenceError",
    "KernelPerceptron",
    "LinearUnit",
    "LinearUnitClassifier",
    "Perceptron",
    "RandomHypotheses",
    "bounds",
    "certify",
    "check",
    "check_run",
    "iter_svmlight",
    "load",
    "losses",
    "margin",
    "online",
    "plain",
    "plot",
    "read_svmlight",
    "save",
    "trace",
    "write_svmlight",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = import_module(_MODULES[name])
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
