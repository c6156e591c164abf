"""Everything that is settled before the first visit of a trace, as `Perceptron.fit` settles it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt import plain
from rosenblatt.base.arrays import Array, check_labels
from rosenblatt.base.inputs import as_float_table, check_lengths
from rosenblatt.base.labels import with_positive
from rosenblatt.base.rows import Matrix, core_rows, is_sparse
from rosenblatt.members.sample_weight import step_weights

if TYPE_CHECKING:
    from rosenblatt.members.linear.learn import LinearMethod

_REFUSED = {
    "early_stopping": "a trace holds out no rows",
    "warm_start": "a trace starts where init says",
    "shards": "a trace is one run",
    "tol": "a trace ends at a clean pass, or after max_iter passes or max_visits visits",
}


@dataclass
class Setting:
    """The data, the classes, the weights of rows, and the core's state at the start."""

    method: "LinearMethod"
    X: Matrix
    classes: Array
    target: Array  # class numbers
    weight: Array | None
    rows: Array  # those whose weight is not 0
    state: Any  # the core's
    seed: int | None

    @property
    def parameters(self) -> Any:
        """Those of a `Perceptron`, by name."""
        return self.method.parameters

    @property
    def contests(self) -> Callable[..., list[plain.Contest]]:
        """Which gaps decide."""
        if len(self.classes) == 2:
            return plain.binary
        return plain.argmax if self.parameters.multiclass == "argmax" else plain.one_vs_rest

    @property
    def y(self) -> Array:
        """-1 or +1 for two classes, class numbers for more."""
        return 2 * self.target - 1 if len(self.classes) == 2 else self.target

    @property
    def x(self) -> Array:
        """The rows of X with their constant feature, if there is one, first."""
        constant = np.full((self.X.shape[0], int(self.parameters.fit_intercept)), self.state.bias, dtype=self.X.dtype)
        return np.column_stack([constant, self.X.toarray() if is_sparse(self.X) else self.X])

    @property
    def weights(self) -> Array:
        """The core's weights as they are now: (1 or classes, features), the constant feature first."""
        w = self.state.weights("last")[:, : self.state.n_rows]
        return np.array((np.vstack([w[-1:], w[:-1]]) if self.parameters.fit_intercept else w[:-1]).T)


def settle(X: Any, sample_weight: Any, given: dict[str, Any], *, y: Any, positive: Any) -> Setting:
    """Checks the data and the parameters that are given, and draws the start and the seed; of two, `positive` is +1."""
    # Here and in `method_of`: pictures need the numbers of a trace too, but seldom a perceptron.
    from rosenblatt.members.randomness import random_state

    method = method_of(given)
    p = method.parameters
    for name, reason in _REFUSED.items():
        if not p.is_default(name):
            raise ValueError(f"trace cannot have {name}={getattr(p, name)!r}: {reason}")
    check_labels(y)
    if p.max_iter == "validate":
        raise ValueError("trace cannot have max_iter='validate': a trace holds out no rows")
    X, y = as_float_table(X), np.asarray(y)
    check_lengths(X, y)
    X = method.checked(X)
    core_rows(X)  # every value is finite
    classes, target, weight, rows = step_weights(X, y, sample_weight, p.class_weight, all_labels=True)
    if len(classes) < 2:
        raise ValueError(f"trace needs at least 2 classes, got samples of only one class: {classes.tolist()}")
    classes, target = with_positive(classes, target, positive)
    state, seed = method.begin(classes, X, random_state(p.random_state))
    return Setting(method, X, classes, target, weight, rows, state, seed)


def method_of(given: dict[str, Any]) -> "LinearMethod":
    """The perceptron's way of learning with these parameters, each within its range."""
    from rosenblatt.members.linear.learn import LinearMethod
    from rosenblatt.members.linear.parameters import PerceptronParameters

    known = PerceptronParameters.declarations()
    for name in given:
        if name not in known:
            raise TypeError(f"trace has no parameter {name!r}: expected one of Perceptron's, {', '.join(known)}")
    return LinearMethod(PerceptronParameters.checked(**given))
