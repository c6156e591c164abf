"""The parameters of the members as options of the command line: names, defaults, ranges and help as they are declared.

Only those that are given are passed on; --kernel, --unit, --unit-classifier and --passive-aggressive choose the member.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from functools import cache, wraps
from importlib import import_module
from typing import Any

import click

from rosenblatt.base.declare import FLAG, Number, Parameter, Parameters
from rosenblatt.base.numbers import as_labels
from rosenblatt.doors.cli.numbers import NUMBER, Typed, count, number, numbers
from rosenblatt.members.advice import Voice

PASSIVE_AGGRESSIVE = "rosenblatt.members.linear.passive_aggressive.parameters"
HOMES = {
    "Perceptron": "rosenblatt.members.linear.parameters:PerceptronParameters",
    "KernelPerceptron": "rosenblatt.members.kernel.parameters:KernelParameters",
    "PassiveAggressiveRegressor": f"{PASSIVE_AGGRESSIVE}:PassiveAggressiveRegressorParameters",
    "LinearUnit": "rosenblatt.members.neighbours.parameters:UnitParameters",
    "LinearUnitClassifier": "rosenblatt.members.neighbours.parameters:UnitClassifierParameters",
    "SequenceTagger": "rosenblatt.members.sentences.tagger.parameters:TaggerParameters",
    "DependencyParser": "rosenblatt.members.sentences.parser.parameters:ParserParameters",
    "TableEncoding": "rosenblatt.services.files.encoding.parameters:EncodingParameters",
}
OPTIONS = {"fit_intercept": "--intercept", "random_state": "--seed"}
# What is said to a Python programmer, and to a person at the keyboard.
TYPED = {
    "None:": "Left out:",
    "a dict": "as no=1,yes=2",
    '"': "",
    ", or a list of templates": "",
    "; None for all": ". Left out: all",
}
OF_THE_RUN = ("step", "tie", "margin", "eta0", "C", "r", "init", "shuffle", "max_iter", "batch_size", "multiclass")
OF_THE_DATA = ("fit_intercept", "intercept_scaling", "class_weight", "random_state")
OF_THE_END = ("tol", "early_stopping", "validation_fraction", "n_iter_no_change")
TRACED = (*OF_THE_RUN, *OF_THE_DATA)
OF_THE_SHARDS = ("shards", "rounds", "n_jobs")
TRAINED = ("readout", *TRACED, *OF_THE_END, "keep_mistakes", *OF_THE_SHARDS)
OF_THE_BUDGET = ("budget", "budget_policy", "block_size", "cache_size")
OF_THE_KERNEL = ("kernel", "degree", "gamma", "coef0", "normalise", "passes", "suffix", *OF_THE_BUDGET)
OF_THE_UNIT = ("unit", "unit_classifier", "method", "learning_rate", "power_t")
OF_THE_REGRESSOR = ("passive_aggressive", "loss", "epsilon", "average")
# What a perceptron of the program is unless told: the best of what was measured on tables, see docs/choosing.md. Where
# the step, the readout or the passes are chosen, the step is Rosenblatt's unless it is chosen too.
# Fewer rows than FEW are a lecture's example: these are learned as it does, until a pass is clean.
FEW = 20
OF_THE_STEP = {"step": "pa1", "C": 0.1}
CHOOSES_PASSES = ("max_iter", "tol", "early_stopping")
CHOOSES = ("readout", "step", "margin", "tie", "eta0", "C", "r", "init", "batch_size", "keep_mistakes", *CHOOSES_PASSES)
STREAMED_PASSES = 10  # where no rows can be held out
DEFAULTS_SAID: dict[str, Any] = {
    "readout": "average",
    "step": "pa1 with C 0.1; perceptron, if the readout, the passes or another part of the rule is chosen",
    "max_iter": "validate; 10 with --stream and --dask; with --kernel: auto",
    "average": True,
}
# Options that choose a member; those of a unit are no parameters of it.
CHOOSE = {
    "kernel": "KernelPerceptron",
    "unit": "LinearUnit",
    "unit_classifier": "LinearUnitClassifier",
    "passive_aggressive": "PassiveAggressiveRegressor",
}
FLAGS = {
    "unit": "Learn numbers, not classes: a linear unit, taught by gradient descent on the squared loss.",
    "unit_classifier": "Learn classes with linear units: least squares on labels -1 and +1, and a threshold at 0.",
    "passive_aggressive": "Learn numbers, not classes: a passive-aggressive step where one is missed by --epsilon.",
}
TAGGED = (
    "templates",
    "boundary",
    "readout",
    "step",
    "C",
    "share",
    "max_iter",
    "shuffle",
    "early_stopping",
    "validation_fraction",
    "n_iter_no_change",
    "refit",
    *OF_THE_SHARDS,
    "random_state",
)
PARSED = (
    "templates",
    "readout",
    "beam",
    "exploration",
    "prune",
    "max_iter",
    "shuffle",
    "early_stopping",
    "validation_fraction",
    "n_iter_no_change",
    "refit",
    "n_jobs",
    "random_state",
)


def _start(text: str) -> Any:
    """A word, or numbers with commas between them; rows have semicolons between them."""
    return text if text in ("zeros", "random") else [numbers(row) for row in text.split(";")]


def _class_weight(text: str) -> Any:
    """The word, or pairs of a label, as text, and its weight."""
    if text == "balanced":
        return text
    pairs = [entry.rpartition("=") for entry in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError(f"expected balanced, or label=weight,..., found {text!r}")
    return [(label.strip(), number(weight)) for label, _, weight in pairs]


def _or_words(name: str, read: Callable[[str], Any], words: tuple[str, ...]) -> Typed:
    return Typed("|".join([name, *words]), lambda text: text if text in words else read(text))


class LossOfNumbers(click.Choice):  # type: ignore[type-arg]  # of click's newest versions only
    """The losses of --passive-aggressive; one of classes, as scikit-learn calls it, has another option here."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word."""
        step = {"perceptron": "perceptron", "hinge": "pa1", "squared_hinge": "pa2"}.get(value)
        if step is not None:
            self.fail(f"{value!r} is a loss of classes: leave --loss out, and use --step {step}", param, ctx)
        return super().convert(value, param, ctx)


