"""Everything that is settled before the first visit of a trace, as `Perceptron.fit` settles it, and how it is told.

The conventions of a run are one line, so that a marker can check an answer by hand; how it ended is another.
"""

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
from rosenblatt.services.lessons.trace.numbers import LONG_VECTOR, printable, quantity, short_number, weights

if TYPE_CHECKING:
    from rosenblatt.members.linear.perceptron import LinearMember

_REFUSED = {
    "early_stopping": "a trace holds out no rows",
    "warm_start": "a trace starts where init says",
    "shards": "a trace is one run",
    "tol": "a trace ends at a clean pass, or after max_iter passes or max_visits visits",
}


@dataclass
class Setting:
    """The data, the classes, the weights of rows, and the core's state at the start."""

    member: "LinearMember"
    X: Matrix
    classes: Array
    target: Array  # class numbers
    weight: Array | None
    rows: Array  # those whose weight is not 0
    state: Any  # the core's
    seed: int | None

    @property
    def parameters(self) -> Any:
        return self.member.parameters

    @property
    def contests(self) -> Callable[..., list[plain.Contest]]:
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
        w = self.state.weights("last")[:, : self.state.n_machines]
        return np.array((np.vstack([w[-1:], w[:-1]]) if self.parameters.fit_intercept else w[:-1]).T)


def settle(X: Any, sample_weight: Any, parameters: dict[str, Any], *, y: Any, positive: Any) -> Setting:
    """Checks the data and the parameters that are given, and draws the start and the seed; of two, `positive` is +1."""
    # Imported here and in `member_of`, because pictures need numbers of a trace, but seldom a perceptron.
    from rosenblatt.members.randomness import random_state

    member = member_of(parameters)
    p = member.parameters
    for name, reason in _REFUSED.items():
        if not p.is_default(name):
            raise ValueError(f"trace cannot have {name}={getattr(p, name)!r}: {reason}")
    check_labels(y)
    if p.max_iter == "validate":
        raise ValueError("trace cannot have max_iter='validate': a trace holds out no rows")
    X, y = as_float_table(X), np.asarray(y)
    check_lengths(X, y)
    X = member.take_rows(X)
    core_rows(X)  # raises an error unless every value is finite
    classes, target, weight, rows = step_weights(X, y, sample_weight, p.class_weight, all_labels=True)
    if len(classes) < 2:
        raise ValueError(f"trace needs at least 2 classes, got samples of only one class: {classes.tolist()}")
    classes, target = with_positive(classes, target, positive)
    state, seed = member.begin(classes, X, random_state(p.random_state))
    return Setting(member, X, classes, target, weight, rows, state, seed)


def member_of(parameters: dict[str, Any]) -> "LinearMember":
    """The perceptron's way of learning with these parameters, each within its range."""
    from rosenblatt.members.linear.parameters import PerceptronParameters
    from rosenblatt.members.linear.perceptron import LinearMember

    known = PerceptronParameters.declarations()
    for name in parameters:
        if name not in known:
            raise TypeError(f"trace has no parameter {name!r}: expected one of Perceptron's, {', '.join(known)}")
    return LinearMember(PerceptronParameters.of(**parameters))


WITHIN = "within the margin"  # why a right answer counts as a mistake
MAX_ITER = 1000  # passes, unless more or fewer are asked for


def conventions(setting: Setting, p: dict[str, Any], start: Array) -> str:
    """What the labels, the start, the order, the step and the end are."""
    parts = [
        _labels(setting.classes.tolist()),
        f"constant feature {_number(p, 'intercept_scaling')}, first" if p["fit_intercept"] else "no constant feature",
        f"start w = {weights(start)}",
        _step(p),
        _order(p),
        f"mistake: {_mistake(setting.contests, p)}",
    ]
    if p["batch_size"] != 1:
        size = "all rows" if p["batch_size"] == "all" else f"{p['batch_size']} rows"
        parts.append(f"batches of {size}, scored first, then added")
    if p["sample_weight"] is not None:
        parts.append("sample weights scale the steps")
    if p["class_weight"] is not None:
        parts.append(f"class weights {_class_weights(p['class_weight'])} scale the steps")
    if p["exact"]:
        parts.append("exact numbers" + (", floats as the decimals written" if p["as_decimal"] else ""))
    parts.append(_stop(p))
    return "; ".join(parts)


