"""From X, y and the conventions, as a user gives them, to the one matrix Z of the theory."""

from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.base.arrays import check_labels
from rosenblatt.base.inputs import as_fraction, check_lengths
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import Matrix, is_sparse
from rosenblatt.services.proofs.reading import as_given, common_denominator, integers
from rosenblatt.services.proofs.signed_rows import SignedRows


def signed_rows(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    intercept_scaling: Any = 1,
    center: Any = False,
    as_decimal: bool = False,
) -> SignedRows:
    """The rows z = y (s, x - c) of labelled points, of which margins, bounds and certificates speak.

    >>> from rosenblatt.data.lectures import AND
    >>> signed_rows(*AND).integers([0, 3])
    array([[-1, 0, 0],
           [1, 1, 1]], dtype=object)
    """
    check_labels(y)
    X, y = as_given(X), np.asarray(y)
    check_lengths(X, y)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity")
    classes, target = encode(y)
    scaling = _number("intercept_scaling", intercept_scaling, as_decimal=True) if fit_intercept else Fraction(0)
    if fit_intercept and scaling <= 0:
        raise ValueError(f"intercept_scaling must be positive, got {intercept_scaling!r}")
    return SignedRows(
        X, target, tuple(classes.tolist()), scaling, _center(X, center, as_decimal=as_decimal), as_decimal
    )


def _center(X: Matrix, center: Any, *, as_decimal: bool) -> tuple[Fraction, ...] | None:
    if center is False:
        return None
    if is_sparse(X):
        raise ValueError("center: sparse rows without their zeros would not be sparse; give a dense X, or center=False")
    if center is True:
        return _mean(X, as_decimal=as_decimal)
    values = np.asarray(center)
    if values.shape != (X.shape[1],):
        raise ValueError(f"center must be True, False or one number a feature, {X.shape[1]}; got shape {values.shape}")
    return tuple(_number("center", value, as_decimal=as_decimal) for value in values)


def _mean(X: Any, *, as_decimal: bool) -> tuple[Fraction, ...]:
    """The mean of the rows itself: a rounded one would not lie between rows that are opposite about it."""
    denominator = common_denominator(X, as_decimal=as_decimal)
    sums = integers(X, denominator, as_decimal=as_decimal).sum(axis=0)
    return tuple(Fraction(int(total), denominator * len(X)) for total in sums)


def _number(name: str, value: Any, *, as_decimal: bool) -> Fraction:
    try:
        return as_fraction(value, as_decimal=as_decimal)
    except (OverflowError, TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be of finite numbers, got {value!r}") from None