OTHERS = {
    "init": Typed("zeros|random|w0,w1,...", _start),
    "class_weight": Typed("balanced|label=weight,...", _class_weight),
    "random_state": click.INT,
    "kernel": click.Choice(["linear", "poly", "rbf", "sigmoid"]),
    "n_jobs": click.INT,
    "templates": click.STRING,
    "share": click.STRING,
}


def type_of(parameter: Parameter) -> Any:
    """What the value of an option may be, for click."""
    if parameter.name in OTHERS:
        return OTHERS[parameter.name]
    if FLAG in parameter.kinds:
        return click.BOOL
    words, limits = (
        tuple(dict.fromkeys(parameter.words)),
        [kind for kind in parameter.kinds if isinstance(kind, Number)],
    )
    if not limits:
        return LossOfNumbers(words) if parameter.name == "loss" else click.Choice(words)
    if limits[0].whole and not words:
        least, below = limits[0].least, limits[0].below
        return click.IntRange(None if least is None else int(least), None if below is None else int(below) - 1)
    if words:
        return _or_words("integer", count, words) if limits[0].whole else _or_words("number", number, words)
    return NUMBER


def option_of(parameter: Parameter, kind: Any = None) -> click.Option:
    """The option that gives it. Left out it is None: the declaration has the default."""
    name, default, text = parameter.name, parameter.default, help_of(parameter)
    own = option_name(name)
    if FLAG not in parameter.kinds:
        said = "" if default in (None, ()) else f"  [default: {default}]"
        names = list(dict.fromkeys([own, f"--{name.replace('_', '-')}", name]))
        return click.Option(names, type=kind or type_of(parameter), help=text + said, default=None)
    if not default:
        return click.Option([own, name], is_flag=True, help=text, default=None)
    both, said = f"{own}/--no-{own.removeprefix('--')}", f"  [default: {own.removeprefix('--')}]"
    return click.Option([both, name], help=text + said, default=None)


