"""A structured perceptron learns and answers where scikit-learn and scipy cannot be imported, to the same weights."""

import subprocess
import sys
from typing import Any

import pytest

from rosenblatt import StructuredPerceptron

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# Both processes run this: inputs, outputs, and features by names or as arrays.
SETTING = """
import numpy as np
random = np.random.RandomState(0)
X = random.normal(size=(40, 3)).tolist()
y = random.randint(3, size=40).tolist()

def by_name(x, y):
    return {(y, j): v for j, v in enumerate(x)}

def as_array(x, y):
    return np.outer(np.eye(3)[y], x).ravel()

def decoder(features):
    return lambda w, x: max(range(3), key=lambda y: float(w @ features(x, y)))
"""
CHILD = """
import sys
for name in ("sklearn", "scipy", "pandas", "joblib"):
    sys.modules[name] = None  # an import of it raises
from rosenblatt.members.structured.perceptron import fit_structured, learn_more_structured
from rosenblatt.members.structured.parameters import StructuredParameters

features = {"by_name": by_name, "as_array": as_array}[sys.argv[1]]
p = StructuredParameters.of(features=features, decode=decoder(features), **eval(sys.argv[2]))
model, end = fit_structured(p, X, y)
if not p.early_stopping:  # which has rows to hold out, and one pass has none
    model = learn_more_structured(p, model, X[:9], y[:9])
w = model.weights("average")
w = [float(v).hex() for v in (w.values() if isinstance(w, dict) else w)]
print([end, model.state.passes, model.predict(X), w])
"""
CASES: dict[str, dict[str, Any]] = {
    "passes": {"max_iter": 3, "step": "pa1"},
    "held out": {"max_iter": 9, "early_stopping": True, "validation_fraction": 0.3, "n_iter_no_change": 2},
    "vote": {"max_iter": 2, "readout": "vote", "shuffle": False},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["by_name", "as_array"])
def test_the_same_run(kind: str, case: str) -> None:
    args = [sys.executable, "-c", SETTING + CHILD, kind, repr(CASES[case])]
    ended = subprocess.run(args, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    end, *found = eval(ended.stdout)
    setting: dict[str, Any] = {}
    exec(SETTING, setting)
    X, y = setting["X"], setting["y"]
    model = StructuredPerceptron(setting[kind], setting["decoder"](setting[kind]), **CASES[case]).fit(X, y)
    assert end == ("no change" if model.early_stopping and model.n_iter_ < model.max_iter else "limit")
    if not model.early_stopping:
        model.partial_fit(X[:9], y[:9])
    w = model.weights_for("average")
    w = [float(v).hex() for v in (w.values() if isinstance(w, dict) else w)]
    assert found == [model.mistakes_.tolist(), model.predict(X), w]
