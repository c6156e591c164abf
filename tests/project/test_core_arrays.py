"""The core takes arrays as they are: one of another type or layout is refused, never copied and then forgotten."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rosenblatt import _core

Array = np.ndarray[Any, Any]

EYE = np.eye(3)
NARROW = EYE.astype(np.float32)
DATA, INDICES, STARTS = np.ones(3), np.arange(3, dtype=np.int32), np.arange(4, dtype=np.int32)
KERNEL = _core.Kernel(kind="rbf", gamma=1.0, coef0=0.0, degree=1)


def weights(dtype: Any = np.float64) -> Array:
    return np.zeros((4, 1), dtype=dtype)


def sparse(data: Array = DATA, indices: Array = INDICES, indptr: Array = STARTS) -> _core.Rows:
    return _core.sparse_rows(data, indices, indptr, 3)


def scores(w: Array, out: Array) -> None:
    _core.scores(_core.dense_rows(EYE), w, 1, 1.0, out)


def vote(rows: _core.Rows, support: _core.Rows) -> None:
    no = np.zeros(0, dtype=np.int64)
    _core.vote(rows, support, no, no, no.astype(np.int32), no.astype(float), 0, "mistake", 1.0, EYE, EYE.copy())


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "dense": (
        lambda: _core.dense_rows(np.eye(3, dtype=np.int64)),
        r"x must be a matrix of float.*, found int64 \(3, 3\)",
    ),
    "one row": (lambda: _core.dense_rows(EYE[0]), r"x must be a matrix of float.*, found float64 \(3,\)"),
    "no array": (lambda: _core.dense_rows("x"), "x must be a matrix of float.*, found str"),  # type: ignore[arg-type]
    "data": (lambda: sparse(data=INDICES), r"data must be a vector of float.*, found int32 \(3,\)"),
    "indices": (lambda: sparse(indices=DATA), r"indices must be a vector of int.*, found float64 \(3,\)"),
    "indptr": (lambda: sparse(indptr=STARTS.astype(np.int64)), r"the type of the indices, found int64 \(4,\)"),
    "w": (
        lambda: scores(weights(np.float32), EYE[:, :1].copy()),
        r"w must be .* type of the rows, .* float32 \(4, 1\)",
    ),
    "stride": (lambda: scores(weights(), EYE[:, :1]), r"out must be C-contiguous .*, in 2 dimensions, found float64"),
    "read only": (lambda: scores(weights(), np.broadcast_to(0.0, (3, 1))), "out must be C-contiguous"),
    "two types": (lambda: vote(_core.dense_rows(EYE), _core.dense_rows(NARROW)), "one kind and type"),
    "two kinds": (lambda: vote(_core.dense_rows(EYE), sparse()), "one kind and type"),
    "dots": (
        lambda: _core.kernel_values(KERNEL, np.eye(3, dtype=int), None, None),
        r"dots must be .* found int64 \(3, 3\)",
    ),
    "norms": (
        lambda: _core.kernel_values(KERNEL, EYE.copy(), NARROW[0], NARROW[0]),
        "row_norm2 must be .* found float32",
    ),
    "text": (lambda: _core.whole_sentences("a\n"), "expected bytes, found str"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(TypeError, match=words):
        call()


def test_tiles_of_two_types_are_refused() -> None:
    row, cls, tau = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int32), np.ones(1)
    with pytest.raises(TypeError, match=r"a tile must be .* found float64 \(3, 3\)"):
        _core.kernel_add([NARROW, EYE], row, cls, tau, np.zeros((1, 3)))
    with pytest.raises(ValueError, match="a coefficient is out of range"):
        _core.kernel_add([], row, cls, tau, np.zeros((1, 3)))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected one of 'linear', .*, found 'rbff'"):
        _core.Kernel(kind="rbff", gamma=1.0, coef0=0.0, degree=1)
