"""Training on several files and in shards: one data set in the order of the names, and what does not go together."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.services.records.model_file import read


def weights(path: str) -> Any:
    return read(path).model.state.w.copy()  # type: ignore[attr-defined]


def test_several_files_are_one(rosenblatt: Any, folder: Path) -> None:
    text = (folder / "data.svm").read_bytes().splitlines(keepends=True)
    for number, lines in enumerate((text[:5], text[5:6], text[6:])):
        (folder / f"cut-{number}.svm").write_bytes(b"".join(lines))
    options = ("--max-iter", "5", "--shards", "3", "--n-jobs", "2")
    said = rosenblatt("train", "data.svm", *options, "--model", "one", "--json").result("train")
    assert said["n_rows"] == len(text)
    for given in (["cut-*.svm"], ["cut-0.svm", "cut-[12].svm"], ["cut-0.svm", "cut-1.svm", "cut-2.svm"]):
        assert rosenblatt("train", *given, *options, "--model", "many").code == 0
        np.testing.assert_array_equal(weights("many"), weights("one"))
    assert rosenblatt("train", "cut-2.svm", "cut-[01].svm", *options, "--model", "many").code == 0
    assert weights("many").tolist() != weights("one").tolist()
    assert read("one").model.parameters.shards == 3


def test_tables(rosenblatt: Any, folder: Path) -> None:
    """What is learned of the columns is learned of all files: here a category that only the second has."""
    (folder / "a.csv").write_text("weather,wind,walk\nsunny,3,yes\nrainy,5,no\n")
    (folder / "b.csv").write_text("weather,wind,walk\nsnowy,1,no\nsunny,2,yes\n")
    (folder / "both.csv").write_text("weather,wind,walk\nsunny,3,yes\nrainy,5,no\nsnowy,1,no\nsunny,2,yes\n")
    for name, given in (("one", ["both.csv"]), ("many", ["a.csv", "b.csv"])):
        ended = rosenblatt("train", *given, "--standardise", "--no-shuffle", "--model", name)
        assert ended.code == 0, ended.err
    np.testing.assert_array_equal(weights("many"), weights("one"))
    (folder / "b.csv").write_text("weather,breeze,walk\nsnowy,1,no\n")
    ended = rosenblatt("train", "a.csv", "b.csv", "--model", "many")
    assert ended.code == 1
    assert "b.csv" in ended.err
    assert "wind" in ended.err
    assert rosenblatt("train", "prices.csv", "prices.csv", "--unit", "--standardise", "--model", "unit").code == 0


def test_widths_columns_and_labels_of_files_may_differ(rosenblatt: Any, folder: Path) -> None:
    (folder / "1.svm").write_text("1 1:1\n-1 2:1\n")
    (folder / "2.svm").write_text("-1 0:1 3:1\n1 1:1\n")
    said = rosenblatt("train", "1.svm", "2.svm", "--model", "m", "--json").result("train")
    assert (said["n_features"], said["n_rows"]) == (4, 4)
    assert read("m").zero_based
    (folder / "2.svm").write_text("2 1:1\n")  # a class that the first file does not have
    assert rosenblatt("train", "1.svm", "2.svm", "--model", "m", "--json").result("train")["classes"] == [-1, 1, 2]
    (folder / "2.svm").write_text("yes 1:1\n")
    ended = rosenblatt("train", "1.svm", "2.svm", "--model", "m")
    assert ended.code == 1
    assert "2.svm: expected numbers as labels, as in 1.svm, found names" in ended.err
    (folder / "2.svm").write_text("1 1:x\n")
    assert "2.svm:1:5" in rosenblatt("train", "1.svm", "2.svm", "--model", "m").err


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("none-*.svm --model m", 1, "none-*.svm: expected files of such names, found none"),
        ("data.svm missing.svm --model m", 1, "missing.svm"),
        ("data.svm - --model m", 1, "expected standard input alone, or files, found both"),
        ("data.svm and.csv --model m", 2, "expected files of one kind"),
        ("data.svm test.svm --stream --model m", 2, "several files and --shards need all rows in memory"),
        ("data.svm --shards 2 --checkpoint c --model m", 2, "several files and --shards need all rows in memory"),
        ("data.svm --shards 0 --model m", 2, "--shards"),
        (
            "data.svm --shards 2 --readout vote --model m",
            2,
            "readout: expected 'last' or 'average' in shards, found 'vote': votes and kept mistakes need every mistake "
            "of one run, a pocket all rows in one place: use readout='average', or shards=1",
        ),
        ("data.svm --shards 2 --kernel rbf --model m", 2, "--shards has no meaning with --kernel"),
        ("data.svm test.svm --model test.svm", 2, "expected two files, found 'test.svm' for both"),
    ],
)
def test_what_does_not_go_together(rosenblatt: Any, given: str, code: int, said: str) -> None:
    ended = rosenblatt("train", *given.split())
    assert (ended.code, said in ended.err) == (code, True), ended.err


def test_a_file_whose_name_looks_like_a_pattern(rosenblatt: Any, folder: Path) -> None:
    (folder / "data.svm").rename("data[1].svm")
    assert rosenblatt("train", "data[1].svm", "--model", "m").code == 0
