"""Which engine decides whether Z w > 0 has a solution: it depends on the size of the data, and whether it is sparse.

Each works in floats and only guesses. What it finds, weights or multipliers, is then proven on Z as it is; what cannot
be proven goes on to the next engine, and at last to the exact one.
"""

from rosenblatt.base.rows import is_sparse
from rosenblatt.services.proofs.decision import Decision, Rows
from rosenblatt.services.proofs.hull import by_nearest_point
from rosenblatt.services.proofs.presolve import contradiction
from rosenblatt.services.proofs.signed_rows import SignedRows
from rosenblatt.services.proofs.sparse_engines import by_peeling

GAP, SPARSE_GAP = 1e-6, 1e-3
FEW_COLUMNS = 400  # the nearest point's corral has at most one row more


def decide(Z: Rows, *, gap: float | None = None, exact: bool = False, deadline: float) -> Decision:
    """Decide by the first engine that can prove it.

    `gap` is how close the ends of the margin should come, relative to the upper one (None: as is worth its time);
    `exact` asks for the nearest point itself. Both are given up, and in the end the decision too, when `deadline`, of
    the monotonic clock, has passed.
    """
    opposite = contradiction(Z)
    if opposite is not None:
        return Decision(separable=False, counts=opposite, engine="presolve")
    if isinstance(Z, SignedRows) and is_sparse(Z.floats) and Z.width > FEW_COLUMNS:
        return by_peeling(Z, gap=SPARSE_GAP if gap is None else gap, deadline=deadline)
    return by_nearest_point(Z, gap=GAP if gap is None else gap, exact=exact, deadline=deadline)
