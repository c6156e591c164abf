"""A kernel perceptron with a budget that learns row by row without end.

Each row is a dense block of its own, because products of larger blocks, or of sparse rows, may have other bits.
"""

from collections.abc import Sequence
from typing import Any

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.rows import Matrix, SparseRows, as_rows
from rosenblatt.members.kernel.model import KernelModel
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.perceptron import KernelMember, KernelRun
from rosenblatt.members.kernel.values import Workers, one_blas_thread
from rosenblatt.members.online_run import Answered, RowsOnline

_WIDEST = 2**16


class KernelOnline(RowsOnline):
    """A run without end of a kernel perceptron.

    It has the parameters of a `KernelPerceptron`, with a budget, and a gamma that needs no rows.

    Examples
    --------
    The lecture's XOR, twice.

    >>> run = KernelOnline(KernelParameters(kernel="poly", degree=2, coef0=1, gamma=1, budget=4))
    >>> X, y = [[-1, -1], [-1, 1], [1, -1], [1, 1]] * 2, [-1, 1, 1, -1] * 2
    >>> [answered.label for answered in run.learn(X, y)]
    [None, -1, -1, -1, -1, 1, 1, -1]
    """

    def __init__(
        self,
        parameters: KernelParameters,
        before: KernelModel | None = None,
        *,
        same_pass: bool = False,
        classes: Any = None,
    ) -> None:
        super().__init__(parameters, before, same_pass=same_pass, classes=classes)
        if parameters.kernel != "linear" and parameters.gamma == "scale" and before is None:
            raise ParameterError("gamma: expected a number or 'auto' before the first row, found 'scale'")

    def _member_of(self, parameters: KernelParameters) -> KernelMember:
        return KernelMember(parameters, Workers(None), listed=True)

    def _resume(self, before: Any) -> KernelRun:
        return KernelRun(before.state.copy())

    def learn(self, X: Any, y: Sequence[Any]) -> list[Answered]:
        with one_blas_thread():
            return super().learn(X, y)

    def answer(self, X: Any) -> tuple[list[Any], Array]:
        with one_blas_thread():
            return super().answer(self._dense(X))

    def _take(self, X: Any) -> Matrix:
        return super()._take(self._dense(X))

    def _dense(self, X: Any) -> Matrix:
        X = as_rows(X)
        if X.shape[1] > _WIDEST:
            raise ValueError(f"expected rows of at most {_WIDEST:,} features for a kernel, found {X.shape[1]:,}")
        return X.toarray() if isinstance(X, SparseRows) else X

    def _visit(self, x: Matrix, y: Sequence[Any]) -> tuple[int, int]:
        goes_on, run = self._begun, self._state
        run.passes = None  # remove those of the row before
        counts = super()._visit(x, y)
        if goes_on:
            del run.state.ends[-2]  # join the pass of this row to the one before: all rows are one pass
        return counts
