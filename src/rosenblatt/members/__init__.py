"""The members of the family: how each is called, and where its parts are.

A member is listed here once. Model files, the command line, the server, exports and comparisons look it up, and import
a part when they need it, so that `import rosenblatt` and `--help` stay light. `register` adds a member from outside.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

Part = Literal["parameters", "model", "fit", "rows", "online", "estimator"]


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member. Each part is an object, or the text "module:name" of an object that is imported when it is needed.

    A member without an `online` cannot be served. A member without an `option` has a verb of its own, or none.
    """

    kind: str  # the name of its estimator, also in model files
    parameters: Any  # the declaration of its parameters
    model: Any  # the class of its models
    rows: Any = None  # the class of `members.rows` by which it learns from rows; see `offered` for where from
    fit: Any = None  # a function of (parameters, X, y) that returns the model and the end of the run or a warning, if
    # it is not the `fit` of all members that have `rows`
    online: Any = None  # the class of its runs without end
    estimator: Any = None  # None: the public name of this kind
    is_linear: bool = (
        False  # whether its model is one row of weights, or one for each class, which other programs can read
    )
    option: str = ""  # the option of `rosenblatt train` that chooses it
    option_text: str = ""  # the help of this option
    verb: str = ""  # the verb of the command line for its models, if they do not classify rows

    def load(self, part: Part) -> Any:
        """Return a part. It is imported when it is first needed.

        >>> MEMBERS["Perceptron"].load("model").kind
        'Perceptron'
        """
        place = getattr(self, part)
        if part == "fit" and place is None and self.rows is not None:
            fit, rows = _load("rosenblatt.members.fit:fit"), self.load("rows")
            return lambda parameters, *data, **run: fit(rows(parameters), *data, **run)
        if part == "estimator" and place is None:
            place = f"rosenblatt:{self.kind}"
        return _load(place) if isinstance(place, str) else place


def _load(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(module), name)


_LINEAR, _KERNEL = "rosenblatt.members.linear", "rosenblatt.members.kernel"
_UNITS, _SENTENCES = "rosenblatt.members.neighbours", "rosenblatt.members.sentences"
_STEPS = f"{_LINEAR}.passive_aggressive"
_OURS = (
    Member(
        kind="Perceptron",
        parameters=f"{_LINEAR}.parameters:PerceptronParameters",
        model=f"{_LINEAR}.model:LinearModel",
        rows=f"{_LINEAR}.perceptron:LinearMember",
        online=f"{_LINEAR}.online:LinearOnline",
        is_linear=True,
    ),
    Member(
        kind="KernelPerceptron",
        parameters=f"{_KERNEL}.parameters:KernelParameters",
        model=f"{_KERNEL}.model:KernelModel",
        fit=f"{_KERNEL}.perceptron:fit_kernel",
        online=f"{_KERNEL}.online:KernelOnline",
        option="kernel",
        option_text="Learn with this kernel.",
    ),
    Member(
        kind="LinearUnit",
        parameters=f"{_UNITS}.parameters:UnitParameters",
        model=f"{_UNITS}.linear_unit:UnitModel",
        fit=f"{_UNITS}.linear_unit:fit_unit",
        is_linear=True,
        option="unit",
        option_text="Learn numbers, not classes: a linear unit, taught by gradient descent on the squared loss.",
    ),
    Member(
        kind="LinearUnitClassifier",
        parameters=f"{_UNITS}.parameters:UnitClassifierParameters",
        model=f"{_UNITS}.linear_unit:UnitClassifierModel",
        fit=f"{_UNITS}.linear_unit:fit_unit_classifier",
        is_linear=True,
        option="unit_classifier",
        option_text="Learn classes with linear units: least squares on labels -1 and +1, and a threshold at 0.",
    ),
    Member(
        kind="RandomHypotheses",
        parameters=f"{_UNITS}.parameters:HypothesesParameters",
        model=f"{_UNITS}.random_hypotheses:HypothesesModel",
        is_linear=True,
    ),
    Member(
        kind="SequenceTagger",
        parameters=f"{_SENTENCES}.tagger.parameters:TaggerParameters",
        model=f"{_SENTENCES}.tagger.model:TaggerModel",
        online=f"{_SENTENCES}.tagger.online:TaggerOnline",
        verb="rosenblatt tag",
    ),
    Member(
        kind="DependencyParser",
        parameters=f"{_SENTENCES}.parser.parameters:ParserParameters",
        model=f"{_SENTENCES}.parser.model:ParserModel",
        verb="rosenblatt parse",
    ),
    Member(
        kind="TextPipeline",
        parameters="rosenblatt.services.text.parameters:PipelineParameters",
        model="rosenblatt.services.text.model:PipelineModel",
        verb="rosenblatt text",
    ),
    Member(
        kind="TextClassifier",
        parameters=f"{_LINEAR}.text.parameters:TextParameters",
        model=f"{_LINEAR}.text.model:TextModel",
        fit=f"{_LINEAR}.text.learn:fit_text",
        online=f"{_LINEAR}.text.online:TextOnline",
    ),
    Member(
        kind="PassiveAggressiveClassifier",
        parameters=f"{_LINEAR}.parameters:PassiveAggressiveClassifierParameters",
        model=f"{_STEPS}:PassiveAggressiveClassifierModel",
        is_linear=True,
    ),
    Member(
        kind="PassiveAggressiveRegressor",
        parameters=f"{_LINEAR}.parameters:PassiveAggressiveRegressorParameters",
        model=f"{_STEPS}:PassiveAggressiveRegressorModel",
        fit=f"{_STEPS}:fit_numbers",
        is_linear=True,
        option="passive_aggressive",
        option_text="Learn numbers, not classes: a passive-aggressive step where one is missed by --epsilon.",
    ),
)
MEMBERS = {member.kind: member for member in _OURS}


def register(member: Member) -> Member:
    """Add a member. Its kind must be a new name."""
    if member.kind in MEMBERS:
        raise ValueError(f"kind: expected a new name, found {member.kind!r}")
    MEMBERS[member.kind] = member
    return member
