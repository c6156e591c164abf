"""Files are read and written where scikit-learn, scipy, pandas and joblib cannot be imported, to the same bytes."""

import subprocess
import sys
from pathlib import Path

HIDDEN = ("sklearn", "scipy", "pandas", "joblib")
CODE = """
import io, sys
sys.modules.update(dict.fromkeys(HIDDEN))  # an import of these raises
if not HIDDEN:
    import joblib, pandas, scipy.sparse, sklearn.utils

import numpy as np
from rosenblatt.base import cores
from rosenblatt.data import lectures, sentences
from rosenblatt.services.files import arrow, conll, format, table_file, text_column
from rosenblatt.services.files.conll import read_conll
from rosenblatt.base.numbers import as_labels
from rosenblatt.services.files.svmlight import iter_rows, read_counted
from rosenblatt.services.files.svmlight_writer import write_svmlight
from rosenblatt.services.files.table_file import iter_table, read_table
from rosenblatt.base.rows import SparseRows

TEXT = b"1 2:0.5 7:-1e-3\\n-1 1:3\\n# nothing\\n+1 3:1 9:7\\n" * 50
TABLE = b"weather,wind,walk\\nsunny,3,yes\\nrainy,,no\\n'',1/3,yes\\n"

def show(*found):
    for one in found:
        print(one.dtype, one.shape, one.tolist() if one.dtype == object else one.tobytes().hex())

def show_rows(X):
    assert isinstance(X, SparseRows)
    show(X.data, X.indices, X.indptr)
    print(X.shape)

(X, y), zero_based = read_counted(io.BytesIO(TEXT), None, "float32", "auto")
show_rows(X)
show(y, as_labels(y))
print(zero_based)
for X, y in iter_rows(io.BytesIO(TEXT), n_features=9, zero_based=False):
    show_rows(X)
for rows in (X, X.toarray(), X.toarray().tolist(), np.eye(150, dtype=int)):
    file = io.BytesIO()
    write_svmlight(rows, y, file)
    print(file.getvalue())
for block in [read_table(io.BytesIO(TABLE)), *iter_table(io.BytesIO(TABLE), block_rows=2)]:
    show(block["weather"], block.numbers("wind"), block.texts("walk"))
for form in ("csv", "parquet", "arrow"):
    file = io.BytesIO()
    columns = {"wind": np.array([3, np.nan]), "walk": np.array(["no", "yes"]), "k": np.array([1, 2])}
    table_file.write_table(file, [columns], form)
    again = read_table(io.BytesIO(file.getvalue()), format=form)
    show(again.numbers("wind"), again.texts("walk"), again.texts("k"))
print(read_conll(io.BytesIO(b"Dogs NNS\\nbark VBP\\n"))[0], len(sentences.load_sentences()), lectures.AND)
"""


def run(hidden: tuple[str, ...], folder: Path) -> bytes:
    code = CODE.replace("HIDDEN", repr(hidden))
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout


def test_the_same_bytes(tmp_path: Path) -> None:
    there = run((), tmp_path)
    assert there.count(b"float64") == 8
    assert run(HIDDEN, tmp_path) == there


def test_what_is_imported_lightly(tmp_path: Path) -> None:
    """Where pandas is installed, nothing imports it; numbers and formats are known without numpy."""
    code = "import sys, rosenblatt.services.files.format, rosenblatt.base.numbers; print('numpy' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    assert ended.stdout == b"False\n"
    seen = CODE.replace("HIDDEN", "()").replace("if not ():", "if False:")
    code = f"{seen}\nprint([name for name in ('pandas', 'scipy', 'sklearn', 'joblib') if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    assert ended.stdout.endswith(b"\n[]\n")


def test_lists_do_not_import_pandas() -> None:
    """pyarrow's own conversion of a list imports it wherever it is installed."""
    columns = {"a": [1, 2], "b": [0.5, None], "c": ["x", None], "d": ["u", "v"]}
    code = f"import sys; from rosenblatt.services.files.table import Table; table = Table.of({columns})\n"
    code += "print(*(table[name].tolist() for name in 'abcd'), 'pandas' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ended.stdout == "[1.0, 2.0] [0.5, nan] ['x', ''] ['u', 'v'] False\n"
