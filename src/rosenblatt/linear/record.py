"""The state of a perceptron's run as a record and tensors, and back: every readout, and all that learning goes on from.

Nothing of a record is believed: sizes and indices are checked against each other before anything is built from them.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import _align_api_if_sparse

from rosenblatt.linear.state import LinearState, Mistakes
from rosenblatt.record.parts import FLOATS, MOST, NUMBERS, Parts
from rosenblatt.record.safetensors import Array, Tensors
from rosenblatt.rows import Matrix, is_sparse, zero_weights


def take_run(model: Any, tensors: Tensors) -> dict[str, Any]:
    """The run of a fitted `Perceptron`: what goes into the record; arrays join the tensors."""
    for name, given in model._given.items():
        put_matrix(tensors, f"given.{name}", given)
    tensors["mistakes_"] = model.mistakes_
    return {
        **take_state(model._state, tensors),
        "n_seen": int(model._n_seen),
        "n_updates": int(model.n_updates_),
        "converged": bool(model.converged_),
    }


def take_state(state: LinearState, tensors: Tensors) -> dict[str, Any]:
    """The same for the state of a run alone."""
    for name in ("w", "start", "spread", "sums", "pocket"):
        if getattr(state, name) is not None:
            tensors[name] = getattr(state, name)
    if state.mistakes is not None:
        for name in ("visit", "row", "cls", "tau", "support_row"):
            tensors[f"mistakes.{name}"] = getattr(state.mistakes, name)
        put_matrix(tensors, "mistakes.support", state.mistakes.support)
    return {
        "bias": float(state.bias),
        "unit": float(state.unit),
        "visits": int(state.visits),
        "pocket_errors": float(state.pocket_errors) if state.pocket_errors < np.inf else None,
    }


def restore_run(model: Any, classes: Array, parts: Parts) -> None:
    """Make `model` as it was when `take_run` was called, with these classes."""
    n_rows, n_seen = rows_of_weights(classes), parts.count("n_seen", least=1)
    passes = parts.integers("mistakes_", None, "int64", below=MOST)
    if len(passes) == 0:
        raise ValueError("tensor 'mistakes_': expected those of at least one pass, found none")
    model._set_run(restore_state(model.n_features_in_, n_rows, n_seen, parts), classes, n_seen, passes.tolist())
    model.n_iter_, model.n_updates_, model.converged_ = len(passes), parts.count("n_updates"), parts.flag("converged")
    if parts.has("given.coef_") or parts.has("given.coef_.data"):
        coef = matrix(parts, "given.coef_", None, model.n_features_in_, NUMBERS)
        if coef.shape[0] not in (n_rows, len(classes)):
            raise ValueError(f"tensor 'given.coef_': expected {n_rows} rows, found {coef.shape[0]}")
        model.coef_, n_rows = _align_api_if_sparse(coef), coef.shape[0]
    if parts.has("given.intercept_"):
        intercept = parts.tensor("given.intercept_", (None,), *NUMBERS)
        if len(intercept) not in (1, n_rows):
            raise ValueError(f"tensor 'given.intercept_': expected {n_rows} numbers, found {len(intercept)}")
        model.intercept_ = intercept


def rows_of_weights(classes: Array) -> int:
    """One for two classes, which is positive for the second, else one a class."""
    return 1 if len(classes) <= 2 else len(classes)


def restore_state(n_features: int, n_rows: int, n_seen: int, parts: Parts) -> LinearState:
    """The state that `take_state` took, of a run over `n_seen` rows."""
    shape = (n_features + 1, zero_weights(0, n_rows, np.float64).shape[1])
    w = parts.tensor("w", shape, *FLOATS)
    dtype = w.dtype.name

    def beside(name: str, dtype: str) -> Array | None:
        return parts.tensor(name, shape, dtype) if parts.has(name) else None

    spread = beside("spread", dtype)
    if spread is not None and spread.min() < 0:
        raise ValueError(f"tensor 'spread': expected variances from 0 on, found {spread.min()}")
    visits = parts.count("visits")
    pocket_errors = parts.number("pocket_errors", none=np.inf)
    unit = parts.number("unit")
    if unit == 0:
        raise ValueError("unit: expected a number over 0, found 0.0")
    return LinearState(
        w=w,
        n_rows=n_rows,
        bias=parts.number("bias"),
        unit=unit,
        start=beside("start", dtype),
        visits=visits,
        spread=spread,
        sums=beside("sums", "float64"),
        pocket=beside("pocket", dtype),
        pocket_errors=pocket_errors,
        mistakes=_mistakes(n_features, n_rows, n_seen, visits, dtype, parts) if parts.has("mistakes.visit") else None,
    )


def _mistakes(n_features: int, n_rows: int, n_seen: int, visits: int, dtype: str, parts: Parts) -> Mistakes:
    visit = parts.integers("mistakes.visit", None, "int64", below=visits + 1)
    if (visit[1:] < visit[:-1]).any():
        raise ValueError("tensor 'mistakes.visit': expected mistakes in the order of their visits")
    support_row = parts.integers("mistakes.support_row", None, "int64", below=n_seen)
    if len(np.unique(support_row)) < len(support_row):
        raise ValueError("tensor 'mistakes.support_row': expected each row once, found one twice")
    row = parts.integers("mistakes.row", len(visit), "int64", below=n_seen)
    missing = np.setdiff1d(row, support_row)
    if len(missing):
        raise ValueError(f"tensor 'mistakes.row': expected only rows of the support, found {missing[0]}")
    return Mistakes(
        visit=visit,
        row=row,
        cls=parts.integers("mistakes.cls", len(visit), "int32", below=n_rows),
        tau=parts.tensor("mistakes.tau", (len(visit),), "float64"),
        support=matrix(parts, "mistakes.support", len(support_row), n_features, (dtype,)),
        support_row=support_row,
    )


def put_matrix(tensors: Tensors, name: str, X: Matrix) -> None:
    """A dense matrix is one tensor, a sparse one three."""
    if is_sparse(X):
        X = X.tocsr()
        tensors |= {f"{name}.data": X.data, f"{name}.indices": X.indices, f"{name}.indptr": X.indptr}
    else:
        tensors[name] = np.asarray(X)


def matrix(parts: Parts, name: str, n_rows: int | None, n_columns: int, dtypes: tuple[str, ...]) -> Matrix:
    """What `put_matrix` put there."""
    if not parts.has(f"{name}.data"):
        return parts.tensor(name, (n_rows, n_columns), *dtypes)
    data = parts.tensor(f"{name}.data", (None,), *dtypes)
    indices = parts.tensor(f"{name}.indices", data.shape, "int32", "int64")
    indptr = parts.tensor(f"{name}.indptr", (None if n_rows is None else n_rows + 1,), "int32", "int64")
    # scipy reads them without looking
    if len(indptr) == 0 or indptr[0] != 0 or indptr[-1] != len(data) or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"tensor '{name}.indptr': expected starts of rows that rise from 0 to {len(data)}")
    if len(indices) and (indices.min() < 0 or indices.max() >= n_columns):
        raise ValueError(f"tensor '{name}.indices': expected columns from 0 to {n_columns - 1}, found others")
    return sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, n_columns))
