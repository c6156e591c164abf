"""An encoding is learned, used and stored where scikit-learn and scipy cannot be imported, to the same bytes."""

import subprocess
import sys
from pathlib import Path

import pytest

HIDDEN = ("sklearn", "scipy", "pandas", "joblib")
CODE = """
import io, sys
sys.modules.update(dict.fromkeys(HIDDEN))  # an import of these raises
if not HIDDEN:
    import joblib, pandas, scipy.sparse, sklearn.utils

import numpy as np
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.table_file import iter_table, read_table
from rosenblatt.base.record.json import canonical_json, parse_json
from rosenblatt.base.rows import SparseRows

random = np.random.default_rng(0)
lines = ["weather,wind,rain,town,note,walk"]
for k in range(300):
    wind = "" if k % 7 == 3 else repr(float(random.standard_normal()))
    weather = "" if k % 11 == 5 else random.choice(["sunny", "rainy", "overcast"])
    lines.append(f"{weather},{wind},{k % 5}/3,{random.integers(0, 40)},words,{k % 3}")
text = "\\n".join(lines).encode()
common = {"label": "walk", "ignore": ["note"]}
gaps = {"wind": "mean", "weather": "indicator"}
for given in (
    {"missing": "indicator", "standardise": True, "categorical": ["town"], "unknown": "ignore"},
    {"missing": gaps, "standardise": True},
    {"missing": "zero", "categorical": ["rain"]},
):
    parameters = EncodingParameters.of(**common, **given)
    encoding = Encoding.learn(parameters, io.BytesIO(text))
    record = canonical_json(encoding.as_record())
    assert canonical_json(Encoding.learn(parameters, read_table(io.BytesIO(text))).as_record()) == record
    assert canonical_json(Encoding.learn(parameters, iter_table(io.BytesIO(text))).as_record()) == record
    again = Encoding.from_record(parse_json(record, "encoding"))
    assert canonical_json(again.as_record()) == record
    print(record, again.feature_names(), again.columns, again.n_features, again.is_sparse)
    whole = again.transform(io.BytesIO(text)), again.labels(io.BytesIO(text))
    for X, y in (whole, *again.blocks(io.BytesIO(text), block_rows=77)):
        parts = (X.data, X.indices, X.indptr) if isinstance(X, SparseRows) else (X,)
        print(*((part.dtype, part.shape, part.tobytes().hex()) for part in (*parts, y)))
print(Encoding.of_numbers(["wind", "rain"]).transform(io.BytesIO(b"rain,wind\\n1,2\\n")))
"""


def run(code: str, folder: Path) -> bytes:
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout


def test_the_same_bytes(tmp_path: Path) -> None:
    there = run(CODE.replace("HIDDEN", "()"), tmp_path)
    assert there.count(b"True") == 1  # one of them is sparse
    assert there.count(b"float64") > 10
    assert run(CODE.replace("HIDDEN", repr(HIDDEN)), tmp_path) == there


@pytest.mark.parametrize(
    ("imported", "loaded"),
    [
        ("rosenblatt.services.files.encoding", []),
        ("rosenblatt.services.files.encoding.encoding", ["numpy"]),
        ("rosenblatt.services.files.svmlight", ["numpy"]),
    ],
)
def test_what_is_imported_lightly(tmp_path: Path, imported: str, loaded: list[str]) -> None:
    names = ("numpy", "scipy", "sklearn", "joblib", "pandas", "pyarrow", "logging")
    code = f"import sys, {imported}; print([name for name in {names} if name in sys.modules])"
    assert run(code, tmp_path) == f"{loaded}\n".encode()
