"""The kernel member learns and answers where scikit-learn and scipy cannot be imported, to the same bits."""

import copy
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import KernelPerceptron
from rosenblatt.base.rows import SparseRows, as_scipy
from tests.kernel.member_runs import CASES, FORMS, NEW, READOUTS, Y, answered, parts_of
from tests.kernel.member_runs import X as ROWS

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ROOT = Path(__file__).resolve().parents[2]
RUN = """
import sys
sys.modules.update(dict.fromkeys(("sklearn", "scipy", "pandas", "joblib")))  # an import of these raises
from tests.kernel.member_runs import write
write(sys.argv[1])
"""


@pytest.fixture(scope="module")
def there(tmp_path_factory: Any) -> dict[str, Any]:
    """What the member answered in a process without them."""
    path = tmp_path_factory.mktemp("runs") / "runs.npz"
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    args = [sys.executable, "-W", "error", "-c", RUN, str(path)]
    ended = subprocess.run(args, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    with np.load(path) as found:
        return dict(found)


def as_given(rows: Any) -> Any:
    return as_scipy(rows) if isinstance(rows, SparseRows) else rows


def answers(model: KernelPerceptron, rows: Any) -> Iterator[tuple[str, Any]]:
    """As `member_runs.answers` names them, from the estimator."""
    yield "mistakes", model.mistakes_
    yield "classes", model.classes_
    yield "facts", np.array([model.n_updates_, model.converged_, model._model.n_seen])
    for given in READOUTS:
        model.set_params(**given)
        yield f"{given}.decision", answered(lambda: model.decision_function(rows))
        yield f"{given}.predict", answered(lambda: model.predict(rows))
        for name in ("support", "support_vectors", "dual_coef", "n_support"):
            yield f"{given}.{name}", answered(lambda name=name: getattr(model, f"{name}_"))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", FORMS)
def test_the_same_bits(there: dict[str, Any], form: str, case: str) -> None:
    new = KernelPerceptron(**{"max_iter": 3, **CASES[case]})
    rows, asked = as_given(FORMS[form](ROWS)), as_given(FORMS[form](NEW))
    fitted = copy.copy(new).fit(rows, Y, sample_weight=np.arange(len(Y)) % 3)
    learned = copy.copy(new).set_params(early_stopping=False)  # who learns on holds nothing out
    for part, y in parts_of(form):
        learned.partial_fit(as_given(part), y)
    seen = 0
    for name, model in (("fit", fitted), ("learn more", learned)):
        for what, expected in answers(model, asked):
            for origin in ("run", "record"):
                found, seen = there[f"{form}/{case}/{name}/{origin}/{what}"], seen + 1
                assert (found.dtype, found.shape) == (expected.dtype, expected.shape), what
                assert found.tobytes() == expected.tobytes(), what
    assert seen == sum(key.startswith(f"{form}/{case}/") for key in there)
    scores = there[f"{form}/{case}/fit/run/{READOUTS[0]}.decision"]
    assert scores.shape == (len(NEW), 3)
    assert np.ptp(scores) > 0
