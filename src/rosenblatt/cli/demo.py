"""`rosenblatt demo`: the family at work in half a minute of reading, on data that is already there."""

import click

from rosenblatt.cli.command import WithExamples


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt demo
    """,
)
def demo() -> None:
    """Show the family at work; no files are needed.

    The lecture's table of updates, two proofs, and a training on real data.
    """
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    from rosenblatt.data.lectures import AND, XOR
    from rosenblatt.perceptron import Perceptron
    from rosenblatt.theory.separability import certify
    from rosenblatt.trace import trace

    click.echo("The lecture's AND function: every mistake of the perceptron, and what it does to the weights.\n")
    click.echo(trace(*AND).table(["pass", "example", "x", "y", "score", "why", "after"], updates_only=True))
    click.echo("\nIs it separable? AND, with a proof:\n")
    click.echo(certify(*AND))
    click.echo("\nXOR:\n")
    click.echo(certify(*XOR))
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=1)
    model = Perceptron(keep_mistakes=True).fit(X, y)
    errors = {name: 1 - model.set_params(readout=name).score(X_test, y_test) for name in ("last", "average")}
    click.echo(f"\nHandwritten digits, {len(y)} rows: converged after {model.n_iter_} passes.")
    click.echo(f"Test error of the last weights {errors['last']:.1%}, of their average {errors['average']:.1%}.\n")
    click.echo("Next, with files of your own: rosenblatt --help")
