"""Rosenblatt: the perceptron family for Python.

Names are imported when they are first used, so that `import rosenblatt` costs little more than `import numpy`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt import export as export
    from rosenblatt import losses as losses
    from rosenblatt import plain as plain
    from rosenblatt import plot as plot
    from rosenblatt import studio as studio
    from rosenblatt.comparison.compare import compare as compare
    from rosenblatt.comparison.result import Comparison as Comparison
    from rosenblatt.data.blocks import DataFileError as DataFileError
    from rosenblatt.data.conll import iter_conll as iter_conll
    from rosenblatt.data.conll import read_conll as read_conll
    from rosenblatt.data.conll_writer import write_conll as write_conll
    from rosenblatt.data.svmlight import iter_svmlight as iter_svmlight
    from rosenblatt.data.svmlight import read_svmlight as read_svmlight
    from rosenblatt.data.svmlight_writer import write_svmlight as write_svmlight
    from rosenblatt.data.table_file import read_table as read_table
    from rosenblatt.encoding.estimator import TableEncoding as TableEncoding
    from rosenblatt.exceptions import DivergenceError as DivergenceError
    from rosenblatt.exceptions import ScaleWarning as ScaleWarning
    from rosenblatt.kernel.estimator import KernelPerceptron as KernelPerceptron
    from rosenblatt.learning.online import online as online
    from rosenblatt.linear.estimator import Perceptron as Perceptron
    from rosenblatt.linear.passive_aggressive.estimator import (
        PassiveAggressiveClassifier as PassiveAggressiveClassifier,
    )
    from rosenblatt.linear.passive_aggressive.estimator import PassiveAggressiveRegressor as PassiveAggressiveRegressor
    from rosenblatt.model_file.estimator import load as load
    from rosenblatt.model_file.estimator import save as save
    from rosenblatt.neighbours.estimator import LinearUnit as LinearUnit
    from rosenblatt.neighbours.estimator import LinearUnitClassifier as LinearUnitClassifier
    from rosenblatt.neighbours.estimator import RandomHypotheses as RandomHypotheses
    from rosenblatt.parser.estimator import DependencyParser as DependencyParser
    from rosenblatt.parser.picture import draw_tree as draw_tree
    from rosenblatt.parser.scores import attachment_scores as attachment_scores
    from rosenblatt.structured.estimator import StructuredPerceptron as StructuredPerceptron
    from rosenblatt.tagger.chunks import conlleval as conlleval
    from rosenblatt.tagger.estimator import SequenceTagger as SequenceTagger
    from rosenblatt.theory import bounds as bounds
    from rosenblatt.theory.certificate import Certificate as Certificate
    from rosenblatt.theory.check_run import check_run as check_run
    from rosenblatt.theory.kernel_certificate import KernelCertificate as KernelCertificate
    from rosenblatt.theory.kernel_separability import certify_kernel as certify_kernel
    from rosenblatt.theory.margin import margin as margin
    from rosenblatt.theory.separability import certify as certify
    from rosenblatt.trace import check as check
    from rosenblatt.trace import trace as trace

__version__ = "0.1.0"

_MODULES = {
    "bounds": "rosenblatt.theory.bounds",
    "export": "rosenblatt.export",
    "losses": "rosenblatt.losses",
    "plain": "rosenblatt.plain",
    "plot": "rosenblatt.plot",
    "studio": "rosenblatt.studio",
    "trace": "rosenblatt.trace",  # a module that can be called
}

_HOME = {
    "Certificate": "rosenblatt.theory.certificate",
    "Comparison": "rosenblatt.comparison.result",
    "DataFileError": "rosenblatt.data.blocks",
    "DependencyParser": "rosenblatt.parser.estimator",
    "DivergenceError": "rosenblatt.exceptions",
    "KernelCertificate": "rosenblatt.theory.kernel_certificate",
    "KernelPerceptron": "rosenblatt.kernel.estimator",
    "LinearUnit": "rosenblatt.neighbours.estimator",
    "LinearUnitClassifier": "rosenblatt.neighbours.estimator",
    "PassiveAggressiveClassifier": "rosenblatt.linear.passive_aggressive.estimator",
    "PassiveAggressiveRegressor": "rosenblatt.linear.passive_aggressive.estimator",
    "Perceptron": "rosenblatt.linear.estimator",
    "RandomHypotheses": "rosenblatt.neighbours.estimator",
    "ScaleWarning": "rosenblatt.exceptions",
    "SequenceTagger": "rosenblatt.tagger.estimator",
    "StructuredPerceptron": "rosenblatt.structured.estimator",
    "TableEncoding": "rosenblatt.encoding.estimator",
    "attachment_scores": "rosenblatt.parser.scores",
    "certify": "rosenblatt.theory.separability",
    "certify_kernel": "rosenblatt.theory.kernel_separability",
    "check": "rosenblatt.trace",
    "check_run": "rosenblatt.theory.check_run",
    "compare": "rosenblatt.comparison.compare",
    "conlleval": "rosenblatt.tagger.chunks",
    "draw_tree": "rosenblatt.parser.picture",
    "iter_conll": "rosenblatt.data.conll",
    "iter_svmlight": "rosenblatt.data.svmlight",
    "load": "rosenblatt.model_file.estimator",
    "margin": "rosenblatt.theory.margin",
    "online": "rosenblatt.learning.online",
    "read_conll": "rosenblatt.data.conll",
    "read_svmlight": "rosenblatt.data.svmlight",
    "read_table": "rosenblatt.data.table_file",
    "save": "rosenblatt.model_file.estimator",
    "write_conll": "rosenblatt.data.conll_writer",
    "write_svmlight": "rosenblatt.data.svmlight_writer",
}

__all__ = sorted([*_MODULES, *_HOME])


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
