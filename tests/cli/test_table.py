"""CSV tables: what is read, and the message for what is not; svmlight text has its own, which come through."""

import gzip
from pathlib import Path
from typing import Any

import pytest

BAD = Path(__file__).parents[1] / "files" / "bad"
MESSAGES = (BAD / "messages.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x1,x2,y\n0,0,-1\n0,abc,-1\n", "3:2: expected a number, found 'abc' (column x2)"),
        (
            "x1,x2,y\n0,,-1\n",
            "2:2: expected a value, or a policy for missing ones in training (--missing: zero, mean or indicator), "
            "found nothing (column x2)",
        ),
        (
            "x1,x2,y\n0,nan,-1\n",
            "2:2: expected a value, or a policy for missing ones in training (--missing: zero, mean or indicator), "
            "found 'nan', which --na takes for nothing (column x2)",
        ),
        ("x1,x2,y\n0,inf,-1\n", "2:2: expected a number, found 'inf' (column x2)"),
        ("x1,x2,y\n0,1e999,-1\n", "2:2: expected a number, found '1e999' (column x2)"),
        ("x1,x2,y\n0,1_0,-1\n", "2:2: expected a number, found '1_0' (column x2)"),
        ("x1,x2,y\n0,1/0,-1\n", "2:2: expected a number, found '1/0' (column x2)"),
        ("x1,x2,y\n0,1,\n", "2:3: expected a label, found nothing (column y)"),
        ("x1,x2,y\n0,1\n", "2:3: expected 3 cells, as in the header, found 2"),
        ("x1,x2,y\n\n0,1,2,3\n", "3:4: expected 3 cells, as in the header, found 4"),
        ("", "1:1: expected a header with the names of the columns, found the end of the file"),
        (
            "0,1,2\n",
            "1:1: expected a header with the names of the columns (or --no-header if there is none, --header if these "
            "are names), found the number '0'",
        ),
        ("x1,,y\n0,1,2\n", "1:2: expected a name for each column (or --header --names), found ''"),
        ("x1,x2,y\n", "2:1: expected a row, found the end of the file"),
        ("y\n1\n", "1:1: expected a column besides the labels and those to be ignored, found y"),
        ('x1,y\n"0,1\n', "2:1: expected CSV, found an error: unexpected end of data"),
    ],
)
def test_message(rosenblatt: Any, folder: Path, text: str, said: str) -> None:
    (folder / "bad.csv").write_text(text, encoding="utf-8")
    ended = rosenblatt("train", "bad.csv", "--model", "m.safetensors")
    assert ended == (1, "", f"error: bad.csv:{said}\n")


def test_a_label_that_is_not_there(rosenblatt: Any) -> None:
    said = "error: and.csv:1:1: expected a column 'z', found x1, x2, y\n"
    assert rosenblatt("train", "and.csv", "--label", "z", "--model", "m.safetensors") == (1, "", said)


def test_not_utf8_and_cut_off(rosenblatt: Any, folder: Path) -> None:
    (folder / "bad.csv").write_bytes(b"x,y\n1,\xff\n")
    assert rosenblatt("inspect", "bad.csv") == (
        1,
        "",
        "error: bad.csv:2:2: expected UTF-8 (or its --encoding, or --encoding-errors replace), found the byte 0xff\n",
    )
    packed = gzip.compress(b"x,y\n" + b"".join(b"%d,%d\n" % (i * i, i % 2) for i in range(9999)))
    (folder / "cut.csv.gz").write_bytes(packed[:-2000])
    ended = rosenblatt("inspect", "cut.csv.gz")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: cut.csv.gz:")
    assert "expected more gzip data, found" in ended.err


def test_what_is_read(rosenblatt: Any, folder: Path) -> None:
    # a byte order mark, CRLF, blanks, quotes, a blank line, a label that is not the last column
    text = '\ufeffkind,"height, cm", x\r\nb,+1,.5\r\n\r\na, 1e1 ,-2.\r\n"b",1/4,0\r\n'
    (folder / "t.csv").write_bytes(text.encode())
    said = rosenblatt("train", "t.csv", "--label", "kind", "--model", "m.safetensors", "--json").result("train")
    assert (said["n_features"], said["classes"], said["n_rows"]) == (2, ["a", "b"], 3)
    out = rosenblatt("convert", "t.csv", "-", "--to", "csv", "--label", "kind").out
    assert out == '"height, cm",x,kind\n1,0.5,b\n10,-2,a\n0.25,0,b\n'


@pytest.mark.parametrize("message", MESSAGES)
def test_bad_svmlight_text_has_its_message(rosenblatt: Any, monkeypatch: Any, message: str) -> None:
    monkeypatch.chdir(BAD)
    assert rosenblatt("inspect", message.partition(":")[0]) == (1, "", f"error: {message}\n")


def test_a_table_taken_for_svmlight_text(rosenblatt: Any) -> None:
    ended = rosenblatt("inspect", stdin=b"x1,y\n0,1\n")
    assert ended == (1, "", "error: -: expected svmlight text, found 'x1,y'; a CSV table is read with --from csv\n")


def test_round_trip(rosenblatt: Any, folder: Path) -> None:
    for there, back in (("a.svm", "b.csv"), ("a.svm.gz", "b.csv.xz"), ("a.csv.bz2", "b.svm")):
        assert rosenblatt("convert", "data.svm", there) == (0, "", "")
        assert rosenblatt("convert", there, back) == (0, "", "")
        assert rosenblatt("convert", back, "-").out == rosenblatt("convert", "data.svm", "-").out
    with gzip.open(folder / "a.svm.gz", "rt") as file:
        assert file.read() == (folder / "a.svm").read_text(encoding="utf-8")
    assert rosenblatt("convert", "data.svm", "-").out.startswith("1 1:-1.")


def test_convert_writes_all_or_nothing(rosenblatt: Any, folder: Path) -> None:
    (folder / "bad.svm").write_text("1 1:1\n1 1:x\n", encoding="utf-8")
    (folder / "out.csv").write_text("as it was", encoding="utf-8")
    before = sorted(folder.iterdir())
    assert rosenblatt("convert", "bad.svm", "out.csv").code == 1
    (folder / "blank.csv").write_text("x,y\n1,a b\n2,c\n", encoding="utf-8")
    ended = rosenblatt("convert", "blank.csv", "out.csv", "--to", "svmlight")
    assert (ended.code, ended.out) == (1, "")
    assert "'a b'" in ended.err
    (folder / "blank.csv").unlink()
    assert sorted(folder.iterdir()) == before
    assert (folder / "out.csv").read_text(encoding="utf-8") == "as it was"


def test_the_first_index(rosenblatt: Any) -> None:
    def features(*args: str) -> int:
        ended = rosenblatt("inspect", *args, "--json", stdin=b"1 1:1\n2 2:1\n")
        return int(ended.result("inspect_data")["n_features"])

    assert (features(), features("--zero-based", "yes"), features("--n-features", "7")) == (2, 3, 7)
    ended = rosenblatt("inspect", "--n-features", "1", stdin=b"1 1:1\n2 2:1\n")
    assert ended == (1, "", "error: <stdin>:2:3: expected an index of at most 1, found '2'\n")
