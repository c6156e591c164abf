"""A run as a link to the studio, which makes the same run in the page: its data and its parameters are in the hash.

The words of the hash are those of `trace`, as `page/state.js` of the studio reads them: #preset=xor&tie=positive. Not
every run can be made there: the page plots two features, visits one row at a time, and stops after 4000 visits.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.data import Trace

STUDIO = "https://rosenblatt.readthedocs.io/studio/page.html"  # offline: `rosenblatt studio`, or studio.show(run)
MOST_POINTS, MOST_VISITS = 200, 4000
MOST_CHARACTERS = 8000  # mail and chat programs leave links of this length whole
NOT_THERE = ("row_order", "sample_weight", "class_weight")
DEFAULTS = {
    "tie": "mistake", "fit_intercept": True, "intercept_scaling": 1, "first_row": 0, "eta0": 1, "margin": None,
    "step": "perceptron", "C": 1, "r": 1, "multiclass": "argmax",
}  # fmt: skip


def hash_of(run: "Trace", *, visit: int = 0) -> str | None:
    """The hash that makes this run in the page, `visit` visits of it made; None if the page cannot make it.

    >>> from rosenblatt import trace
    >>> from rosenblatt.data.lectures import AND
    >>> hash_of(trace(*AND, tie="positive"), visit=3)
    '#points=0,0,0;0,1,0;1,0,0;1,1,1&tie=positive&max_iter=1000&visit=3'
    >>> hash_of(trace(*AND, exact=True)) is None
    True
    """
    p = run.parameters
    try:
        X = np.asarray(run.X, dtype=float)
    except (TypeError, ValueError):  # sparse, or text
        return None
    there = X.ndim == 2 and X.shape[1] == 2 and 1 <= len(X) <= MOST_POINTS and len(run) <= MOST_VISITS
    names = [str(label) for label in run.classes.tolist()]
    seed = p["random_state"] if p["shuffle"] else 0
    is_seed = isinstance(seed, int | np.integer) and 0 <= seed < 2**31
    cut = p["max_visits"] not in (None, MOST_VISITS) and len(run) >= p["max_visits"]  # the page would not stop there
    plain = not p["exact"] and p["batch_size"] == 1 and all(p[name] is None for name in NOT_THERE)
    if not (there and plain and is_seed and not cut and all(name and "," not in name for name in names)):
        return None
    number = {label: place for place, label in enumerate(names)}
    points = [[*point, number[str(label)]] for point, label in zip(X.tolist(), _labels(run.labels), strict=True)]
    words: dict[str, Any] = {"points": ";".join(",".join(map(_number, point)) for point in points)}
    if names != ["-1", "1"]:
        words["labels"] = ",".join(names)
    words |= {name: _word(p[name]) for name, value in DEFAULTS.items() if p[name] != value}
    if p["shuffle"]:
        words |= {"order": "shuffled", "seed": int(seed)}
    elif p["pick"] is not None:
        words["order"] = p["pick"]
    if run.start.any():
        start = run.start if p["fit_intercept"] else np.column_stack([np.zeros(len(run.start)), run.start])
        words["init"] = ",".join(map(_number, start.ravel().tolist()))
    words["max_iter"] = p["max_iter"] if isinstance(p["max_iter"], int) else len(run.mistakes)
    if words["max_iter"] > MOST_VISITS:
        return None
    if visit:
        words["visit"] = visit
    link = f"#{urlencode(words, safe=',;')}"
    return link if len(link) <= MOST_CHARACTERS else None


def _labels(labels: Any) -> list[Any]:
    return [str(label) for label in np.asarray(labels).ravel().tolist()]


def _number(value: float) -> str:
    """The shortest text that gives the number back.

    >>> _number(2.0), _number(-0.1)
    ('2', '-0.1')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    return value if isinstance(value, str) else _number(value)
