"""What users give to a service, checked: a table, one label a row, numbers of any kind, a fitted model.

scikit-learn is not needed, and neither is scipy: a matrix of the one and an estimator of the other are taken where
somebody has imported it.
"""

import sys
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array, refuse_masked
from rosenblatt.base.rows import Matrix, SparseRows, as_rows, is_scipy


def as_table(X: Any, name: str = "X") -> Matrix:
    """X with its numbers as they are: an array of two dimensions, or SparseRows; at least one row and one column.

    >>> as_table([[0, 1], [1, 1]])
    array([[0, 1],
           [1, 1]])
    """
    refuse_masked(X, name)
    if is_scipy(X):
        if X.ndim == 2:
            X = X.tocsr()
            X = SparseRows(X.data, X.indices, X.indptr, int(X.shape[1]))
    elif not isinstance(X, SparseRows):
        X = np.asarray(X)
    if len(X.shape) != 2 or 0 in X.shape:
        raise ValueError(f"{name}: expected a 2D array of at least one row and one column, found shape {X.shape}")
    return X


def as_float_table(X: Any, name: str = "X") -> Matrix:
    """The same in floats for the core; float32 stays float32. Whether all are finite is left to the core.

    >>> as_float_table([[Fraction(1, 2)], ["2"]])
    array([[0.5],
           [2. ]])
    """
    X = as_table(X, name)
    if X.dtype.kind in "OSU":
        try:
            X = X.astype(object).astype(np.float64)
        except (OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"{name}: expected numbers: {error}") from None
    return as_rows(X, name)


def check_lengths(X: Matrix, y: Array) -> None:
    """Raise an error unless there is one label a row."""
    if y.ndim == 0 or len(y) != X.shape[0]:
        lengths = [X.shape[0], *y.shape[:1]]
        raise ValueError(f"y: expected one label a row, found inconsistent numbers of samples: {lengths}")


def is_member(model: Any) -> bool:
    """Whether it is a member of the family itself, which has always learned, and not an estimator."""
    return hasattr(model, "parameters_of")


def check_fitted(model: Any) -> None:
    """Refuse an estimator that has learned nothing, by scikit-learn's protocol."""
    if is_member(model):
        return
    says = getattr(model, "__sklearn_is_fitted__", None)
    learned = (name for name in getattr(model, "__dict__", ()) if name.endswith("_") and not name.startswith("__"))
    if not (any(learned) if says is None else says()):
        theirs = sys.modules.get("sklearn.exceptions")
        error = ValueError if theirs is None else theirs.NotFittedError
        raise error(f"model: expected one that has learned, found a {type(model).__name__} that is not fitted")


def as_fraction(value: Any, *, as_decimal: bool) -> Fraction:
    """One number exactly: a float as the binary number that it is, or as the shortest decimal that gives it.

    >>> as_fraction(0.1, as_decimal=True), as_fraction(0.5, as_decimal=False)
    (Fraction(1, 10), Fraction(1, 2))
    """
    if isinstance(value, float | np.floating):
        return Fraction(str(value)) if as_decimal else Fraction(*value.as_integer_ratio())
    return Fraction(value.item() if isinstance(value, np.generic) else value)


def simple(value: Any) -> Any:
    """A Fraction that is whole as the int that it is; anything else as it comes.

    >>> simple(Fraction(4, 2)), simple(Fraction(1, 3))
    (2, Fraction(1, 3))
    """
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def exact(values: Any, name: str, *, as_decimal: bool) -> Array:
    """One number, or an array of them, as ints and Fractions. Text such as "1/3" is taken as written.

    >>> exact([1, 0.5, "1/3", 0.1], "X", as_decimal=True)
    array([1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)], dtype=object)
    """
    refuse_masked(values, name)
    if hasattr(values, "toarray"):
        values = values.toarray()
    raw = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    out = np.empty(raw.shape, dtype=object)
    for index, value in np.ndenumerate(raw):
        try:
            out[index] = simple(as_fraction(value, as_decimal=as_decimal))
            float(out[index])  # 10**400 is finite, but too large for all computations with floats
        except (OverflowError, TypeError, ValueError, ZeroDivisionError):
            place = f" at {', '.join(map(str, index))}" if index else ""
            raise ValueError(f"{name} must be finite numbers, as 2, 0.5 or '1/3'; found {value!r}{place}") from None
    return out
