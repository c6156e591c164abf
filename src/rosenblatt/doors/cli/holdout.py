"""`train --holdout`: a part of the rows that the model does not learn from, and how it does on them."""

from typing import Any

import click

from rosenblatt.services.files.schema import Data

holdout_option = click.option(
    "--holdout",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Hold out this share of the rows, such as 0.2, with the same shares of the classes. The model that is saved "
    "has learned from the other rows only, and its error on the rows held out is printed. How a table becomes "
    "features is learned from all rows, without their labels.",
)


def split(data: Data, share: float, seed: Any, *, numbers: bool) -> tuple[Data, Data]:
    """The data to learn from, and those held out; classes keep their shares, numbers have none."""
    import numpy as np

    from rosenblatt.base.labels import encode
    from rosenblatt.members.randomness import hold_out, random_state

    random, y = random_state(seed), np.asarray(data.y)
    target = None if numbers else encode(data.y)[1]
    learned, held = hold_out(np.arange(len(y)), share, random, target, asked="--holdout")
    held.sort()
    return data._replace(X=data.X[learned], y=y[learned]), data._replace(X=data.X[held], y=y[held])


def judgement(model: Any, data: Data, held: Data | None) -> dict[str, Any]:
    """What there is to compare a model with: the majority, and what it answers on rows that it has not seen."""
    from rosenblatt.services.comparison.confusion import Majority

    facts: dict[str, Any] = {} if model.labels is None else {"majority": Majority.of(data.y).as_json()}
    if held is None:
        return facts
    answers = model.predict(held.X)
    if model.labels is None:
        from rosenblatt.members.neighbours.squared_error import SumsOfSquares

        return {"holdout": measured_numbers(SumsOfSquares.of(held.y, answers))}
    n_rows, n_wrong = len(held.y), int((answers != held.y).sum())
    majority = Majority.of(held.y).as_json()
    return {**facts, "holdout": {"n_rows": n_rows, "n_wrong": n_wrong, "error": n_wrong / n_rows, "majority": majority}}


def measured_numbers(sums: Any) -> dict[str, Any]:
    """How far the outputs are from the numbers of a file; r2 is null where all of these are the same."""
    error = sums.error()
    return {
        "n_rows": sums.n_rows,
        "mean_squared_error": error.mean,
        "root_mean_squared_error": error.root,
        "r2": error.r2,
    }
