"""Files that workers read: the rows of one machine, however files are cut, and what is refused."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client

import rosenblatt
from rosenblatt import TableEncoding, read_svmlight, read_table, write_svmlight
from rosenblatt.base.arrays import Array
from rosenblatt.dask import Perceptron
from rosenblatt.doors.dask.files import found_files
from rosenblatt.doors.dask.linear.blocks import parts_of, read_part, with_format
from rosenblatt.services.files.reading import Reading
from tests.dask.data import model_bytes, rows

X, Y = rows()
GIVEN: dict[str, Any] = {"shards": 3, "readout": "average", "max_iter": 3}


def text_files(folder: Path, suffix: str = ".svm") -> list[Path]:
    """Three files of unequal sizes, the first of them narrower than the others."""
    paths = []
    for number, (first, last) in enumerate([(0, 30), (30, 170), (170, 240)]):
        part = X[first:last].copy()
        part[:, 6] *= number > 0
        paths.append(folder / f"part-{number}{suffix}")
        write_svmlight(part, np.where(Y[first:last] == "apple", -1, 1), paths[-1], zero_based=False)
    return paths


def rows_of(paths: list[Path]) -> tuple[Any, Array]:
    import scipy.sparse as sp

    read = [read_svmlight(path, n_features=7, zero_based=False) for path in paths]
    return sp.vstack([found for found, _ in read]), np.concatenate([y for _, y in read])


@pytest.mark.parametrize("part_bytes", [None, 1 << 26, 500, 37])
def test_svmlight_files_however_they_are_cut(client: Client, tmp_path: Path, part_bytes: int | None) -> None:
    paths = text_files(tmp_path)
    local = rosenblatt.Perceptron(**GIVEN).fit(*rows_of(paths))
    local.zero_based_ = False
    model = Perceptron(client=client, **GIVEN).fit_files(str(tmp_path / "part-*.svm"), part_bytes=part_bytes)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)


def test_compressed_files_and_urls(client: Client, tmp_path: Path) -> None:
    paths = text_files(tmp_path, ".svm.gz")
    local = rosenblatt.Perceptron(**GIVEN).fit(*rows_of(paths))
    local.zero_based_ = False
    model = Perceptron(client=client, **GIVEN).fit_files([f"file://{path}" for path in paths], part_bytes=50)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)


def table_files(folder: Path, suffix: str) -> list[Path]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = []
    for number, (first, last) in enumerate([(0, 30), (30, 240)]):
        weather = np.where(X[first:last, 0] > 0, "sunny", "rainy")
        paths.append(folder / f"table-{number}{suffix}")
        columns = {"weather": weather, "wind": X[first:last, 1], "walk": Y[first:last]}
        if suffix == ".parquet":
            pq.write_table(pa.table(columns), paths[-1], row_group_size=50)
        else:
            lines = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
            paths[-1].write_text("\n".join(["weather,wind,walk", *lines]) + "\n" * (number == 0))
    return paths


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("part_bytes", [None, 300])
def test_tables(client: Client, tmp_path: Path, suffix: str, part_bytes: int | None) -> None:
    paths = table_files(tmp_path, suffix)
    encoding = TableEncoding(label="walk", standardise=True).fit(paths[1])
    tables = [read_table(path) for path in paths]
    found = np.concatenate([encoding.transform(table) for table in tables])
    y = np.concatenate([encoding.labels(table) for table in tables])
    local = rosenblatt.Perceptron(**GIVEN).fit(found, y)
    model = Perceptron(client=client, **GIVEN)
    model.fit_files([str(path) for path in paths], encoding=encoding, part_bytes=part_bytes)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)


@pytest.mark.parametrize("part_bytes", [None, 300, 37])
def test_tables_that_are_written_otherwise(client: Client, tmp_path: Path, part_bytes: int | None) -> None:
    path = tmp_path / "t.csv"
    lines = (
        f"{'größe' if a > 0 else 'x'};{b:.3f};{y}\n".replace(".", ",")
        for a, b, y in zip(X[:, 0], X[:, 1], Y, strict=True)
    )
    path.write_text("".join(lines), encoding="latin-1")
    words: dict[str, Any] = {"header": False, "decimal": ",", "encoding": "latin-1"}
    encoding = TableEncoding(label="x3", standardise=True).fit(path, **words)
    table = read_table(path, **words)
    local = rosenblatt.Perceptron(**GIVEN).fit(encoding.transform(table), encoding.labels(table))
    model = Perceptron(client=client, **GIVEN).fit_files(str(path), encoding=encoding, part_bytes=part_bytes)
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(local, tmp_path)
    path.write_text(path.read_text(encoding="latin-1"), encoding="utf-16")
    encoding = TableEncoding(label="x3").fit(path, **{**words, "encoding": "utf-16"})
    if part_bytes is not None:
        with pytest.raises(ValueError, match=r"that can be cut at the ends of lines, found utf-16; .* part_bytes=None"):
            Perceptron(client=client, **GIVEN).fit_files(str(path), encoding=encoding, part_bytes=part_bytes)


def test_a_file_that_changes_between_two_readings(tmp_path: Path) -> None:
    from tests.dask.conftest import cluster_of

    paths = text_files(tmp_path)
    with cluster_of(1, silence_logs=50) as cluster, Client(cluster, set_as_default=False) as client:

        def watch(so_far: Any) -> None:
            if so_far.number == 1:
                paths[1].write_text(paths[1].read_text().replace("1:", "2:", 1))
                for worker in client.run(os.getpid).values():
                    os.kill(worker, signal.SIGKILL)

        with pytest.raises(ValueError, match=r"part-1\.svm: expected a file that stays as it is while it is read"):
            Perceptron(client=client, **GIVEN).fit_files(str(tmp_path / "part-*.svm"), watch=watch)


def test_errors_name_the_place(client: Client, tmp_path: Path) -> None:
    first, second = tmp_path / "a.svm", tmp_path / "b.svm"
    first.write_text("1 1:1\n-1 2:1\n" * 20)
    second.write_text("1 1:1\n-1 2:1\n" * 20 + "1 1:abc\n")
    model = Perceptron(client=client, **GIVEN)
    with pytest.raises(ValueError, match=r"b\.svm:41:5: expected a number after ':', found 'abc'"):
        model.fit_files([str(first), str(second)], part_bytes=100)
    second.write_text("yes 1:1\n")
    with pytest.raises(ValueError, match=r"b\.svm: expected numbers as labels, as in .*a\.svm, found names"):
        model.fit_files([str(first), str(second)])
    second.write_text("1 3:1\n")
    with pytest.raises(ValueError, match=r"b\.svm:1:3: expected an index of at most 2, found '3'"):
        model.fit_files([str(first), str(second)], n_features=2)
    with pytest.raises(ValueError, match=r"expected files of one format, found csv and svmlight"):
        model.fit_files([str(first), str(tmp_path / "*.csv")] if table_files(tmp_path, ".csv") else [])
    with pytest.raises(ValueError, match=r"table-0\.csv: expected an encoding for csv, found none; fit a TableEnc"):
        model.fit_files(str(tmp_path / "*.csv"))
    with pytest.raises(FileNotFoundError, match=r"\*\.nothing: expected files of such names, found none"):
        model.fit_files(str(tmp_path / "*.nothing"))
    with pytest.raises(FileNotFoundError):
        model.fit_files(str(tmp_path / "nothing.svm"))


def test_quotes_where_a_file_is_cut(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "quoted.csv"
    path.write_text("a,label\n" + '1,"yes"\n2,no\n' * 20)
    encoding = TableEncoding(label="label").fit(path)
    with pytest.raises(ValueError, match=r"expected no quotes where a file is cut .* part_bytes=None"):
        Perceptron(client=client, **GIVEN).fit_files(str(path), encoding=encoding, part_bytes=50)
    assert Perceptron(client=client, **GIVEN).fit_files(str(path), encoding=encoding).classes_.tolist() == ["no", "yes"]


def test_a_header_is_spoken_of_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(",5,y\n" + "".join(f"{k},{k % 7},{'no' if k % 3 else 'yes'}\n" for k in range(60)))
    with pytest.warns(UserWarning, match="probably an index"), pytest.warns(UserWarning, match="looks like data"):
        encoding = TableEncoding(label="y").fit(path)
    reading = with_format(Reading(encoding=encoding._fitted_encoding()), found_files(str(path)))
    for part_bytes in (None, 50):
        parts = parts_of(found_files(str(path)), reading, part_bytes)
        assert sum(read_part(part, reading).facts.n_seen for part in parts) == 60  # warnings are errors here
