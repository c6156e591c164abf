"""`fit_file` with several files and with shards: the rows in memory, in the listed order, to the bit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron, TableEncoding
from rosenblatt.services.files.svmlight import read_svmlight, write_svmlight

RNG = np.random.default_rng(3)
X = RNG.integers(-3, 4, size=(60, 5)).astype(float)
Y = np.where(X @ [1, -2, 0, 1, 1] + RNG.normal(size=60) > 0, 1, -1)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    for number, (first, last) in enumerate(((0, 25), (25, 26), (26, 60))):
        write_svmlight(X[first:last], Y[first:last], tmp_path / f"part-{number}.svm")
    return tmp_path


@pytest.mark.parametrize("shards", [1, 3])
def test_it_is_fit_in_the_listed_order_or_in_shards(parts: Path, shards: int) -> None:
    words: dict[str, Any] = {"readout": "average", "max_iter": 4, "shards": shards}
    expected = Perceptron(**words, shuffle=shards > 1).fit(X, Y)
    names = [parts / f"part-{number}.svm" for number in range(3)]
    for given in (names, str(parts / "part-*.svm"), [parts / "part-[01].svm", names[2]]):
        model = Perceptron(**words).fit_file(given)
        np.testing.assert_array_equal(model.coef_, expected.coef_)
        np.testing.assert_array_equal(model.mistakes_, expected.mistakes_)
        assert model.shuffle
        assert not model.zero_based_
    write_svmlight(X, Y, parts / "all.svm")
    one = Perceptron(**words).fit_file(parts / "all.svm")
    np.testing.assert_array_equal(one.coef_, expected.coef_)
    assert Perceptron(**words).fit_file(names, dtype=np.float32).coef_.dtype == np.float32


def test_tables(tmp_path: Path) -> None:
    for name, rows in (("a.csv", X[:40]), ("b.csv", X[40:])):
        labels = Y[:40] if name == "a.csv" else Y[40:]
        lines = [",".join([*map(str, row), str(label)]) for row, label in zip(rows, labels, strict=True)]
        (tmp_path / name).write_text("\n".join(["v,w,x,y,z,label", *lines, ""]))
    encoding = TableEncoding(label="label", standardise=False).fit(tmp_path / "a.csv")
    model = Perceptron(shards=2, max_iter=3).fit_file([tmp_path / "a.csv", tmp_path / "b.csv"], encoding=encoding)
    expected = Perceptron(shards=2, max_iter=3).fit(X, Y)
    np.testing.assert_array_equal(model.coef_, expected.coef_)


@pytest.mark.parametrize("name", ["cache", "checkpoint"])
def test_what_needs_a_stream_is_refused(parts: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: expected None for several files and for shards"):
        Perceptron(shards=2).fit_file(parts / "part-0.svm", **{name: parts / "new"})
    assert not (parts / "new").exists()


def test_files_that_are_not_there(parts: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected files of such names, found none"):
        Perceptron().fit_file(parts / "none-*.svm")
    with pytest.raises(ValueError, match="expected at least one file, found none"):
        Perceptron().fit_file([])
    model = Perceptron(shards=2)
    (parts / "part-1.svm").write_text("1 1:oops\n")
    with pytest.raises(ValueError, match=r"part-1\.svm:1:5"):
        model.fit_file(parts / "part-*.svm")
    assert not hasattr(model, "coef_")
    assert read_svmlight(parts / "part-0.svm")[0].shape == (25, 5)
