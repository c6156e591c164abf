"""The linear unit at the command line: `train --unit`, which learns numbers, and what `evaluate` says of one."""

import time
from typing import Any

from rosenblatt.cli.command import warn
from rosenblatt.cli.data_file import DataFiles
from rosenblatt.cli.facts import how_encoded
from rosenblatt.cli.holdout import judgement, split
from rosenblatt.cli.model import save_model
from rosenblatt.cli.parameters import AtTheKeyboard, member_of, settled

UNITS = ("LinearUnit", "LinearUnitClassifier")


def train_unit(
    kind: str,
    paths: list[str],
    files: DataFiles,
    model: str,
    given: dict[str, Any],
    holdout: float | None,
    *,
    as_json: bool,
) -> dict[str, Any]:
    """Train and save it; what there is to say."""
    from rosenblatt.neighbours.linear_unit import fit_unit, fit_unit_classifier

    data = files.read_all(paths, numbers=kind == "LinearUnit")
    parameters: Any = member_of(kind).checked(**settled(given, data.y))
    held = None
    if holdout is not None:
        data, held = split(data, holdout, parameters.random_state, numbers=kind == "LinearUnit")
    start, fit = time.perf_counter(), fit_unit if kind == "LinearUnit" else fit_unit_classifier
    unit, warning = fit(parameters, data.X, data.y, voice=AtTheKeyboard(paths[0]))
    seconds = time.perf_counter() - start
    judged = judgement(unit, data, held)
    save_model(unit, model, data)
    if warning is not None and "max_iter" not in given and not as_json:  # the JSON says whether it converged
        warn(warning)
    return {
        "n_rows": data.X.shape[0],
        "n_features": unit.n_features,
        **({} if unit.labels is None else {"classes": unit.labels.tolist()}),
        **unit.facts(),
        **how_encoded(data.encoding),
        **judged,
        "seconds": round(seconds, 3),
        "random_state": parameters.random_state,
        "model": model,
    }


def measured_as_text(result: dict[str, Any]) -> str:
    """For people."""
    r2 = "- (all numbers of the file are the same)" if result["r2"] is None else f"{result['r2']:.6g}"
    return "\n".join(
        [
            f"mean squared error       {result['mean_squared_error']:.6g}",
            f"root mean squared error  {result['root_mean_squared_error']:.6g}",
            f"R^2                      {r2}",
            f"rows                     {result['n_rows']}",
        ]
    )