def kernel_conventions(labels: list[Any], kernel: str, p: dict[str, Any]) -> str:
    """The same for a run with a kernel, whose formula is given."""
    mistake = f"mistake: {_mistake(plain.binary, p)}"
    exact = ["exact numbers" + (", floats as the decimals written" if p["as_decimal"] else "")] if p["exact"] else []
    return "; ".join(
        [_labels(labels), f"K = {kernel}", f"eta = {_number(p, 'eta0')}", _order(p), mistake, *exact, _stop(p)]
    )


def ending(columns: dict[str, Array], passes: int, final: Array, *, converged: bool) -> str:
    """How the run ended: its mistakes are those of the column, whether the prediction was wrong or the score 0."""
    end = f"pass {passes} is clean: converged" if converged else f"not converged: stopped in pass {passes}"
    mistakes, updates = int(columns["mistake"].sum()), int(columns["k"].max(initial=0))
    counts = [quantity(len(columns["visit"]), "visit"), quantity(mistakes, "mistake")]
    if within := int((columns["reason"] == WITHIN).sum()):
        counts[-1] += f" ({within} of them right, but {WITHIN})"
    if updates != mistakes:  # because a batch changes the weights once
        counts.append(quantity(updates, "update"))
    return f"{end} after {', '.join(counts)}; w = {weights(final)}"


def _labels(labels: list[Any]) -> str:
    if labels == [-1, 1]:
        return "labels -1, +1"
    names = [printable(label) for label in labels]
    if len(labels) > 2:
        return f"classes {', '.join(names)}, a row of weights each"
    if names[0].startswith("+"):  # as text "+" sorts before "-"
        return (
            f"labels '{names[0]}' -> -1 and '{names[1]}' -> +1, since text is sorted so: NOT as they look "
            "(to change it, say which is positive)"
        )
    return f"labels {names[0]} -> -1, {names[1]} -> +1"


def _step(p: dict[str, Any]) -> str:
    return {
        "perceptron": f"eta = {_number(p, 'eta0')}",
        "pa": "step PA",
        "pa1": f"step PA-I, C = {_number(p, 'C')}",
        "pa2": f"step PA-II, C = {_number(p, 'C')}",
        "arow": f"step AROW, r = {_number(p, 'r')}",
    }[p["step"]]


def _order(p: dict[str, Any]) -> str:
    if p["shuffle"]:
        return f"shuffled each pass, random_state={p['random_state']}"
    listed = _listed_order(p)
    if p["pick"] is not None:
        picked = "first example" if p["pick"] == "first-wrong" else "example with the smallest gap"
        return f"each pass visits the {picked} that is a mistake" + (f", {listed}" * (listed != "listed order"))
    return listed


def _listed_order(p: dict[str, Any]) -> str:
    if p["row_order"] is not None:
        rows = [str(i + 1) for i in np.asarray(p["row_order"]).tolist()]
        return f"order {', '.join(rows[:LONG_VECTOR] + ['...'] * (len(rows) > LONG_VECTOR))}"
    return "listed order" + (f" from example {p['first_row'] + 1}" if p["first_row"] else "")


def _mistake(contests: Any, p: dict[str, Any]) -> str:
    margin, tie, online = p["margin"], p["tie"], p["step"] == "perceptron"
    limit = ("0" if online else "1") if margin is None else _number(p, "margin")
    rule = f"{'<=' if online else '<'} {limit}"
    if contests is plain.argmax:
        ties = {
            "mistake": "",
            "positive": ", a tie goes to the last class",
            "negative": ", a tie goes to the first class",
        }
        return f"s of the class - s of its best rival {rule}{ties[tie]}"
    gap = "y s" if contests is plain.binary else "of any class: y s"
    if limit != "0" or tie == "mistake":
        return f"{gap} {rule}"
    return f"{gap} < 0, or y s = 0 and y = {'-1' if tie == 'positive' else '+1'}"


def _class_weights(weights: Any) -> str:
    if isinstance(weights, str):
        return weights
    return ", ".join(
        f"{printable(label)}: {w if isinstance(w, str) else short_number(w)}" for label, w in weights.items()
    )


def _stop(p: dict[str, Any]) -> str:
    ends = ["at the first clean pass"]
    if p["max_iter"] not in (MAX_ITER, "auto"):
        ends.append(f"after {quantity(p['max_iter'], 'pass')}")
    if p["max_visits"] is not None:
        ends.append(f"after {quantity(p['max_visits'], 'visit')}")
    return f"stop {', or '.join(ends)}"


def _number(p: dict[str, Any], name: str) -> str:
    return p[name] if isinstance(p[name], str) else short_number(p[name])
