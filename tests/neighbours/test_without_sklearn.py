"""The members need numpy and the core alone: they learn, answer, and become a record and tensors and back."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import LinearUnit, LinearUnitClassifier, RandomHypotheses

CHILD = """
import json
import sys
from pathlib import Path

import numpy as np

sys.modules.update(dict.fromkeys(("sklearn", "scipy", "pandas", "joblib")))  # an import of these raises

from rosenblatt.members.neighbours.linear_unit import fit_unit, fit_unit_classifier
from rosenblatt.members.neighbours.parameters import HypothesesParameters, UnitClassifierParameters, UnitParameters
from rosenblatt.members.neighbours.random_hypotheses import fit_hypotheses
from rosenblatt.base.record.parts import (
    Parts, labels_as_json, labels_from_json, parameters_as_json, parameters_from_json
)
from rosenblatt.base.rows import SparseRows


def through_a_record(model):
    tensors = {}
    learned = model.to_record(tensors)
    parameters = parameters_as_json(model.parameters.as_dict(), tensors)
    labels = None if model.labels is None else labels_as_json(model.labels)
    learned, parameters, labels = json.loads(json.dumps([learned, parameters, labels]))
    parts = Parts(learned, tensors)
    parameters = type(model.parameters).of(**parameters_from_json(parameters, parts))
    labels = None if labels is None else labels_from_json(labels)
    again = type(model).from_record(parameters, model.n_features, labels, parts)
    parts.end()
    return again


folder = Path(sys.argv[1])
given = dict(np.load(folder / "given.npz"))
numbers, labels, three, weight = given["numbers"], given["labels"], given["three"], given["weight"]
found = {}
for kind in ("dense", "sparse"):
    dense = given["X"]
    X = dense if kind == "dense" else SparseRows(given["data"], given["indices"], given["indptr"], dense.shape[1])
    words = {"tol": 1e-3, "shuffle": True, "random_state": 3}
    batch, warning = fit_unit(UnitParameters.of(**words), X, numbers)
    assert warning is None
    stochastic = UnitParameters.of(method="stochastic", init="random", max_iter=2, **words)
    first, warning = fit_unit(stochastic, X, numbers, weight)
    assert warning.startswith("pass 2 was the last, E = ")
    further, _ = fit_unit(stochastic, X, numbers, weight, before=first)
    classifier = UnitClassifierParameters.of(class_weight="balanced", **words)
    models = {
        "batch": batch,
        "stochastic": first,
        "further": further,
        "two": fit_unit_classifier(classifier, X, labels, weight)[0],
        "three": fit_unit_classifier(classifier, X, three)[0],
        "hypotheses": fit_hypotheses(HypothesesParameters.of(k=20), X, labels, weight),
    }
    for name, model in models.items():
        again = through_a_record(model)
        assert again.parameters == model.parameters
        for field in ("coef", "intercept", "losses", "errors"):
            if hasattr(model, field):
                found[f"{kind}.{name}.{field}_"] = getattr(again, field)
        found[f"{kind}.{name}.predict"] = again.predict(X)
        if hasattr(again, "decision"):
            found[f"{kind}.{name}.decision_function"] = again.decision(X)
np.savez(folder / "found.npz", **found)
"""


def expected(X: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The same models by scikit-learn's estimators."""
    words: dict[str, Any] = {"tol": 1e-3, "random_state": 3}
    stochastic: dict[str, Any] = {"method": "stochastic", "init": "random", "max_iter": 2, **words}
    learned = {"X": X, "y": given["numbers"], "sample_weight": given["weight"]}
    further = LinearUnit(warm_start=True, **stochastic)
    for each in (first := LinearUnit(**stochastic), further, further):
        with pytest.warns(match="pass 2 was the last"):
            each.fit(**learned)
    return {
        "batch": LinearUnit(**words).fit(X, given["numbers"]),
        "stochastic": first,
        "further": further,
        "two": LinearUnitClassifier(class_weight="balanced", **words).fit(X, given["labels"], given["weight"]),
        "three": LinearUnitClassifier(class_weight="balanced", **words).fit(X, given["three"]),
        "hypotheses": RandomHypotheses(k=20).fit(X, given["labels"], given["weight"]),
    }


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_same_bits_without_scikit_learn(dtype: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    X = (random.normal(size=(60, 5)) * (random.random((60, 5)) < 0.6)).astype(dtype)
    csr = sp.csr_array(X)
    numbers = X @ np.arange(5) + random.normal(size=60)
    given = {
        "X": X,
        "data": csr.data,
        "indices": csr.indices,
        "indptr": csr.indptr,
        "numbers": numbers,
        "labels": np.where(numbers > 0, "yes", "no"),
        "three": np.digitize(numbers, [-1, 1]),
        "weight": random.integers(0, 3, 60),
    }
    np.savez(tmp_path / "given.npz", **given)  # type: ignore[arg-type]
    command = [sys.executable, "-W", "error", "-c", CHILD, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    found = np.load(tmp_path / "found.npz")
    assert len(found.files) == 2 * (3 * 4 + 2 * 5 + 5)
    for kind, rows in (("dense", X), ("sparse", csr)):
        models = expected(rows, given)
        for name in (name for name in found.files if name.startswith(kind)):
            _, model, attribute = name.split(".")
            value = getattr(models[model], attribute)
            value, other = np.asarray(value(rows) if callable(value) else value), found[name]
            assert (value.dtype, value.shape) == (other.dtype, other.shape), name
            assert value.tobytes() == other.tobytes(), name
