"""`rosenblatt tune`: the lectures' recipe: choose by cross-validation, train again on all rows, test once."""

import warnings
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, aligned, as_json, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument, reads_data
from rosenblatt.doors.cli.facts import always
from rosenblatt.doors.cli.model import model_option, save_model
from rosenblatt.doors.cli.numbers import Typed
from rosenblatt.doors.cli.parameters import (
    DEFAULTS_SAID,
    OF_THE_DATA,
    as_float,
    kind_of,
    parameters_of,
    settled,
    type_of,
    with_defaults,
    with_parameters,
)
from rosenblatt.doors.cli.sections import SECTIONS
from rosenblatt.doors.cli.typed import TypedCommand, train_command
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Schema

OF = ("Perceptron", "KernelPerceptron")
NAMES = [*parameters_of(*OF)]
ONE_WORD = {"init": click.Choice(["zeros", "random"]), "class_weight": click.Choice(["balanced"])}


def _tried(text: str) -> tuple[str, list[Any]]:
    """A parameter and the values to try."""
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
    """The verb, which prints a command of the same file."""


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
    type=Typed("parameter=value,...", _tried),
    multiple=True,
    help="Values of a parameter to try; many times.  [default: steps, readouts, passes, margins, C, r; of a kernel "
    "gamma, margins, degrees, passes: those that are not given, as the scale of the rows asks for]",
)
@click.option("--test", metavar="FILE", type=DATA_FILE, help="Rows that have no part in the choice.")
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Parts that FILE is cut into.")
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
    given: dict[str, Any],
) -> None:
    """Choose by cross-validation, train on all rows, test once.

    Parameters that are not tried are given as options, as for `rosenblatt train`. Without --try it knows what to try.
    Unless the model is saved, the last line is the command that trains it. How a table becomes features is learned
    once, from all of FILE.
    """
    tried = dict(grid)
    if len(tried) < len(grid) or set(tried) & set(given):
        raise click.UsageError("--try: each parameter once, and none of those given as options")
    if file == "-" == test:
        raise click.UsageError("FILE and --test cannot both be standard input")
    kind = kind_of([*given, *tried])
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.model_selection import GridSearchCV

    import rosenblatt
    from rosenblatt.base.rows import SparseRows, as_scipy
    from rosenblatt.doors.cli.search_progress import search
    from rosenblatt.services.comparison.candidates import grids, stratified_folds
    from rosenblatt.services.comparison.confusion import Majority

    data = files.read(file)
    X = as_scipy(data.X) if isinstance(data.X, SparseRows) else data.X
    known = Schema(data.X.shape[1], data.names, np.unique(data.y), data.encoding, data.zero_based)
    held_out = None if test is None else files.like(known).read_to_test(test)
    choices = [tried] if tried else grids(kind, settled(given, data.y), data.X)
    parameters = with_defaults(given, data.y, {name for grid in choices for name in grid})
    perceptron = getattr(rosenblatt, kind)(**parameters)
    parts = stratified_folds(data.y, folds, perceptron.random_state)
    found = GridSearchCV(perceptron, choices, cv=parts, error_score="raise")
    warnings.simplefilter("ignore", ConvergenceWarning)  # how many passes to make is one of the choices
    search(found, X, data.y)
    errors = (1 - found.cv_results_["mean_test_score"]).round(6).tolist()
    result: dict[str, Any] = {
        "n_rows": data.X.shape[0],
        "folds": folds,
        "majority": Majority.of(data.y).as_json(),
        "tried": [{"parameters": w, "error": e} for w, e in zip(found.cv_results_["params"], errors, strict=True)],
        "best": {"parameters": found.best_params_, "error": errors[found.best_index_]},
    }
    if held_out is not None:
        wrong = int((found.best_estimator_._model.predict(held_out.X) != held_out.y).sum())
        majority = Majority.of(held_out.y).as_json()
        result["test"] = {
            "n_rows": len(held_out.y),
            "n_wrong": wrong,
            "error": wrong / len(held_out.y),
            "majority": majority,
        }
    best = {**{name: parameters[name] for name in OF_THE_DATA if name in parameters}, **found.best_params_}
    result["command"] = train_command({"grid", "folds", "test", "model", "as_json"}, best, model)
    if model is not None:
        save_model(found.best_estimator_._model, model, data)
    if as_json:
        print_json(result)
    else:
        click.echo(as_text(result) if model is not None else f"{as_text(result)}\ntrain the best: {result['command']}")


def as_text(result: dict[str, Any]) -> str:
    """For people: what was tried, the choice, and what the test says of it."""
    names = sorted({name for line in result["tried"] for name in line["parameters"]})
    tried = [["error", *names]]
    tried += [
        [f"{line['error']:.4f}", *(str(line["parameters"].get(name, "")) for name in names)] for line in result["tried"]
    ]
    best = ", ".join(f"{word}={value}" for word, value in result["best"]["parameters"].items())
    lines = [
        f"cross-validation, {result['folds']} folds of {result['n_rows']} rows; {always(result['majority'])}",
        *aligned(tried),
        f"best: {best}, error {result['best']['error']:.4f}; trained again on all rows",
    ]
    if test := result.get("test"):
        wrong = f"{test['n_wrong']} of {test['n_rows']} rows wrong; {always(test['majority'])}"
        lines.append(f"test: error {test['error']:.4f}, {wrong}")
    return "\n".join(lines)
