"""What learns numbers, and linear units: `train --unit` and `--passive-aggressive`, and what `evaluate` says."""

import time
from typing import Any

from rosenblatt.doors.cli.command import warn
from rosenblatt.doors.cli.facts import how_encoded
from rosenblatt.doors.cli.holdout import judgement, split
from rosenblatt.doors.cli.model import save_model
from rosenblatt.doors.cli.parameters import AtTheKeyboard, member_of, with_defaults
from rosenblatt.members import MEMBERS
from rosenblatt.services.files.reading import Reading

UNITS = ("LinearUnit", "LinearUnitClassifier", "PassiveAggressiveRegressor")


def train_unit(
    kind: str,
    paths: list[str],
    files: Reading,
    model: str,
    given: dict[str, Any],
    holdout: float | None,
    *,
    as_json: bool,
) -> dict[str, Any]:
    """Train and save it; what there is to say."""
    from rosenblatt.members.scales import uneven_scales

    numbers = kind != "LinearUnitClassifier"
    data = files.read_all(paths, numbers=numbers)
    parameters: Any = member_of(kind).of(**with_defaults({"random_state": 0, **given}, data.y))
    held = None
    if holdout is not None:
        data, held = split(data, holdout, parameters.random_state, numbers=numbers)
    start = time.perf_counter()
    unit, warning = _fit(kind, parameters, data.X, data.y, AtTheKeyboard(paths[0]))
    seconds = time.perf_counter() - start
    judged = judgement(unit, data, held)
    save_model(unit, model, data)
    if kind == "PassiveAggressiveRegressor" and not as_json:
        scales = uneven_scales(data.X, float(parameters.fit_intercept))
        if scales is not None:
            warn(scales.advice(data.feature_names, AtTheKeyboard(paths[0], is_table=data.encoding is not None)))
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


def _fit(kind: str, parameters: Any, X: Any, y: Any, voice: AtTheKeyboard) -> tuple[Any, str | None]:
    """The model, and what to warn of."""
    fit = MEMBERS[kind].load("fit")
    if kind == "PassiveAggressiveRegressor":
        model, end = fit(parameters, X, y)
        return model, model.not_converged(voice) if end == "limit" and parameters.tol is not None else None
    model, warning = fit(parameters, X, y, voice=voice)
    return model, warning


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
