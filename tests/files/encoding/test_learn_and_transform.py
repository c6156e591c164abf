"""Features that are made while the encoding is learned are those that the encoding makes afterwards, to the bit."""

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import DataFileError
from rosenblatt.base.rows import SparseRows
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.table import BLOCK_ROWS
from rosenblatt.services.files.table_file import iter_table, read_table, write_table

ROWS = 2 * BLOCK_ROWS + 100


def columns() -> dict[str, Any]:
    draw = np.random.default_rng(0)
    late = np.round(draw.standard_normal(ROWS), 2)
    late[BLOCK_ROWS + 7] = np.nan
    zeros = draw.integers(-1, 2, size=ROWS).astype(float)
    gaps = np.where(draw.random(ROWS) < 0.1, np.nan, draw.standard_normal(ROWS))
    days = np.array([f"2024-05-{day:02}" for day in range(1, 32)])
    return {
        "late": late,
        "zeros": zeros,
        "few": np.array(["a", "b", ""])[draw.integers(3, size=ROWS)],
        "gaps": gaps,
        "many": np.array([f"state {k}" for k in range(40)])[draw.integers(40, size=ROWS)],
        "day": days[draw.integers(31, size=ROWS)],
        "note": np.array(["wet and cold", "fine", "fine and cold"])[draw.integers(3, size=ROWS)],
        "label": np.array(["no", "yes"])[draw.integers(2, size=ROWS)],
    }


COLUMNS = columns()
NUMBERS = ["late", "zeros", "gaps", "day"]
GIVEN: dict[str, dict[str, Any]] = {
    "sparse": {"ignore": ["note"], "missing": "indicator"},
    "sparse, gaps refused": {"ignore": ["note", "gaps", "late", "few"]},
    "sparse, room for indicators that do not come": {
        "ignore": ["note"],
        "missing": {"zeros": "indicator", "day": "indicator", "late": "mean", "gaps": "zero", "few": "mean"},
    },
    "scaled": {"ignore": ["note"], "missing": "mean", "standardise": True},
    "dense": {"ignore": ["note", "many"], "missing": "zero"},
    "dense, scaled": {"ignore": ["note", "many"], "missing": "indicator", "standardise": True},
    "numbers": {"ignore": ["note", "many", "few"], "missing": "zero"},
    "numbers, indicators": {"ignore": ["note", "many", "few", "zeros", "day"], "missing": "indicator"},
    "categories": {"ignore": [*NUMBERS, "note"], "missing": "zero"},
    "text": {"ignore": ["many"], "text": ["note"], "bits": 9, "missing": "indicator"},
    "text alone": {"ignore": [*NUMBERS, "few", "many"], "text": ["note"], "bits": 9},
}


def as_file(form: str, n_rows: int = ROWS) -> io.BytesIO:
    file = io.BytesIO()
    table = {name: column[:n_rows] for name, column in COLUMNS.items()}
    if form == "parquet":
        columns = {name: pa.array(column.tolist(), from_pandas=True) for name, column in table.items()}
        pq.write_table(pa.table(columns), file, row_group_size=5003)
    else:
        write_table(file, [table], form)
    file.seek(0)
    return file


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("n_rows", [ROWS, 50])
def test_the_same_features(form: str, given: dict[str, Any], n_rows: int) -> None:
    parameters = EncodingParameters.of(label="label", **given)
    before = Encoding.learn(parameters, as_file(form, n_rows))
    encoding, X, rest = Encoding.learn_and_transform(parameters, iter_table(as_file(form, n_rows)))
    table = read_table(as_file(form, n_rows))
    theirs = before.transform(table)
    assert encoding == before
    assert Encoding.learn_before(parameters, lambda wanted: iter_table(as_file(form, n_rows), wanted=wanted)) == before
    assert isinstance(X, SparseRows) == isinstance(theirs, SparseRows)
    for ours, other in zip(arrays(X), arrays(theirs), strict=True):
        assert ours.tobytes() == other.astype(ours.dtype).tobytes()
    np.testing.assert_array_equal(encoding.labels(rest), before.labels(table))


def arrays(X: Any) -> list[Any]:
    return [X.data, X.indices, X.indptr] if isinstance(X, SparseRows) else [X]


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_numbers_are_read_twice_if_something_is_learned_of_them(given: dict[str, Any]) -> None:
    read = list[set[str]]()

    def blocks(wanted: Any) -> Any:
        for block in iter_table(as_file("parquet"), wanted=wanted):
            read.append(set(block.names))
            yield block

    parameters = EncodingParameters.of(label="label", **given)
    encoding = Encoding.learn_before(parameters, blocks)
    learns = parameters.standardise or parameters.missing != "error"
    needed = {*encoding.categories.names, *parameters.text, "label", *(encoding.numbers.names if learns else [])}
    assert len(read) == 4  # the first block twice
    assert read[0] == COLUMNS.keys() - set(given["ignore"])
    assert read[1:] == [needed] * 3


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_place_is_that_of_the_whole_table(form: str) -> None:
    parameters = EncodingParameters.of(label="label", ignore=["note"], missing="mean")
    _, _, rest = Encoding.learn_and_transform(parameters, iter_table(as_file(form)))
    assert rest.names == ["few", "many", "label"]
    line = 2 if form == "csv" else 1
    with pytest.raises(DataFileError, match=f"<file>:{line}:8: expected a number, found '(no|yes)'"):
        rest.numbers("label")
