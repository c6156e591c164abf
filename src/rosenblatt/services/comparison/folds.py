"""The parts that data is cut into for cross-validation, with the same shares of the classes; scikit-learn cuts them."""

import warnings
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import encode

Fold = tuple[Array, Array]  # the rows to learn from, and those to test on


def stratified_folds(y: Any, folds: int, seed: Any) -> list[Fold]:
    """The folds of labels, or a `ValueError` that says why they cannot be cut.

    >>> [test.tolist() for _, test in stratified_folds(["a", "a", "b", "b"], 2, 0)]
    [[1, 2], [0, 3]]
    """
    from sklearn.model_selection import StratifiedKFold

    classes, numbers = encode(y)
    counts = np.bincount(numbers, minlength=len(classes))
    if len(classes) < 2:
        raise ValueError(f"expected labels of at least 2 classes, found only {classes.tolist()[0]!r} in all rows")
    if len(numbers) < folds:
        raise ValueError(f"folds={folds}: expected at least as many rows, found {len(numbers)}")
    if counts.max() < folds:
        raise ValueError(
            f"folds={folds}: expected a class with at least as many rows, found {len(classes)} classes in "
            f"{len(numbers)} rows; take fewer folds, or, if the labels are numbers to be predicted, LinearUnit "
            "(rosenblatt train --unit)"
        )
    if np.sort(counts)[-2] < 2:
        raise ValueError("expected at least 2 rows of at least 2 classes: else a fold has only one class to learn from")
    if counts.min() < folds:
        label, n_rows = classes[counts.argmin()].item(), int(counts.min())
        message = f"{label!r} has {n_rows} rows, fewer than the {folds} folds: some folds have none to test on"
        warnings.warn(message, stacklevel=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # said above, with the label
        parts = StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros(len(numbers)), numbers)
        return list(parts)
