"""What the studio opens with: a hash, from which the page makes the run itself, or a run that is recorded for it.

The page makes the runs that it can, so that points can be dragged and conventions changed. Other runs are recorded:
exact ones, those of other than two features, of sample weights, batches, or an order of one's own.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.doors.studio.one_file import source
from rosenblatt.doors.studio.recording import record_run
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.lessons.trace.data import Trace
from rosenblatt.services.lessons.trace.link import MOST_POINTS, MOST_VISITS, hash_of
from rosenblatt.services.proofs.certificate import Certificate
from rosenblatt.services.proofs.separability import certify

MOST_FEATURES = 12
PASSES, FEW_PASSES = 100, 20  # at most; of data that is proven to be inseparable
SECONDS = 2.0  # for a proof
MORE = f"the studio is for points that one can look at: at most {MOST_POINTS} rows and {MOST_FEATURES} features"


@dataclass(frozen=True)
class Opening:
    """What the page gets, and the run's table as HTML for where no script runs."""

    state: str | None = None
    run: dict[str, Any] | None = None
    fallback: str | None = None


def opening(
    what: Any = None,
    *data: Any,
    answers: Any = None,
    preset: str | None = None,
    visit: int = 0,
    features: list[str] | None = None,
    **parameters: Any,
) -> Opening:
    """What the studio opens: nothing, a preset's name, points and labels, a trace, a proof or a model with its data."""
    if what is None:
        if data or parameters or answers is not None:
            raise TypeError("the studio needs points and labels, a trace, or a proof or a model with its data")
        if preset is not None and preset not in presets():
            raise ValueError(f"preset must be one of {', '.join(presets())}; got {preset!r}")
        shown = {"preset": preset, "visit": visit or None}
        words = "&".join(f"{name}={value}" for name, value in shown.items() if value is not None)
        return Opening(state=f"#{words}" if words else None)
    run, proof = _run_of(what, data, parameters)
    hidden = answers is None and proof is None
    state = hash_of(run, visit=visit) if hidden else None
    table = run._repr_html_()
    fallback = table[table.index("<table") : table.index("</table>") + len("</table>")]  # no style, no link
    if state is not None:
        return Opening(state=state, fallback=fallback)
    checked = None
    if answers is not None:
        from rosenblatt.services.lessons.trace.answers import checked_table

        checked = checked_table(answers, run)
    exact = bool(run.parameters["exact"])
    title = "a checked table" if checked else "a proof" if proof else "exact numbers" if exact else "a recorded run"
    recording = record_run(run, title=title, features=features, proof=proof or _proof_of(run), checked=checked)
    return Opening(run=recording, state=f"#visit={visit}" if visit else None, fallback=fallback)


def presets() -> list[str]:
    """The names of the page's examples."""
    return [preset["id"] for preset in json.loads(source("presets.json"))]


def _proof_of(run: Trace) -> Certificate | None:
    """The proof for the squeeze: of two classes, within a second or two."""
    if len(run.classes) != 2:
        return None
    p = run.parameters
    words = {name: p[name] for name in ("fit_intercept", "intercept_scaling", "as_decimal")}
    return certify(run.X, run.labels, **words, budget=SECONDS)


def _run_of(what: Any, data: tuple[Any, ...], parameters: dict[str, Any]) -> tuple[Trace, Certificate | None]:
    if isinstance(what, Trace):
        if data or parameters:
            raise TypeError("a trace has its data and its parameters: give it alone")
        return what, None
    if isinstance(what, Certificate):
        X, y = _two(data, "a proof")
        if len(what.classes) != 2 or what.center is not None:
            raise ValueError("the studio shows proofs of two classes, with x from the origin")
        scaling = what.intercept_scaling
        constant = {"fit_intercept": scaling != 0, "intercept_scaling": float(scaling) or 1.0}
        passes = {} if what.separable else {"max_iter": FEW_PASSES}  # it would go on for ever
        return _trace(X, y, {**constant, "positive": what.classes[-1], **passes, **parameters}), what
    if hasattr(what, "get_params") and hasattr(what, "coef_"):
        X, y = _two(data, "a model")
        names = ("early_stopping", "warm_start", "tol", "shards", "n_jobs", "validation_fraction", "n_iter_no_change")
        conventions = {name: value for name, value in what.get_params().items() if name not in names}
        return _trace(X, y, {**conventions, **parameters}), None
    (y,) = data if len(data) == 1 else _fail_data("points")
    return _trace(what, y, parameters), None


def _trace(X: Any, y: Any, parameters: dict[str, Any]) -> Trace:
    shape = np.shape(X)
    if len(shape) == 2 and (shape[0] > MOST_POINTS or shape[1] > MOST_FEATURES):
        raise ValueError(f"{MORE}; found {shape[0]} rows and {shape[1]} features: choose some, as X[:100, [0, 1]]")
    return trace(X, y, **{"max_visits": MOST_VISITS, "max_iter": PASSES, **parameters})


def _two(data: tuple[Any, ...], what: str) -> Any:
    return data if len(data) == 2 else _fail_data(what)


def _fail_data(what: str) -> Any:
    expected = "labels: show(X, y)" if what == "points" else f"its data: show({what.split()[-1]}, X, y)"
    raise TypeError(f"{what} need{'' if what == 'points' else 's'} {expected}")
