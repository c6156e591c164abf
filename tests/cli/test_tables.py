"""Tables through the program: raw ones in, labels out, whatever the format; the encoding is in the model."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from rosenblatt import Perceptron, TableEncoding, load, read_table, save
from rosenblatt.data.lectures import AND
from rosenblatt.services.records.safetensors import Sealed, read

WORDS = ("--label", "walk", "--ignore", "day", "--missing", "mean")
LABELS = "yes\nno\nyes\nyes\nno\nno\n"


@pytest.fixture
def train(rosenblatt: Any) -> Any:
    def called(*args: str, file: str = "walks.csv") -> Any:
        ended = rosenblatt("train", file, *args, "--model", "m.safetensors")
        assert (ended.code, ended.err) == (0, ""), ended
        return ended

    return called


def test_a_raw_table_is_predicted(rosenblatt: Any, train: Any) -> None:
    train(*WORDS, "--text", "note", "--ngrams", "1", "--bits", "10", "--standardise", "--readout", "last")
    table = read_table("walks.csv")
    words: Any = {"text": ["note"], "ngrams": 1, "bits": 10, "standardise": True, "missing": "mean"}
    encoding = TableEncoding(label="walk", ignore=["day"], **words).fit(table)
    model = Perceptron().fit(encoding.transform(table), encoding.labels(table))
    found = load("m.safetensors")
    assert found.coef_.tolist() == model.coef_.tolist()
    assert found.encoding_.to_json() == encoding.to_json()
    assert rosenblatt("predict", "m.safetensors", "walks.csv") == (0, LABELS, "")
    assert rosenblatt("evaluate", "m.safetensors", "walks.csv", "--json").result("evaluate")["n_wrong"] == 0
    frame = pd.read_csv("walks.csv").drop(columns=["walk", "day"])[["note", "wind", "weather"]]
    frame.to_parquet("new.parquet")
    frame.to_feather("new.feather")
    frame.to_csv("new.csv.gz", index=False)
    for name in ("new.parquet", "new.feather", "new.csv.gz"):
        assert rosenblatt("predict", "m.safetensors", name) == (0, LABELS, ""), name
    for name, form in (("new.parquet", "parquet"), ("new.feather", "arrow")):
        ended = rosenblatt("predict", "m.safetensors", "--from", form, stdin=Path(name).read_bytes())
        assert ended == (0, LABELS, "")


def test_the_same_model_of_every_format(rosenblatt: Any, train: Any) -> None:
    frame = pd.read_csv("walks.csv")
    frame.to_parquet("walks.parquet")
    frame.to_feather("walks.arrow")
    records = []
    for file in ("walks.csv", "walks.parquet", "walks.arrow"):
        train(*WORDS, "--text", "note", "--bits", "8", file=file)
        records.append(Path("m.safetensors").read_bytes())
    assert len(set(records)) == 1


def test_inspect(rosenblatt: Any, train: Any) -> None:
    train(*WORDS, "--categorical", "wind", "--missing", "wind=indicator")
    said = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
    notes = ["a fine day", "a storm, no less", "no rain yet", "only a drizzle", "wet and cold", "wet and windy"]
    assert said["encoding"] == {
        "label": "walk",
        "numbers": [],
        "dates": {},
        "categories": {"weather": ["overcast", "rainy", "sunny"], "wind": ["", "1", "3", "5", "7", "9"], "note": notes},
        "texts": [],
        "standardised": [],
        "missing": {"wind": "indicator"},
        "unknown": "error",
        "standardise": True,
        "ngrams": 2,
        "chars": "auto",
        "weighting": "auto",
        "bits": 22,
    }
    assert said["feature_names"][:5] == ["weather=overcast", "weather=rainy", "weather=sunny", "wind=", "wind=1"]
    assert "encoding               label='walk', numbers=[], " in rosenblatt("inspect", "m.safetensors").out
    data = rosenblatt("inspect", "walks.csv", *WORDS, "--json").result("inspect_table")
    assert (data["n_features"], data["classes"], data["counts"]) == (10, ["no", "yes"], [3, 3])
    train("--text", "note", "--ignore", "day", "--missing", "zero", "--readout", "last")
    said = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
    assert (said["feature_names"], said["n_features"]) == (None, 121)


def test_the_other_verbs(rosenblatt: Any, folder: Path) -> None:
    words = ("--ignore", "day,note", "--missing", "zero")
    ended = rosenblatt("certify", "walks.csv", *words, "-o", "proof.json")
    assert ended.out.startswith("separable (6 rows, 4 features, 2 classes)")
    assert rosenblatt("verify", "proof.json", "walks.csv", *words).code == 0
    ended = rosenblatt("certify", "walks.csv", *words, "--as-decimal", "-o", "exact.json")
    assert rosenblatt("verify", "exact.json", "walks.csv", *words).code == 0
    (folder / "tenths.csv").write_text("wind,weather,walk\n0.1,sunny,yes\n,rainy,no\n1/3,rainy,no\n", encoding="utf-8")
    args = ("--exact", "--missing", "zero", "--max-iter", "1", "--columns", "x", "--format", "csv")
    out = rosenblatt("trace", "tenths.csv", *args).out
    assert out == "x0,x1,x2,x3\n1,1/10,0,1\n1,0,1,0\n1,1/3,1,0\n"
    ended = rosenblatt("trace", "tenths.csv", *args, "--standardise")
    assert (ended.code, ended.out) == (2, "")
    assert "--standardise: numbers that are to stay as written cannot be scaled" in ended.err
    ended = rosenblatt(
        "tune", "walks.csv", *words, "--folds", "2", "--try", "eta0=1,2", "--test", "walks.csv", "--json"
    )
    assert ended.result("tune")["test"]["n_rows"] == 6
    ended = rosenblatt("plot", "boundary", "walks.csv", *words, "--features", "wind", "weather=sunny", "-o", "b.svg")
    assert (ended.code, (folder / "b.svg").exists()) == (0, True)


def test_convert(rosenblatt: Any, folder: Path) -> None:
    text = (folder / "walks.csv").read_text(encoding="utf-8")
    for name in ("a.parquet", "b.arrow", "c.feather", "d.csv.gz", "e.parquet"):
        source = {"e.parquet": "d.csv.gz"}.get(name, "walks.csv")
        assert rosenblatt("convert", source, name) == (0, "", "")
        assert rosenblatt("convert", name, "-", "--to", "csv") == (0, text, "")
    assert pd.read_parquet("a.parquet").dtypes["wind"].name == "float64"
    assert rosenblatt("convert", "and.csv", "and.parquet") == (0, "", "")
    assert pd.read_parquet("and.parquet")["y"].tolist() == AND.y.tolist()
    rosenblatt("convert", "and.parquet", "and2.svm")
    assert rosenblatt("convert", "and2.svm", "-", "--to", "csv").out == "x1,x2,label\n0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n"
    args = ("--missing", "zero", "--ignore", "day,note", "--to", "svmlight")
    out = "yes 1:3 4:1\nno 1:5 3:1\nyes 2:1\nyes 1:1 3:1\nno 1:9 4:1\nno 1:7 2:1\n"
    assert rosenblatt("convert", "a.parquet", "-", *args) == (0, out, "")
    assert rosenblatt("convert", "walks.csv", "-", "--to", "csv", "--label", "weather", "--ignore", "note,day").out == (
        "wind,walk,weather\n3,yes,sunny\n5,no,rainy\n,yes,overcast\n1,yes,rainy\n9,no,sunny\n7,no,overcast\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "foggy,1\n",
            "2:1: expected one of 'overcast', 'rainy', 'sunny', unless unknown ones are ignored (--unknown ignore), "
            "found 'foggy' (column weather)",
        ),
        ("sunny,1\nrainy,x\n", "3:2: expected a number, found 'x' (column wind)"),
        (
            ",1\n",
            "2:1: expected a value, or a policy for missing ones in training (--missing: zero, mean or indicator), "
            "found nothing (column weather)",
        ),
    ],
)
def test_what_does_not_fit_the_model(rosenblatt: Any, train: Any, folder: Path, text: str, said: str) -> None:
    train("--ignore", "day,note", "--missing", "wind=zero")
    (folder / "new.csv").write_text(f"weather,wind\n{text}", encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "new.csv") == (1, "", f"error: new.csv:{said}\n")
    (folder / "new.csv").write_text("weather\nsunny\n", encoding="utf-8")
    said = "error: new.csv:1:1: expected a column 'wind', found weather\n"
    assert rosenblatt("predict", "m.safetensors", "new.csv") == (1, "", said)


def test_unknown_values_may_be_ignored(rosenblatt: Any, train: Any, folder: Path) -> None:
    train("--ignore", "day,note", "--missing", "mean", "--unknown", "ignore")
    (folder / "new.csv").write_text("weather,wind\nfoggy,1\n,\n", encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "new.csv").code == 0


def test_wrong_usage(rosenblatt: Any) -> None:
    for args, code, said in (
        (["--missing", "median"], 2, "expected one of error, zero, mean, indicator, found 'median'"),
        (["--missing", "wind=median"], 2, "expected one of error, zero, mean, indicator, found 'median'"),
        (["--unknown", "zero"], 2, "'zero' is not one of"),
        (["--ngrams", "9"], 2, "9 is not in the range 1<=x<=8"),
        (["--bits", "28"], 2, "28 is not in the range 8<=x<=27"),
        (["--text", "nothing"], 1, "walks.csv:1:1: expected a column 'nothing', found day, weather, wind, note, walk"),
        (["--text", "note", "--ignore", "note"], 1, "ignore: expected each column once, found ['note']"),
        ([], 1, "walks.csv:4:3: expected a value, or a policy for missing ones"),
    ):
        ended = rosenblatt("train", "walks.csv", *args, "--model", "m.safetensors")
        assert (ended.code, ended.out) == (code, ""), args
        assert said in ended.err, ended.err
    assert not Path("m.safetensors").exists()
    assert "--categorical" not in rosenblatt("predict", "--help").out  # a model knows


def test_a_hostile_encoding(rosenblatt: Any, train: Any) -> None:
    train(*WORDS)
    tensors, metadata = read("m.safetensors")
    record = json.loads(metadata["model"])
    record["encoding"]["parameters"]["bits"] = 10**9
    Sealed("a model file", "rosenblatt_format", "model", 1).write("bad.safetensors", record, tensors)
    said = "error: bad.safetensors: encoding: bits: expected a whole number from 8 below 28, found 1000000000\n"
    assert rosenblatt("predict", "bad.safetensors", "walks.csv") == (1, "", said)
    assert rosenblatt("inspect", "bad.safetensors") == (1, "", said)


def test_a_model_of_python_with_its_encoding(rosenblatt: Any) -> None:
    table = {"weather": ["sunny", "rainy"], "walk": ["go", "stay"]}
    encoding = TableEncoding(label="walk").fit(table)
    model = Perceptron().fit(encoding.transform(table), encoding.labels(table))
    save(model, "m.safetensors", encoding=encoding)
    ended = rosenblatt("predict", "m.safetensors", "--from", "csv", stdin=b"weather\nrainy\nsunny\n")
    assert ended == (0, "stay\ngo\n", "")


def test_a_table_for_a_model_of_a_frame(rosenblatt: Any) -> None:
    save(Perceptron(shuffle=False).fit(pd.DataFrame(AND.X, columns=["x1", "x2"]), AND.y), "m.safetensors")
    assert rosenblatt("predict", "m.safetensors", "and.csv") == (0, "-1\n-1\n-1\n1\n", "")
    assert rosenblatt("evaluate", "m.safetensors", "and.csv", "--json").result("evaluate")["n_wrong"] == 0
    ended = rosenblatt("evaluate", "m.safetensors", "--from", "csv", stdin=b"x1,x2\n1,1\n")
    said = "error: <stdin>:1:1: expected a column of labels besides those of the features, found x1, x2\n"
    assert ended == (1, "", said)


def test_labels_in_another_column(rosenblatt: Any, train: Any) -> None:
    train("--ignore", "day,note", "--missing", "mean")
    table = b"weather,wind,walked\nsunny,1,yes\nrainy,9,no\n"
    args = ("m.safetensors", "--from", "csv", "--label", "walked", "--json")
    assert rosenblatt("evaluate", *args, stdin=table).result("evaluate")["support"] == [1, 1]
    encoding = TableEncoding(ignore=["walk"]).fit({"weather": ["sunny", "rainy"], "walk": ["yes", "no"]})
    save(Perceptron().fit([[0, 1], [1, 0]], ["yes", "no"]), "m.safetensors", encoding=encoding)
    assert rosenblatt("evaluate", *args, stdin=table).result("evaluate")["n_wrong"] == 0


def test_csv_needs_no_pyarrow(folder: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "pyarrow.py").write_text("raise ModuleNotFoundError('no pyarrow', name='pyarrow')", encoding="utf-8")
    pa.parquet.write_table(pa.table({"a": [1], "b": [2]}), "t.parquet")
    path = os.pathsep.join([str(hidden), os.environ.get("PYTHONPATH", "")])

    def run(*args: str) -> Any:
        command = [sys.executable, "-m", "rosenblatt", *args]
        env = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(command, capture_output=True, text=True, env=env, check=False)

    assert run("train", "walks.csv", *WORDS, "--model", "m.safetensors").returncode == 0
    assert run("predict", "m.safetensors", "walks.csv").stdout == LABELS
    ended = run("inspect", "t.parquet")
    said = "error: this needs pyarrow: pip install 'rosenblatt[data]'\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", said)
