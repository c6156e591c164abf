"""Mistake bounds without separability, of passes from a zero start: any w is a reference, and none need be right.

x = max(0, 1 - Z w) is what the rows fall short of 1, and a = R |w|. In T passes the perceptron makes k mistakes, sqrt k
<= a + sqrt(T) |x|                          "squared" (Freund and Schapire 1999; w = u / gamma) sqrt k <= (a + sqrt(a^2
+ 4 T sum x)) / 2          "hinge"   (since k - T sum x <= w_k.w <= sqrt(k) a) Here the right side is least_bound over
w, and weights beta >= 0 of the rows prove how far it can go down: no further than min(sqrt(T) sum beta / |beta|, R sum
beta / |Z' beta|), or with sqrt(T sum beta / max beta) for "hinge".
"""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, SparseRows, as_scipy, is_sparse
from rosenblatt.services.proofs.signed_rows import UNIT, SignedRows, products
from rosenblatt.services.proofs.verify.shown import at_most

Loss = Literal["squared", "hinge"]
# The hinge's corner is rounded, less and less, because Newton's method needs a smooth function; the square is one.
WIDTHS: dict[Loss, tuple[float, ...]] = {"squared": (1.0,), "hinge": tuple(10.0**-j for j in range(7))}
CAP: dict[Loss, float] = {"squared": math.inf, "hinge": 1.0}
MAX_STEPS = 100
DIRECT = 1000  # features up to which a step is solved for directly, else by conjugate gradients


@dataclass(frozen=True, eq=False)
class ReferenceBound:
    """The most mistakes in some passes, by comparison with a reference w.

    Attributes
    ----------
    bound : proven for any order, rounded up
    lower : no other w gives a bound below this one (0 if w was given)
    w : the reference, u / gamma; zero if nothing is better than the number of visits
    loss : sqrt(T) |x|, or T sum x for the hinge loss
    passes : T
    """

    bound: float
    lower: float
    w: Array
    loss: float
    passes: int

    @property
    def gamma(self) -> float:
        """The margin that is asked for, 1 / |w|."""
        return float(1 / np.linalg.norm(self.w)) if self.w.any() else math.inf

    @property
    def u(self) -> Array:
        """The direction of w."""
        return self.w * self.gamma if self.w.any() else self.w

    @property
    def deviation(self) -> float:
        """How far the rows fall short of gamma: the theorem's D for the squared loss, their sum for the hinge loss."""
        return self.loss * self.gamma

    def __str__(self) -> str:
        return f"{at_most(self.bound)} in {self.passes} pass{'es' * (self.passes > 1)}, any order"


def bound_of(Z: SignedRows, w: Array, radius: float, passes: int, loss: Loss) -> ReferenceBound:
    """The bound that w proves. Every float is rounded towards a larger bound."""
    m = len(Z)
    slack = 4 * (m + Z.width + 8) * UNIT  # this is more than the sums below can lose by rounding
    size = float(np.linalg.norm(w))
    short = np.maximum(0.0, 1 - products(Z.floats, w) + slack * (1 + radius * size))
    total = _total(short, passes, loss) * (1 + slack)
    bound = _root(radius * size, total, loss) ** 2 * (1 + slack) if w.any() else passes * m
    return ReferenceBound(float(bound), 0.0, w, float(total), passes)


def least_bound(Z: SignedRows, radius: float, passes: int, loss: Loss) -> ReferenceBound:
    """The least bound over all w, as far as floats can tell; `lower` shows how far that is."""
    rows = as_scipy(Z.floats) if isinstance(Z.floats, SparseRows) else Z.floats
    best = bound_of(Z, np.zeros(Z.width), radius, passes, loss)
    lower = _proven_below(rows, np.ones(len(Z)), radius, passes, loss)
    if radius > 0 and lower < best.bound * (1 - 1e-9):
        with _blas().limit(limits=1, user_api="blas"):  # these products are small: threads would wait for each other
            for w, beta in _search(rows, radius, passes, loss):
                best = min(best, bound_of(Z, w, radius, passes, loss), key=lambda candidate: candidate.bound)
                lower = max(lower, _proven_below(rows, beta, radius, passes, loss))
    return ReferenceBound(best.bound, min(lower, best.bound), best.w, best.loss, passes)


@cache
def _blas() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _total(short: Array, passes: int, loss: Loss) -> float:
    return math.sqrt(passes) * float(np.linalg.norm(short)) if loss == "squared" else passes * float(short.sum())


def _root(a: float, total: float, loss: Loss) -> float:
    return a + total if loss == "squared" else (a + math.sqrt(a * a + 4 * total)) / 2


def _proven_below(rows: Matrix, beta: Array, radius: float, passes: int, loss: Loss) -> float:
    """What no w can go below, by weak duality; every float is rounded towards a smaller number."""
    slack = 4 * (len(beta) + rows.shape[1] + 8) * UNIT
    total = float(beta.sum())
    if not total > 0:
        return 0.0
    most = total**2 / float(beta @ beta) if loss == "squared" else total / float(beta.max())
    along = float(np.linalg.norm(rows.T @ beta)) + slack * radius * total
    return float(min(passes * most, (radius * total / along) ** 2 if along > 0 else math.inf) * (1 - 2 * slack))


