"""Which rows count, how much, and their right answers: weights that multiply the steps, labels or numbers.

A row of weight 0 changes nothing, as if it were not there.
"""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked
from rosenblatt.base.labels import encode, of_rows
from rosenblatt.base.rows import Matrix, as_type


def counting_rows(weight: Array | None, n_rows: int) -> Array:
    """The numbers of the rows whose weight is not 0."""
    rows = np.arange(n_rows) if weight is None else np.flatnonzero(weight)
    if len(rows) == 0:
        raise ValueError("sample_weight: expected at least one non-zero weight, found none")
    return rows


def part(rows: Array, X: Matrix, y: Array, weight: Array | None) -> tuple[Matrix, Array, Array | None]:
    """The given rows of each. If these are all rows, nothing is copied."""
    if len(rows) == X.shape[0]:
        return X, y, weight
    return X[rows], y[rows], None if weight is None else weight[rows]


def checked_weight(sample_weight: Any, X: Matrix) -> Array:
    """A weight from 0 on for each row, in the type of X; one number is for all rows."""
    refuse_masked(sample_weight, "sample_weight")
    weight = np.asarray(sample_weight, dtype=X.dtype)
    weight = np.full(X.shape[0], weight) if weight.ndim == 0 else np.ascontiguousarray(weight)
    if weight.shape != (X.shape[0],):
        raise ValueError(f"sample_weight: expected {X.shape[0]} weights, one a row, found shape {weight.shape}")
    wrong = ~(np.isfinite(weight) & (weight >= 0))
    if wrong.any():
        raise ValueError(f"sample_weight: expected finite weights from 0 on, found {weight[wrong][0]}")
    return weight


def rows_that_count(X: Matrix, y: Array, sample_weight: Any) -> tuple[Matrix, Array, Array | None]:
    """X, y and the weights without the rows of weight 0; weights of None if none are given.

    >>> X, y, weight = rows_that_count(np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1]), [2, 0, 1])
    >>> X.ravel(), y, weight
    (array([1., 3.]), array([0, 1]), array([2., 1.]))
    """
    if sample_weight is None:
        return X, y, None
    weight = checked_weight(sample_weight, X)
    return part(counting_rows(weight, len(weight)), X, y, weight)


def class_weights(class_weight: Any, classes: Array, target: Array, weight: Array | None = None) -> Array:
    """The weight of each class: a dict's, 1 for others; "balanced" gives each class the same share of the weight.

    >>> class_weights("balanced", np.array(["no", "yes"]), np.array([0, 0, 0, 1]))
    array([0.66666667, 2.        ])
    """
    if isinstance(class_weight, str):
        counts = np.bincount(target, weights=np.ones(len(target)) if weight is None else weight)
        return np.asarray(counts.sum() / (len(classes) * counts))
    labels = classes.tolist()
    if len(class_weight.keys() & set(labels)) < min(len(class_weight), len(labels)):
        missing = [label for label in labels if label not in class_weight]
        raise ValueError(f"The classes, {missing}, are not in class_weight")
    return np.array([float(class_weight.get(label, 1.0)) for label in labels])


def step_weights(
    X: Matrix, y: Array, sample_weight: Any, class_weight: Any, *, all_labels: bool
) -> tuple[Array, Array, Array | None, Array]:
    """Classes, the class number and step's weight (or None) of each row, and the rows whose weight is not 0.

    Without `all_labels`, y may lack some classes of a dict of weights, because they may come later.
    """
    classes, target = encode(y)
    if len(target) != X.shape[0]:
        raise ValueError(f"y: expected {X.shape[0]} labels, one a row, found {len(target)}")
    weight, rows = None, np.arange(len(target))
    if sample_weight is not None:
        weight = checked_weight(sample_weight, X)
        rows = counting_rows(weight, len(target))
        classes, target = of_rows(rows, classes, target)
    if class_weight is not None:
        if all_labels:
            of_class = class_weights(class_weight, classes, target[rows])
        else:
            of_class = np.array([class_weight.get(label, 1.0) for label in classes.tolist()])
        weight = np.asarray((1.0 if weight is None else weight) * of_class[target], dtype=X.dtype)
        rows = counting_rows(weight, len(target))
        classes, target = of_rows(rows, classes, target)
    return classes, target, weight, rows


def one_a_row(labels: Any, X: Matrix, what: str) -> Array:
    """An array with one entry for each row of X, which must have rows. Errors name `what` the entries are.

    >>> one_a_row([[1], [2]], np.zeros((2, 3)), "labels")
    array([1, 2])
    """
    refuse_masked(labels, "y")
    y: Array = np.asarray(labels)
    if X.shape[0] == 0:
        raise ValueError("X: expected at least one row, found none")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.shape != (X.shape[0],):
        raise ValueError(f"y: expected {X.shape[0]} {what}, one a row, found an array of shape {y.shape}")
    return y


def as_numbers(y: Array, dtype: Any) -> Array:
    """The numbers y in the type of X. One that is too large for it becomes infinite, which the core refuses."""
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(f"y: expected finite numbers, found {y[~np.isfinite(y)][0]}")
    try:
        return np.asarray(as_type(y, dtype))
    except (TypeError, ValueError) as error:
        raise ValueError(f"y: expected numbers: {error}") from None
