"""Runs of the kernel member through its own functions, with numpy alone: what they answer, as named arrays."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import SparseRows, sparse
from rosenblatt.members.kernel.model import KernelModel
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.perceptron import fit_kernel, learn_more_kernel

Array = np.ndarray[Any, Any]

_lots = np.random.default_rng(0)
X = np.where(_lots.random((60, 7)) < 0.4, _lots.normal(size=(60, 7)), 0.0)
Y = np.array(["a", "b", "c"])[(X[:, 0] > X[:, 1]).astype(int) + (X[:, 2] * X[:, 3] >= 0)]
NEW = np.where(_lots.random((20, 7)) < 0.4, _lots.normal(size=(20, 7)), 0.0)
FORMS: dict[str, Any] = {
    "dense": lambda X: X,
    "dense32": lambda X: X.astype(np.float32),
    "sparse": sparse,
    "sparse32": lambda X: sparse(X.astype(np.float32)),
}
CASES: dict[str, dict[str, Any]] = {
    "rbf": {},
    "poly": {"kernel": "poly", "coef0": 1.0, "multiclass": "argmax", "margin": 0.1, "eta0": 0.5},
    "linear": {"kernel": "linear", "coef0": 1.0, "class_weight": {"a": 2.0}, "shuffle": False},
    "sigmoid": {"kernel": "sigmoid", "gamma": 0.1, "n_jobs": 2, "block_size": 16, "cache_size": 0.001},
    "early stopping": {"early_stopping": True, "validation_fraction": 0.3, "random_state": 3},
    "project": {"budget": 9},
    "stop": {"budget": 9, "budget_policy": "stop"},
}
READOUTS: list[dict[str, Any]] = [
    {"readout": readout, "normalise": normalise, "passes": passes}
    for readout in ("last", "average", "vote", "random")
    for normalise in (False, True)
    for passes in (None, 1.5)
]


def parts_of(form: str) -> list[tuple[Any, Array]]:
    """The rows in three parts, of which only the last has all three classes."""
    first = np.flatnonzero(Y != "c")[:20]
    rest = np.setdiff1d(np.arange(len(Y)), first)
    return [(FORMS[form](X[rows]), Y[rows]) for rows in (first[:10], first[10:], rest)]


def answered(ask: Any) -> Array:
    """What `ask` gives, as an array; the words of an error where a run did not keep what it takes."""
    try:
        found = ask()
    except (ValueError, AttributeError) as error:
        return np.array(f"{type(error).__name__}: {error}")
    return np.asarray(found.toarray() if hasattr(found, "toarray") else found)


def from_record(model: KernelModel) -> KernelModel:
    """There and back again."""
    tensors: dict[str, Array] = {}
    parts = Parts(model.to_record(tensors), tensors)
    again = KernelModel.from_record(model.parameters, model.n_features, model.classes, parts)
    parts.end()
    return again


def answers(model: KernelModel, rows: Any) -> Iterator[tuple[str, Array]]:
    """Under every readout."""
    yield "mistakes", model.mistakes
    yield "classes", model.classes
    yield "facts", np.array([model.n_updates, model.converged, model.n_seen])
    for given in READOUTS:
        asked = replace(model, parameters=replace(model.parameters, **given))
        yield f"{given}.decision", answered(lambda asked=asked: asked.decision(rows))
        yield f"{given}.predict", answered(lambda asked=asked: asked.predict(rows))
        for name in ("support", "support_vectors", "dual_coef", "n_support"):
            yield f"{given}.{name}", answered(lambda asked=asked, name=name: getattr(asked, name))


def runs() -> Iterator[tuple[str, Array]]:
    """All forms and cases: fitted, learned part by part, and each of the two from its record."""
    for form, form_of in FORMS.items():
        for case, given in CASES.items():
            parameters = KernelParameters.of(**{"max_iter": 3, **given})
            fitted, _ = fit_kernel(parameters, form_of(X), Y, np.arange(len(Y)) % 3)
            learned, further = None, replace(parameters, early_stopping=False)  # who learns on holds nothing out
            for rows, y in parts_of(form):
                learned = learn_more_kernel(further, learned, rows, y)
            assert learned is not None
            for name, model in (("fit", fitted), ("learn more", learned)):
                for origin, one in (("run", model), ("record", from_record(model))):
                    for what, found in answers(one, form_of(NEW)):
                        yield f"{form}/{case}/{name}/{origin}/{what}", found


def write(path: str) -> None:
    """Into a file."""
    assert isinstance(FORMS["sparse"](X), SparseRows)
    np.savez(path, allow_pickle=False, **dict(runs()))
