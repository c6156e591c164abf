"""The members that a model file can hold, by the names that files have; each is imported when it is needed."""

from importlib import import_module
from typing import Any

from rosenblatt.members.model import Model

PASSIVE_AGGRESSIVE = "rosenblatt.members.linear.passive_aggressive.model"
KINDS = {
    "Perceptron": "rosenblatt.members.linear.model:LinearModel",
    "LinearUnit": "rosenblatt.members.neighbours.linear_unit:UnitModel",
    "LinearUnitClassifier": "rosenblatt.members.neighbours.linear_unit:UnitClassifierModel",
    "RandomHypotheses": "rosenblatt.members.neighbours.random_hypotheses:HypothesesModel",
    "KernelPerceptron": "rosenblatt.members.kernel.model:KernelModel",
    "SequenceTagger": "rosenblatt.members.sentences.tagger.model:TaggerModel",
    "DependencyParser": "rosenblatt.members.sentences.parser.model:ParserModel",
    "PassiveAggressiveClassifier": f"{PASSIVE_AGGRESSIVE}:PassiveAggressiveClassifierModel",
    "PassiveAggressiveRegressor": f"{PASSIVE_AGGRESSIVE}:PassiveAggressiveRegressorModel",
}


def model_class(kind: str) -> type[Model]:
    """The class of the models of this kind."""
    home, name = KINDS[kind].split(":")
    found: Any = getattr(import_module(home), name)
    return found  # type: ignore[no-any-return]
