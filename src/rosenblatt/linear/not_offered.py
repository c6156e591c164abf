"""Parameters of scikit-learn's perceptron that have no meaning here, and what to use instead."""

from collections.abc import Callable
from functools import wraps
from typing import Any

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
    """Make a constructor say what to use instead of a parameter of scikit-learn's that has no meaning here."""

    @wraps(init)
    def checked(self: Any, **given: Any) -> None:
        for name in given:
            if name in _NOT_OFFERED:
                raise TypeError(f"{type(self).__name__} has no {name!r}: {_NOT_OFFERED[name]}")
        init(self, **given)

    return checked
