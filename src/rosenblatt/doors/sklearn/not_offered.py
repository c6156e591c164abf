"""Parameters of scikit-learn's linear classifiers that have no meaning here.

A value that changes nothing there is taken and forgotten, so that their defaults may be written out. For any other the
error says what to use instead.
"""

from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any, NamedTuple


class _NotOffered(NamedTuple):
    """Which values change nothing, and what to use instead of others; some values have their own advice."""

    changes_nothing: Callable[[Any], bool]
    advice: str
    by_value: dict[str, str] = {}  # noqa: RUF012 - never written to


def _is_number(value: Any) -> bool:
    return isinstance(value, Real)


def _never(value: Any) -> bool:  # noqa: ARG001
    return False


_NOT_REGULARISED = "a perceptron is not regularised; use step='pa1' with a small C, step='arow', or readout='average'"
_PA1, _PA2 = "use step='pa1', whose largest step is C", "use step='pa2', whose steps C softens"
_NUMBERS = "PassiveAggressiveRegressor and LinearUnit learn numbers"
_PROBABILITIES = (
    "this is a loss for probabilities; use sklearn.calibration.CalibratedClassifierCV(Perceptron(...)) for these, or "
    "step='pa1'"
)

_NOT_OFFERED: dict[str, _NotOffered] = {
    "penalty": _NotOffered(lambda value: value is None, _NOT_REGULARISED),
    "alpha": _NotOffered(_is_number, _NOT_REGULARISED),  # without a penalty nothing looks at it
    "l1_ratio": _NotOffered(lambda value: value is None or _is_number(value), _NOT_REGULARISED),
    "verbose": _NotOffered(
        lambda value: isinstance(value, Integral) and value == 0,
        "use set_callbacks(ProgressBar()) of sklearn.callback (scikit-learn 1.9 and newer) to watch the passes",
    ),
    "average": _NotOffered(
        lambda value: value is False,
        "use readout='average'; PassiveAggressiveClassifier has average, also with the visit that it begins with",
    ),
    "loss": _NotOffered(
        lambda value: value == "perceptron",
        "use step and margin to choose the rule: step='perceptron' with margin=0 is the perceptron loss",
        {
            "hinge": _PA1,
            "squared_hinge": _PA2,
            "log_loss": _PROBABILITIES,
            "modified_huber": _PROBABILITIES,
            **dict.fromkeys(("epsilon_insensitive", "squared_epsilon_insensitive", "squared_error", "huber"), _NUMBERS),
        },
    ),
    "learning_rate": _NotOffered(
        lambda value: value == "constant",
        "the rate is always eta0; use readout='average' in place of a rate that falls",
        {"pa1": _PA1, "pa2": _PA2},
    ),
    "power_t": _NotOffered(_is_number, "the rate is always eta0"),  # at a constant rate nothing looks at it
    "epsilon": _NotOffered(_is_number, _NUMBERS),  # of a classifier's loss nothing looks at it
    "dual": _NotOffered(_never, "leave it out: rows are learned one by one; KernelPerceptron has dual coefficients"),
    "solver": _NotOffered(_never, "leave it out: there is one, pass after pass over the rows; step chooses the rule"),
    "multi_class": _NotOffered(
        _never,
        "use multiclass='argmax' or 'one-vs-rest'",
        {"ovr": "use multiclass='one-vs-rest'", "crammer_singer": "use multiclass='argmax'"},
    ),
}


def offered(name: str, given: dict[str, Any], error: type[Exception]) -> dict[str, Any]:
    """What is left of the parameters given to an estimator of this name, once those that change nothing are gone."""
    for parameter, value in given.items():
        wrong = _NOT_OFFERED.get(parameter)
        if wrong is not None and not wrong.changes_nothing(value):
            advice = wrong.by_value.get(value, wrong.advice) if isinstance(value, str) else wrong.advice
            raise error(f"{name} has no {parameter!r}: {advice}")
    return {parameter: value for parameter, value in given.items() if parameter not in _NOT_OFFERED}


def takes_what_changes_nothing(init: Callable[..., None]) -> Callable[..., None]:
    """Make a constructor take such values, and say what to use instead of others."""

    @wraps(init)
    def checked(self: Any, **given: Any) -> None:
        init(self, **offered(type(self).__name__, given, TypeError))

    return checked
