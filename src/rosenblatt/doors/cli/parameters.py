"""The parameters of the members as options of the command line: names, defaults, ranges and help as they are declared.

Only those that are typed are passed on. The option of a member, such as --kernel or --unit, chooses it.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from functools import partial, wraps
from typing import Any

import click

from rosenblatt.base.declare import FLAG, SIZE, Number, Parameter, Parameters
from rosenblatt.base.numbers import as_labels, exact
from rosenblatt.members import MEMBERS
from rosenblatt.members.advice import Voice


def number(text: str) -> Fraction:
    value = exact(text)
    if value is None:
        raise ValueError(f"expected a number, found {text!r}")
    return value


class Typed(click.ParamType):  # type: ignore[type-arg]  # of click's newest versions only
    """An option whose text the function `read` turns into a value, or refuses with a ValueError."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def numbers(text: str) -> list[Fraction]:
    return [number(part) for part in text.split(",")]


def count(text: str, least: int = 1) -> int:
    value = exact(text)
    if value is None or value.denominator != 1 or value < least:
        raise ValueError(f"expected a whole number from {least} on, found {text!r}")
    return int(value)


def size(text: str) -> str:
    if not SIZE.holds(text):
        raise ValueError(f"expected {SIZE}, found {text!r}")
    return text


NUMBER = Typed("number", number)
SIZES = Typed("size", size)
COUNTS = Typed("integer,...", lambda text: [count(part) for part in text.split(",")])


OPTIONS = {"fit_intercept": "--intercept", "random_state": "--seed"}
# Words of the declarations, which speak to Python programmers, and the same for a person at the keyboard.
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
TRAINED = ("readout", *TRACED, *OF_THE_END, "keep_mistakes", "probabilities", *OF_THE_SHARDS)
# The program's defaults for a perceptron are what did best on tables (see docs/choosing.md). If the user chooses the
# step, the readout or the passes, the step is Rosenblatt's, unless the user chooses that too.
# Fewer rows than FEW are a lecture's example: they are learned as the lecture does it, until a pass has no mistakes.
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
# The command line has no options for these: a run of a program begins anew, and has its own progress bar.
OF_PYTHON = ("warm_start", "verbose")


def _start(text: str) -> Any:
    """Read a word, or numbers with commas between them and semicolons between rows."""
    return text if text in ("zeros", "random") else [numbers(row) for row in text.split(";")]


