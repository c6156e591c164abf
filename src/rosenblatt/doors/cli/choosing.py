"""`rosenblatt compare` and `tune`: which member, step and parameters; each prints the command that trains the best."""

import shlex
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import SECTIONS, WithExamples, align, always, as_json, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument, files_argument, reads_data
from rosenblatt.doors.cli.model import model_option, save_model
from rosenblatt.doors.cli.parameters import (
    DEFAULTS_SAID,
    OF_THE_DATA,
    Typed,
    as_float,
    kind_of,
    option_name,
    parameters_of,
    settle,
    type_of,
    with_defaults,
    with_parameters,
)
from rosenblatt.doors.cli.plot import STILL, picture_option, pyplot, save_picture
from rosenblatt.doors.cli.progress import SMALL, bar
from rosenblatt.members import MEMBERS
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Schema

FOR_LATER = "model.safetensors"  # the model file of the printed command, unless the user named one


class TypedCommand(click.Command):
    """A command that remembers the words that were typed, so that it can print another command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[__name__] = list(args)
        return super().parse_args(ctx, args)


def train_command(leave_out: Collection[str], parameters: Mapping[str, Any], model: str | None = None) -> str:
    """Return `rosenblatt train` with the words of the current command, as they are typed in a shell.

    The options `leave_out` are dropped, and `parameters` are added.
    """
    ctx = click.get_current_context()
    typed, _, order = ctx.command.make_parser(ctx).parse_args(list(ctx.meta[__name__]))
    file = ctx.params["file"]
    words = ["rosenblatt", "train", *(file if isinstance(file, list) else [file])]
    for param in dict.fromkeys(order):
        if isinstance(param, click.Option) and param.name not in {*leave_out, *parameters}:
            words += _words(param, typed[param.name])
    for name, value in parameters.items():
        words += _of_parameter(name, value)
    return shlex.join([*words, "--model", model or FOR_LATER])


def _words(option: click.Option, value: Any) -> list[str]:
    """An option with its value, as it was typed; an option that was typed several times comes several times."""
    name = option.opts[0]
    if option.is_flag:
        return [name if value else option.secondary_opts[0]]
    return [word for typed in (value if option.multiple else [value]) for word in (name, typed)]


def _of_parameter(name: str, value: Any) -> list[str]:
    """The option for a parameter of a member. None needs no option, because a parameter left out is None."""
    option = option_name(name)
    if value is None:
        return []
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    if isinstance(value, dict):
        return [option, ",".join(f"{label}={weight!r}" for label, weight in value.items())]
    return [option, str(value)]


# ruff: noqa: ARG002 (the signatures are scikit-learn's)


class Fits:
    """A progress bar that moves with each fit of a search."""

    max_propagation_depth = None  # no limit: a fit lies several levels inside the search

    def __init__(self, bar: Any) -> None:
        self.bar, self.done, self.total = bar, 0, 0

    def setup(self, estimator: Any, context: Any) -> None:
        """scikit-learn calls this before the search; there is nothing to prepare."""

    def teardown(self, estimator: Any, context: Any) -> None:
        """scikit-learn calls this after the search; there is nothing to clean up."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """Count the fits to come: those of the search, and one more on all rows."""
        if context.task_name == "search":
            self.total = context.max_subtasks + 1

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:
        if context.estimator_name.endswith("Perceptron") and context.task_name == "fit":
            self.done += 1
            self.bar(self.done, self.total, f"{self.done} of {self.total} fits")


def search(model: Any, X: Any, y: Any) -> None:
    """Fit a search over perceptrons, and show its progress."""
    if X.shape[0] > SMALL and sys.stderr.isatty() and hasattr(model, "set_callbacks"):  # scikit-learn 1.9 and newer
        with bar("tuning") as shown:
            model.set_callbacks(Fits(shown))
            model.fit(X, y)
            model.set_callbacks()
    else:
        model.fit(X, y)


OF_ALL = ("fit_intercept", "class_weight", "random_state")  # parameters that members share


class Compare(TypedCommand, WithExamples):
    """The verb `compare`, which prints a command for the same files."""


@click.command(
    cls=Compare,
    sections=SECTIONS,
    examples="""
        rosenblatt compare data.svm
        rosenblatt compare walks.csv --label walk --missing mean --folds 2 -o errors.png
        rosenblatt compare data.svm --class-weight balanced --json
    """,
)
@files_argument()
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Parts to split FILE into.")
@picture_option(*STILL, required=False)
@as_json
@with_parameters(OF_ALL)
@reads_data
def compare(
    file: list[str], files: Reading, folds: int, output: Path | None, as_json: bool, options: dict[str, Any]
) -> None:
    """Compare the family's members and steps on FILE.

    Each model is trained on all folds but one and tested on that fold. The table shows the error and its standard
    error, the mean error of a class, and the seconds of one training. The error of the majority is the error of a
    program that answers every row with the most frequent class. Passes, margins, C and r are set by the scale of the
    rows; `rosenblatt tune` can improve them. The last line is the command that trains the best model on all rows. How a
    table becomes features is learned once, from all of FILE, without the labels.
    """
    if output is not None:
        pyplot()  # before the work: it may not be installed
    data = files.read_all(file)
    from rosenblatt.services.comparison import compare as service

    with _bar_of_comparison() as watch:
        comparison = service.compare(data.X, data.y, folds=folds, watch=watch, **settle(options, data.y))
    best = comparison.best.candidate
    parameters = {**({"unit_classifier": True} if best.kind == "LinearUnitClassifier" else {}), **best.parameters}
    command = train_command({"folds", "output", "as_json", *OF_ALL}, parameters)
    if output is not None:
        figure = pyplot().figure(figsize=(7, 0.4 * len(comparison.lines) + 1.2), layout="constrained")
        comparison.plot(ax=figure.subplots())
        save_picture(figure, output)
    if as_json:
        print_json({**comparison.as_dict(), "command": command})
    else:
        click.echo(f"{comparison.table()}\ntrain the best: {command}")


OF = ("Perceptron", "KernelPerceptron")
NAMES = [*parameters_of(*OF)]
ONE_WORD = {"init": click.Choice(["zeros", "random"]), "class_weight": click.Choice(["balanced"])}


def _values_to_try(text: str) -> tuple[str, list[Any]]:
    name, equals, values = text.partition("=")
    name = name.strip().replace("-", "_")
    if not equals or name not in NAMES:
        raise ValueError(f"expected parameter=value,... with one of {', '.join(NAMES)}; found {text!r}")
    parameter = parameters_of(*OF)[name]
    kind, none = ONE_WORD.get(name, type_of(parameter)), "none" if parameter.default is None else None
    try:
        return name, [None if part == none else as_float(kind.convert(part, None, None)) for part in values.split(",")]
    except click.BadParameter as error:
        raise ValueError(f"{name}: {error.message}") from None


class Tune(TypedCommand, WithExamples):
    """The verb `tune`, which prints a command for the same file."""


@click.command(
    cls=Tune,
    sections=SECTIONS,
    examples="""
        rosenblatt tune data.svm
        rosenblatt tune data.svm --step arow --test test.svm
        rosenblatt tune data.svm --try readout=last,average --try max_iter=1,5,20 --test test.svm
        rosenblatt tune data.svm --kernel rbf --try gamma=0.1,1,scale --try budget=10,none
        rosenblatt tune data.svm --step arow --try r=0.1,1,10 --model model.safetensors
    """,
)
@file_argument()
@click.option(
    "--try",
    "grid",
    type=Typed("parameter=value,...", _values_to_try),
    multiple=True,
    help="Values of a parameter to try; can be repeated.  [default: values that fit the scale of the rows, for steps, "
    "readouts, passes, margins, C, r; with a kernel gamma, margins, degrees, passes; not if an option sets it]",
)
@click.option("--test", metavar="FILE", type=DATA_FILE, help="Rows to test the choice; not used to make it.")
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Parts to split FILE into.")
@model_option()
@as_json
@with_parameters(of=OF, **DEFAULTS_SAID)
@reads_data
def tune(
    file: str,
    files: Reading,
    grid: list[tuple[str, list[Any]]],
    test: str | None,
    folds: int,
    model: str | None,
    as_json: bool,
    options: dict[str, Any],
) -> None:
    """Choose by cross-validation, train on all rows, test once.

    Parameters that are not tried can be set by options, as for `rosenblatt train`. Without --try, the program itself
    chooses which values to try. Unless you save the model with --model, the last line is the command that trains it.
    How a table becomes features is learned once, from all of FILE.
    """
    tried = dict(grid)
    if len(tried) < len(grid) or set(tried) & set(options):
        raise click.UsageError("--try: each parameter once, and none of those given as options")
    if file == "-" == test:
        raise click.UsageError("FILE and --test cannot both be standard input")
    kind = kind_of([*options, *tried])
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import GridSearchCV

    from rosenblatt.base.rows import SparseRows, as_scipy
    from rosenblatt.services.comparison.candidates import grids, stratified_folds
    from rosenblatt.services.comparison.confusion import Majority

    data = files.read(file)
    X = as_scipy(data.X) if isinstance(data.X, SparseRows) else data.X
    known = Schema(data.X.shape[1], data.names, np.unique(data.y), data.encoding, data.zero_based)
    held_out = None if test is None else files.like(known).read_to_test(test)
    choices = [tried] if tried else grids(kind, settle(options, data.y), data.X)
    parameters = with_defaults(options, data.y, {name for grid in choices for name in grid})
    perceptron = MEMBERS[kind].load("estimator")(**parameters)
    parts = stratified_folds(data.y, folds, perceptron.random_state)
    trials = GridSearchCV(perceptron, choices, cv=parts, error_score="raise")
    warnings.simplefilter("ignore", ConvergenceWarning)  # the number of passes is one of the choices
    search(trials, X, data.y)
    errors = (1 - trials.cv_results_["mean_test_score"]).round(6).tolist()
    result: dict[str, Any] = {
        "n_rows": data.X.shape[0],
        "folds": folds,
        "majority": Majority.of(data.y).as_json(),
        "tried": [{"parameters": w, "error": e} for w, e in zip(trials.cv_results_["params"], errors, strict=True)],
        "best": {"parameters": trials.best_params_, "error": errors[trials.best_index_]},
    }
    if held_out is not None:
        wrong = int((trials.best_estimator_._model.predict(held_out.X) != held_out.y).sum())
        majority = Majority.of(held_out.y).as_json()
        result["test"] = {
            "n_rows": len(held_out.y),
            "n_wrong": wrong,
            "error": wrong / len(held_out.y),
            "majority": majority,
        }
    best = {**{name: parameters[name] for name in OF_THE_DATA if name in parameters}, **trials.best_params_}
    result["command"] = train_command({"grid", "folds", "test", "model", "as_json"}, best, model)
    if model is not None:
        save_model(trials.best_estimator_._model, model, data)
    if as_json:
        print_json(result)
    else:
        click.echo(as_text(result) if model is not None else f"{as_text(result)}\ntrain the best: {result['command']}")


def as_text(result: dict[str, Any]) -> str:
    names = sorted({name for line in result["tried"] for name in line["parameters"]})
    tried = [["error", *names]]
    tried += [
        [f"{line['error']:.4f}", *(str(line["parameters"].get(name, "")) for name in names)] for line in result["tried"]
    ]
    best = ", ".join(f"{word}={value}" for word, value in result["best"]["parameters"].items())
    lines = [
        f"cross-validation, {result['folds']} folds of {result['n_rows']} rows; {always(result['majority'])}",
        *align(tried),
        f"best: {best}, error {result['best']['error']:.4f}; trained again on all rows",
    ]
    if test := result.get("test"):
        wrong = f"{test['n_wrong']} of {test['n_rows']} rows wrong; {always(test['majority'])}"
        lines.append(f"test: error {test['error']:.4f}, {wrong}")
    return "\n".join(lines)


@contextmanager
def _bar_of_comparison() -> Iterator[Any]:
    if not sys.stderr.isatty():
        yield None
        return
    with bar("comparing") as shown:
        yield lambda done, total, name: shown(done, total, f"{name}, {done + 1} of {total}")
