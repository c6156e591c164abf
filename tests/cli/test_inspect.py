"""`rosenblatt inspect`: what is in a file, by how it begins; and the demo, which needs none."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import LinearUnit, load
from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import save


def test_data(rosenblatt: Any) -> None:
    said = rosenblatt("inspect", "data.svm", "--json").result("inspect_data")
    assert (said["n_rows"], said["n_features"], said["classes"], said["counts"]) == (24, 2, [1, 2, 3], [8, 8, 8])
    assert said["density"] == said["n_values"] / 48
    lines = rosenblatt("inspect", "data.svm").out.splitlines()
    assert [line.split()[0] for line in lines] == [*list(said)[1:]]


def test_a_table(rosenblatt: Any) -> None:
    ended = rosenblatt("inspect", "--from", "csv", stdin=b"a,b,c\n1,0,x\n0,,y\n1,2,y\n")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "file     table",
        "n_rows   3",
        "label    c",
        "refused  <stdin>:3:2: expected a value, or a policy for missing ones in training (--missing: zero, mean or "
        "indicator), found nothing (column b)",
        "",
        "column  type          missing  distinct  values",
        "a       whole number        0         2  0 to 1",
        "b       whole number        1         2  0 to 2",
        "c       text                0         2  x, y",
    ]
    ended = rosenblatt("inspect", "--from", "csv", "--missing", "zero", stdin=b"a,b,c\n1,0,x\n0,,y\n1,2,y\n")
    assert [line.split(maxsplit=1) for line in ended.out.splitlines()[2:7]] == [
        ["label", "c"],
        ["classes", "x, y"],
        ["counts", "1, 2"],
        ["n_features", "2"],
        ["feature_names", "a, b"],
    ]


def test_any_table(rosenblatt: Any, folder: Path) -> None:
    day = dt.date(2024, 5, 31)
    frame = pa.table(
        {
            "at": pa.array([dt.datetime(2024, 5, 31, 12), None], pa.timestamp("ns")),
            "on": pa.array([day, day]),
            "sure": pa.array([True, None]),
            "parts": pa.array([[1, 2], None]),
            "weather": pa.array(["sunny", "sunny"]).dictionary_encode(),
            "wind": pa.array([0.5, float("nan")]),
            "none": pa.nulls(2),
            "walk": pa.array(["yes", "no"]),
        }
    )
    pq.write_table(frame, folder / "t.parquet")
    said = rosenblatt("inspect", "t.parquet", "--json").result("inspect_table")
    assert [tuple(column.values())[:7] for column in said["columns"]] == [
        ("at", "timestamp[ns]", 1, 1, True, "2024-05-31T12:00:00", "2024-05-31T12:00:00"),
        ("on", "date32[day]", 0, 1, True, "2024-05-31", "2024-05-31"),
        ("sure", "bool", 1, 1, True, None, None),
        ("parts", "list<element: int64>", 1, None, True, None, None),
        ("weather", "dictionary<string>", 0, 1, True, None, None),
        ("wind", "double", 1, 1, True, 0.5, 0.5),
        ("none", "null", 2, 0, True, None, None),
        ("walk", "string", 0, 2, True, None, None),
    ]
    assert said["columns"][-1]["values"] == ["yes", "no"]
    assert "(column parts)" in said["refused"]
    (folder / "t.tsv").write_text("when\tmixed\tx\n2024-05-31\t1\t0.5\n2024-06-01\ta\t\n", encoding="utf-8")
    said = rosenblatt("inspect", "t.tsv", "--json").result("inspect_table")
    assert [(column["name"], column["type"], column["n_missing"]) for column in said["columns"]] == [
        ("when", "date", 0),
        ("mixed", "text", 0),
        ("x", "number", 1),
    ]


def test_an_index_of_pandas_is_neither_feature_nor_label(rosenblatt: Any) -> None:
    pd.DataFrame({"a": [1, 2, 3], "y": [0, 1, 0]}, index=[2, 0, 1]).to_parquet("t.parquet")
    said = rosenblatt("inspect", "t.parquet", "--json").result("inspect_table")
    assert (said["label"], said["classes"], said["feature_names"]) == ("y", [0, 1], ["a"])


def test_model(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--no-shuffle", "--model", "m.safetensors")
    said = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
    assert (said["class"], said["n_rows"], said["classes"], said["n_updates"]) == ("Perceptron", 4, [-1, 1], 18)
    assert (said["feature_names"], said["data"]) == (["x1", "x2"], data_hash(*AND))
    largest = [{"feature": "x1", "weight": 3}, {"feature": "x2", "weight": 2}]
    assert said["weights"] == [{"class": 1, "intercept": -4, "largest": largest}]
    text = rosenblatt("inspect", "m.safetensors").out
    assert "converged              yes\n" in text
    shown = "\nlargest weights of features for 1, against -1\n  x1          3\n  x2          2\n  intercept  -4\n"
    assert text.endswith(shown)


def test_the_largest_weights(rosenblatt: Any, folder: Path) -> None:
    args = ("--ignore", "day", "--text", "note", "--readout", "last", "--missing", "mean")
    rosenblatt("train", "walks.csv", *args, "--model", "m.st")
    model = load("m.st")
    names, w = model.encoding_.get_feature_names_out().tolist(), model.coef_[0].tolist()
    (row,) = rosenblatt("inspect", "m.st", "--top", "999", "--json").result("inspect_model")["weights"]
    assert (row["class"], row["intercept"]) == ("yes", model.intercept_[0])
    assert [one["weight"] for one in row["largest"]] == sorted((v for v in w if v), key=abs, reverse=True)
    assert all(w[names.index(one["feature"])] == one["weight"] for one in row["largest"])
    (row,) = rosenblatt("inspect", "m.st", "--top", "1", "--json").result("inspect_model")["weights"]
    assert len(row["largest"]) == 1
    rosenblatt("train", "data.svm", "--readout", "vote", "--model", "m.st")
    model, rows = load("m.st"), rosenblatt("inspect", "m.st", "--json").result("inspect_model")["weights"]
    assert [row["class"] for row in rows] == [1, 2, 3]
    for row, w in zip(rows, model.coef_for("average"), strict=True):
        assert {one["feature"]: one["weight"] for one in row["largest"]} == {"x1": w[0], "x2": w[1]}
    (folder / "zero.svm").write_text("1 0:1\n-1 1:1\n", encoding="utf-8")
    rosenblatt("train", "zero.svm", "--no-intercept", "--model", "m.st")
    (row,) = rosenblatt("inspect", "m.st", "--json").result("inspect_model")["weights"]
    assert {one["feature"] for one in row["largest"]} == {"x0", "x1"}  # as the file counts
    rosenblatt("train", "xor.csv", "--kernel", "rbf", "--model", "m.st")
    assert rosenblatt("inspect", "m.st", "--json").result("inspect_model")["weights"] is None


def test_the_largest_weights_of_a_tagger(rosenblatt: Any) -> None:
    args = ("tag", "train", "train.txt", "--templates", "chunk", "--max-iter", "3", "--model", "m.st")
    assert rosenblatt(*args).code == 0
    (row,) = rosenblatt("inspect", "m.st", "--top", "3", "--json").result("inspect_model")["weights"]
    pairs = {f"{before} {after}": weight for before, after, weight in load("m.st")._model.transitions()}
    assert [pairs[one["feature"]] for one in row["largest"]] == sorted(pairs.values(), key=abs, reverse=True)[:3]
    assert pairs["B-NP I-NP"] > 0
    assert "largest weights of tags in a row\n  B-" in rosenblatt("inspect", "m.st").out
    assert rosenblatt(*args, "--templates", "ner").code == 0
    assert rosenblatt("inspect", "m.st", "--json").result("inspect_model")["weights"] is None


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_model_that_is_no_classifier(rosenblatt: Any) -> None:
    save(LinearUnit().fit(*AND), "unit.safetensors")
    said = rosenblatt("inspect", "unit.safetensors", "--json").result("inspect_model")
    assert (said["class"], said["weights"][0]["class"]) == ("LinearUnit", None)
    ended = rosenblatt("plot", "boundary", "and.csv", "--model", "unit.safetensors", "-o", "boundary.png")
    assert ended == (1, "", "error: unit.safetensors: expected a classifier, found a LinearUnit\n")


def test_proof(rosenblatt: Any) -> None:
    rosenblatt("certify", "and.csv", "-o", "proof.json")
    text = rosenblatt("inspect", "proof.json").out
    assert text.startswith("file         proof\nseparable    yes\nkind         complete\n")
    assert "bound        51\n" in text
    (code, out, err) = rosenblatt("inspect", "proof.json", "--json")
    assert (code, err) == (0, "")
    assert '"file": "proof"' in out


def test_damaged(rosenblatt: Any, folder: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    content = bytearray((folder / "m.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "m.safetensors").write_bytes(content)
    ended = rosenblatt("inspect", "m.safetensors")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: m.safetensors: expected what its sha256 was made of")
    (folder / "proof.json").write_text("{}", encoding="utf-8")
    assert rosenblatt("inspect", "proof.json").code == 1


def customers(n_rows: int = 60) -> pd.DataFrame:
    """Columns of every kind, of which some are no features, and labels."""
    random = np.random.default_rng(0)
    left = np.arange(n_rows) % 3 == 0
    return pd.DataFrame(
        {
            "id": 1000 + np.arange(n_rows),
            "key": [f"{number:016x}" for number in random.integers(0, 2**60, n_rows)],
            "country": ["CH"] * n_rows,
            "months": random.integers(1, 40, n_rows),
            "price": random.standard_normal(n_rows),
            "plan": random.choice(["a", "b", "c"], n_rows),
            "refund": np.where(left, 25.5, np.nan),
            "closed": np.where(left, "2024-05-31", ""),
            "score": random.random(n_rows) + np.where(left, 3.5, 0),
            "status": np.where(left, "gone", random.choice(["new", "old"], n_rows)),
            "noisy": np.where(left ^ (random.random(n_rows) < 0.2), "y", "n"),
            "left": np.where(left, "yes", "no"),
        }
    )


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_columns_that_are_no_features(rosenblatt: Any, folder: Path, name: str) -> None:
    customers().to_csv(folder / "t.csv", index=False)
    customers().to_parquet(folder / "t.parquet")
    said = rosenblatt("inspect", name, "--json").result("inspect_table")
    assert {column["name"]: (column["hints"], column["n_right"]) for column in said["columns"] if column["hints"]} == {
        "id": (["id"], None),
        "key": (["id"], None),
        "country": (["constant"], None),
        "refund": (["label"], 60),
        "closed": (["label"], 60),
        "score": (["label"], 60),
        "status": (["label"], 60),
    }
    lines = rosenblatt("inspect", name).out.splitlines()
    start = lines.index("look at these columns before training; --ignore leaves one out")
    hinted = [column["name"] for column in said["columns"] if column["hints"]]
    assert [line.split()[0] for line in lines[start + 1 :]] == hinted
    assert lines[start + 3] == "country  the same in every row"
    assert lines[start + 4].endswith("tells the label in 60 rows: is it known before the label is?")
    said = rosenblatt("inspect", name, "--label", "plan", "--json").result("inspect_table")
    assert {column["name"] for column in said["columns"] if "label" in column["hints"]} == set()


def test_few_rows_say_nothing_of_ids_and_labels(rosenblatt: Any, folder: Path) -> None:
    customers(12).to_csv(folder / "t.csv", index=False)
    said = rosenblatt("inspect", "t.csv", "--json").result("inspect_table")
    assert [column["name"] for column in said["columns"] if column["hints"]] == ["country"]


def test_long_texts_are_not_printed_whole(rosenblatt: Any, folder: Path) -> None:
    reviews = [f"review {number}: " + "very long\n" * 50 for number in range(8)]
    pd.DataFrame({"text": reviews, "y": [0, 1] * 4}).to_csv(folder / "t.csv", index=False)
    assert rosenblatt("train", "t.csv", "--model", "m.st").code == 0
    for ended in (
        rosenblatt("inspect", "t.csv"),
        rosenblatt("inspect", "m.st"),
        rosenblatt("train", "t.csv", "--label", "text", "--max-iter", "1", "--model", "m.st"),
        rosenblatt("inspect", "t.csv", "--label", "text"),
        rosenblatt("inspect", "m.st"),
    ):
        assert ended.code == 0
        assert "review 1: very long" in ended.out
        assert all(text.count("very long") < 10 for text in ended.out.split("review"))
    names = rosenblatt("inspect", "t.csv", "--json").result("inspect_table")["feature_names"]
    assert names == [f"text={review.strip()}" for review in reviews]  # for programs they are whole


def test_long_labels_are_not_printed_whole(rosenblatt: Any, folder: Path) -> None:
    long = ["yes " + "and again\n" * 50, "no " + "and again\n" * 50]
    pd.DataFrame({"x": range(40), "y": [long[k % 3 == 0] for k in range(40)]}).to_csv(folder / "t.csv", index=False)
    for words in (
        ("train", "t.csv", "--holdout", "0.2", "--model", "m.st"),
        ("evaluate", "m.st", "t.csv"),
        ("compare", "t.csv", "--folds", "2"),
        ("tune", "t.csv", "--folds", "2", "--try", "max_iter=1,2"),
    ):
        ended = rosenblatt(*words)
        assert ended.code == 0
        assert "always yes and again" in ended.out
        assert max(map(len, ended.out.splitlines())) < 250
        assert "\nand again" not in ended.out
