"""What all verbs share: help in sections with examples, `--json`, `-o`, and results for people and for programs."""

import json
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, NoReturn

import click

from rosenblatt.base.numbers import first_names, short_text

# ruff: noqa: ARG002 (the signatures are click's)
NO = 3  # the exit code of a verb that ran and whose answer is no


class WithExamples(click.Command):
    """A command whose help ends with examples, as people type them. Many options are shown in named sections."""

    def __init__(
        self, *args: Any, examples: str, sections: Mapping[str, Sequence[str]] | None = None, **words: Any
    ) -> None:
        super().__init__(*args, **words)
        self.examples = textwrap.dedent(examples).strip().splitlines()
        self.sections = sections or {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections; options without a section come last."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        for title, names in {**self.sections, "Options": None}.items():
            by_name = {name.lstrip("-"): option for option in options for name in option.opts}
            shown = options if names is None else [by_name[name] for name in names if name in by_name]
            options = [option for option in options if option not in shown]
            records = [record for option in shown if (record := option.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def invoke(self, ctx: click.Context) -> Any:
        """Refuse to write to a file that the command also reads, or writes twice."""
        values = [
            (param, ctx.params.get(param.name or "")) for param in self.params if isinstance(param.type, click.Path)
        ]
        paths = [(param, path) for param, value in values for path in (value if isinstance(value, list) else [value])]
        first: dict[str, click.Parameter] = {}
        for param, path in paths:
            if not isinstance(path, str | Path) or str(path) == "-":
                continue
            earlier = first.setdefault(os.path.realpath(path), param)
            if earlier is not param and NewFile in (type(param.type), type(earlier.type)):
                name, second = earlier.get_error_hint(ctx), param.get_error_hint(ctx)
                raise click.UsageError(f"{name} and {second}: expected two files, found {str(path)!r} for both", ctx)
        return super().invoke(ctx)


as_json = click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")


class NewFile(click.Path):
    """A file to be written, or `-` for stdout if that is allowed.

    Writing is tried before the work begins. A cache (`is_cache`) that exists already may be read-only.
    """

    def __init__(self, *, allow_dash: bool = False, is_cache: bool = False) -> None:
        super().__init__(dir_okay=False, allow_dash=allow_dash)
        self.is_cache = is_cache

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from rosenblatt.base.atomic_write import check_writable

        path = str(super().convert(value, param, ctx))
        if (path == "-" and self.allow_dash) or (self.is_cache and Path(path).is_file()):
            return path
        try:
            check_writable(path)
        except OSError as error:
            if error.errno is not None:  # the system refuses any such name
                raise
            self.fail(str(error), param, ctx)
        return path


def output(help: str, *, default: str | None = "-") -> Any:  # noqa: A002 - click's word
    """The option -o FILE. The file is written completely, or not at all."""
    path = NewFile(allow_dash=True)
    return click.option("-o", "--output", metavar="FILE", type=path, default=default, help=help)


@contextmanager
def writing(path: str) -> Iterator[Callable[[str], Any]]:
    """Write to a file, whole or not at all; `-` is stdout, which gets each piece at once."""
    from rosenblatt.services.files.compressed import replace_file

    sys.stdout.flush()
    with replace_file(path) as file:

        def put(content: str) -> None:
            file.write(content.encode())
            if path == "-":
                file.flush()

        yield put


def write(path: str, content: str) -> None:
    """Write a file at once, whole or not at all."""
    with writing(path) as put:
        put(content)


def print_json(result: dict[str, Any], *, err: bool = False) -> None:
    """Print one line: the result, and the version of its schema."""
    click.echo(json.dumps({"schema": 1, **result}, default=str), err=err)


def warn(message: str) -> None:
    """Print a warning to stderr, in one line."""
    click.echo(f"warning: {' '.join(message.split())}", err=True)


def print_facts(facts: dict[str, Any]) -> None:
    """Print names and values in two columns."""
    width = max(map(len, facts)) + 2
    for name, value in facts.items():
        click.echo(f"{name:{width}}{value}")


def align(rows: list[Any], left: Collection[int] = (0,)) -> list[str]:
    """Lines of text, with columns of one width: the columns `left` begin at the left, all others end at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Let Ctrl-C end the program even within a long call of a library: this work leaves nothing half-written."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return
    from rosenblatt import _core

    _core.end_at_interrupt()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def answer_is_no() -> NoReturn:
    """End the program with the exit code for "no"."""
    raise click.exceptions.Exit(NO)


SECTIONS = {
    "Search": ("try", "folds", "test"),
    "Judging": ("holdout",),
    "Learning": (
        *("readout", "step", "margin", "eta0", "C", "r", "tie", "multiclass", "batch-size", "shuffle", "init"),
        *(
            "class-weight",
            "intercept",
            "intercept-scaling",
            "seed",
            "keep-mistakes",
            "probabilities",
            "label-separator",
        ),
        *("templates", "boundary", "share", "min-count", "beam", "exploration", "prune"),
    ),
    "Stopping": ("max-iter", "tol", "early-stopping", "validation-fraction", "n-iter-no-change", "dev", "refit"),
    "Many cores": ("shards", "rounds", "n-jobs", "dask"),
    "Numbers, and linear units": (
        *("unit", "unit-classifier", "method", "learning-rate", "power-t"),
        *("passive-aggressive", "loss", "epsilon", "average"),
    ),
    "Kernel": (
        *("kernel", "degree", "gamma", "coef0", "normalise", "passes", "suffix"),
        *("budget", "budget-policy", "block-size", "cache-size"),
    ),
    "Files": (
        *("from", "n-features", "zero-based", "columns", "tag", "tagger", "jackknife"),
        *("stream", "cache", "checkpoint", "checkpoint-seconds", "resume", "float32", "max-line"),
    ),
    "Tables": (
        *(
            "label",
            "delimiter",
            "header",
            "names",
            "na",
            "decimal",
            "thousands",
            "date-order",
            "encoding",
            "encoding-errors",
        ),
        *("categorical", "text", "dates", "ignore"),
        *("missing", "unknown", "standardise", "ngrams", "chars", "weighting", "bits"),
    ),
    "Output": ("model", "max-size", "output", "json"),
}


def as_facts(result: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The facts of a result by their names for people; a fact that is None is left out."""
    shown = {name: value for name, value in result.items() if value not in (None, [])}
    if "classes" in result:
        shown["classes"] = list_of(result["classes"])
    if "standardised" in shown:
        shown["standardised"] = list_of(result["standardised"])
    if isinstance(result.get("loss"), float):
        shown["loss"] = f"{result['loss']:.6g}"
    if isinstance(result.get("score"), float):
        shown["score"] = f"{100 * result['score']:.2f} %"
    if "majority" in result:
        n_wrong = round(result["majority"]["error"] * result["n_rows"])
        shown["majority"] = f"{n_wrong} (always {short_text(result['majority']['label'])})"
    if "holdout" in result:
        shown["holdout"] = _of_rows_held_out(result["holdout"])
    shown["converged"] = "yes" if result["converged"] else "no"
    return {names.get(name, name): value for name, value in shown.items()}


def how_encoded(encoding: Any) -> dict[str, Any]:
    """The columns of a table whose numbers are standardised; nothing if there was no table."""
    return {} if encoding is None else {"standardised": encoding.numbers.standardised}


def _of_rows_held_out(judgement: dict[str, Any]) -> str:
    """The facts about a model on rows that it has not seen."""
    seen = f"{judgement['n_rows']} rows that the model has not seen"
    if "micro_f1" in judgement:
        return f"{seen}: micro F1 {judgement['micro_f1']:.4f}, macro F1 {judgement['macro_f1']:.4f}"
    if "error" in judgement:
        return f"{seen}: error {judgement['error']:.4f}, {always(judgement['majority'])}"
    r2 = "-" if judgement["r2"] is None else f"{judgement['r2']:.6g}"
    return f"{seen}: root mean squared error {judgement['root_mean_squared_error']:.6g}, R^2 {r2}"


def list_of(labels: list[Any], most: int = 10) -> str:
    return f"{len(labels)}: {first_names(labels, most)}"


def always(majority: dict[str, Any]) -> str:
    """The mistakes of answering every row with the most frequent class, which a model has to beat."""
    return f"majority's error {majority['error']:.4f} (always {short_text(majority['label'])})"