def _class_weight(text: str) -> Any:
    """Read the word `balanced`, or pairs of a label (as text) and its weight."""
    if text == "balanced":
        return text
    pairs = [entry.rpartition("=") for entry in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError(f"expected balanced, or label=weight,..., found {text!r}")
    return [(label.strip(), number(weight)) for label, _, weight in pairs]


def _or_words(name: str, read: Callable[[str], Any], words: tuple[str, ...]) -> Typed:
    return Typed("|".join([name, *words]), lambda text: text if text in words else read(text))


class LossOfNumbers(click.Choice):  # type: ignore[type-arg]  # of click's newest versions only
    """The losses of --passive-aggressive. scikit-learn's losses of classes are refused: they are a --step here."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
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
    if parameter.name in OTHERS:
        return OTHERS[parameter.name]
    if FLAG in parameter.kinds:
        return click.BOOL
    if SIZE in parameter.kinds:
        return SIZES
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
        least = 1 if limits[0].least is None else int(limits[0].least)
        whole = limits[0].whole
        return _or_words("integer", partial(count, least=least), words) if whole else _or_words("number", number, words)
    return NUMBER


def option_of(parameter: Parameter, kind: Any = None) -> click.Option:
    """The option of a parameter. If it is left out, its value is None, because the declaration has the default."""
    name, default, text = parameter.name, parameter.default, help_of(parameter)
    option = option_name(name)
    if FLAG not in parameter.kinds:
        ending = "" if default in (None, ()) else f"  [default: {default}]"
        names = list(dict.fromkeys([option, f"--{name.replace('_', '-')}", name]))
        return click.Option(names, type=kind or type_of(parameter), help=text + ending, default=None)
    if not default:
        return click.Option([option, name], is_flag=True, help=text, default=None)
    both, ending = f"{option}/--no-{option.removeprefix('--')}", f"  [default: {option.removeprefix('--')}]"
    return click.Option([both, name], help=text + ending, default=None)


def help_of(parameter: Parameter) -> str:
    """The help of an option: the first sentence of the declaration, and what holds if the option is left out."""
    first, *others = parameter.text.split(". ")
    left_out = [sentence for sentence in others if sentence.startswith("None:")]
    text = ". ".join([first, *left_out]).rstrip(".") + "."
    for in_python, typed in TYPED.items():
        text = text.replace(in_python, typed)
    return re.sub(r"`(\w+)`", lambda name: option_name(name[1]), text)


class AtTheKeyboard(Voice):
    """Advice in the words of the command line, on a run over `file`.

    `standardised`: whether its numbers were scaled; `is_table`: whether they could be.
    """

    def __init__(self, file: str, *, standardised: bool = False, is_table: bool = True) -> None:
        self.file, self.standardised, self.is_table = file, standardised, is_table

    def parameter(self, name: str, *values: str | float) -> str:
        words = [value if isinstance(value, str) else f"{value:.5g}" for value in values]
        return f"{option_name(name)} {' or '.join(words)}".rstrip()

    @property
    def scaling(self) -> str:
        return "--standardise" if self.is_table else "in a table --standardise does it, svmlight text is taken as it is"

    def proof(self, **conventions: Any) -> str:
        flags = {False: "--no-{}", True: "--{}"}
        options = [
            flags[value].format(option_name(name).removeprefix("--"))
            if isinstance(value, bool)
            else self.parameter(name, value)
            for name, value in conventions.items()
        ]
        return " ".join(["rosenblatt certify", self.file, *["--standardise"] * self.standardised, *options])


def option_name(parameter: str) -> str:
    """The name of the option, such as --max-iter for max_iter."""
    return OPTIONS.get(parameter, f"--{parameter.replace('_', '-')}")


def member_of(kind: str) -> type[Parameters]:
    declaration: type[Parameters] = MEMBERS[kind].load("parameters")
    return declaration


def trainable() -> tuple[str, ...]:
    """The members that `rosenblatt train` learns: the perceptron, and each that an option chooses."""
    return ("Perceptron", *(kind for kind, member in MEMBERS.items() if member.option))


def parameters_of(*kinds: str) -> dict[str, Parameter]:
    """The parameters of these members by name, and the options that choose all but the first member.

    If the defaults differ, the default is a text for people, and the member uses its own.
    """
    declared: dict[str, dict[str, Parameter]] = {}
    for kind in kinds:
        member, declarations = MEMBERS[kind], member_of(kind).declarations()
        parameters = {name: declarations[name] for name in declarations if name not in OF_PYTHON}
        if member.option and len(kinds) > 1:
            flag = Parameter(member.option, False, (FLAG,), "")
            option = replace(parameters.get(member.option, flag), text=member.option_text)
            parameters[member.option] = option if member.option not in parameters else replace(option, default=None)
        for name, parameter in parameters.items():
            declared.setdefault(name, {})[option_name(member.option)] = parameter
    return {name: _join(by_option) for name, by_option in declared.items()}


def _join(by_option: dict[str, Parameter]) -> Parameter:
    """A parameter that several members share, when each of them is chosen by an option."""
    first = next(iter(by_option.values()))
    options: dict[Any, list[str]] = {}
    for option, parameter in by_option.items():
        if first.default is not None and parameter.default not in (first.default, None):
            options.setdefault(parameter.default, []).append(option)
    defaults = "; ".join([str(first.default), *(f"with {' or '.join(of)}: {it}" for it, of in options.items())])
    kinds = dict.fromkeys(kind for parameter in by_option.values() for kind in parameter.kinds)
    return replace(first, default=defaults if options else first.default, kinds=tuple(kinds))


def chosen_by(names: Collection[str]) -> str:
    """The option among these names that chooses the member."""
    return option_name(MEMBERS[_kinds_chosen(names)[0]].option)


def _kinds_chosen(names: Collection[str]) -> list[str]:
    return [kind for kind in trainable() if MEMBERS[kind].option in names]


def kind_of(names: Collection[str]) -> str:
    """The member that these options choose. An option of another member is wrong usage."""
    chosen = _kinds_chosen(names) or ["Perceptron"]
    option = MEMBERS[chosen[0]].option
    choosers = {MEMBERS[kind].option: kind for kind in trainable()[1:]}
    extra = [MEMBERS[kind].option for kind in chosen[1:]]
    for name in [*extra, *(name for name in names if name not in choosers)]:
        if name not in member_of(chosen[0]).declarations():
            needed = [option_name(of) for of, kind in choosers.items() if name in member_of(kind).declarations()]
            reason = f"has no meaning with {option_name(option)}" if option else f"needs {' or '.join(needed)}"
            raise click.UsageError(f"{option_name(name)} {reason}")
    return chosen[0]


def with_parameters(
    names: Collection[str] | None = None, *, of: str | Collection[str] = "Perceptron", **defaults: Any
) -> Callable[[Any], Any]:
    """Add an option for each of these parameters of members; the verb gets the typed ones as one argument, `options`.

    Without `names`, all parameters are added. `defaults`: the values that the verb uses in place of the declared ones.
    """
    known = parameters_of(*([of] if isinstance(of, str) else of))
    chosen = [*(known if names is None else names)]
    options = [option_of(replace(known[name], default=defaults.get(name, known[name].default))) for name in chosen]

    def decorate(function: Any) -> Any:
        @wraps(function)
        def verb(**values: Any) -> None:
            typed = {name: values.pop(name) for name in chosen}
            function(options={name: value for name, value in typed.items() if value is not None}, **values)

        verb.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(options)]  # type: ignore[attr-defined]
        return verb

    return decorate


def program_defaults(names: Collection[str], n_rows: int | None) -> dict[str, Any]:
    """The program's defaults for the parameters that are not among these names, for a file with this number of rows.

    `n_rows` is None if rows come in blocks or are elsewhere: then none can be held out to choose the number of passes.
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


def with_defaults(options: dict[str, Any], y: Any, tried: Collection[str] = ()) -> dict[str, Any]:
    """The parameters of a member that learns from a file: those that were typed, else the program's defaults.

    y is None if the labels are not known yet; `tried` names parameters that will get values later.
    """
    return settle({**program_defaults([*options, *tried], None if y is None else len(y)), **options}, y)


def settle(options: dict[str, Any], y: Any, *, exact: bool = False) -> dict[str, Any]:
    """The parameters as Python has them, for data with the labels y: numbers as floats unless `exact`.

    Options that only choose a member are left out. Class weights get the labels of the data; if these are not known
    yet, y is None.
    """
    flags = {MEMBERS[kind].option for kind in trainable() if MEMBERS[kind].option not in member_of(kind).declarations()}
    options = {name: value for name, value in options.items() if name not in flags}
    if isinstance(weights := options.get("class_weight"), list):
        from rosenblatt.base.labels import encode

        known = [as_labels([label]).item() for label, _ in weights] if y is None else encode(y)[0].tolist()
        labels = {str(label): label for label in known}
        for label, _ in weights:
            if label not in labels:
                raise ValueError(f"class-weight: expected a label, one of {', '.join(labels)}, found {label!r}")
        options = {**options, "class_weight": {labels[label]: weight for label, weight in weights}}
    return options if exact else {name: as_float(value) for name, value in options.items()}


def as_float(value: Any) -> Any:
    """Turn fractions into floats, also those within lists and dicts."""
    if isinstance(value, list):
        return [as_float(part) for part in value]
    if isinstance(value, dict):
        return {label: as_float(weight) for label, weight in value.items()}
    return float(value) if isinstance(value, Fraction) else value


positive_option = click.option(
    "--positive", metavar="LABEL", help="Which of two labels is +1.  [default: the second in sorted order]"
)


def label_of(text: str | None, y: Any) -> Any:
    """Find the label that the user typed. If labels are numbers, 1.0 and +1 mean the label 1."""
    if text is None:
        return None
    from rosenblatt.base.numbers import exact

    labels = sorted(set(y.tolist()))
    for label in labels:
        if str(label) == text or (not isinstance(label, str) and exact(text) == label):
            return label
    shown = ", ".join(map(str, labels[:10])) + (", ..." if len(labels) > 10 else "")
    raise ValueError(f"positive: expected a label, one of {shown}; found {text!r}")
