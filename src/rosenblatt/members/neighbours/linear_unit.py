"""The linear unit: a perceptron without its threshold, o = w.x, taught by gradient descent on the squared loss.

E(w) = 1/2 sum of c (y - w.x)^2 is convex, so descent finds the best fit even if no line separates the classes. The best
fit need not have the fewest mistakes: it may misclassify separable rows. Batch descent adds
eta sum of c (y - w.x) x after each pass, and converges iff eta < 2 / lambda_max, the largest eigenvalue of X'CX;
stochastic descent adds eta c (y - w.x) x at each visit, and stays bounded if eta < 2 / R^2, the largest c |x|^2. The
constant feature, worth `bias`, counts as a column of X.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DivergenceError
from rosenblatt.base.labels import answers, count_machines, encode
from rosenblatt.base.record.parts import FLOATS, NUMBERS, Parts, Tensors
from rosenblatt.base.rows import Matrix, as_rows, core_rows
from rosenblatt.members.advice import PYTHON, Voice
from rosenblatt.members.model import Model
from rosenblatt.members.neighbours.parameters import UnitClassifierParameters, UnitParameters
from rosenblatt.members.neighbours.weights import outputs
from rosenblatt.members.randomness import drawn_seed, random_state
from rosenblatt.members.sample_weight import as_numbers, class_weights, one_a_row, rows_that_count
from rosenblatt.members.start import resolve_init


def largest_eigenvalue(rows: Any, weight: Array | None, bias: float, dtype: Any) -> float:
    """The largest eigenvalue of X'CX by power iteration, from below.

    >>> AND = core_rows(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]))
    >>> print(f"{largest_eigenvalue(AND, None, 1.0, np.float64):.6f} = (7 + sqrt 33) / 2")
    6.372281 = (7 + sqrt 33) / 2
    """
    v = np.random.default_rng(0).standard_normal(rows.features + 1)
    zeros, length, before = np.zeros(len(rows), dtype=dtype), 0.0, -1.0
    for _ in range(200):
        if not length - before > 1e-9 * length:
            break
        # With y = 0, the gradient of E at v is X'CXv.
        _, v = _core.squared_error(rows, zeros, weight, (v / np.linalg.norm(v)).astype(dtype), bias)
        before, length = length, float(np.linalg.norm(v))
    return length


@dataclass(frozen=True)
class Descent:
    """The parameters of a run, checked. A rate of None is chosen to converge."""

    method: Literal["batch", "stochastic"]
    eta0: float | None
    power_t: float  # 0: a constant rate
    tol: float | None
    max_iter: int
    seed: int | None  # None: the listed order
    voice: Voice = PYTHON

    def run(self, X: Matrix, targets: Array, weight: Array | None, w: Array, bias: float) -> tuple[Array, bool]:
        """Descend with one unit for each row of `targets` and of `w`, which changes in place.

        Return E after each pass, summed over the units (a unit that has stopped keeps its last E), and whether all
        converged.
        """
        rows = core_rows(X)
        eta = self.eta0 if self.eta0 is not None else self._safe_rate(rows, weight, bias, X.dtype)
        plan: dict[str, Any] = {"bias": bias, "method": self.method, "eta0": eta, "power_t": self.power_t}
        plan |= {"tol": -1.0 if self.tol is None else self.tol, "max_iter": self.max_iter, "seed": self.seed}
        runs, converged = [], True
        for y, unit in zip(targets, w, strict=True):
            losses, outcome = _core.descend(rows, y, weight, w=unit, **plan)
            if len(losses) == 1:
                raise ValueError("the squares of y - w.x are not finite at the start: scale y, or start with less")
            if outcome == "diverged":
                raise DivergenceError(self._why_diverged(losses, eta, self._steepness(rows, weight, bias, X.dtype)))
            runs.append(losses[1:])
            converged &= outcome == "converged"
        n_iter = max(map(len, runs))
        losses = np.sum([np.pad(run, (0, n_iter - len(run)), mode="edge") for run in runs], axis=0)
        return losses, converged

    def not_converged(self, loss: float) -> str:
        """The warning for a run that ends with this E before it reaches `tol`."""
        say = self.voice.parameter
        raised, tol = f"raise {say('max_iter')} or {say('tol')}", say("tol", self.tol or 0)
        unmet = f"the gradient of E is still more than {tol} of the one at w = 0"
        advice = f"scale the features ({self.voice.scaling}) if they are not, or {raised}"
        if self.method == "stochastic":
            unmet = f"E still finds lows deeper by more than {tol} of E at w = 0, or is above its start"
            advice = f"{raised}, lower {say('eta0')}, or let it fall with {say('learning_rate', 'invscaling')}"
        return f"pass {self.max_iter} was the last, E = {loss:.5g}, and {unmet}: {advice}"

    def _steepness(self, rows: Any, weight: Array | None, bias: float, dtype: Any) -> float:
        """lambda_max or R^2: a rate below 2 divided by this is safe."""
        if self.method == "batch":
            with np.errstate(over="ignore", invalid="ignore"):
                steepness = largest_eigenvalue(rows, weight, bias, dtype)
        else:
            steepness = _core.largest_squared_norm(rows, weight, bias)
        if not np.isfinite(steepness):
            raise ValueError(f"X is too large for its type: its squares are not finite in {dtype}; scale it")
        return steepness

    def _safe_rate(self, rows: Any, weight: Array | None, bias: float, dtype: Any) -> float:
        """Half of the limit; for stochastic descent a twentieth, because a larger rate ends farther from the best."""
        steepness = self._steepness(rows, weight, bias, dtype)
        return (1.0 if self.method == "batch" else 0.1) / steepness if steepness > 0 else 1.0

    def _why_diverged(self, losses: Array, eta: float, steepness: float) -> str:
        low, last = int(np.argmin(losses[:-1])), len(losses) - 1
        start = "at the start" if low == 0 else f"pass {low}"
        end = f"{losses[-1]:.5g}" if np.isfinite(losses[-1]) else "an overflow"
        limit, say = f"{2 / steepness:.5g}", self.voice.parameter
        is_safe = f"converges below 2/lambda_max = {limit}"
        if self.method == "stochastic":
            is_safe = f"is safe below 2/R^2 = {limit}, R^2 being the largest c |x|^2"
        return (
            f"{say('eta0', eta)} is too large: E rose from {losses[low]:.5g} ({start}) to {end} (pass {last}). "
            f"On this data {self.method} descent {is_safe}. "
            f"Use {say('eta0', 'auto')}, a smaller number, or scale the features"
        )


@dataclass
class _FittedUnit(Model):
    """What the regressor and the classifier share: weights, and the facts of the descent."""

    parameters: UnitParameters
    coef: Array
    intercept: Any
    losses: Array  # E after each pass
    converged: bool
    n_features: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_features = self.coef.shape[-1]

    @property
    def n_iter(self) -> int:
        """The number of passes; with several units, that of the unit with the most."""
        return len(self.losses)

    def facts(self) -> dict[str, Any]:
        return {"n_iter": self.n_iter, "converged": bool(self.converged), "loss": float(self.losses[-1])}

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        weights = {"coef_": self.coef, "intercept_": self.intercept, "losses_": self.losses}
        tensors |= {name: np.asarray(value) for name, value in weights.items()}
        return {"converged": bool(self.converged)}


@dataclass
class UnitModel(_FittedUnit):
    """A trained linear unit: (n_features,) coefficients and an intercept, a number."""

    kind: ClassVar[str] = "LinearUnit"
    conventions: ClassVar[str] = "output = coef_.x + intercept_"
    n_classes: ClassVar[None] = None

    def predict(self, X: Any) -> Array:
        return outputs(self.rows(X), self.coef, self.intercept)[:, 0]

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:  # noqa: ARG003
        coef = parts.tensor("coef_", (n_features,), *FLOATS)
        intercept = parts.tensor("intercept_", (), *NUMBERS)[()]
        return cls(parameters, coef, intercept, *_restored_run(parts))


@dataclass
class UnitClassifierModel(_FittedUnit):
    """Trained linear units: one row of coefficients and an intercept for two classes, one for each class for more."""

    kind: ClassVar[str] = "LinearUnitClassifier"
    conventions: ClassVar[str] = (
        "score = coef_.x + intercept_; one row for two classes, positive for the second, else one a class"
    )
    n_classes: ClassVar[tuple[int, float]] = (2, math.inf)
    parameters: UnitClassifierParameters
    classes: Array

    def decision(self, X: Any) -> Array:
        decision = outputs(self.rows(X), self.coef, self.intercept)
        return decision[:, 0] if decision.shape[1] == 1 else decision

    def predict(self, X: Any) -> Array:
        """With two classes the second if the output is above 0; with more the class with the highest output."""
        return self.labels_of(self.decision(X))

    def labels_of(self, decision: Array) -> Array:
        return np.asarray(self.classes[answers(decision, "mistake")])

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        assert classes is not None
        n_machines = count_machines(len(classes))
        coef = parts.tensor("coef_", (n_machines, n_features), *FLOATS)
        intercept = parts.tensor("intercept_", (n_machines,), *NUMBERS)
        return cls(parameters, coef, intercept, *_restored_run(parts), classes)


def _restored_run(parts: Parts) -> tuple[Array, bool]:
    """E after each pass, and whether the run converged."""
    return parts.tensor("losses_", (None,), "float64"), parts.flag("converged")


def fit_unit(
    parameters: UnitParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    before: UnitModel | None = None,
    voice: Voice = PYTHON,
) -> tuple[UnitModel, str | None]:
    """Learn the numbers y; return the model, and a warning if `tol` was not reached.

    `before` is a model to start from. Sample weights are the c of E.

    >>> model, warning = fit_unit(UnitParameters(tol=1e-9), [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    >>> print(f"{model.intercept:.3f}", model.coef.round(3), model.converged, warning)
    -1.500 [1. 1.] True None
    """
    X = as_rows(X)
    X, y, weight = rows_that_count(X, one_a_row(y, X, "numbers"), sample_weight)
    run = _descend(parameters, X, as_numbers(y, X.dtype)[np.newaxis], weight, before, voice)
    return UnitModel(parameters, run.coef[0], run.intercept[0], run.losses, run.converged), run.warning


def fit_unit_classifier(
    parameters: UnitClassifierParameters,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    before: UnitClassifierModel | None = None,
    voice: Voice = PYTHON,
) -> tuple[UnitClassifierModel, str | None]:
    """Learn the labels y as numbers -1 and +1; return the model, and a warning if `tol` was not reached.

    With more than two classes there is one unit for each: +1 for its class, -1 for the others. `before` is a model to
    start from. Sample weights are the c of E.
    """
    X = as_rows(X)
    X, y, weight = rows_that_count(X, one_a_row(y, X, "labels"), sample_weight)
    classes, target = encode(y)
    if len(classes) < 2:
        raise ValueError(f"LinearUnitClassifier needs at least 2 classes, got one class: {classes.tolist()[0]!r}")
    if before is not None and not np.array_equal(before.classes, classes):
        raise ValueError(f"warm_start needs the same classes: {before.classes} before, {classes} now")
    if parameters.class_weight is not None:
        of_class = class_weights(parameters.class_weight, classes, target, weight)
        weight = np.asarray(of_class[target] * (1.0 if weight is None else weight), dtype=X.dtype)
    positive = [1] if len(classes) == 2 else range(len(classes))
    targets = np.array([np.where(target == c, 1, -1) for c in positive], dtype=X.dtype)
    run = _descend(parameters, X, targets, weight, before, voice)
    return UnitClassifierModel(parameters, run.coef, run.intercept, run.losses, run.converged, classes), run.warning


class _Run(NamedTuple):
    """The result of a descent, one row for each unit."""

    coef: Array
    intercept: Array
    losses: Array
    converged: bool
    warning: str | None


def _descend(
    p: UnitParameters, X: Matrix, targets: Array, weight: Array | None, before: _FittedUnit | None, voice: Voice
) -> _Run:
    random, n_features = random_state(p.random_state), X.shape[1]
    if before is None:
        start = resolve_init(p.init, len(targets), n_features, constant=p.fit_intercept, random=random)
    elif before.n_features == n_features:
        start = np.atleast_2d(before.coef), np.atleast_1d(before.intercept) / (p.bias or 1.0)
    else:
        raise ValueError(f"warm_start needs the same features: {before.n_features} before, {n_features} now")
    w = np.column_stack(start).astype(X.dtype, order="C")
    descent = Descent(
        method=p.method,
        eta0=None if p.eta0 == "auto" else float(p.eta0),
        power_t=float(p.power_t) if p.learning_rate == "invscaling" else 0.0,
        tol=p.tol,
        max_iter=int(p.max_iter),
        seed=drawn_seed(random, 2**31) if p.shuffle else None,
        voice=voice,
    )
    losses, converged = descent.run(X, targets, weight, w, p.bias)
    warning = None if converged or p.tol is None else descent.not_converged(losses[-1])
    return _Run(w[:, :-1], w[:, -1] * X.dtype.type(p.bias), losses, converged, warning)