def _search(rows: Matrix, radius: float, passes: int, loss: Loss) -> Iterator[tuple[Array, Array]]:
    """References w worth a look, each with weights beta that may prove that little is missing."""
    from scipy.linalg import qr

    scaled, basis = rows / radius, None
    if not is_sparse(rows) and rows.shape[1] > rows.shape[0]:  # the best w is in the span of the rows
        basis, triangle = qr(scaled.T, mode="economic")
        scaled = triangle.T
    w, level = np.zeros(scaled.shape[1]), math.log(scaled.shape[0])
    for width in WIDTHS[loss]:
        path = _Path(scaled, passes, loss, width, w)
        level = path.stationary(level)
        w = path.w
        for tried, beta in path.tried:
            yield (tried if basis is None else basis @ tried) / radius, beta


class _Path:
    """Support vector machines, lam/2 |w|^2 + sum of losses, over the level log lam; |z| <= 1, so that a = |w|.

    The least bound is among them. Along the path -d total / d a = T lam a / total for the squared loss and T lam a for
    the hinge loss; where the bound is stationary this is 1, or its root. Below that level it is less, above it is more.
    """

    def __init__(self, rows: Matrix, passes: int, loss: Loss, width: float, w: Array) -> None:
        self.rows, self.passes, self.loss, self.width = rows, passes, loss, width
        self.w, self.tried = w, list[tuple[Array, Array]]()
        self.lowest = math.log(1e-12 / width)  # below this only rounding is left
        self.seen: dict[float, float] = {}

    def excess(self, level: float) -> float:
        """The logarithm of what is 1 where the bound is stationary."""
        if level not in self.seen:
            self.w = _machine(self.rows, math.exp(level), self.width, CAP[self.loss], self.w)
            short = np.maximum(0.0, 1 - self.rows @ self.w)
            self.tried.append((self.w, np.minimum(short / self.width, CAP[self.loss])))
            a, total = float(np.linalg.norm(self.w)), _total(short, self.passes, self.loss)
            wanted = total if self.loss == "squared" else _root(a, total, self.loss)
            self.seen[level] = level + math.log(self.passes * a / wanted) if wanted > 0 else math.inf
        return self.seen[level]

    def stationary(self, start: float) -> float:
        """The level of the least bound, or how far it could be followed."""
        from scipy.optimize import brentq

        low = high = start = max(start, self.lowest)
        step = 0.5
        while self.excess(low) > 0 and low > self.lowest:
            low, high, step = max(low - step, self.lowest), low, min(2 * step, 3.0)
        while self.excess(high) < 0 and high < start + 30:
            low, high, step = high, high + step, min(2 * step, 3.0)
        if self.excess(low) < 0 < self.excess(high):
            return float(brentq(self.excess, low, high, xtol=1e-10, disp=False))
        return low if self.excess(low) > 0 else high


def _machine(rows: Matrix, lam: float, width: float, cap: float, w: Array) -> Array:
    """The least lam/2 |w|^2 + sum loss(1 - z.w), the loss's slope rising from 0 to `cap` over `width * cap`: by Newton.

    The sum is quadratic in pieces. A step that stays in its piece is the last one; others go to the least along a line.
    """
    from scipy.optimize import brentq

    for _ in range(MAX_STEPS):
        short = 1 - rows @ w
        bent = (short > 0) & (short < cap * width)
        step = _newton_step(rows[bent], lam, width, lam * w - rows.T @ np.clip(short / width, 0.0, cap))
        along = rows @ step
        ahead = short - along
        if np.array_equal(bent, (ahead > 0) & (ahead < cap * width)) and np.array_equal(short > 0, ahead > 0):
            return np.asarray(w + step)
        slope = _slope(lam * float(w @ step), lam * float(step @ step), short, along, width, cap)
        length = 1.0
        while slope(length) < 0:
            length *= 2
        if not slope(0.0) < 0:
            break  # floats cannot tell any smaller value
        w = w + brentq(slope, 0.0, length, xtol=1e-15, disp=False) * step
    return w


def _slope(
    first: float, second: float, short: Array, along: Array, width: float, cap: float
) -> Callable[[float], float]:
    def slope(length: float) -> float:
        return first + length * second - float(np.clip((short - length * along) / width, 0.0, cap) @ along)

    return slope


def _newton_step(bent: Matrix, lam: float, width: float, gradient: Array) -> Array:
    from scipy.linalg import LinAlgError, cho_factor, cho_solve
    from scipy.sparse.linalg import LinearOperator, cg

    n = len(gradient)
    if not is_sparse(bent) and n <= DIRECT:
        hessian = bent.T @ bent / width
        hessian.flat[:: n + 1] += lam
        with suppress(LinAlgError):  # rounding can make the matrix indefinite; then solve as for many features
            return np.asarray(cho_solve(cho_factor(hessian, overwrite_a=True), -gradient))
    hessian = LinearOperator((n, n), matvec=lambda v: lam * v + bent.T @ (bent @ v) / width, dtype=np.float64)
    return np.asarray(cg(hessian, -gradient, rtol=1e-10, maxiter=10 * n)[0])
