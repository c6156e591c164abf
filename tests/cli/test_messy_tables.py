"""CSV as people have it: a refusal names the option that reads it, and a model remembers how its table was read."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TRAIN = ("--max-iter", "3", "--missing", "mean", "--model", "m.safetensors")


@pytest.fixture
def write(folder: Path) -> Callable[..., str]:
    """Write a file with some rows, all of one kind; its name."""

    def write(name: str, first: str, row: Callable[[int, random.Random], str], encoding: str = "utf-8") -> str:
        chance = random.Random(7)
        text = first + "".join(row(k, chance) + "\n" for k in range(40))
        (folder / name).write_bytes(text.encode(encoding))
        return name

    return write


def german(k: int, _: random.Random) -> str:
    return f"{'?' if k % 7 == 3 else f'1.{k:03},5'};{k % 28 + 1:02}.03.2024;{'ja' if k % 3 else 'nein'}"


GERMAN = ("--decimal", ",", "--thousands", ".", "--na", "?")


def test_each_verb_reads_what_it_is_told_to(rosenblatt: Any, write: Any) -> None:
    file = write("umsatz.csv", "umsatz;tag;ok\n", german)
    said = rosenblatt("train", file, *TRAIN)
    assert said.err.startswith("error: umsatz.csv:2:1: expected a number (or --decimal , for a decimal comma")
    assert rosenblatt("train", file, *GERMAN, *TRAIN).code == 0
    columns = rosenblatt("inspect", file, *GERMAN, "--missing", "mean", "--json").result("inspect_table")["columns"]
    assert [(one["type"], one["n_missing"]) for one in columns] == [("number", 6), ("date", 0), ("text", 0)]
    assert (columns[0]["least"], columns[0]["most"]) == (1000.5, 1039.5)
    for words in (
        ("train", file, "--stream", *TRAIN),
        ("tune", file, "--missing", "mean", "--try", "max_iter=1,2", "--test", file),
        ("certify", file, "--missing", "mean"),
        ("convert", file, "out.csv"),
    ):
        assert rosenblatt(*words, *GERMAN).code in (0, 3), words
    out = rosenblatt("convert", file, "-", "--to", "csv", *GERMAN).out.splitlines()
    assert out[1:5] == ["1000.5,01.03.2024,nein", "1001.5,02.03.2024,ja", "1002.5,03.03.2024,ja", ",04.03.2024,nein"]


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_a_model_remembers(rosenblatt: Any, write: Any, stream: list[str]) -> None:
    file = write("umsatz.csv", "umsatz;tag;ok\n", german)
    rosenblatt("train", file, *stream, *GERMAN, *TRAIN)
    answers = rosenblatt("predict", "m.safetensors", file, "--scores")
    assert (answers.code, answers.err) == (0, "")
    assert rosenblatt("evaluate", "m.safetensors", file).code == 0
    # the same rows, written otherwise
    row = lambda k, _: f"{'' if k % 7 == 3 else 1000.5 + k};2024-03-{k % 28 + 1:02}"  # noqa: E731
    other = write("sales.csv", "umsatz;tag\n", row)
    told = rosenblatt("predict", "m.safetensors", other, "--scores", "--decimal", ".", "--thousands", ",")
    assert told.out == answers.out
    assert rosenblatt("predict", "m.safetensors", other).code == 1
    notation = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")["encoding"]["notation"]
    assert (notation["decimal"], notation["thousands"], notation["na"]) == (",", ".", ["?"])


def test_a_table_without_a_header(rosenblatt: Any, write: Any) -> None:
    file = write("rows.csv", "", lambda k, c: f"{'north' if k % 2 else 'south'},{k},{c.random():.3f}")
    said = rosenblatt("train", file, "--label", "south", *TRAIN)
    assert said.err.startswith(
        "warning: rows.csv: the first line is taken for a header, but looks like data ('0'). If it is a row, say "
        "--no-header, and name the columns with --names; if it is a header, say --header\n"
    )
    assert "first line" not in rosenblatt("train", file, "--header", "--label", "south", *TRAIN).err
    for words in (["--no-header", "--label", "x1"], ["--names", "where,n,x", "--label", "where"]):
        said = rosenblatt("train", file, *words, *TRAIN, "--json")
        assert said.result("train")["n_rows"] == 40
        assert said.result("train")["classes"] == ["north", "south"]
        answers = rosenblatt("predict", "m.safetensors", file)
        assert (len(answers.out.splitlines()), answers.err) == (40, "")
        new = write("new.csv", "", lambda k, c: f"{k},{c.random():.3f}")  # without the label
        assert rosenblatt("predict", "m.safetensors", new).code == 0
        assert rosenblatt("evaluate", "m.safetensors", file).code == 0
    said = rosenblatt("train", file, "--names", "a,b", *TRAIN)
    assert said.err == "error: rows.csv:1:1: expected 3 names, as many as the first row has cells, found 2 (--names)\n"


def test_amounts_and_shares_are_numbers(rosenblatt: Any, write: Any) -> None:
    def row(k: int, _: random.Random) -> str:
        income = "" if k == 4 else f'"${k},{k:03}.50"'
        return f"{income},{k}%,{k % 12 + 1}/{k % 28 + 1}/2023,{k % 2}"

    file = write("pay.csv", "income,share,when,y\n", row)
    said = rosenblatt("train", file, *TRAIN)
    assert "pay.csv:2:3: expected a date as 2024-05-31 (or --date-order dmy or mdy" in said.err
    said = rosenblatt("train", file, *TRAIN, "--date-order", "mdy", "--json")
    assert said.result("train")["n_features"] == 3
    assert "warning: income: read as numbers without their '$'; as text they would be categories" in said.err
    assert "warning: share: read as numbers without their '%'" in said.err
    out = rosenblatt("convert", file, "-", "--to", "csv", "--date-order", "mdy").out.splitlines()
    assert out[3:6] == ["2002.5,2,3/3/2023,0", "3003.5,3,4/4/2023,1", ",4,5/5/2023,0"]
    # cents, and no sign at all
    new = write("new.csv", "income,share,when\n", lambda k, _: f"{k}.25,{k},{k % 12 + 1}/1/2024")
    assert rosenblatt("predict", "m.safetensors", new).code == 0


def test_hexadecimal_names_stay_text(rosenblatt: Any, write: Any) -> None:
    def row(k: int, chance: random.Random) -> str:
        return f"{5762762620379089 if k in (0, 20) else f'a{chance.getrandbits(60):015x}'},{k},{k % 2}"

    file = write("ids.csv", "id,v,y\n", row)
    columns = rosenblatt("inspect", file, "--json").result("inspect_table")["columns"]
    assert [one["type"] for one in columns] == ["text", "whole number", "whole number"]
    said = rosenblatt("train", file, *TRAIN, "--json")
    assert said.result("train")["n_features"] == 39 + 1
    assert "warning: id: 39 values in 40 rows" in said.err


def test_names_that_begin_as_numbers_are_told_what_takes_them(rosenblatt: Any, write: Any) -> None:
    file = write("late.csv", "id,v,y\n", lambda k, _: f"{8000 + k if k < 30 else f'82bac{k}'},{k},{k % 2}")
    said = rosenblatt("train", file, *TRAIN)
    assert said.err == (
        "error: late.csv:32:1: expected a number (or --categorical, --text or --ignore in training, if the column has "
        "names), found '82bac30' (column id)\n"
    )
    for word in ("--categorical", "--text", "--ignore"):
        assert rosenblatt("train", file, word, "id", *TRAIN).code == 0


def test_what_pandas_writes(rosenblatt: Any, folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"v": [1.5, None, 3.0, 2.0], "y": ["a", "b", "a", "b"]}).to_csv(folder / "p.csv")
    said = rosenblatt("train", "p.csv", *TRAIN, "--json")
    assert said.result("train")["n_features"] == 1
    assert "warning: p.csv: the first column has no name, so it is probably an index" in said.err
    assert rosenblatt("train", "p.csv", *TRAIN, "--json", "--ignore", "index").err.count("warning") == 0
    named = rosenblatt("train", "p.csv", *TRAIN, "--json", "--header", "--names", "n,v,y")
    assert named.result("train")["n_features"] == 2
    assert rosenblatt("predict", "m.safetensors", "p.csv", "--header", "--names", "n,v,y").code == 0


def test_names_that_come_again_are_numbered(rosenblatt: Any, folder: Path) -> None:
    (folder / "t.csv").write_text("x,x,x.1,y\n1,5,9,a\n2,6,8,b\n")
    said = rosenblatt("inspect", "t.csv", "--json")
    assert [one["name"] for one in said.result("inspect_table")["columns"]] == ["x", "x.2", "x.1", "y"]
    assert said.err == (
        "warning: t.csv: columns with the same name are numbered: 'x.2' (cell 2); if the first line is no header, say "
        "--no-header\n"
    )


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "shift_jis", "utf-8-sig"])
def test_other_encodings(rosenblatt: Any, write: Any, encoding: str) -> None:
    word = {"shift_jis": "天気"}.get(encoding, "größe")
    file = write("t.csv", f"{word},y\n", lambda k, _: f"{word if k % 2 else 'x'},{k % 2}", encoding)
    said = rosenblatt("train", file, *TRAIN)
    if encoding != "utf-8-sig":
        assert said.code == 1
        likely = "(or --encoding utf-16, which" if encoding == "utf-16" else "--encoding"
        assert "t.csv:1:1: expected UTF-8 (or " in said.err
        assert likely in said.err
        said = rosenblatt("train", file, "--encoding", encoding, *TRAIN)
    assert said.code == 0
    assert rosenblatt("predict", "m.safetensors", file).out.splitlines()[:4] == ["0", "1", "0", "1"]
    names = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")["feature_names"]
    assert names == sorted([f"{word}={word}", f"{word}=x"])


def test_an_encoding_that_is_another(rosenblatt: Any, folder: Path) -> None:
    (folder / "t.csv").write_bytes("a,größe\n1,2\n".encode("latin-1"))
    said = rosenblatt("inspect", "t.csv", "--encoding", "ascii")
    assert said.err == "error: t.csv:1:2: expected text in ascii, found bytes that are none\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--decimal", "ab"], "expected one character before the decimals, as . or ,, found 'ab'"),
        (["--thousands", "5"], "expected one character between groups of digits, found '5'"),
        (["--names", "a,a"], "expected a name of its own for each column, found ['a', 'a']"),
        (["--encoding", "klingon"], "expected how characters are written, as utf-8, latin-1, cp1252 or utf-16, found"),
        (["--encoding", "rot13"], "expected how characters are written"),
        (["--date-order", "ymd"], "is not one of 'dmy', 'mdy'"),
    ],
)
def test_wrong_words_are_wrong_usage(rosenblatt: Any, words: list[str], said: str) -> None:
    ended = rosenblatt("inspect", "and.csv", *words)
    assert ended.code == 2
    assert said in " ".join(ended.err.split())


def test_marks_that_are_the_same(rosenblatt: Any) -> None:
    said = rosenblatt("inspect", "and.csv", "--decimal", ",", "--thousands", ",")
    assert said.err == "error: thousands: expected another character than that before the decimals, found ','\n"
