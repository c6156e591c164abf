"""Gradient descent on E(w) = 1/2 sum of c (y - w.x)^2: which rate is right, the run, and what to warn of at its end.

Batch descent converges iff eta < 2 / lambda_max, the largest eigenvalue of X'CX; stochastic descent stays bounded if
eta < 2 / R^2, the largest c |x|^2. The constant feature, worth `bias`, counts as a column of X.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DivergenceError
from rosenblatt.base.rows import Matrix, core_rows
from rosenblatt.members.advice import PYTHON, Voice


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
        """Descends with one unit for each row of `targets` and of `w`, which changes in place.

        Returns E after each pass, the sum over the units (one that has stopped keeps its own), and whether all
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
        """What to warn of if a run ends with this E before `tol` is reached."""
        say = self.voice.parameter
        raised, tol = f"raise {say('max_iter')} or {say('tol')}", say("tol", self.tol or 0)
        unmet = f"the gradient of E is still more than {tol} of the one at w = 0"
        advice = f"scale the features ({self.voice.scaling}) if they are not, or {raised}"
        if self.method == "stochastic":
            unmet = f"E still finds lows deeper by more than {tol} of E at w = 0, or is above its start"
            advice = f"{raised}, lower {say('eta0')}, or let it fall with {say('learning_rate', 'invscaling')}"
        return f"pass {self.max_iter} was the last, E = {loss:.5g}, and {unmet}: {advice}"

    def _steepness(self, rows: Any, weight: Array | None, bias: float, dtype: Any) -> float:
        """lambda_max or R^2: a rate is safe below 2 over it."""
        if self.method == "batch":
            with np.errstate(over="ignore", invalid="ignore"):
                steepness = largest_eigenvalue(rows, weight, bias, dtype)
        else:
            steepness = _core.largest_squared_norm(rows, weight, bias)
        if not np.isfinite(steepness):
            raise ValueError(f"X is too large for its type: its squares are not finite in {dtype}; scale it")
        return steepness

    def _safe_rate(self, rows: Any, weight: Array | None, bias: float, dtype: Any) -> float:
        """Half of the limit; for stochastic descent a twentieth, as it ends the farther off the larger its rate."""
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
