"""`rosenblatt train`, `predict` and `evaluate`: the same as in Python, and files that fit or do not."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score

from rosenblatt import Perceptron
from rosenblatt.data.lectures import AND
from rosenblatt.doors.sklearn.model_file import load, save
from rosenblatt.services.export import to_onnx
from rosenblatt.services.files.svmlight import read_svmlight

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_the_lectures_weights(rosenblatt: Any) -> None:
    ended = rosenblatt("train", "and.csv", "--no-shuffle", "--model", "and.safetensors")
    assert (ended.code, ended.err) == (0, "")
    facts = dict(line.rsplit("  ", 1) for line in ended.out.splitlines())
    facts = {name.strip(): value for name, value in facts.items()}
    del facts["seconds"]
    assert facts == {
        "rows": "4",
        "features": "2",
        "classes": "2: -1, 1",
        "passes": "9",
        "mistakes of the last pass": "0",
        "mistakes of the majority": "1 (always -1)",
        "updates": "18",
        "converged": "yes",
        "seed": "0",
        "model": "and.safetensors",
    }
    model = load("and.safetensors")
    assert (model.intercept_.tolist(), model.coef_.tolist()) == ([-4], [[3, 2]])
    assert rosenblatt("predict", "and.safetensors", "and.csv") == (0, "-1\n-1\n-1\n1\n", "")
    scores = rosenblatt("predict", "and.safetensors", "and.csv", "--scores").out
    assert scores == "label\t1\n-1\t-4\n-1\t-2\n-1\t-1\n1\t1\n"


@pytest.mark.parametrize("copies", [1, 300])
def test_a_line_of_json_for_each_pass(rosenblatt: Any, json_of: Any, folder: Path, copies: int) -> None:
    """A large set is watched while it is trained, a small one is not; the lines are the same."""
    text = (folder / "and.csv").read_text(encoding="utf-8")
    head, *rows = text.splitlines(keepends=True)
    (folder / "many.csv").write_text(head + "".join(rows) * copies, encoding="utf-8")
    options = ("--no-shuffle", "--readout", "last", "--max-iter", "auto", "--json")
    ended = rosenblatt("train", "many.csv", *options, "--model", "m.safetensors")
    model = Perceptron(shuffle=False).fit(np.tile(AND.X, (copies, 1)), np.tile(AND.y, copies))
    said = ended.result("train")
    assert (ended.code, said["n_rows"], said["n_iter"]) == (0, 4 * copies, model.n_iter_)
    passes = [json_of(line, "pass") for line in ended.err.splitlines()]
    assert [line["pass"] for line in passes] == list(range(1, model.n_iter_ + 1))
    assert [line["mistakes"] for line in passes] == model.mistakes_.tolist()
    np.testing.assert_array_equal(load("m.safetensors").coef_, model.coef_)


def test_json_of_a_run_that_does_not_converge(rosenblatt: Any, json_of: Any) -> None:
    ended = rosenblatt("train", "xor.csv", "--max-iter", "3", "--model", "m.safetensors", "--json")
    assert [json_of(line, "pass")["pass"] for line in ended.err.splitlines()] == [1, 2, 3]
    assert (ended.code, ended.result("train")["converged"]) == (0, False)


def test_lines_of_json_are_few(rosenblatt: Any, json_of: Any) -> None:
    ended = rosenblatt("train", "xor.csv", "--max-iter", "5000", "--model", "m.safetensors", "--json")
    numbers = [json_of(line, "pass")["pass"] for line in ended.err.splitlines()]
    assert len(numbers) < 30
    assert (numbers[:10], numbers[-1]) == (list(range(1, 11)), 5000)


def test_advice_at_the_keyboard(rosenblatt: Any, folder: Path) -> None:
    # So many columns that it is not known whether a plane separates the rows.
    (folder / "wide.svm").write_text("-1 500:0\n1 2:1\n1 1:1\n-1 1:1 2:1\n", encoding="utf-8")
    err = rosenblatt("train", "wide.svm", "-m", "m.safetensors").err
    assert "and --readout average or pocket answers better. Or they are" in err
    assert re.search(r"set --max-iter above \d+\. rosenblatt certify wide.svm tells which, with a proof\.", err)
    err = rosenblatt("train", "wide.svm", "--no-intercept", "-m", "m.safetensors").err
    assert "rosenblatt certify wide.svm --no-intercept tells which" in err
    err = rosenblatt("train", "xor.csv", "--kernel", "linear", "--readout", "last", "-m", "m.safetensors").err
    assert "rosenblatt certify xor.csv --kernel linear --coef0 0 tells which" in err
    for nothing_to_do in (("wide.svm", "--readout", "average"), ("wide.svm", "--max-iter", "9"), ("xor.csv",)):
        assert rosenblatt("train", *nothing_to_do, "-m", "m.safetensors").err == ""


def test_what_a_pass_counts(rosenblatt: Any) -> None:
    for words, counted in (((), "mistakes"), (("--step", "pa"), "updates"), (("--margin", "1"), "updates")):
        out = rosenblatt("train", "xor.csv", "--max-iter", "9", *words, "-m", "m.safetensors").out
        assert f"{counted} of the last pass " in out


def test_a_model_of_python(rosenblatt: Any) -> None:
    save(Perceptron(shuffle=False).fit(AND.X, AND.y.astype(float)), "m.safetensors")
    assert rosenblatt("predict", "m.safetensors", "and.csv").out == "-1\n-1\n-1\n1\n"
    assert rosenblatt("evaluate", "m.safetensors", "and.csv", "--json").result("evaluate")["n_wrong"] == 0


def test_many_classes(rosenblatt: Any) -> None:
    args = ("--readout", "average", "--max-iter", "3", "--seed", "7", "--model", "m.safetensors")
    assert rosenblatt("train", "data.svm", *args).err == ""  # how many passes is as told: nothing to warn of
    X, y = read_svmlight("data.svm")
    X_test, y_test = read_svmlight("test.svm")
    model = Perceptron(readout="average", max_iter=3, random_state=7).fit(X, y)
    said = rosenblatt("predict", "m.safetensors", "test.svm", "--json", "--scores").result("predict")
    assert (said["classes"], said["labels"]) == ([1, 2, 3], model.predict(X_test).tolist())
    assert said["scores_for"] == [1, 2, 3]
    np.testing.assert_array_equal(said["scores"], model.decision_function(X_test))
    head, *lines = rosenblatt("predict", "m.safetensors", "test.svm", "--scores").out.splitlines()
    assert head == "label\t1\t2\t3"  # a table with a header, as every reader of tables takes it
    assert [[float(cell) for cell in line.split("\t")[1:]] for line in lines] == said["scores"]
    said = rosenblatt("evaluate", "m.safetensors", "test.svm", "--json").result("evaluate")
    assert said["n_wrong"] == int((model.predict(X_test) != y_test).sum())
    assert said["auc"] is None  # of two classes only
    np.testing.assert_allclose(said["f1"], f1_score(y_test, model.predict(X_test), average=None))
    assert sum(map(sum, said["confusion"])) == said["n_rows"] == 9


def test_evaluate(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    ended = rosenblatt("evaluate", "m.safetensors", "xor.csv")
    assert (ended.code, ended.err) == (0, "")
    assert [" ".join(line.split()) for line in ended.out.splitlines()] == [
        "error 0.7500: 3 of 4 rows",
        "majority's error 0.5000 (always -1)",
        "balanced accuracy 0.2500, AUC 0.5000",
        "",
        "class precision recall F1 rows",
        "-1 0.3333 0.5000 0.4000 2",
        "1 0.0000 0.0000 0.0000 2",
        "",
        "confusion: a line for each class as it is, a column for each answer",
        "-1 1",
        "-1 1 1",
        "1 2 0",
    ]
    said = rosenblatt("evaluate", "m.safetensors", "-", "--json", stdin=b"x1,x2,y\n0,0,5\n1,1,1\n").result("evaluate")
    assert (said["auc"], said["f1"]) == (None, [0, 1, 0])  # no row of class -1: nothing to be told apart
    assert (said["classes"], said["precision"], said["recall"]) == ([-1, 1, 5], [0, 1, None], [None, 1, 0])


def test_labels_that_are_words(rosenblatt: Any, folder: Path) -> None:
    (folder / "words.csv").write_text("x,answer\n1,no\n2,no\n5,1\n6,1\n", encoding="utf-8")
    rosenblatt("train", "words.csv", "--model", "m.safetensors", "--class-weight", "no=2")
    assert rosenblatt("predict", "m.safetensors", "words.csv").out == "no\nno\n1\n1\n"
    (folder / "ones.csv").write_text("x,answer\n5,1\n6,1\n", encoding="utf-8")
    assert rosenblatt("evaluate", "m.safetensors", "ones.csv", "--json").result("evaluate")["n_wrong"] == 0
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    (folder / "others.csv").write_text("x1,x2,y\n5,1,a\n6,1,1\n", encoding="utf-8")
    ended = rosenblatt("evaluate", "m.safetensors", "others.csv")
    said = "expected a number, as the labels of the model (-1, 1), found 'a' (column y)"
    assert ended == (1, "", f"error: others.csv:2:3: {said}\n")


def test_columns_are_taken_by_name(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("train", "and.csv", "--no-shuffle", "--model", "m.safetensors")
    (folder / "new.csv").write_text("id,x2,x1\na,1,0\nb,1,1\n", encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "new.csv", "--scores").out == "label\t1\n-1\t-2\n1\t1\n"
    (folder / "new.csv").write_text("x2,x1\n1,0\n", encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "new.csv").out == "-1\n"
    ended = rosenblatt("evaluate", "m.safetensors", "new.csv")
    assert ended.err == "error: new.csv:1:1: expected a column 'y', found x2, x1\n"
    (folder / "new.csv").write_text("x1,x3,y\n1,0,1\n", encoding="utf-8")
    ended = rosenblatt("predict", "m.safetensors", "new.csv")
    assert ended == (1, "", "error: new.csv:1:1: expected a column 'x2', found x1, x3, y\n")


def test_a_table_for_a_model_without_names(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("train", "data.svm", "--model", "m.safetensors")
    rosenblatt("convert", "test.svm", "test.csv")
    expected = rosenblatt("predict", "m.safetensors", "test.svm").out
    assert rosenblatt("predict", "m.safetensors", "test.csv").out == expected
    assert rosenblatt("predict", "m.safetensors", "--from", "csv", stdin=b"a,b\n0,0\n").out == "1\n"
    ended = rosenblatt("predict", "m.safetensors", "--from", "csv", stdin=b"a,b,c,d\n0,0,0,0\n")
    said = "expected 2 columns of numbers, as the model was trained on rows without names, found 4 (a, b, c, d)"
    assert ended == (1, "", f"error: <stdin>:1:1: {said}\n")
    ended = rosenblatt("predict", "m.safetensors", stdin=b"1 3:1\n")
    assert ended == (1, "", "error: <stdin>:1:3: expected an index of at most 2, found '3'\n")


def test_output_is_whole_or_not_there(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("train", "and.csv", "--model", "m.safetensors")
    assert rosenblatt("predict", "m.safetensors", "and.csv", "-o", "out.txt") == (0, "", "")
    assert (folder / "out.txt").read_text(encoding="utf-8") == "-1\n-1\n-1\n1\n"
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for args in (
        ["predict", "m.safetensors", "-o", "out.txt"],
        ["train", "--model", "m.safetensors"],
        ["tune", "--try", "eta0=1,2", "--model", "m.safetensors"],
    ):
        ended = rosenblatt(*args, stdin=b"1 1:1\n2 1:\n")
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    ended = rosenblatt("train", "--model", "m.safetensors", stdin=b"1 1:1\n1 1:2\n")
    assert ended == (1, "", "error: Perceptron needs at least 2 classes, got samples of only one class: [1]\n")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_models_for_other_programs(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("train", "and.csv", "--no-shuffle", "--model", "m.safetensors")
    model = load("m.safetensors")
    assert rosenblatt("export", "m.safetensors", "-o", "m.onnx") == (0, "", "")
    assert (folder / "m.onnx").read_bytes() == to_onnx(model)
    assert rosenblatt("export", "m.safetensors", "-o", "m.json") == (0, "", "")
    ended = rosenblatt("export", "m.safetensors", "-o", "-", "--to", "sklearn")
    assert ended.out == (folder / "m.json").read_text(encoding="utf-8")
    assert json.loads(ended.out) == {
        "coef_": [[3, 2]],
        "intercept_": [-4],
        "classes_": [-1, 1],
        "n_features_in_": 2,
        "n_iter_": 9,
        "feature_names_in_": ["x1", "x2"],
    }
    rosenblatt("train", "and.csv", "--readout", "vote", "--model", "v.safetensors")
    ended = rosenblatt("export", "v.safetensors", "-o", "v.onnx")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: model: expected one weight vector, found readout='vote'")
    for args, said in (
        (["export", "m.safetensors", "-o", "m.csv"], "m.csv: a model becomes .html, .mjs, .js, .onnx, .json, by the"),
        (["export", "m.safetensors", "-o", "v.onnx", "--title", "T"], "--title: expected a page or a module, found"),
        (["convert", "m.safetensors", "v.onnx"], "expected data, found a model: rosenblatt export m.safetensors -o v."),
        (["convert", "and.csv", "v.onnx"], "and.csv: expected a model, of which v.onnx could be made, found data"),
        (["convert", "-", "v.json"], "-: expected a model"),
    ):
        ended = rosenblatt(*args)
        assert (ended.code, ended.out) == (2, "")
        assert said in ended.err
    assert not list(folder.glob("v.[oj]*"))


def test_what_is_no_model(rosenblatt: Any) -> None:
    for path, said in (
        ("and.csv", "and.csv: not a model file: it seems to be a table (CSV)"),
        ("no.safetensors", "no.safetensors: No such file"),
    ):
        ended = rosenblatt("predict", path, "and.csv")
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert ended.err.startswith(f"error: {said}")


def test_wrong_usage(rosenblatt: Any) -> None:
    for args, said in (
        (["train", "and.csv"], "Missing option '-m' / '--model'"),
        (["train", "and.csv", "--model", "no/m.safetensors"], "expected a file in a folder that is there"),
        (["train", "and.csv", "--model", "m", "--readout", "mean"], "'mean' is not one of"),
        (["train", "and.csv", "--model", "m", "--class-weight", "balnced"], "expected balanced, or label=weight,..."),
        (["train", "and.csv", "--model", "m", "--C", "0"], "C: expected a number over 0, found 0.0"),
        (["predict"], "Missing argument 'MODEL'"),
        (["tune", "data.svm", "--try", "nonsense=1"], "expected parameter=value,..."),
        (["tune", "data.svm", "--try", "eta0=1,b"], "eta0: expected a number, found 'b'"),
        (["tune", "data.svm", "--try", "step=pa,pb"], "step: 'pb' is not one of"),
        (["tune", "data.svm", "--try", "r=1", "--try", "r=2"], "each parameter once"),
        (["tune", "data.svm", "--try", "r=1", "--r", "2"], "none of those given as options"),
        (["tune", "data.svm", "--try", "r=1", "--folds", "1"], "1 is not in the range"),
        (["tune", "--try", "r=1", "--test", "-"], "cannot both be standard input"),
    ):
        ended = rosenblatt(*args)
        assert (ended.code, ended.out) == (2, ""), args
        assert said in ended.err, ended.err


@pytest.mark.parametrize("words", [["train"], ["train", "--stream"], ["tune", "--try", "step=perceptron,pa"]])
def test_further_files_count_columns_as_the_first(rosenblatt: Any, folder: Path, words: list[str]) -> None:
    """What is not in a new file cannot tell: without its column 0 it would look as if it counted from 1."""
    verb, *options = words
    (folder / "zero.svm").write_text("a 0:1\nb 1:1\nc 2:1\n" * 5, encoding="utf-8")
    (folder / "one.svm").write_text("a 1:1\nb 2:1\nc 3:1\n" * 5, encoding="utf-8")
    (folder / "new.svm").write_text("b 1:1\nc 2:1\n", encoding="utf-8")
    for file, labels in (("zero.svm", "b\nc\n"), ("one.svm", "a\nb\n")):
        assert rosenblatt(verb, file, *options, "--model", "m.safetensors").code == 0
        assert load("m.safetensors").zero_based_ == (file == "zero.svm")
        said = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
        assert said["zero_based"] == (file == "zero.svm")
        assert rosenblatt("predict", "m.safetensors", "new.svm").out == labels
        right = 2 if file == "zero.svm" else 0
        assert rosenblatt("evaluate", "m.safetensors", "new.svm", "--json").result("evaluate")["n_wrong"] == 2 - right
        assert rosenblatt("predict", "m.safetensors", "new.svm", "--zero-based", "yes").out == "b\nc\n"
        assert rosenblatt("predict", "m.safetensors", "new.svm", "--zero-based", "no").out == "a\nb\n"


def test_a_model_that_does_not_know_how_columns_are_counted(rosenblatt: Any, folder: Path) -> None:
    save(Perceptron().fit(np.eye(3), ["a", "b", "c"]), "m.safetensors")
    (folder / "new.svm").write_text("? 0:1\n? 2:1\n", encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "new.svm").out == "a\nc\n"
    (folder / "new.svm").write_text("? 1:1\n? 3:1\n", encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "new.svm").out == "a\nc\n"


def test_a_long_file_is_answered_block_by_block(rosenblatt: Any, folder: Path) -> None:
    (folder / "and.svm").write_text("-1\n-1 2:1\n-1 1:1\n1 1:1 2:1\n", encoding="utf-8")
    assert rosenblatt("train", "and.svm", "--no-shuffle", "--model", "m.safetensors").code == 0
    comment = "#" * 1000
    lines = [f"? {comment}\n", f"2.5 1:1 2:1 {comment}\n"] * 5000  # of two kinds of labels, in three blocks
    (folder / "long.svm").write_text("".join(lines), encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "long.svm", "-o", "out.txt") == (0, "", "")
    assert (folder / "out.txt").read_text(encoding="utf-8") == "-1\n1\n" * 5000
    assert rosenblatt("predict", "m.safetensors", "long.svm", "--json").result("predict")["labels"] == [-1, 1] * 5000
    (folder / "long.svm").write_text("".join(lines) + "1 x\n", encoding="utf-8")
    ended = rosenblatt("predict", "m.safetensors", "long.svm")
    assert (ended.code, ended.err) == (1, "error: long.svm:10001:3: expected index:value, found 'x'\n")
    assert 0 < ended.out.count("\n") < 10_000  # what came before
    assert rosenblatt("predict", "m.safetensors", "long.svm", "-o", "out.txt").code == 1
    assert (folder / "out.txt").read_text(encoding="utf-8") == "-1\n1\n" * 5000  # as it was


def test_a_long_table_is_answered_block_by_block(rosenblatt: Any, folder: Path) -> None:
    assert rosenblatt("train", "and.csv", "--no-shuffle", "--model", "m.safetensors").code == 0
    head, *rows = (folder / "and.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "long.csv").write_text(head + "".join(rows) * 5000, encoding="utf-8")
    assert rosenblatt("predict", "m.safetensors", "long.csv").out == "-1\n-1\n-1\n1\n" * 5000
