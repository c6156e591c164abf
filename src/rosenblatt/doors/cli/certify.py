"""`rosenblatt certify`: separable or not, with a proof."""

from fractions import Fraction
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, answer_is_no, as_json, ending_at_once, output, print_json, write
from rosenblatt.doors.cli.data_file import file_argument, reads_data_as_it_is
from rosenblatt.doors.cli.numbers import NUMBER, Typed, number
from rosenblatt.doors.cli.proof_file import summary
from rosenblatt.services.files.reading import Reading

GAMMA = Typed("number|scale|auto", lambda text: text if text in ("scale", "auto") else number(text))
OF_LINES = ("fit_intercept", "intercept_scaling", "center", "gap")
OF_THE_KERNEL = ("degree", "gamma", "coef0")


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt certify data.svm
        rosenblatt certify and.csv -o proof.json
        rosenblatt certify and.csv --center --as-decimal
        rosenblatt certify xor.csv --kernel poly --degree 2 --gamma 1 --coef0 1
    """,
)
@file_argument()
@click.option(
    "--intercept/--no-intercept",
    "fit_intercept",
    default=None,
    help="Whether to add the constant feature.  [default: intercept]",
)
@click.option("--intercept-scaling", type=NUMBER, help="The value of that feature.  [default: 1]")
@click.option(
    "--center", is_flag=True, default=None, help="Measure x from the mean of the rows: a smaller R, a better bound."
)
@click.option("--kernel", type=click.Choice(["linear", "poly", "rbf"]), help="Ask of this kernel, not of lines.")
@click.option("--degree", type=click.IntRange(1, 999), help="The degree of poly.  [default: 3]")
@click.option("--gamma", type=GAMMA, help="The gamma of poly and rbf, as `train` has it.  [default: scale]")
@click.option("--coef0", type=NUMBER, help="The constant of linear and poly, from 0 on.  [default: 0]")
@click.option(
    "--exact/--no-exact",
    default=None,
    help="Whether to find gamma squared as a fraction, and to print it.  [default: find it for small data]",
)
@click.option(
    "--as-decimal", is_flag=True, help="Take numbers as written, 0.1 as 1/10, not as the nearest binary ones."
)
@click.option("--gap", type=NUMBER, help="How close the ends of the margin should come, relative to the upper one.")
@click.option("--budget", type=NUMBER, default="10", show_default=True, help="Seconds after which to give up.")
@output("Where the proof goes, for `rosenblatt verify`; - instead of the summary.", default=None)
@as_json
@reads_data_as_it_is
def certify(
    file: str,
    files: Reading,
    kernel: str | None,
    exact: bool | None,
    as_decimal: bool,
    budget: Fraction,
    output: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Decide whether FILE is separable, with a proof.

    By a plane, or with --kernel by that. Exit codes: 0 separable, 3 not separable, 1 undecided within the budget.
    """
    words = {name: value for name, value in given.items() if value is not None}
    for name in words:
        if (name in OF_LINES) == (kernel is not None):
            option = "--no-intercept" if name == "fit_intercept" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} {'has no meaning with' if kernel else 'needs'} --kernel")
    X, y, *_ = files.read(file, fractions=as_decimal)
    shared = {"as_decimal": as_decimal, "budget": float(budget)}
    with ending_at_once():
        proof = _of_lines(X, y, exact, words | shared) if kernel is None else _of_kernel(X, y, kernel, words | shared)
    if output is not None:
        write(output, f"{proof.to_json()}\n")
    if as_json:
        print_json(summary(proof))
    elif output != "-":
        click.echo(proof.text(exact=bool(exact)))
    if proof.separable is None:
        raise click.ClickException("undecided: raise --budget")
    if not proof.separable:
        answer_is_no()


def _of_lines(X: Any, y: Any, exact: bool | None, words: dict[str, Any]) -> Any:
    from rosenblatt.services.proofs.separability import certify as certificate_of

    if words.get("center") and hasattr(X, "toarray"):
        X = X.toarray()
    if "gap" in words:
        words["gap"] = float(words["gap"])
    return certificate_of(X, y, exact="auto" if exact is None else exact, **words)


def _of_kernel(X: Any, y: Any, kernel: Any, words: dict[str, Any]) -> Any:
    from rosenblatt.services.proofs.kernel_separability import certify_kernel

    return certify_kernel(X, y, kernel=kernel, **{"gamma": "scale", **words})
