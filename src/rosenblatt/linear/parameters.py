"""The words of the perceptron: what each may be, and what to say of those that are not offered."""

import math
from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

READOUTS = ("last", "average", "vote", "pocket")
STEPS = ("perceptron", "pa", "pa1", "pa2", "arow")

_positive = Interval(Real, 0, None, closed="neither")

PERCEPTRON: dict[str, list[Any]] = {
    "readout": [StrOptions(set(READOUTS))],
    "step": [StrOptions(set(STEPS))],
    "tie": [StrOptions({"mistake", "positive", "negative"})],
    "margin": [Interval(Real, 0, None, closed="left"), None],
    "eta0": [_positive],
    "C": [_positive],
    "r": [_positive],
    "init": [StrOptions({"zeros", "random"}), "array-like"],
    "shuffle": ["boolean"],
    "max_iter": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
    "tol": [Interval(Real, 0, None, closed="left"), None],
    "batch_size": [Interval(Integral, 1, None, closed="left"), StrOptions({"all"})],
    "multiclass": [StrOptions({"argmax", "one-vs-rest"})],
    "fit_intercept": ["boolean"],
    "intercept_scaling": [_positive],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "early_stopping": ["boolean"],
    "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
    "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
    "keep_mistakes": ["boolean"],
    "warm_start": ["boolean"],
    "random_state": ["random_state"],
}

_NOT_OFFERED = {
    "penalty": "a perceptron is not regularised; use step='pa1' with a small C, step='arow', or readout='average'",
    "alpha": "a perceptron is not regularised; use step='pa1' with a small C, step='arow', or readout='average'",
    "l1_ratio": "a perceptron is not regularised; use step='pa1' with a small C, step='arow', or readout='average'",
    "n_jobs": "a pass is sequential, each visit needs the weights of the one before; leave it out",
    "verbose": "use set_callbacks(ProgressBar()) of sklearn.callback to watch the passes",
    "average": "use readout='average'",
    "loss": "use step and margin to choose the rule: step='perceptron' with margin=0 is the perceptron loss",
}


def refuses_what_is_not_offered(init: Callable[..., None]) -> Callable[..., None]:
    """Make a constructor say what to use instead of a word of scikit-learn's that has no meaning here."""

    @wraps(init)
    def checked(self: Any, **words: Any) -> None:
        for word in words:
            if word in _NOT_OFFERED:
                raise TypeError(f"{type(self).__name__} has no {word!r}: {_NOT_OFFERED[word]}")
        init(self, **words)

    return checked


def resolve_margin(margin: float | None, step: str) -> float:
    """The margin asked for: 0 for the perceptron and 1 for PA and AROW unless given."""
    if margin is None:
        return 0.0 if step == "perceptron" else 1.0
    if margin == 0 and step != "perceptron":
        raise ValueError(f"margin must be over 0 with step={step!r}, whose step is as long as the margin is missed by")
    if not math.isfinite(margin):
        raise ValueError(f"margin must be finite, got {margin}")
    return float(margin)


def resolve_batch_size(batch_size: int | str, step: str, n_samples: int) -> int:
    """The number of rows in a batch, "all" resolved."""
    size = n_samples if batch_size == "all" else int(batch_size)
    if batch_size != 1 and step != "perceptron":
        raise ValueError(f"batch_size must be 1 with step={step!r}: its step is right for one example at a time")
    return max(1, size)


def resolve_init(init: Any, n_rows: int, n_features: int, *, constant: bool, random: np.random.RandomState) -> Any:
    """The start: (n_rows, n_features) coefficients and (n_rows,) weights of the constant feature."""
    if isinstance(init, str) and init == "random":
        init = random.normal(size=(n_rows, n_features + constant))
    elif isinstance(init, str):
        return np.zeros((n_rows, n_features)), np.zeros(n_rows)
    start = np.atleast_2d(np.asarray(init, dtype=np.float64))
    widths = {n_features, n_features + constant}
    if start.ndim != 2 or start.shape[0] != n_rows or start.shape[1] not in widths:
        expected = " or ".join(f"({n_rows}, {width})" for width in sorted(widths))
        raise ValueError(f"init must have shape {expected}, the constant feature's weight first; got {np.shape(init)}")
    if not np.isfinite(start).all():
        raise ValueError("init must be finite")
    if start.shape[1] == n_features:
        return start, np.zeros(n_rows)
    return start[:, 1:], start[:, 0]