def help_of(parameter: Parameter) -> str:
    """What it means, for a person at the keyboard: the first sentence, and what it is if left out."""
    first, *others = parameter.text.split(". ")
    left_out = [sentence for sentence in others if sentence.startswith("None:")]
    text = ". ".join([first, *left_out]).rstrip(".") + "."
    for said, typed in TYPED.items():
        text = text.replace(said, typed)
    return re.sub(r"`(\w+)`", lambda name: option_name(name[1]), text)


class AtTheKeyboard(Voice):
    """How advice on a run over `file` names options; `standardised`: its numbers were; `is_table`: they could be."""

    def __init__(self, file: str, *, standardised: bool = False, is_table: bool = True) -> None:
        self.file, self.standardised, self.is_table = file, standardised, is_table

    def parameter(self, name: str, *values: str | float) -> str:
        """Such as --readout average or pocket."""
        said = [value if isinstance(value, str) else f"{value:.5g}" for value in values]
        return f"{option_name(name)} {' or '.join(said)}".rstrip()

    @property
    def scaling(self) -> str:
        """The option that scales the features."""
        return "--standardise" if self.is_table else "in a table --standardise does it, svmlight text is taken as it is"

    def proof(self, **conventions: Any) -> str:
        """The command that tells whether the rows are separable."""
        flags = {False: "--no-{}", True: "--{}"}
        options = [
            flags[value].format(option_name(name).removeprefix("--"))
            if isinstance(value, bool)
            else self.parameter(name, value)
            for name, value in conventions.items()
        ]
        return " ".join(["rosenblatt certify", self.file, *["--standardise"] * self.standardised, *options])


def option_name(parameter: str) -> str:
    """--max-iter for max_iter."""
    return OPTIONS.get(parameter, f"--{parameter.replace('_', '-')}")


@cache
def member_of(kind: str) -> type[Parameters]:
    """The declaration of a member's parameters."""
    home, name = HOMES[kind].split(":")
    found: type[Parameters] = getattr(import_module(home), name)
    return found


@cache
def parameters_of_both(*, unit: bool = False) -> dict[str, Parameter]:
    """Those of `Perceptron`, with what --kernel makes of them, and what is the kernel's alone; with `unit`, of all."""
    known, kernel = (dict(member_of(kind).declarations()) for kind in ("Perceptron", "KernelPerceptron"))
    of_others = [
        ("--kernel", kernel),
        ("--unit", member_of("LinearUnitClassifier").declarations()),
        ("--passive-aggressive", member_of("PassiveAggressiveRegressor").declarations()),
    ]
    for option, others in of_others if unit else of_others[:1]:
        known = {**others, **{name: _joined(one, others.get(name, one), option) for name, one in known.items()}}
    flags = {name: Parameter(name, False, (FLAG,), text) for name, text in FLAGS.items()}
    chosen = replace(kernel["kernel"], default=None, text="Learn with this kernel.")
    return {**known, **flags, "kernel": chosen}


def _joined(one: Parameter, other: Parameter, option: str) -> Parameter:
    """The default is for people to read: what is left out is left to the member."""
    if one.default not in (other.default, None) and other.default is not None:
        one = replace(one, default=f"{one.default}; with {option}: {other.default}")
    return replace(one, kinds=tuple(dict.fromkeys([*one.kinds, *other.kinds])))


def chosen_by(names: Collection[str]) -> str:
    """The option that chooses the member, of those that are given."""
    return next(option_name(option) for option in CHOOSE if option in names)


