"""Rows while they are learned from: features that one row alone has are one column, see core/text/hapaxes.hpp."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows


@dataclass(frozen=True, eq=False)
class MergedRows:
    """The rows; of each feature its column there, and its share of the weight of that column.

    >>> X = SparseRows(np.array([3, 4, 1, 1], np.float32), np.array([0, 1, 2, 2]), np.array([0, 3, 4]), 3)
    >>> merged = MergedRows.of(X)
    >>> merged.X.toarray().tolist()
    [[1.0, 5.0], [1.0, 0.0]]
    >>> merged.weights(np.array([[2.0], [10.0], [7.0]]))[:, 0].round(6).tolist()
    [6.0, 8.0, 2.0, 7.0]
    """

    X: SparseRows
    column: Array
    share: Array

    @classmethod
    def of(cls, X: SparseRows) -> Self:
        """Merge the features that one row alone has."""
        indices, starts = (numbers.astype(np.int32, copy=False) for numbers in (X.indices, X.indptr))
        data, indices, starts, column, share, n_columns = _core.merge_hapaxes(X.data, indices, starts, X.n_columns)
        return cls(SparseRows(data, indices, starts, n_columns), column, share)

    def rows(self, X: SparseRows) -> SparseRows:
        """Other rows with the columns of these, to be scored."""
        data, indices = X.data * self.share[X.indices], self.column[X.indices]
        return replace(X, data=data, indices=indices, n_columns=self.X.n_columns)

    def weights(self, w: Array) -> Array:
        """The weights of all features, and of the constant one, in the layout of the core."""
        all_weights = np.empty((len(self.column) + 1, w.shape[1]), w.dtype)
        np.multiply(w[self.column], self.share[:, np.newaxis], out=all_weights[:-1])
        all_weights[-1] = w[-1]
        return all_weights
