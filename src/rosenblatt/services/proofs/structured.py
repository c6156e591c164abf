"""Collins's theorem (2002) as Novikoff's: a structured run is a perceptron's on differences.

At a mistake Phi(x, y) - Phi(x, z) is added, whose score is not positive: it is a row of label +1, without a constant
feature. So (R / delta)^2 is (R / gamma)^2 of these rows, and says nothing of how many outputs there are.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_fraction
from rosenblatt.base.rows import Matrix, SparseRows, is_sparse
from rosenblatt.members.structured.features import values
from rosenblatt.services.proofs.given import signed_rows
from rosenblatt.services.proofs.recorded_run import RecordedRun, numbers, roundoff

LARGEST_INT = 2**53  # that a double holds, with all below


def structured_member(model: Any) -> Any:
    """The member that a fitted `StructuredPerceptron` has learned with, or the member itself; None if it is neither."""
    member = getattr(model, "_model", model)
    return member if hasattr(getattr(member, "state", None), "replayed") else None


def of_structured(member: Any, w: Any) -> tuple[RecordedRun, Any]:
    """Of a structured perceptron that has learned, and `w` in the order of its columns."""
    run, p = member.state, member.parameters
    kept = run.kept
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
    if p.rival is not None:
        losses = (1 if p.loss is None else p.loss(m.right, m.wrong) for m in kept)
        margin = max(as_fraction(loss, as_decimal=False) for loss in losses)
    start = numbers(start, rounding)
    return RecordedRun(Z, start, counts, _sums(D, start, rounding), run.passes, margin, rounding), w


def in_columns(differences: Sequence[Any], w: Any) -> tuple[Matrix, Any]:
    """Differences as rows of a matrix, of objects only where doubles would round, and `w` in its columns."""
    exact = all(isinstance(v, int | Fraction) for d in differences for v in values(d))
    if isinstance(differences[0], dict):
        names = {name: j for j, name in enumerate(dict.fromkeys(name for d in differences for name in d))}
        columns = np.array([names[name] for d in differences for name in d], dtype=np.int64)
        entries = [v for d in differences for v in d.values()]
        if not isinstance(w, dict | None):
            raise TypeError(f"w must be a dict, as the features are; got {type(w).__name__}")
        w = w if w is None else [w.get(name, 0) for name in names]
        whole = all(isinstance(v, int) and abs(v) <= LARGEST_INT for v in entries)
        stored = np.array(entries, dtype=np.float64 if whole or not exact else object)
        rows = SparseRows(stored, columns, _starts(map(len, differences)), max(1, len(names)))
        return (rows.toarray() if stored.dtype == object else rows), w
    if is_sparse(differences[0]):
        data, indices = (np.concatenate([getattr(d, name) for d in differences]) for name in ("data", "indices"))
        return SparseRows(data, indices, _starts(len(d.data) for d in differences), differences[0].shape[-1]), w
    D = np.array(differences)
    return (D if exact else D.astype(np.float64)), w


def _starts(lengths: Iterable[int]) -> Array:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _sums(D: Matrix, w: Array, rounding: float) -> Iterator[Array]:
    """The weights after each update."""
    for i in range(D.shape[0]):
        w = w + numbers(D[[i]].toarray()[0] if is_sparse(D) else D[i], rounding)
        yield w
