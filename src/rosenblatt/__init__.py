"""Rosenblatt: the perceptron family for Python.

Names are imported when they are first used, so that `import rosenblatt` costs little more than `import numpy`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import export, losses, plain, plot
    from rosenblatt.data.blocks import DataFileError
    from rosenblatt.data.conll import iter_conll, read_conll
    from rosenblatt.data.conll_writer import write_conll
    from rosenblatt.data.svmlight import iter_svmlight, read_svmlight
    from rosenblatt.data.svmlight_writer import write_svmlight
    from rosenblatt.data.table import read_table
    from rosenblatt.encoding.estimator import TableEncoding
    from rosenblatt.exceptions import DivergenceError
    from rosenblatt.kernel.estimator import KernelPerceptron
    from rosenblatt.learning.online import online
    from rosenblatt.linear.estimator import Perceptron
    from rosenblatt.model_file import load, save
    from rosenblatt.neighbours.estimator import LinearUnit, LinearUnitClassifier, RandomHypotheses
    from rosenblatt.structured.estimator import StructuredPerceptron
    from rosenblatt.tagger.chunks import conlleval
    from rosenblatt.tagger.estimator import SequenceTagger
    from rosenblatt.theory import bounds
    from rosenblatt.theory.certificate import Certificate
    from rosenblatt.theory.check_run import check_run
    from rosenblatt.theory.margin import margin
    from rosenblatt.theory.separability import certify
    from rosenblatt.trace import check, trace

__version__ = "0.1.0"

_MODULES = {
    "bounds": "rosenblatt.theory.bounds",
    "export": "rosenblatt.export",
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
    "LinearUnit": "rosenblatt.neighbours.estimator",
    "LinearUnitClassifier": "rosenblatt.neighbours.estimator",
    "Perceptron": "rosenblatt.linear.estimator",
    "RandomHypotheses": "rosenblatt.neighbours.estimator",
    "SequenceTagger": "rosenblatt.tagger.estimator",
    "StructuredPerceptron": "rosenblatt.structured.estimator",
    "TableEncoding": "rosenblatt.encoding.estimator",
    "certify": "rosenblatt.theory.separability",
    "check": "rosenblatt.trace",
    "check_run": "rosenblatt.theory.check_run",
    "conlleval": "rosenblatt.tagger.chunks",
    "iter_conll": "rosenblatt.data.conll",
    "iter_svmlight": "rosenblatt.data.svmlight",
    "load": "rosenblatt.model_file",
    "margin": "rosenblatt.theory.margin",
    "online": "rosenblatt.learning.online",
    "read_conll": "rosenblatt.data.conll",
    "read_svmlight": "rosenblatt.data.svmlight",
    "read_table": "rosenblatt.data.table",
    "save": "rosenblatt.model_file",
    "write_conll": "rosenblatt.data.conll_writer",
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
    "SequenceTagger",
    "StructuredPerceptron",
    "TableEncoding",
    "bounds",
    "certify",
    "check",
    "check_run",
    "conlleval",
    "export",
    "iter_conll",
    "iter_svmlight",
    "load",
    "losses",
    "margin",
    "online",
    "plain",
    "plot",
    "read_conll",
    "read_svmlight",
    "read_table",
    "save",
    "trace",
    "write_conll",
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
