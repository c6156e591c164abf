"""What a way of running does not offer: one table for each member, one check, one wording.

The parameters of a member have a table `offered`: for each way of running, the parameters whose values are limited
there. A way that is not in the table is not offered at all.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from rosenblatt.base.exceptions import ParameterError

Way = Literal["shards", "stream", "cluster", "endless", "more"]

WAYS: dict[Way, str] = {
    "shards": "in shards",
    "stream": "to learn from a file",
    "cluster": "on a cluster",
    "endless": "in a run without end",
    "more": "for partial_fit, which makes one pass over all it gets",
}


class Limit(NamedTuple):
    """The allowed values of a parameter, the words for them in an error, and why other values are not allowed."""

    allows: Callable[[Any], bool]
    expected: str
    why: str


Limits = dict[str, Limit]


def only(*values: Any, why: str) -> Limit:
    """The limit to these values.

    >>> only("last", "average", why="the others need every mistake").expected
    "'last' or 'average'"
    """
    return Limit(lambda value: value in values, " or ".join(map(repr, values)), why)


def no_zero_or_balanced(why: str) -> Limit:
    """Class weights that are above 0, and that need no other labels than the row's."""

    def allows(weights: Any) -> bool:
        return weights is None or (isinstance(weights, Mapping) and all(weight > 0 for weight in weights.values()))

    return Limit(allows, "weights over 0 of labels", why)


NOT_HELD_OUT = Limit(lambda value: not value, "False", "hold examples out yourself, or use fit")
NOT_CALIBRATED = Limit(
    lambda value: not value,
    "False",
    "probabilities need runs without some of the rows: use fit, or sklearn.calibration.CalibratedClassifierCV",
)
NOT_VALIDATE = Limit(lambda value: value != "validate", "a number or 'auto'", "no row is held out")


def offers(parameters: Any, way: Way) -> bool:
    """Whether a member with these parameters, or this class of parameters, has this way of running at all."""
    return way in parameters.offered


def check_offered(parameters: Any, way: Way) -> None:
    """Raise a `ParameterError` for a value of a parameter that this way of running does not offer."""
    if way not in parameters.offered:
        raise ParameterError(f"{type(parameters).__name__}: expected a member that learns {WAYS[way]}, found another")
    for name, limit in parameters.offered[way].items():
        if not limit.allows(value := getattr(parameters, name)):
            raise ParameterError(f"{name}: expected {limit.expected} {WAYS[way]}, found {value!r}: {limit.why}")
