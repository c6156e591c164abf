"""How many mistakes can a perceptron make? Bounds for the data at hand, in exact numbers where they are rational.

Separable (Novikoff 1962): k <= (R / gamma)^2 in any order, R = max |z| about the origin, gamma = min z.u the augmented
margin of any unit vector u, z = y (s, x) with the constant feature s. Not separable: in T passes no more than
((R + D) / gamma)^2 (Freund and Schapire 1999), or the like with the hinge loss. All are for the perceptron's own step.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_fraction
from rosenblatt.services.proofs.exact_numbers import as_given, float_up, sqrt_down, sqrt_up
from rosenblatt.services.proofs.freund_schapire import Loss, ReferenceBound, bound_of, least_bound
from rosenblatt.services.proofs.margin import whole_weights
from rosenblatt.services.proofs.signed_rows import SignedRows, as_floats, signed_rows
from rosenblatt.services.proofs.verify.shown import at_most

__all__ = [
    "NovikoffBound",
    "ReferenceBound",
    "collins",
    "conventions",
    "experts",
    "freund_schapire",
    "hinge",
    "novikoff",
    "radius",
]


@dataclass(frozen=True, eq=False)
class NovikoffBound:
    """The most mistakes on data that w separates, in any order, and what it is made of.

    Attributes
    ----------
    w : the reference, in integers: any positive multiple proves the same. None: the data is not known to be separable.
    gap : the least y w.x, lecture 002's gamma, which is not divided by |w|; not positive if w separates nothing
    w_norm2 : |w| squared
    radius_exact : R squared
    growth : the most that |w_k|^2 grows by a mistake, in units of the learning rate: R squared and no more, but for a
        margin or batches
    """

    w: Array | None
    gap: Fraction
    w_norm2: Fraction
    radius_exact: Fraction
    growth: Fraction

    @property
    def bound_exact(self) -> Fraction | None:
        """Growth |w|^2 / gap^2, (R / gamma)^2 for the online rule, if w separates."""
        return self.growth * self.w_norm2 / self.gap**2 if self.gap > 0 else None

    @property
    def bound(self) -> float:
        """The same, rounded up; inf if w does not separate."""
        return math.inf if self.bound_exact is None else float_up(self.bound_exact)

    @property
    def margin(self) -> float:
        """gamma, the gap divided by |w|, rounded down; 0 if w does not separate."""
        return sqrt_down(max(self.gap, Fraction(0)) ** 2 / self.w_norm2)

    @property
    def radius(self) -> float:
        """R, rounded up."""
        return sqrt_up(self.radius_exact)

    def __str__(self) -> str:
        return f"{at_most(self.bound)} in any order: R = {self.radius:.6g}, gamma = {self.margin:.6g}"

    def from_start(self, w0: Any, eta0: Any = 1) -> int | float:
        """The most mistakes from another start than zero; inf if w does not separate.

        It is the largest k with (k gamma + w0.u)^2 <= |w0|^2 + k R^2, w0 in units of the learning rate.

        Parameters
        ----------
        w0
            The start, as long as w; for more than two classes one row a class.
        eta0
            The learning rate.

        Examples
        --------
        On AND the start (30, 0, 0) leads to 74 mistakes: more than 51, and not more than its own bound.

        >>> from rosenblatt import Perceptron
        >>> from rosenblatt.data.lectures import AND
        >>> Perceptron(shuffle=False, init=[30, 0, 0]).fit(*AND).n_updates_
        74
        >>> novikoff(*AND, w=(-3, 2, 2)).from_start((30, 0, 0))
        258
        """
        if self.w is None or self.gap <= 0:
            return math.inf
        unit = as_fraction(eta0, as_decimal=False)
        start = [as_fraction(value, as_decimal=False) / unit for value in np.asarray(w0, dtype=object).flat]
        if len(start) != len(self.w):
            raise ValueError(f"w0 must have {len(self.w)} entries, as w has; got shape {np.shape(w0)}")
        # (k gap + ahead)^2 <= |w|^2 (|w0|^2 + k growth): a k^2 - b k - c <= 0, with c >= 0 by Cauchy and Schwarz
        ahead = sum((value * int(weight) for value, weight in zip(start, self.w, strict=True)), Fraction(0))
        a = self.gap**2
        b = self.w_norm2 * self.growth - 2 * self.gap * ahead
        c = self.w_norm2 * sum(value**2 for value in start) - ahead**2
        a, b, c = (value * math.lcm(a.denominator, b.denominator, c.denominator) for value in (a, b, c))
        return (int(b) + math.isqrt(int(b * b + 4 * a * c))) // (2 * int(a))


def radius(X: Any, *, fit_intercept: bool = True, intercept_scaling: Any = 1) -> float:
    """R, the largest length of a row with its constant feature: about the origin, not about the points.

    >>> from rosenblatt.data.lectures import AND
    >>> round(radius(AND.X) ** 2, 9), round(radius(AND.X, fit_intercept=False) ** 2, 9)
    (3.0, 2.0)
    """
    X = as_given(X)
    Z = signed_rows(X, np.zeros(X.shape[0]), fit_intercept=fit_intercept, intercept_scaling=intercept_scaling)
    return sqrt_up(Z.squared_radius())


def novikoff(
    X: Any,
    y: Any,
    w: Any = None,
    *,
    margin: Any = 0,
    eta0: Any = 1,
    batch_size: int | Literal["all"] = 1,
    fit_intercept: bool = True,
    intercept_scaling: Any = 1,
) -> NovikoffBound:
    """(R / gamma)^2, exactly, with the margin of a given w or of the best one.

    Parameters
    ----------
    X, y
        The data, dense or sparse, of any numbers and labels. More than two classes are those of multiclass="argmax".
    w
        Any separating weights, the constant feature's first. None: the best, by `certify`.
    margin, eta0
        As `Perceptron` has them. A margin b makes it (R^2 + 2 b / eta0) / gamma^2.
    batch_size
        As `Perceptron` has it. The sum of b mistakes can be b times as long: b (R / gamma)^2 mistakes.
    fit_intercept, intercept_scaling
        The constant feature.

    Examples
    --------
    AND, as in lecture 002: gamma = 1, R^2 = 3 and |w|^2 = 17. The perceptron makes 18 mistakes.

    >>> from rosenblatt.data.lectures import AND
    >>> found = novikoff(*AND, w=(-3, 2, 2))
    >>> int(found.gap), int(found.radius_exact), int(found.w_norm2), found.bound_exact
    (1, 3, 17, Fraction(51, 1))
    >>> round(found.margin**-2, 9), novikoff(*AND, w=(-4, 3, 2)).bound
    (17.0, 87.0)
    """
    Z = signed_rows(X, y, fit_intercept=fit_intercept, intercept_scaling=intercept_scaling)
    if w is None:
        from rosenblatt.services.proofs.separability import certify

        proof = certify(X, y, fit_intercept=fit_intercept, intercept_scaling=intercept_scaling)
        w = proof.weights if proof.separable else None
    size = Z.X.shape[0] if batch_size == "all" else batch_size
    return novikoff_of(Z, w, margin=margin, eta0=eta0, batch_size=size)


def collins(X: Any, y: Any, features: Any, outputs: Any, w: Any = None) -> NovikoffBound:
    """Collins's (R / delta)^2 for structures, exactly: it does not grow with the number of outputs.

    Parameters
    ----------
    X, y, features
        As `StructuredPerceptron` has them.
    outputs
        outputs(x): all outputs that a decoder may answer with. `check_run` needs none: it takes those that it did.
    w
        Weights for which every right output is ahead, as the features are, a dict or an array. None: the best, by
        `certify`.

    Examples
    --------
    Three words, each of a class of its own. With k classes the bound is 6 (k - 1) / k: below 6 for any k.

    >>> words = ["the", "cat", "sat"]
    >>> def features(x, y):
    ...     return {(x, y): 1}
    >>> [collins(words, [0, 1, 2], features, outputs=lambda x: range(k)).bound_exact for k in (3, 30)]
    [Fraction(4, 1), Fraction(29, 5)]
    """
    from rosenblatt.members.structured.features import difference
    from rosenblatt.members.structured.perceptron import same
    from rosenblatt.services.proofs.recorded_run import in_columns

    pairs = [
        (features(x, right), features(x, z))
        for x, right in zip(X, y, strict=True)
        for z in outputs(x)
        if not same(right, z)
    ]
    if not pairs:
        raise ValueError("outputs gives no wrong output for any x: no mistake can be made")
    D, w = in_columns([difference(*pair) for pair in pairs], w)
    return novikoff(D, np.ones(len(pairs)), w, fit_intercept=False)


def conventions(X: Any, y: Any, scalings: Sequence[Any] = (1,)) -> dict[tuple[str, Any], float]:
    """What the origin and the constant feature do to (R / gamma)^2: for x from the origin and from its centre.

    The data is as separable under each, and the perceptron as right, but it may need far more mistakes.

    >>> from rosenblatt.data.lectures import AND
    >>> conventions(*AND, scalings=(1, 0.5))
    {('origin', 1): 51.0, ('centre', 1): 13.5, ('origin', 0.5): 99.0, ('centre', 0.5): 9.0}
    """
    from rosenblatt.services.proofs.separability import certify

    return {
        (name, scaling): certify(X, y, center=center, intercept_scaling=scaling).bound
        for scaling in scalings
        for name, center in (("origin", False), ("centre", True))
    }


def novikoff_of(Z: SignedRows, w: Any, *, margin: Any, eta0: Any, batch_size: int) -> NovikoffBound:
    """The bound for signed rows and weights; `w` of None separates nothing."""
    beta, eta = (as_fraction(value, as_decimal=False) for value in (margin, eta0))
    if beta < 0 or eta <= 0 or batch_size < 1:
        raise ValueError(f"margin, eta0, batch_size: expected >= 0, > 0, >= 1; got {margin}, {eta0}, {batch_size}")
    radius2 = Z.squared_radius()
    growth = batch_size * radius2 + 2 * beta / eta
    if w is None:
        return NovikoffBound(None, Fraction(0), Fraction(1), radius2, growth)
    whole = whole_weights(w, Z)
    least, _ = Z.least(whole)
    return NovikoffBound(whole, Fraction(least, Z.denominator), Fraction(int((whole**2).sum())), radius2, growth)


def freund_schapire(
    X: Any,
    y: Any,
    u: Any = None,
    gamma: float | None = None,
    *,
    passes: int = 1,
    fit_intercept: bool = True,
    intercept_scaling: Any = 1,
) -> ReferenceBound:
    """((R + D) / gamma)^2: the mistakes of the first passes over two classes, separable or not, from a zero start.

    D is the length of what the visited rows fall short of gamma, max(0, gamma - z.u).

    Parameters
    ----------
    X, y
        The data, dense or sparse, of two classes.
    u, gamma
        Any direction, the constant feature's entry first, and any margin to ask for. None: those of the least bound,
        which is never above the number of visits, nor above (R / gamma)^2 where the data is separable.
    passes
        The number of passes.
    fit_intercept, intercept_scaling
        The constant feature.

    Examples
    --------
    AND a hundred times over, separable and then with one wrong label:

    >>> import numpy as np
    >>> from rosenblatt.data.lectures import AND
    >>> X, y = np.tile(AND.X, (100, 1)), np.tile(AND.y, 100)
    >>> round(freund_schapire(X, y, u=(-3, 2, 2), gamma=17**-0.5).bound, 6)
    51.0
    >>> y[0] = 1
    >>> round(freund_schapire(X, y, u=(-3, 2, 2), gamma=17**-0.5).bound, 3)
    124.131
    >>> least = freund_schapire(X, y)
    >>> round(least.bound, 3), least.bound - least.lower < 1e-6
    (109.315, True)
    """
    Z = signed_rows(X, y, fit_intercept=fit_intercept, intercept_scaling=intercept_scaling)
    return _of_reference(Z, u, gamma, passes, "squared")


def hinge(
    X: Any,
    y: Any,
    u: Any = None,
    gamma: float | None = None,
    *,
    passes: int = 1,
    fit_intercept: bool = True,
    intercept_scaling: Any = 1,
) -> ReferenceBound:
    """As `freund_schapire`, but mostly tighter: k <= (sqrt(k) R + D) / gamma, D the sum of max(0, gamma - z.u).

    >>> import numpy as np
    >>> from rosenblatt.data.lectures import AND
    >>> X, y = np.tile(AND.X, (100, 1)), np.tile(AND.y, 100)
    >>> y[0] = 1
    >>> round(hinge(X, y, u=(-3, 2, 2), gamma=17**-0.5).bound, 3), round(hinge(X, y).bound, 3)
    (58.728, 58.728)
    """
    Z = signed_rows(X, y, fit_intercept=fit_intercept, intercept_scaling=intercept_scaling)
    return _of_reference(Z, u, gamma, passes, "hinge")


def _of_reference(Z: SignedRows, u: Any, gamma: float | None, passes: int, loss: Loss) -> ReferenceBound:
    if Z.n_classes > 2:
        raise ValueError(f"y must have two classes for a bound that needs no separability, got {Z.n_classes}")
    if not passes >= 1:
        raise ValueError(f"passes must be at least 1, got {passes}")
    if (u is None) != (gamma is None):
        raise ValueError("u and gamma belong together: give both, or neither for the least bound")
    R = sqrt_up(Z.squared_radius())
    if gamma is None:
        return least_bound(Z, R, passes, loss)
    if not 0 < gamma < math.inf:
        raise ValueError(f"gamma must be positive and finite, got {gamma}")
    whole = whole_weights(u, Z)
    direction = as_floats(whole)
    return bound_of(Z, direction / np.linalg.norm(direction) / gamma, R, passes, loss)


def experts(n: int, k: int) -> int:
    """Lecture 003: n analysts, of whom k are experts whose majority is always right; no more mistakes than n k.

    An even k has no narrow majorities, only ties, which the game leaves out: then no more than n k / 4.

    >>> experts(20, 5), experts(20, 4)
    (100, 20)
    """
    if not 1 <= k <= n:
        raise ValueError(f"k must be from 1 to n = {n}, got {k}")
    return n * k if k % 2 else n * k // 4
