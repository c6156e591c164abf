"""The members that a model file can hold, by the names that files have; each is imported when it is needed."""

from importlib import import_module
from typing import Any

from rosenblatt.learning.model import Model

KINDS = {
    "Perceptron": "rosenblatt.linear.model:LinearModel",
    "LinearUnit": "rosenblatt.neighbours.linear_unit:UnitModel",
    "LinearUnitClassifier": "rosenblatt.neighbours.linear_unit:UnitClassifierModel",
    "RandomHypotheses": "rosenblatt.neighbours.random_hypotheses:HypothesesModel",
    "KernelPerceptron": "rosenblatt.kernel.model:KernelModel",
    "SequenceTagger": "rosenblatt.tagger.model:TaggerModel",
    "DependencyParser": "rosenblatt.parser.model:ParserModel",
    "PassiveAggressiveClassifier": "rosenblatt.linear.passive_aggressive.model:PassiveAggressiveClassifierModel",
    "PassiveAggressiveRegressor": "rosenblatt.linear.passive_aggressive.model:PassiveAggressiveRegressorModel",
}


def model_class(kind: str) -> type[Model]:
    """The class of the models of this kind."""
    home, name = KINDS[kind].split(":")
    found: Any = getattr(import_module(home), name)
    return found  # type: ignore[no-any-return]
