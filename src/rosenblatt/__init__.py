"""Rosenblatt: the perceptron family for Python.

Names are imported when they are first used, so that `import rosenblatt` costs little more than `import numpy`.
"""

from typing import TYPE_CHECKING

from rosenblatt.base.lazy import lazy

if TYPE_CHECKING:
    from rosenblatt import losses as losses
    from rosenblatt import plain as plain
    from rosenblatt.base.exceptions import DataFileError as DataFileError
    from rosenblatt.base.exceptions import DivergenceError as DivergenceError
    from rosenblatt.base.exceptions import ScaleWarning as ScaleWarning
    from rosenblatt.doors import studio as studio
    from rosenblatt.doors.sklearn.dependency_parser import DependencyParser as DependencyParser
    from rosenblatt.doors.sklearn.kernel_perceptron import KernelPerceptron as KernelPerceptron
    from rosenblatt.doors.sklearn.linear_unit import LinearUnit as LinearUnit
    from rosenblatt.doors.sklearn.linear_unit import LinearUnitClassifier as LinearUnitClassifier
    from rosenblatt.doors.sklearn.linear_unit import RandomHypotheses as RandomHypotheses
    from rosenblatt.doors.sklearn.model_file import load as load
    from rosenblatt.doors.sklearn.model_file import save as save
    from rosenblatt.doors.sklearn.online import online as online
    from rosenblatt.doors.sklearn.passive_aggressive import PassiveAggressiveClassifier as PassiveAggressiveClassifier
    from rosenblatt.doors.sklearn.passive_aggressive import PassiveAggressiveRegressor as PassiveAggressiveRegressor
    from rosenblatt.doors.sklearn.perceptron import Perceptron as Perceptron
    from rosenblatt.doors.sklearn.sequence_tagger import SequenceTagger as SequenceTagger
    from rosenblatt.doors.sklearn.structured_perceptron import StructuredPerceptron as StructuredPerceptron
    from rosenblatt.doors.sklearn.table_encoding import TableEncoding as TableEncoding
    from rosenblatt.doors.sklearn.text_classifier import TextClassifier as TextClassifier
    from rosenblatt.doors.sklearn.text_pipeline import TextPipeline as TextPipeline
    from rosenblatt.services import export as export
    from rosenblatt.services.comparison.compare import Comparison as Comparison
    from rosenblatt.services.comparison.compare import compare as compare
    from rosenblatt.services.files.conll import iter_conll as iter_conll
    from rosenblatt.services.files.conll import read_conll as read_conll
    from rosenblatt.services.files.conll import write_conll as write_conll
    from rosenblatt.services.files.svmlight import iter_svmlight as iter_svmlight
    from rosenblatt.services.files.svmlight import read_svmlight as read_svmlight
    from rosenblatt.services.files.svmlight_writer import write_svmlight as write_svmlight
    from rosenblatt.services.files.table_file import read_table as read_table
    from rosenblatt.services.lessons import plot as plot
    from rosenblatt.services.lessons.plot.tree import draw_tree as draw_tree
    from rosenblatt.services.lessons.trace import check as check
    from rosenblatt.services.lessons.trace import trace as trace
    from rosenblatt.services.lessons.trace.kernel import trace_kernel as trace_kernel
    from rosenblatt.services.proofs import bounds as bounds
    from rosenblatt.services.proofs.certificate import Certificate as Certificate
    from rosenblatt.services.proofs.certificate import KernelCertificate as KernelCertificate
    from rosenblatt.services.proofs.check_run import check_run as check_run
    from rosenblatt.services.proofs.kernel_separability import certify_kernel as certify_kernel
    from rosenblatt.services.proofs.margin import margin as margin
    from rosenblatt.services.proofs.margin import margins as margins
    from rosenblatt.services.proofs.separability import certify as certify
    from rosenblatt.services.sentences.scores import conlleval as conlleval
    from rosenblatt.services.sentences.treebank_scores import attachment_scores as attachment_scores

__version__ = "0.1.0"

_HOMES = {
    "Certificate": "rosenblatt.services.proofs.certificate",
    "Comparison": "rosenblatt.services.comparison.compare",
    "DataFileError": "rosenblatt.base.exceptions",
    "DependencyParser": "rosenblatt.doors.sklearn.dependency_parser",
    "DivergenceError": "rosenblatt.base.exceptions",
    "KernelCertificate": "rosenblatt.services.proofs.certificate",
    "KernelPerceptron": "rosenblatt.doors.sklearn.kernel_perceptron",
    "LinearUnit": "rosenblatt.doors.sklearn.linear_unit",
    "LinearUnitClassifier": "rosenblatt.doors.sklearn.linear_unit",
    "PassiveAggressiveClassifier": "rosenblatt.doors.sklearn.passive_aggressive",
    "PassiveAggressiveRegressor": "rosenblatt.doors.sklearn.passive_aggressive",
    "Perceptron": "rosenblatt.doors.sklearn.perceptron",
    "RandomHypotheses": "rosenblatt.doors.sklearn.linear_unit",
    "ScaleWarning": "rosenblatt.base.exceptions",
    "SequenceTagger": "rosenblatt.doors.sklearn.sequence_tagger",
    "StructuredPerceptron": "rosenblatt.doors.sklearn.structured_perceptron",
    "TableEncoding": "rosenblatt.doors.sklearn.table_encoding",
    "TextClassifier": "rosenblatt.doors.sklearn.text_classifier",
    "TextPipeline": "rosenblatt.doors.sklearn.text_pipeline",
    "attachment_scores": "rosenblatt.services.sentences.treebank_scores",
    "bounds": "rosenblatt.services.proofs.bounds:",
    "certify": "rosenblatt.services.proofs.separability",
    "certify_kernel": "rosenblatt.services.proofs.kernel_separability",
    "check": "rosenblatt.services.lessons.trace",
    "check_run": "rosenblatt.services.proofs.check_run",
    "compare": "rosenblatt.services.comparison.compare",
    "conlleval": "rosenblatt.services.sentences.scores",
    "draw_tree": "rosenblatt.services.lessons.plot.tree",
    "export": "rosenblatt.services.export:",
    "iter_conll": "rosenblatt.services.files.conll",
    "iter_svmlight": "rosenblatt.services.files.svmlight",
    "load": "rosenblatt.doors.sklearn.model_file",
    "losses": "rosenblatt.losses:",
    "margin": "rosenblatt.services.proofs.margin",
    "margins": "rosenblatt.services.proofs.margin",
    "online": "rosenblatt.doors.sklearn.online",
    "plain": "rosenblatt.plain:",
    "plot": "rosenblatt.services.lessons.plot:",
    "read_conll": "rosenblatt.services.files.conll",
    "read_svmlight": "rosenblatt.services.files.svmlight",
    "read_table": "rosenblatt.services.files.table_file",
    "save": "rosenblatt.doors.sklearn.model_file",
    "studio": "rosenblatt.doors.studio:",
    "trace": "rosenblatt.services.lessons.trace",
    "trace_kernel": "rosenblatt.services.lessons.trace.kernel",
    "write_conll": "rosenblatt.services.files.conll",
    "write_svmlight": "rosenblatt.services.files.svmlight_writer",
}

__all__ = sorted(_HOMES)

__getattr__, __dir__ = lazy(__name__, _HOMES)
