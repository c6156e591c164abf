"""The theorem held against a run: at every update both lemmas of its proof, and the bound that they add up to.

With k mistakes so far, weights w_k in units of the learning rate, and any unit vector u of margin gamma:
    lemma 1: w_k.u >= w_0.u + k gamma      lemma 2: |w_k|^2 <= |w_0|^2 + k R^2
so that k gamma <= |w_k| <= sqrt(k) R from a zero start, and k <= (R / gamma)^2. With a margin b a mistake may add 2 b
more to lemma 2; j mistakes of one batch, which are added as one sum, may add j^2 R^2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.base.arrays import Array
from rosenblatt.services.proofs.bounds import NovikoffBound, novikoff_of
from rosenblatt.services.proofs.exact_numbers import sqrt_up
from rosenblatt.services.proofs.freund_schapire import least_bound
from rosenblatt.services.proofs.recorded_run import (
    RecordedRun,
    linear_member,
    of_member,
    of_plain,
    of_structured,
    of_trace,
    structured_member,
)
from rosenblatt.services.proofs.separability import certify
from rosenblatt.services.proofs.signed_rows import as_floats


@dataclass(frozen=True, eq=False)
class RunCheck:
    """What was found: true if all of it holds, and it prints as a short report.

    Attributes
    ----------
    k : the mistakes up to each update
    norm : |w_k|
    projection, lower : w_k.u and what lemma 1 says it is not below: k gamma, from a zero start. None without a gamma.
    upper : what lemma 2 says the norm is not above: sqrt(k) R, from a zero start
    bound : the most mistakes that the theorem allows; inf without a gamma
    passes : number of passes -> the mistakes in them, and the Freund-Schapire bound
    violation : what was violated first; "" if nothing was
    exact : whether the run and the check are free of rounding
    tolerance : else the most that was allowed for rounding, as a share of upper^2
    margin, radius : gamma (0 if there is none) and R
    conditions : how the run differs from the lectures' (a start, a margin, batches), which lower, upper and bound
        account for
    """

    k: Array
    norm: Array
    projection: Array | None
    lower: Array | None
    upper: Array
    bound: int | float
    passes: dict[int, tuple[int, float]]
    violation: str
    exact: bool
    tolerance: float
    margin: float
    radius: float
    conditions: str

    @property
    def ok(self) -> bool:
        """Whether nothing is violated."""
        return not self.violation

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        mistakes = int(self.k[-1]) if len(self.k) else 0
        how = "exactly" if self.exact else f"up to rounding ({self.tolerance:.0e} of |w|^2)"
        lines = [f"{mistakes} mistakes in {len(self.k)} updates, checked {how}"]
        if self.lower is None:
            lines.append("gamma    none: no w is known to separate the data, so lemma 1 and the bound say nothing")
        else:
            lines.append(f"lemma 1  k gamma <= w.u, gamma = {self.margin:.6g}")
        lines.append(f"lemma 2  |w|^2 <= k R^2, R = {self.radius:.6g}")
        if self.lower is not None:
            lines.append(f"bound    {mistakes} <= {self.bound}")
        if self.conditions:
            lines.append(f"with     {self.conditions}")
        lines += [
            f"bound    {count} <= {math.floor(most)} in passes 1 to {number} (Freund, Schapire)"
            for number, (count, most) in self.passes.items()
        ]
        return "\n".join([*lines, self.violation or "all of it holds"])


def check_run(
    run: Any,
    X: Any = None,
    y: Any = None,
    *,
    certificate: Any = None,
    w: Any = None,
    margin: Any = None,
    passes: Sequence[int] = (),
) -> RunCheck:
    """Check every update of a run against the two lemmas and the mistake bound.

    Parameters
    ----------
    run
        A trace, a `plain.Run`, or a `Perceptron` or `StructuredPerceptron` fitted with keep_mistakes=True.
    X, y
        What the run has learned from; a trace has them, and of structures the mistakes are enough.
    certificate, w
        Where gamma comes from: what `certify` found, or any weights that separate. None: `certify` is asked. For
        structures weights as their features are, a dict or an array: gamma is Collins's delta, and it and R are those
        of the wrong answers that were given.
    margin
        That of a `plain.Run`; the others know theirs.
    passes
        Numbers of passes, from the first on, whose mistakes are also held against the Freund-Schapire bound. It needs
        no gamma, but two classes and a zero start.

    Examples
    --------
    Lecture 002's AND: 18 mistakes of the 51 that are allowed, and at the end |w|^2 = 29 between 18^2 / 17 and 54.

    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> model = Perceptron(shuffle=False, keep_mistakes=True).fit(*AND)
    >>> found = check_run(model, *AND, w=(-3, 2, 2))
    >>> bool(found), [round(float(column[-1]) ** 2, 3) for column in (found.lower, found.norm, found.upper)]
    (True, [19.059, 29.0, 54.0])
    >>> print(found)
    18 mistakes in 18 updates, checked exactly
    lemma 1  k gamma <= w.u, gamma = 0.242536
    lemma 2  |w|^2 <= k R^2, R = 1.73205
    bound    18 <= 51
    all of it holds
    """
    if margin is not None and not isinstance(run, plain.Run):
        raise ValueError(f"margin is for a plain.Run; a {type(run).__name__} knows its own")
    recorded, w = _recorded_run(run, X, y, margin, w)
    novikoff = _novikoff(recorded, certificate, w)
    return _check_lemmas(recorded, novikoff, {number: _in_passes(recorded, novikoff, number) for number in passes})


def _recorded_run(run: Any, X: Any, y: Any, margin: Any, w: Any) -> tuple[RecordedRun, Any]:
    if hasattr(run, "after") and hasattr(run, "parameters"):
        return of_trace(run), w
    if (member := structured_member(run)) is not None:
        return of_structured(member, w)
    if X is None or y is None:
        raise ValueError("X and y: give what the run has learned from")
    if isinstance(run, plain.Run):
        return of_plain(run, X, y, margin or 0), w
    if (member := linear_member(run)) is not None:
        return of_member(member, X, y), w
    raise TypeError(
        f"run must be a trace, a plain.Run, a fitted Perceptron or StructuredPerceptron; got {type(run).__name__}"
    )


def _novikoff(run: RecordedRun, certificate: Any, w: Any) -> NovikoffBound:
    Z = run.Z
    if certificate is None and w is None:
        certificate = certify(Z.X, Z.target, fit_intercept=Z.scaling != 0, intercept_scaling=Z.scaling or 1)
    if certificate is not None:
        if certificate.center is not None or float(certificate.intercept_scaling) != float(Z.scaling):
            raise ValueError(f"certificate has other conventions than the run: {certificate.conventions}")
        w = certificate.weights if certificate.separable else None
    bound = novikoff_of(Z, w, margin=run.margin, eta0=1, batch_size=int(run.counts.max(initial=1)))
    if w is not None and bound.gap <= 0:
        raise ValueError(f"w does not separate the rows: the least y w.x is {float(bound.gap):.6g}")
    return bound


def _in_passes(run: RecordedRun, novikoff: NovikoffBound, number: int) -> tuple[int, float]:
    if not 1 <= number <= len(run.mistakes):
        raise ValueError(f"passes must be from 1 to {len(run.mistakes)}, as many as the run has made; got {number}")
    if run.start.any() or run.Z.n_classes != 2:
        raise ValueError("passes: the Freund-Schapire bound is for two classes and a zero start")
    return sum(run.mistakes[:number]), least_bound(run.Z, sqrt_up(novikoff.growth), number, "squared").bound


def _check_lemmas(run: RecordedRun, novikoff: NovikoffBound, by_passes: dict[int, tuple[int, float]]) -> RunCheck:
    """Both lemmas at every update: in exact numbers, or in floats with room for what rounding may have done."""
    exact = run.rounding == 0
    u, gamma, u_norm2 = _reference(novikoff, run.Z.width, exact=exact)
    kind: Any = object if exact else np.float64
    products = [(weights @ weights, u @ weights) for weights in run.weights]
    norm2, along = np.array(products, dtype=kind).reshape(-1, 2).T
    j, k = run.counts.astype(kind), np.cumsum(run.counts)
    radius2, margin = (value if exact else float(value) for value in (novikoff.radius_exact, run.margin))
    limit = run.start @ run.start + np.cumsum(j * j * radius2 + 2 * j * margin)
    least = u @ run.start + k.astype(kind) * gamma
    drift, slack = _rounding(run, novikoff.radius, k, norm2)
    claims = {
        "lemma 1, w.u >= k gamma": along < least - drift,
        "lemma 2, |w|^2 <= k R^2": norm2 > limit + slack,
        "the bound, k gamma <= sqrt(k) R": (least > 0) & (least * least > u_norm2 * (limit + slack)),
    }
    wrong = sorted((int(k[where.argmax()]), claim) for claim, where in claims.items() if where.any())
    wrong += [(count, f"the bound of {number} passes") for number, (count, most) in by_passes.items() if count > most]
    length = math.sqrt(u_norm2)
    return RunCheck(
        k=k,
        norm=np.sqrt(norm2.astype(np.float64)),
        projection=None if novikoff.w is None else along.astype(np.float64) / length,
        lower=None if novikoff.w is None else least.astype(np.float64) / length,
        upper=np.sqrt(limit.astype(np.float64)),
        bound=novikoff.from_start(run.start),
        passes=by_passes,
        violation=f"{wrong[0][1]}, is violated at mistake {wrong[0][0]}" if wrong else "",
        exact=exact,
        tolerance=0.0 if exact else float((slack / limit).max(initial=0.0)),
        margin=novikoff.margin,
        radius=novikoff.radius,
        conditions=_conditions(run),
    )


def _conditions(run: RecordedRun) -> str:
    most = int(run.counts.max(initial=1))
    parts = {
        "a start that is not zero": run.start.any(),
        f"a margin of {float(run.margin):.6g} learning rates": run.margin,
        f"batches of up to {most} mistakes": most > 1,
    }
    return ", ".join(part for part, there in parts.items() if there)


def _reference(novikoff: NovikoffBound, width: int, *, exact: bool) -> tuple[Array, Any, Any]:
    """u, its margin and its squared length: integers as they are, or a unit vector in floats."""
    if novikoff.w is None:
        return np.zeros(width, dtype=object), 0, 1
    if exact:
        return novikoff.w, novikoff.gap, novikoff.w_norm2
    u = as_floats(novikoff.w)
    return u / np.linalg.norm(u), novikoff.margin, 1.0


def _rounding(run: RecordedRun, R: float, k: Array, norm2: Array) -> tuple[Any, Any]:
    """How far w.u and |w|^2 may be off: nothing if the run was exact.

    Weights are off by the rounding of each sum so far; a gap that was found not to be positive may be, by the rounding
    of its product and by what the weights are off, and each such gap counts twice in |w|^2.
    """
    if run.rounding == 0:
        return 0, 0
    largest = np.maximum.accumulate(np.sqrt(norm2)) + np.linalg.norm(run.start) + R
    drift = 8 * run.rounding * (k + run.Z.width + 4) * largest
    return drift, 4 * drift * (k * R + largest)
