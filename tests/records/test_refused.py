"""What is no model is refused, in a sentence that says where, what was expected and what was found.

The files here have the right hash: it finds damage, not intent.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import LinearUnit, LinearUnitClassifier, Perceptron, RandomHypotheses
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import load, save, summary

from .damage import Change, assert_refused, entry, more, parameter, put, tensor, without
from .files import opened, sealed

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X, Y = sp.csr_array(np.vstack([AND.X, AND.X + 1])), ["a", "b", "c", "a", "b", "c", "a", "b"]


def models() -> dict[str, Any]:
    words: Any = {"keep_mistakes": True, "max_iter": 3, "class_weight": {"a": 2.0}}
    by_hand = Perceptron(max_iter=3).fit(X, Y)
    by_hand.sparsify().intercept_ = [1, 2, 3]
    return {
        "sparse": Perceptron(readout="average", **words).fit(X, Y),
        "dense": Perceptron(readout="pocket", init=np.ones((3, 2)), **words).fit(X.toarray(), Y),
        "arow": Perceptron(step="arow").fit(*AND),
        "by hand": by_hand,
        "unit": LinearUnit().fit(*AND),
        "classifier": LinearUnitClassifier().fit(*AND),
        "hypotheses": RandomHypotheses(k=3).fit(*AND),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: Any) -> Path:
    folder: Path = tmp_path_factory.mktemp("models")
    for name, model in models().items():
        save(model, folder / name)
    return folder


CASES: list[tuple[str, Change, str]] = [
    ("unit", put("library", 1), "library: expected text, found 1"),
    ("unit", put("zero_based", 1), "zero_based: expected true or false, found 1"),
    ("unit", without("conventions"), "conventions: expected text, found nothing"),
    ("unit", put("training", {"rows": 1}), "training: expected rows, passes, mistakes, data, found {'rows': 1}"),
    ("unit", put("training", None), "training: expected rows, passes, mistakes, data, found None"),
    ("unit", put("class", "Pipeline"), "class: expected one of Perceptron, KernelPerceptron, .*, found 'Pipeline'"),
    ("unit", put("class", ["LinearUnit"]), "class: expected one of"),
    ("unit", without("class"), "class: expected one of .*, found nothing"),
    ("unit", put("class", "Perceptron"), "parameters: expected those of Perceptron, found 'learning_rate'"),
    ("unit", put("parameters", []), r"parameters: expected a map of parameters, found \[\]"),
    ("unit", parameter("eta0", -1), "eta0: expected a number over 0 or 'auto', found -1"),
    ("unit", parameter("eta0", [1]), r"eta0: a model file holds .*, not \[1\]"),
    ("unit", parameter("eta0", {"tensor": "w"}), "eta0: a model file holds"),
    ("unit", parameter("init", {"tensor": "parameter.init"}), "tensor 'parameter.init': expected one, found none"),
    ("unit", parameter("more", 1), "parameters: expected those of LinearUnit, found 'more'"),
    ("sparse", parameter("class_weight", {"dict": [["a", 1], ["a", 2]]}), "class_weight: expected each key once"),
    ("sparse", parameter("class_weight", {"dict": [["a"]]}), "class_weight: expected pairs"),
    ("sparse", parameter("class_weight", {"dict": [[["a"], 1]]}), "class_weight: a model file holds"),
    ("dense", tensor("parameter.init", lambda a: a * np.nan), "tensor 'parameter.init': expected finite numbers"),
    ("dense", parameter("init", "zeros"), r"expected nothing more, found \['parameter.init'\]"),
    ("unit", put("n_features", 0), "n_features: expected an integer from 1 to 2.53, found 0"),
    ("unit", put("n_features", 2.0), "n_features: expected an integer from 1 to 2.53, found 2.0"),
    ("unit", put("n_features", 3), r"tensor 'coef_': expected shape \(3\), found \(2,\)"),
    ("unit", put("feature_names", ["a"]), r"feature_names: expected 2 names, found \['a'\]"),
    ("unit", put("feature_names", ["a", 1]), "feature_names: expected 2 names"),
    ("unit", put("more", 1), r"expected nothing more, found \['more'\]"),
    ("unit", more("more"), r"expected nothing more, found \['more'\]"),
    ("unit", without("coef_"), "tensor 'coef_': expected one, found none"),
    ("unit", tensor("coef_", lambda a: a.astype(int)), "tensor 'coef_': expected float64 or float32, found int64"),
    ("unit", tensor("intercept_", lambda a: a.reshape(1)), r"tensor 'intercept_': expected shape \(\), found \(1,\)"),
    ("unit", put("converged", 1), "converged: expected true or false, found 1"),
    ("unit", put("classes", {"type": "int64", "labels": [0, 1]}), r"expected nothing more, found \['classes'\]"),
    ("classifier", without("classes"), "classes: expected the labels, found nothing"),
    ("classifier", put("classes", [0, 1]), "classes: expected a type and the sorted labels"),
    ("classifier", put("classes", {"type": "int64", "labels": [1, 0]}), r"expected .* sorted labels, found \[1, 0\]"),
    ("classifier", put("classes", {"type": "int64", "labels": [0, 0]}), r"expected .* sorted labels, found \[0, 0\]"),
    ("classifier", put("classes", {"type": "int64", "labels": [0]}), "classes: expected at least 2, found 1"),
    ("classifier", put("classes", {"type": "int64", "labels": [0, 1, 2]}), r"expected shape \(3, 2\), found \(1, 2\)"),
    ("hypotheses", put("classes", {"type": "int64", "labels": [0, 1, 2]}), "classes: expected 2, found 3"),
    ("hypotheses", put("best", 3), "best: expected one of the 3 hypotheses, found 3"),
    ("hypotheses", put("best", -1), "best: expected an integer from 0 to 2.53, found -1"),
    ("hypotheses", tensor("coef_", lambda a: a[:, :1]), r"expected shape \(1, 2\), found \(1, 1\)"),
    ("sparse", entry("w", (1, 2), np.inf), r"tensor 'w': expected finite numbers, found inf at \[1, 2\]"),
    ("sparse", entry("sums", (0, 0), np.nan), r"tensor 'sums': expected finite numbers, found nan at \[0, 0\]"),
    ("sparse", tensor("w", lambda a: a[:, :3].copy()), r"tensor 'w': expected shape \(3, 8\), found \(3, 3\)"),
    ("sparse", tensor("w", lambda a: a.astype(np.float16)), "tensor 'w': expected float64 or float32, found float16"),
    ("sparse", tensor("sums", lambda a: a[:2]), r"tensor 'sums': expected shape \(3, 8\), found \(2, 8\)"),
    ("sparse", tensor("w", lambda a: a.astype(np.float32)), "'mistakes.support.data': expected float32, found float64"),
    ("sparse", put("classes", {"type": "int64", "labels": [0, 1]}), r"tensor 'w': expected shape \(3, 1\)"),
    ("sparse", without("mistakes_"), "tensor 'mistakes_': expected one, found none"),
    ("sparse", tensor("mistakes_", lambda a: a[:0]), "'mistakes_': expected those of at least one pass"),
    ("sparse", entry("mistakes_", 0, -1), r"tensor 'mistakes_': expected integers from 0 .*, found -1 at \[0\]"),
    ("sparse", put("visits", -1), "visits: expected an integer from 0"),
    ("sparse", put("visits", 2**63), "visits: expected an integer from 0 to 2.53, found 9223372036854775808"),
    ("sparse", put("visits", 3), "tensor 'mistakes.visit': expected integers from 0 to 3, found"),
    ("sparse", put("visits", None), "visits: expected an integer from 0"),
    ("sparse", put("n_seen", 4), "tensor 'mistakes.support_row': expected integers from 0 to 3"),
    ("sparse", put("n_seen", 0), "n_seen: expected an integer from 1"),
    ("sparse", put("n_updates", -1), "n_updates: expected an integer"),
    ("sparse", put("unit", 0.0), "unit: expected a number over 0"),
    ("sparse", put("unit", None), "unit: expected a finite number from 0 on, found None"),
    ("sparse", put("bias", -1.0), "bias: expected a finite number from 0 on, found -1.0"),
    ("sparse", put("bias", "1"), "bias: expected a finite number from 0 on, found '1'"),
    ("sparse", without("bias"), "bias: expected a finite number from 0 on, found nothing"),
    ("dense", put("pocket_errors", -1.0), "pocket_errors: expected a finite number from 0 on"),
    ("dense", without("pocket_errors"), "pocket_errors: expected a finite number from 0 on, found nothing"),
    ("dense", tensor("pocket", lambda a: a.astype(np.float32)), "tensor 'pocket': expected float64, found float32"),
    ("arow", entry("spread", (0, 0), -1), "tensor 'spread': expected variances from 0 on, found -1.0"),
    (
        "sparse",
        entry("mistakes.row", 0, -1),
        r"'mistakes.row': expected integers from 0 to 7, found -1 at \[0\]",
    ),
    ("sparse", entry("mistakes.row", 0, 8), "tensor 'mistakes.row': expected integers from 0 to 7, found 8"),
    ("sparse", entry("mistakes.cls", 1, 3), r"tensor 'mistakes.cls': expected integers from 0 to 2, found 3 at \[1\]"),
    ("sparse", entry("mistakes.cls", 1, -1), "tensor 'mistakes.cls': expected integers from 0 to 2, found -1"),
    ("sparse", entry("mistakes.tau", 0, np.nan), "tensor 'mistakes.tau': expected finite numbers"),
    ("sparse", tensor("mistakes.tau", lambda a: a[1:]), "tensor 'mistakes.tau': expected shape"),
    ("sparse", tensor("mistakes.visit", lambda a: a[::-1]), "expected mistakes in the order of their visits"),
    ("sparse", entry("mistakes.support_row", 0, 8), "'mistakes.support_row': expected integers from 0 to 7, found 8"),
    ("sparse", entry("mistakes.support_row", slice(2), 0), "'mistakes.support_row': expected each row once"),
    ("sparse", tensor("mistakes.support_row", lambda a: a[1:]), "'mistakes.row': expected only rows of the support"),
    ("sparse", without("mistakes.support.data"), "tensor 'mistakes.support': expected one, found none"),
    ("sparse", without("mistakes.visit"), "expected nothing more"),
    ("sparse", entry("mistakes.support.data", 0, np.inf), "'mistakes.support.data': expected finite numbers"),
    ("sparse", entry("mistakes.support.indices", 0, 2), "'mistakes.support.indices': expected columns from 0 to 1"),
    ("sparse", entry("mistakes.support.indices", 0, -1), "'mistakes.support.indices': expected columns from 0 to 1"),
    ("sparse", tensor("mistakes.support.indices", lambda a: a[1:]), "'mistakes.support.indices': expected shape"),
    ("sparse", entry("mistakes.support.indptr", 0, 1), "'mistakes.support.indptr': expected starts of rows that rise"),
    ("sparse", entry("mistakes.support.indptr", 1, 99), "'mistakes.support.indptr': expected starts of rows that rise"),
    ("sparse", entry("mistakes.support.indptr", -1, 99), "'mistakes.support.indptr': expected starts of rows"),
    ("sparse", tensor("mistakes.support.indptr", lambda a: a[1:]), "'mistakes.support.indptr': expected shape"),
    ("dense", tensor("mistakes.support", lambda a: a[:, :1]), r"'mistakes.support': expected shape \(\d, 2\)"),
    ("by hand", tensor("given.coef_.indptr", lambda a: np.append(a, a[-1])), "'given.coef_': expected 3 rows, found 4"),
    ("by hand", tensor("given.coef_.indptr", lambda a: a[:0]), "'given.coef_.indptr': expected starts of rows"),
    ("by hand", entry("given.coef_.indices", 0, 2), "'given.coef_.indices': expected columns from 0 to 1"),
    ("by hand", tensor("given.intercept_", lambda a: a[1:]), "'given.intercept_': expected 3 numbers, found 2"),
]


@pytest.mark.parametrize(("name", "change", "said"), CASES, ids=range(len(CASES)))
def test_each_part_is_checked(files: Path, tmp_path: Path, name: str, change: Change, said: str) -> None:
    assert_refused(files / name, tmp_path, change, said)


def test_every_tensor_is_needed_and_none_may_be_of_another_type(files: Path, tmp_path: Path) -> None:
    any_number = {"given.intercept_", "intercept_", "given.coef_.data", "parameter.init"}
    optional = {"start", "sums", "pocket", "spread", "given.intercept_"}  # what a run need not keep
    for name in models():
        for part in opened(files / name)[1]:
            record, tensors = opened(files / name)
            tensors[part] = tensors[part].astype(np.int16)
            if part not in any_number:
                with pytest.raises(ValueError, match=r"expected (float|int).*, found int16"):
                    load(sealed(tmp_path / "changed", record, tensors))
            del tensors[part]
            if part not in optional:
                with pytest.raises(ValueError, match="expected"):
                    load(sealed(tmp_path / "changed", record, tensors))


def test_formats(files: Path, tmp_path: Path) -> None:
    record, tensors = opened(files / "unit")
    path = tmp_path / "file"
    for number in ("2", "10", "99999"):
        sealed(path, record, tensors, rosenblatt_format=number)
        said = f"{path}: this file has format {number}; this version reads up to 1: upgrade rosenblatt"
        for read in (load, summary):
            with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
                read(path)
    for number in ("0", "", "-1", "1.0", "one", "²", "1" * 5000):
        sealed(path, record, tensors, rosenblatt_format=number)
        with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: (not a model file|Exceeds the limit)"):
            load(path)
    sealed(path, record, tensors, more="1")
    with pytest.raises(ValueError, match="expected rosenblatt_format, model and sha256 as metadata"):
        load(path)
    sealed(path, record, tensors, sha256="0" * 64)
    with pytest.raises(ValueError, match="the file is damaged"):
        load(path)
    with pytest.raises(ValueError, match="model: expected a JSON object"):
        load(sealed(path, [record], tensors))


def test_loading_imports_no_more_than_the_class(files: Path) -> None:
    code = (
        "import sys; from rosenblatt.doors.sklearn.model_file import load; load(sys.argv[1]);"
        "print(*sorted(name for name in sys.modules if name.startswith('rosenblatt')))"
    )
    result = subprocess.run([sys.executable, "-c", code, files / "unit"], capture_output=True, text=True, check=True)
    assert "rosenblatt.members.neighbours.linear_unit" in result.stdout.split()
    assert "rosenblatt.doors.sklearn.perceptron" not in result.stdout.split()
