"""Parameters of scikit-learn's perceptrons that have no meaning here.

A value that changes nothing there is taken and forgotten, so that their defaults may be written out. For any other the
error says what to use instead.
"""

from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any

_NOT_REGULARISED = "a perceptron is not regularised; use step='pa1' with a small C, step='arow', or readout='average'"

# What changes nothing, and what to say of anything else.
_NOT_OFFERED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "penalty": (lambda value: value is None, _NOT_REGULARISED),
    "alpha": (lambda value: isinstance(value, Real), _NOT_REGULARISED),  # without a penalty nothing looks at it
    "l1_ratio": (lambda value: value is None or isinstance(value, Real), _NOT_REGULARISED),
    "verbose": (
        lambda value: isinstance(value, Integral) and value == 0,
        "use set_callbacks(ProgressBar()) of sklearn.callback (scikit-learn 1.9 and newer) to watch the passes",
    ),
    "average": (lambda value: value is False, "use readout='average'"),
    "loss": (
        lambda value: value == "perceptron",
        "use step and margin to choose the rule: step='perceptron' with margin=0 is the perceptron loss",
    ),
}


def offered(name: str, given: dict[str, Any], error: type[Exception]) -> dict[str, Any]:
    """What is left of the parameters given to an estimator of this name, once those that change nothing are gone."""
    for parameter, value in given.items():
        changes_nothing, advice = _NOT_OFFERED.get(parameter, (None, ""))
        if changes_nothing is not None and not changes_nothing(value):
            raise error(f"{name} has no {parameter!r}: {advice}")
    return {parameter: value for parameter, value in given.items() if parameter not in _NOT_OFFERED}


def takes_what_changes_nothing(init: Callable[..., None]) -> Callable[..., None]:
    """Make a constructor take such values, and say what to use instead of others."""

    @wraps(init)
    def checked(self: Any, **given: Any) -> None:
        init(self, **offered(type(self).__name__, given, TypeError))

    return checked
