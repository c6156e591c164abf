"""A table of texts on the command line: trained, answered, explained, shown."""

import gzip
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import axe_playwright_python
import numpy as np
import pytest

from rosenblatt import TextClassifier, load, save
from tests.browser.check_site import AXE, COLOURS
from tests.cli.test_processes import PROGRAM
from tests.studio.window import Studio

AXE_FILE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
TRAIN = ("train", "colours.csv", "--text", "note", "--model", "m.st")


def rows(path: Path) -> tuple[list[str], list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    pairs = [line.rsplit(",", 1) for line in lines]
    return [text for text, _ in pairs], [label for _, label in pairs]


def test_the_model_is_that_of_python(rosenblatt: Any, folder: Path) -> None:
    said = rosenblatt(*TRAIN, "--json").result("train")
    assert (said["n_rows"], said["classes"], said["weighting"]) == (16, ["blue", "red"], "ratio")
    texts, labels = rows(folder / "colours.csv")
    model, found = TextClassifier().fit(texts, labels), load("m.st")
    assert isinstance(found, TextClassifier)
    assert found.decision_function(texts).tobytes() == model.decision_function(texts).tobytes()
    assert found.get_params() == model.get_params()


def test_options(rosenblatt: Any) -> None:
    options = ("--ngrams", "3", "--bits", "12", "--r", "2", "--max-iter", "2", "--class-weight", "red=2,blue=1")
    said = rosenblatt(*TRAIN, *options, "--json").result("train")
    assert (said["ngrams"], said["r"], said["n_iter"]) == (3, 2, 2)
    model = load("m.st")
    assert (model.ngrams, model.bits, model.class_weight) == (3, 12, {"red": 2.0, "blue": 1.0})


def test_options_of_texts_need_a_text(rosenblatt: Any) -> None:
    ended = rosenblatt("train", "colours.csv", "--ignore", "note", "--ngrams", "1", "--model", "m.st")
    assert (ended.code, "--ngrams has no meaning without a column of text" in ended.err) == (2, True), ended


def test_a_model_of_python(rosenblatt: Any, folder: Path) -> None:
    save(TextClassifier().fit(["a rose", "the sky", "red ink", "a blue sea"] * 3, [1, 2] * 6), "m.st")
    (folder / "lines.txt").write_text("1\ta red rose\n2\tthe blue sky\n")
    (folder / "table.csv").write_text("label,text\n1,a red rose\n2,the blue sky\n")
    for asked in (("lines.txt", "--from", "lines"), ("table.csv",)):
        assert rosenblatt("predict", "m.st", *asked).out == "1\n2\n"
        assert "0 of 2 rows" in rosenblatt("evaluate", "m.st", *asked).out
        assert rosenblatt("explain", "m.st", *asked).out.startswith("1\t")
    assert "expected a column 'text', found x" in rosenblatt("predict", "m.st", "--from", "csv", stdin=b"x\n1\n").err


def test_threads_change_no_model(rosenblatt: Any, folder: Path) -> None:
    rosenblatt(*TRAIN)
    rosenblatt(*TRAIN[:-1], "n.st", "--n-jobs", "2")
    assert (folder / "n.st").read_bytes() == (folder / "m.st").read_bytes()


def test_no_parts_of_words(rosenblatt: Any) -> None:
    assert rosenblatt(*TRAIN, "--chars", "0", "--json").result("train")["chars"] == 0
    assert "expected a whole number from 0 on, found '-1'" in rosenblatt(*TRAIN, "--chars", "-1").err


def test_answers(rosenblatt: Any) -> None:
    rosenblatt(*TRAIN)
    new = b"note\nthe red rose\nthe blue sea\n"
    assert rosenblatt("predict", "m.st", "-", "--from", "csv", stdin=new).out == "red\nblue\n"
    scores = rosenblatt("predict", "m.st", "-", "--scores", stdin=new).out.splitlines()
    assert scores[0] == "label\tred"
    model = load("m.st")
    expected = model.predict_proba(["the red rose", "the blue sea"])
    said = rosenblatt("predict", "m.st", "-", "--probabilities", "--json", stdin=new).result("predict")
    assert (said["labels"], said["probabilities_for"]) == (["red", "blue"], ["blue", "red"])
    assert said["probabilities"] == expected.tolist()
    lines = rosenblatt("predict", "m.st", "-", "--probabilities", stdin=new).out.splitlines()
    assert lines[0] == "label\tblue\tred"
    np.testing.assert_array_equal([list(map(float, line.split("\t")[1:])) for line in lines[1:]], expected)
    assert rosenblatt("evaluate", "m.st", "colours.csv", "--json").result("evaluate")["n_wrong"] == 0


def test_what_has_no_probabilities(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "and.st")
    ended = rosenblatt("predict", "and.st", "and.csv", "--probabilities")
    assert (ended.code, ended.err) == (
        1,
        "error: and.st: expected a model with probabilities, found a Perceptron with scores alone\n",
    )
    rosenblatt(*TRAIN)
    ended = rosenblatt("predict", "m.st", "colours.csv", "--probabilities", "--scores")
    assert ended.code == 2
    assert "--scores, --probabilities: expected one of them, found 2" in ended.err


def test_reasons(rosenblatt: Any) -> None:
    rosenblatt(*TRAIN)
    new = b'note\nA red ROSE!\n"blue, blue sea"\n'
    out = rosenblatt("explain", "m.st", "-", "--top", "1", stdin=new).out.splitlines()
    assert [line.split("\t")[0] for line in out] == ["red", "blue"]
    said = rosenblatt("explain", "m.st", "-", "--json", stdin=new).result("explain")
    reasons = load("m.st").explain("A red ROSE!")
    shown = said["texts"][0]["reasons"]
    assert sorted(reason["word"] for reason in shown) == ["!", "A", "ROSE", "red"]
    assert [reason["share"] for reason in shown] == sorted((r.share for r in reasons), key=lambda share: -abs(share))
    rosenblatt("train", "and.csv", "--model", "and.st")
    ended = rosenblatt("explain", "and.st", "and.csv")
    assert (ended.code, ended.err) == (
        1,
        "error: and.st: expected a model of texts (train --text), found a Perceptron\n",
    )


def shown_in_a_terminal(folder: Path, **variables: str) -> str:
    """What `explain` writes to a terminal."""
    terminal, end = pty.openpty()
    command = [*PROGRAM, "explain", "m.st", "new.csv", "--top", "2"]
    subprocess.run(command, cwd=folder, stdout=end, env={**os.environ, **variables}, check=True)
    os.close(end)
    shown = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    return shown.replace("\r\n", "\n")


def test_reasons_in_a_terminal(rosenblatt: Any, folder: Path) -> None:
    rosenblatt(*TRAIN)
    (folder / "new.csv").write_text('note\n"A red ROSE\x1b[2J\nof blood!"\n', encoding="utf-8")
    plain = rosenblatt("explain", "m.st", "new.csv", "--top", "2").out
    assert plain.count("\n") == 1
    shown = shown_in_a_terminal(folder, NO_COLOR="")
    head, text, end = shown.split("\n")
    assert head.partition("\t")[2] == plain.partition("\t")[2].rstrip()
    assert re.search(r"\x1b\[36m\x1b\[4m\x1b\[7mROSE\x1b\[0m", text)  # cyan, underlined, in reverse
    assert re.sub(r"\x1b\[\d+m", "", text) == "  A red ROSE [2J of blood!"  # what would clear the screen is not sent
    assert end == ""
    assert shown_in_a_terminal(folder, NO_COLOR="1") == plain


def test_reasons_as_a_page(rosenblatt: Any, folder: Path, chromium: Any) -> None:
    rosenblatt(*TRAIN)
    new = b'note\n"A red <ROSE> & blood!"\nthe blue sea\n'
    assert rosenblatt("explain", "m.st", "-", "--html", "why.html", stdin=new) == (0, "", "")
    for scheme in ("light", "dark"):
        window = Studio(chromium, folder / "why.html", viewport={"width": 390, "height": 800}, color_scheme=scheme)
        window.context.add_init_script(path=AXE_FILE)
        window.page.goto(window.address)
        headings = [heading.inner_text() for heading in window.page.get_by_role("heading", level=2).all()]
        assert headings == ["red", "blue"]
        assert window.text("section p") == "A red <ROSE> & blood!"
        assert "ROSE" in window.page.locator("mark").all_inner_texts()
        assert window.page.evaluate(AXE, COLOURS if scheme == "dark" else None) == []
        assert window.page.evaluate("document.documentElement.scrollWidth") <= 390
        window.close()
        assert window.wrong == []
    ended = rosenblatt("explain", "m.st", "-", "--html", "why.html", "--json", stdin=new)
    assert (ended.code, "--html, --json: expected one of them" in ended.err) == (2, True)


def test_a_page_and_a_module(rosenblatt: Any, folder: Path) -> None:
    rosenblatt(*TRAIN)
    assert rosenblatt("export", "m.st", "-o", "m.html", "--title", "Which <colour>?") == (0, "", "")
    page = (folder / "m.html").read_text(encoding="utf-8")
    assert "<h1>Which &lt;colour&gt;?</h1>" in page
    assert re.search(r'"texts":16,.*"trained":"\d{4}-\d\d-\d\d"', page)
    said = rosenblatt("export", "m.st", "-o", "-", "--to", "module").out
    assert said.rstrip().endswith('"title":"blue or red?"});')
    rosenblatt("train", "and.csv", "--model", "and.st")
    for args, error in (
        (
            ("and.st", "-o", "no.html"),
            "and.st: expected a TextClassifier (rosenblatt train --text), found a Perceptron",
        ),
        (("and.csv", "-o", "no.html"), "and.csv: not a model file: it seems to be a table (CSV)"),
        (("no.st", "-o", "no.mjs"), "no.st: No such file or directory"),
    ):
        ended = rosenblatt("export", *args)
        assert (ended.code, ended.out, ended.err.startswith(f"error: {error}")) == (1, "", True)
    assert not list(folder.glob("no.*"))


def test_words_of_a_model(rosenblatt: Any) -> None:
    rosenblatt(*TRAIN)
    said = rosenblatt("inspect", "m.st", "--top", "4", "--json").result("inspect_model")
    assert (said["class"], said["n_rows"], said["encoding"]["texts"]) == ("TextClassifier", 16, ["note"])
    (weights,) = said["weights"]
    assert weights["class"] == "red"
    words = {largest["feature"]: largest["weight"] for largest in weights["largest"]}
    assert len(words) == 4
    assert all(weight > 0 for word, weight in words.items() if word in ("rose", "cherry", "blood", "red"))
    assert words.keys() <= {"rose", "cherry", "blood", "red", "blue", "sea", "sky", "ink", "is", "cherry and"} | set(
        words
    )
    assert "largest weights of features for red, against blue" in rosenblatt("inspect", "m.st").out


def test_rows_held_out(rosenblatt: Any) -> None:
    said = rosenblatt(*TRAIN, "--holdout", "0.25", "--json").result("train")
    assert (said["n_rows"], said["holdout"]["n_rows"]) == (12, 4)


def test_several_files_are_one(rosenblatt: Any, folder: Path) -> None:
    lines = (folder / "colours.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "part-1.csv").write_text("".join(lines[:7]), encoding="utf-8")
    (folder / "part-2.csv").write_text("".join([lines[0], *lines[7:]]), encoding="utf-8")
    rosenblatt(*TRAIN)
    rosenblatt("train", "part-*.csv", "--text", "note", "--model", "parts.st")
    assert (folder / "parts.st").read_bytes() == (folder / "m.st").read_bytes()
    with (folder / "colours.csv").open("rb") as file:
        rosenblatt("train", "-", "--from", "csv", "--text", "note", "--model", "pipe.st", stdin=file.read())
    assert (folder / "pipe.st").read_bytes() == (folder / "m.st").read_bytes()


@pytest.mark.parametrize(
    "options",
    [("--readout", "average"), ("--step", "arow"), ("--stream", "--readout", "average")],
    ids=lambda options: str(options[0]),
)
def test_a_perceptron_of_texts_is_there_where_it_is_asked_for(rosenblatt: Any, options: tuple[str, ...]) -> None:
    rosenblatt(*TRAIN, *options, "--bits", "8")
    assert type(load("m.st")).__name__ == "Perceptron"


def test_other_columns_beside_the_text(rosenblatt: Any, folder: Path) -> None:
    lines = (folder / "colours.csv").read_text(encoding="utf-8").splitlines()
    table = "\n".join([f"stars,{lines[0]}", *(f"{k % 5},{line}" for k, line in enumerate(lines[1:]))])
    (folder / "stars.csv").write_text(table + "\n", encoding="utf-8")
    rosenblatt("train", "stars.csv", "--text", "note", "--model", "m.st")
    model = load("m.st")
    assert isinstance(model, TextClassifier)
    rows = model.encoding_.transform({"note": ["red rose"], "stars": [3]})
    assert model.predict(rows).tolist() == ["red"]
    said = rosenblatt("explain", "m.st", "stars.csv", "--top", "99", "--json").result("explain")["texts"][4]["reasons"]
    beside = {reason["column"]: reason["share"] for reason in said if reason["word"] is None}
    assert beside.keys() == {"stars=4"}
    assert rosenblatt("explain", "m.st", "stars.csv", "--top", "99").out.splitlines()[4].count("\tstars=4 ") == 1
    said = rosenblatt("inspect", "m.st", "--top", "99", "--json").result("inspect_model")
    assert "stars" in {largest["feature"] for largest in said["weights"][0]["largest"]}
    rosenblatt("train", "stars.csv", "--text", "note", "--ignore", "stars", "--model", "m.st")
    assert isinstance(load("m.st"), TextClassifier)
    assert rosenblatt("predict", "m.st", "stars.csv").code == 0


def test_bad_tables(rosenblatt: Any, folder: Path) -> None:
    (folder / "blank.csv").write_text("note,colour\n,red\n ,blue\n", encoding="utf-8")
    ended = rosenblatt("train", "blank.csv", "--text", "note", "--model", "m.st")
    assert (ended.code, ended.err) == (1, "error: X: expected a text with a word, found none\n")
    rosenblatt(*TRAIN)
    ended = rosenblatt("predict", "m.st", "and.csv")
    assert (ended.code, ended.err) == (1, "error: and.csv:1:1: expected a column 'note', found x1, x2, y\n")


FORMS = {"jsonl": lambda text, label: json.dumps({"note": text, "colour": label}, ensure_ascii=False)}
FORMS |= {"lines": "{1}\t{0}".format, "fasttext": "__label__{1} {0}".format}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_model_from_lines(rosenblatt: Any, folder: Path, form: str) -> None:
    texts, labels = rows(folder / "colours.csv")
    texts = [text.strip('"') for text in texts]
    data = "".join(f"{FORMS[form](text, label)}\n" for text, label in zip(texts, labels, strict=True)).encode()
    model = TextClassifier().fit(texts, labels)
    (folder / "c.data.gz").write_bytes(gzip.compress(data))
    options = ["--text", "note", "--label", "colour"] if form == "jsonl" else []
    for file, stdin in (("c.data.gz", None), ("-", data)):
        said = rosenblatt("train", file, "--from", form, *options, "--model", "l.st", stdin=stdin)
        assert said.code == 0, said
        found = load("l.st")
        assert found.decision_function(texts).tobytes() == model.decision_function(texts).tobytes()
    scores = rosenblatt("predict", "l.st", "c.data.gz", "--from", form, "--json").result("predict")["labels"]
    assert scores == model.predict(texts).tolist()
    without = {"jsonl": '{"note": "the red rose"}\n', "lines": "the red rose\n", "fasttext": "the red rose\n"}[form]
    assert rosenblatt("predict", "l.st", "-", "--from", form, stdin=without.encode()).out == "red\n"


def test_jsonl_is_known_by_its_name_and_by_how_it_begins(rosenblatt: Any, folder: Path) -> None:
    data = '{"note": "red rose", "colour": "red"}\n{"note": "blue sea", "colour": "blue"}\n'
    (folder / "c.jsonl").write_text(data, encoding="utf-8")
    assert rosenblatt("train", "c.jsonl", "--text", "note", "--model", "l.st").code == 0
    assert rosenblatt("predict", "l.st", "-", stdin=data.encode()).out == "red\nblue\n"
    (folder / "c.jsonl").write_text(data + '{"colour": "red"}\n', encoding="utf-8")
    ended = rosenblatt("train", "c.jsonl", "--text", "note", "--model", "l.st")
    expected = "error: c.jsonl:3:1: expected a key 'note', as in the first line, found colour\n"
    assert (ended.code, ended.err) == (1, expected)


@pytest.mark.parametrize("form", FORMS)
def test_lines_of_an_open_pipe_are_answered_at_once(rosenblatt: Any, folder: Path, form: str) -> None:
    rosenblatt(*TRAIN)
    line = FORMS[form]("the red rose", "?") if form == "jsonl" else FORMS[form]("the red rose", "red")
    if form != "jsonl":
        pairs = zip(*rows(folder / "colours.csv"), strict=True)
        data = "".join(f"{FORMS[form](text, label)}\n" for text, label in pairs)
        rosenblatt("train", "-", "--from", form, "--model", "m.st", stdin=data.encode())
    command = [sys.executable, "-m", "rosenblatt", "predict", "m.st", "-", "--from", form]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"red\n"
        process.stdin.close()
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize("form", ["lines", "fasttext"])
def test_each_line_has_its_answer(rosenblatt: Any, folder: Path, form: str) -> None:
    known = "red\ta rose\nblue\tthe sky\n\n" if form == "lines" else "__label__red a rose\n__label__blue the sky\n\n"
    (folder / "known.txt").write_text(known)
    assert rosenblatt("train", "known.txt", "--from", form, "--json", "--model", "m.st").result("train")["n_rows"] == 2
    asked = rosenblatt("predict", "m.st", "-", "--from", form, stdin=b"a rose\n\n \nthe sky\n")
    assert (asked.out.split("\n")[::3], asked.out.count("\n")) == (["red", "blue"], 4), asked
    assert len(rosenblatt("explain", "m.st", "-", "--from", form, stdin=b"\na rose\n").out.splitlines()) == 2
    assert "0 of 2 rows" in rosenblatt("evaluate", "m.st", "known.txt", "--from", form).out


def test_strange_texts(rosenblatt: Any, folder: Path) -> None:
    """Nothing, emoji alone, right to left, a character 0, and a label for each text: an answer, not an error."""
    texts = ["", "👩👩 😀", "שלום עולם", "a\0b", *(f"word{k} text" for k in range(3000))]
    lines = [json.dumps({"text": text, "label": f"l{k % 3000}"}) for k, text in enumerate(texts)]
    (folder / "s.jsonl").write_text("\n".join(lines), encoding="utf-8")
    ended = rosenblatt("train", "s.jsonl", "--text", "text", "--r", "1", "--max-iter", "1", "--model", "s.st")
    assert ended.code == 0, ended
    answers = rosenblatt("predict", "s.st", "s.jsonl").out.splitlines()
    assert len(answers) == len(texts)
    assert sum(answer == f"l{k % 3000}" for k, answer in enumerate(answers)) > 2000


def colours(n: int, seed: int = 1) -> str:
    """Rows of two columns of text and a number, of two labels; some rows are wrong."""
    lot = np.random.default_rng(seed)
    words = ["rose", "cherry", "blood", "fire", "sea", "sky", "ink", "ocean", "the", "a", "of", "and"]
    lines = ["title,note,stars,colour"]
    for k in range(n):
        of = words[:4] if k % 2 else words[4:8]
        title, note = (" ".join(lot.choice([*of, *words[8:]], 5)) for _ in range(2))
        lines.append(f"{title},{note},{k % 5},{'red' if k % 2 == (k % 17 > 0) else 'blue'}")
    return "\n".join(lines) + "\n"


def test_a_stream(rosenblatt: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One model of a file in any form, whatever the blocks; it has what that of memory has."""
    table = colours(400)
    (folder / "t.csv").write_text(table, encoding="utf-8")
    (folder / "t.csv.gz").write_bytes(gzip.compress(table.encode()))
    names, *cells = (line.split(",") for line in table.splitlines())
    lines = (json.dumps(dict(zip(names, row, strict=True))) for row in cells)
    (folder / "t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    options = ("--text", "title,note", "--stream", "--model", "m.st")
    models = dict[str, Any]()
    for file in ("t.csv", "t.csv.gz", "t.jsonl"):
        ended = rosenblatt("train", file, *options)
        assert (ended.code, ended.err) == (0, ""), ended
        models[file] = load("m.st")
    sample = models["t.csv"].encoding_.transform("t.csv")
    scores = [model.decision_function(sample).tobytes() for model in models.values()]
    assert len(set(scores)) == 1
    assert rosenblatt("evaluate", "m.st", "t.csv", "--json").result("evaluate")["error"] < 0.1
    assert rosenblatt("predict", "m.st", "t.csv", "--probabilities").code == 0
    assert "title: " in rosenblatt("inspect", "m.st").out
    before = (folder / "m.st").read_bytes()
    for name in ("table", "table_file", "encoding.learn", "encoding.encoding"):
        monkeypatch.setattr(f"rosenblatt.services.files.{name}.BLOCK_ROWS", 64)
    in_blocks = rosenblatt("train", "t.jsonl", *options)
    assert in_blocks.code == 0
    assert (folder / "m.st").read_bytes() == before
    in_memory = rosenblatt("train", "t.csv", "--text", "title,note", "--model", "memory.st", "--json").result("train")
    assert load("m.st").r_ == in_memory["r"]
    perceptron = rosenblatt("train", "t.csv", *options, "--readout", "average")
    assert perceptron.code == 0
    assert type(load("m.st")).__name__ == "Perceptron"


def test_a_stream_that_is_larger_than_its_sample(
    rosenblatt: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rosenblatt.services.stream.texts.SAMPLE", 100)
    (folder / "t.csv").write_text(colours(2000), encoding="utf-8")
    (folder / "new.csv").write_text(colours(1000, seed=2), encoding="utf-8")
    options = ("--text", "title,note", "--stream", "--model", "m.st", "--cache", "t.arrow", "--checkpoint", "t.part")
    assert rosenblatt("train", "t.csv", *options).code == 0
    said = rosenblatt("predict", "m.st", "new.csv", "--probabilities", "--json").result("predict")
    sure = np.max(said["probabilities"], axis=1)
    labels = [line.rsplit(",", 1)[1] for line in colours(1000, seed=2).splitlines()[1:]]
    right = np.mean([a == b for a, b in zip(said["labels"], labels, strict=True)])
    assert abs(sure.mean() - right) < 0.05


def test_the_size_of_a_model(rosenblatt: Any, folder: Path) -> None:
    with (folder / "many.csv").open("w", encoding="utf-8") as file:
        file.write("note,colour\n")
        file.writelines(
            f"{'rose' if k % 2 else 'sky'} {k}x{k} {k}y{k},{'red' if k % 2 else 'blue'}\n" for k in range(900)
        )
    train = ("train", "many.csv", "--text", "note", "--model", "m.st")
    said = rosenblatt(*train, "--size", "20kB", "--json").result("train")
    assert said["left_out"] > 1000
    assert -1 <= said["cost"] <= 1
    assert (folder / "m.st").stat().st_size <= 20_000
    assert "left_out" not in rosenblatt(*train, "--json").result("train")
    assert "size" in rosenblatt(*train, "--max-size", "small").err
    assert (
        "size"
        in rosenblatt(
            "train", "many.csv", "--label", "colour", "--categorical", "note", "--model", "m.st", "--max-size", "1MB"
        ).err
    )
