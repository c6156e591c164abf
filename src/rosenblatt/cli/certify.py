"""`rosenblatt certify`: separable or not, with a proof."""

from fractions import Fraction

import click

from rosenblatt.cli.command import WithExamples, answer_is_no, as_json, output, print_json, write
from rosenblatt.cli.data_file import DataFiles, file_argument, reads_data
from rosenblatt.cli.numbers import NUMBER
from rosenblatt.cli.proof_file import summary


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt certify data.svm
        rosenblatt certify and.csv -o proof.json
        rosenblatt certify and.csv --center --decimal
    """,
)
@file_argument()
@click.option("--intercept/--no-intercept", "fit_intercept", default=True, help="Whether to add the constant feature.")
@click.option("--intercept-scaling", type=NUMBER, default="1", show_default=True, help="The value of that feature.")
@click.option("--center", is_flag=True, help="Measure x from the mean of the rows: a smaller R, a better bound.")
@click.option(
    "--exact/--no-exact", default=None, help="Whether to find gamma squared as a fraction.  [default: for small data]"
)
@click.option("--decimal", is_flag=True, help="Take numbers as written, 0.1 as 1/10, not as the nearest binary ones.")
@click.option("--gap", type=NUMBER, help="How close the ends of the margin should come, relative to the upper one.")
@click.option("--budget", type=NUMBER, default="10", show_default=True, help="Seconds after which to give up.")
@output("Where the proof goes, for `rosenblatt verify`; - instead of the summary.", default=None)
@as_json
@reads_data
def certify(
    file: str,
    files: DataFiles,
    fit_intercept: bool,
    intercept_scaling: Fraction,
    center: bool,
    exact: bool | None,
    decimal: bool,
    gap: Fraction | None,
    budget: Fraction,
    output: str | None,
    as_json: bool,
) -> None:
    """Decide whether FILE is linearly separable, with a proof.

    Exit codes: 0 separable, 3 not separable, 1 undecided within the budget.
    """
    from rosenblatt.theory.separability import certify as certificate_of

    X, y, *_ = files.read(file, fractions=decimal)
    proof = certificate_of(
        X.toarray() if center and hasattr(X, "toarray") else X,
        y,
        fit_intercept=fit_intercept,
        intercept_scaling=intercept_scaling,
        center=center,
        exact="auto" if exact is None else exact,
        as_decimal=decimal,
        gap=None if gap is None else float(gap),
        budget=float(budget),
    )
    if output is not None:
        write(output, f"{proof.to_json()}\n")
    if as_json:
        print_json(summary(proof))
    elif output != "-":
        click.echo(proof)
    if proof.separable is None:
        raise click.ClickException("undecided: raise --budget")
    if not proof.separable:
        answer_is_no()
