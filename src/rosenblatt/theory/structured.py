"""Collins's theorem (2002) as Novikoff's: a structured run is a perceptron's on differences.

At a mistake Phi(x, y) - Phi(x, z) is added, whose score is not positive: it is a row of label +1, without a constant
feature. So (R / delta)^2 is (R / gamma)^2 of these rows, and says nothing of how many outputs there are.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.rows import Matrix, is_sparse
from rosenblatt.structured.features import values
from rosenblatt.theory.given import signed_rows
from rosenblatt.theory.reading import Array, as_fraction
from rosenblatt.theory.recorded_run import RecordedRun, numbers, roundoff

LARGEST_INT = 2**53  # that a double holds, with all below


def of_structured(model: Any, w: Any) -> tuple[RecordedRun, Any]:
    """Of a fitted `StructuredPerceptron`, and `w` in the order of its columns."""
    kept = model._run.kept
    if not kept:
        raise ValueError("run has made no mistake: there is nothing to check")
    if any(mistake.step != 1 for mistake in kept):
        raise ValueError("run has steps of other lengths than 1: the lemmas are about the perceptron's own step")
    D, w = in_columns([mistake.difference for mistake in kept], w)
    Z = signed_rows(D, np.ones(len(kept)), fit_intercept=False)
    start, counts = np.zeros(Z.width), np.ones(len(kept), dtype=np.int64)
    rounding = 0.0 if D.dtype == object else roundoff(D.dtype, Z, start, counts)
    # A rival's score may be behind by its loss, as a margin allows.
    margin = Fraction(0)
    if model.rival is not None:
        margin = max(as_fraction(model._loss(m.right, m.wrong), as_decimal=False) for m in kept)
    start = numbers(start, rounding)
    return RecordedRun(Z, start, counts, _sums(D, start, rounding), model.mistakes_.tolist(), margin, rounding), w


def in_columns(differences: Sequence[Any], w: Any) -> tuple[Matrix, Any]:
    """Differences as rows of a matrix, of objects only where doubles would round, and `w` in its columns."""
    exact = all(isinstance(v, int | Fraction) for d in differences for v in values(d))
    if isinstance(differences[0], dict):
        names = {name: j for j, name in enumerate(dict.fromkeys(name for d in differences for name in d))}
        lengths = [len(d) for d in differences]
        places = np.repeat(np.arange(len(differences)), lengths), [names[name] for d in differences for name in d]
        entries = [v for d in differences for v in d.values()]
        shape = (len(differences), max(1, len(names)))
        if not isinstance(w, dict | None):
            raise TypeError(f"w must be a dict, as the features are; got {type(w).__name__}")
        w = w if w is None else [w.get(name, 0) for name in names]
        if not exact or all(isinstance(v, int) and abs(v) <= LARGEST_INT for v in entries):
            return sp.csr_array((np.array(entries, dtype=np.float64), places), shape=shape), w
        D = np.zeros(shape, dtype=object)
        D[places] = entries
        return D, w
    if is_sparse(differences[0]):
        return sp.csr_array(sp.vstack(differences)), w
    D = np.array(differences)
    return (D if exact else D.astype(np.float64)), w


def _sums(D: Matrix, w: Array, rounding: float) -> Iterator[Array]:
    """The weights after each update."""
    for i in range(D.shape[0]):
        w = w + numbers(D[[i]].toarray()[0] if is_sparse(D) else D[i], rounding)
        yield w