def kind_of(names: Collection[str]) -> str:
    """The member that the given parameters are of, as `CHOOSE` says. One of another member is wrong usage."""
    chosen = [option for option in CHOOSE if option in names]
    kind = CHOOSE[chosen[0]] if chosen else "Perceptron"
    for name in [*chosen[1:], *(name for name in names if name not in CHOOSE)]:
        if name not in member_of(kind).declarations():
            needed = [
                option_name(option) for option, member in CHOOSE.items() if name in member_of(member).declarations()
            ]
            said = f"has no meaning with {option_name(chosen[0])}" if chosen else f"needs {' or '.join(needed)}"
            raise click.UsageError(f"{option_name(name)} {said}")
    return kind


def with_parameters(names: Collection[str], *, of: str = "Perceptron", **defaults: Any) -> Callable[[Any], Any]:
    """Add an option for each of these parameters; those given come as one argument, `given`.

    `defaults`: those that a verb has of its own. With `kernel` among the names, all may be those of a kernel.
    """

    def decorate(function: Any) -> Any:
        @wraps(function)
        def called(**values: Any) -> None:
            own = {name: values.pop(name) for name in names}
            function(given={name: value for name, value in own.items() if value is not None}, **values)

        known = parameters_of_both(unit="unit" in names) if "kernel" in names else member_of(of).declarations()
        options = [option_of(replace(known[name], default=defaults.get(name, known[name].default))) for name in names]
        called.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(options)]  # type: ignore[attr-defined]
        return called

    return decorate


def program_defaults(names: Collection[str], n_rows: int | None) -> dict[str, Any]:
    """What the program takes for parameters that are not among these names, for a file with so many rows.

    None: the rows come in blocks or are elsewhere, so that none can be held out to choose the number of passes.
    """
    kind = kind_of(names)
    if kind not in ("Perceptron", "PassiveAggressiveRegressor") or (n_rows is not None and n_rows < FEW):
        return {}
    if kind == "PassiveAggressiveRegressor":
        return {} if "average" in names else {"average": True}
    passes = STREAMED_PASSES if n_rows is None else "validate"
    return {
        **({} if "readout" in names else {"readout": "average"}),
        **({} if any(name in names for name in CHOOSES) else OF_THE_STEP),
        **({} if any(name in names for name in CHOOSES_PASSES) else {"max_iter": passes}),
    }


def with_defaults(given: dict[str, Any], y: Any, tried: Collection[str] = ()) -> dict[str, Any]:
    """The parameters of a member that learns from a file: those that are given, else the program's.

    y is None if the labels are not known yet; `tried` names parameters that will get values later.
    """
    return settled({**program_defaults([*given, *tried], None if y is None else len(y)), **given}, y)


def settled(given: dict[str, Any], y: Any, *, exact: bool = False) -> dict[str, Any]:
    """The parameters as Python has them, for data with the labels y: numbers as floats unless `exact`.

    Options that only choose a member are left out. Class weights get the labels of the data; if these are not known
    yet, y is None.
    """
    given = {name: value for name, value in given.items() if name not in FLAGS}
    if isinstance(weights := given.get("class_weight"), list):
        from rosenblatt.base.labels import encode

        known = [as_labels([label]).item() for label, _ in weights] if y is None else encode(y)[0].tolist()
        labels = {str(label): label for label in known}
        for label, _ in weights:
            if label not in labels:
                raise ValueError(f"class-weight: expected a label, one of {', '.join(labels)}, found {label!r}")
        given = {**given, "class_weight": {labels[label]: weight for label, weight in weights}}
    return given if exact else {name: as_float(value) for name, value in given.items()}


def as_float(value: Any) -> Any:
    """Fractions, also those within, as floats."""
    if isinstance(value, list):
        return [as_float(part) for part in value]
    if isinstance(value, dict):
        return {label: as_float(weight) for label, weight in value.items()}
    return float(value) if isinstance(value, Fraction) else value
