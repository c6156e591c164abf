"""Proofs and runs need numpy and the core alone, and are the same where scikit-learn, scipy and pandas are there."""

import json
import subprocess
import sys
from typing import Any

import pytest

CHILD = """
import json
import sys

HIDDEN, CASES = json.loads(sys.argv[1]), json.loads(sys.argv[2])

sys.modules.update(dict.fromkeys(HIDDEN))  # an import of these raises
if not HIDDEN:
    import pandas, scipy.sparse, sklearn.utils.validation

import numpy as np

from rosenblatt.base.rows import SparseRows, sparse

AND, XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]), ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
random = np.random.default_rng(0)
points, words = random.normal(size=(200, 10)), random.normal(size=(60, 500))
words[np.abs(words) < 1.5] = 0
labels, topics = points @ np.arange(10) > 0, (words @ random.normal(size=(500, 3))).argmax(axis=1)


def proof(X, y, **conventions):
    from rosenblatt.services.proofs.separability import certify

    found = certify(X, y, **conventions)
    assert found.verify(X, y)
    return [found.to_json(), str(found), repr(found)]


def run(X, y, **parameters):
    from rosenblatt.services.proofs.check_run import check_run
    from rosenblatt import trace

    found = trace(X, y, **parameters)
    return [found.to_json(), str(found), found.predict(X).tolist(), str(check_run(found))]


found = {name: eval(code) for name, code in CASES.items()}
loaded = {name.partition(".")[0] for name, module in sys.modules.items() if module is not None}
print(json.dumps([found, sorted(loaded)]))
"""

CASES = {
    "AND": "proof(*AND)",
    "XOR": "proof(*XOR)",
    "200 x 10": "proof(points, labels)",
    "200 x 10, not separable": "proof(points, random.integers(2, size=200))",
    "three classes": "proof(points[:30], np.arange(30) % 3)",
    "decimals, centred": "proof(points[:40].round(2), labels[:40], as_decimal=True, center=True)",
    "sparse": "proof(sparse(words), topics == 0)",
    "sparse, three classes": "proof(sparse(words), topics, fit_intercept=False)",
    "sparse, few columns": "proof(sparse(np.array(AND[0])), AND[1])",
    "trace of AND": "run(*AND)",
    "trace of XOR": "run(*XOR, max_iter=5, readout='average')",
    "trace of 200 x 10": "run(points, labels, max_iter=5, shuffle=True, init='random', eta0=0.3)",
    "exact trace": "run(*AND, exact=True, as_decimal=True, eta0=0.1, max_iter=3)",
    "sparse trace": "run(sparse(words), topics, max_iter=3)",
}


HIDDEN = ("sklearn", "scipy", "pandas", "matplotlib", "threadpoolctl")


def found(cases: dict[str, str], hidden: tuple[str, ...]) -> tuple[dict[str, Any], list[str]]:
    """What a process of its own finds, and the packages that it has imported by then."""
    child = [sys.executable, "-W", "error", "-c", CHILD, json.dumps(hidden), json.dumps(cases)]
    ended = subprocess.run(child, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    results, packages = json.loads(ended.stdout)
    return results, packages


@pytest.fixture(scope="module")
def both() -> tuple[Any, Any]:
    """Without the packages, and with them."""
    return found(CASES, HIDDEN), found(CASES, ())


@pytest.mark.parametrize("name", CASES)
def test_the_same_bytes(both: tuple[Any, Any], name: str) -> None:
    (without, _), (there, _) = both
    assert without[name] == there[name]


def test_what_is_imported(both: tuple[Any, Any]) -> None:
    (_, without), (_, there) = both
    assert not set(HIDDEN) & set(without)
    assert {"sklearn", "scipy", "pandas"} <= set(there)


def test_small_proofs_do_not_wait_for_flint() -> None:
    assert "flint" not in found({name: CASES[name] for name in ("AND", "XOR")}, HIDDEN)[1]
