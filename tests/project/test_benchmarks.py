"""Tables of the benchmarks run, on small data; their seconds are not looked at."""

import gzip
import json
import lzma
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def bench(*words: str) -> Any:
    """What `python -m benchmarks` prints, as JSON."""
    command = [sys.executable, "-m", "benchmarks", *words, "--quick", "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_kernel() -> None:
    passes, beside, few = (table["rows"] for table in bench("kernel")["tables"])
    one, ten = passes[1], passes[4]
    assert (one[""], ten[""]) == ("one pass", "ten passes, cache of 2.5 GB")
    assert one["mistakes"] < ten["mistakes"]
    assert one["vectors"] <= ten["vectors"]
    assert {row["mistakes"] for row in passes[1:4]} == {one["mistakes"]}  # whatever the cache and the threads
    names = [row[""] for row in beside]
    assert sum(name.startswith("ours") for name in names) == 2
    assert "SVC(C=10)" in names
    assert max(row["error %"] for row in beside) < 10
    assert len(few) >= 3


def test_pipeline() -> None:
    scores, costs = (table["rows"] for table in bench("pipeline")["tables"])
    assert [row["from"] for row in scores] == ["text", "tokens", "tags"]
    assert [row["whose"] for row in scores] == ["ours"] * 3
    assert scores[1]["Words"] == 100
    assert 0 < scores[0]["LAS"] <= scores[1]["LAS"] <= scores[2]["LAS"] <= 100
    assert costs[0]["words/s"] > 0


def test_choosing() -> None:
    *sets, streams = (table["rows"] for table in bench("choosing")["tables"])
    assert len(sets) == len(streams) == 6  # IMDB, 20 Newsgroups, RCV1-like, images, digits, breast cancer
    for rows in sets:
        by_name = {row[""]: row for row in rows}
        assert list(by_name)[:5] == ["perceptron", "perceptron, margin", "pa1", "pa2", "arow"]
        assert by_name["arow"]["vote"] is None
        assert all(0 < row[readout] < 100 for row in rows for readout in ("last", "average"))
    digits = {row[""]: row for row in sets[4]}
    assert digits["kernel rbf"]["pocket"] is None
    assert digits["kernel rbf"]["average"] < digits["perceptron"]["average"] < 10
    assert streams[4]["perceptron, average"] < streams[4]["perceptron, last"]


def test_defaults() -> None:
    models, sets = (table["rows"] for table in bench("defaults")["tables"])
    by_name = {row[""]: row for row in models}
    assert list(by_name)[:2] == ["LogisticRegression()", "rosenblatt train"]
    assert by_name["LogisticRegression()"]["gap"] == 0
    assert by_name["rosenblatt train"]["error"] < by_name["Perceptron()"]["error"] < 20
    assert [row[""] for row in sets] == ["iris", "wine", "breast cancer", "digits"]


@pytest.mark.parametrize("name", ["flowers", "numbers"])
def test_small_tables(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.small_tables import read

    rows = [f"{k}, {'red' if k % 2 else '?'}, {'a' if k < 25 else 'b'}" for k in range(40)] + ["40, red, c"]
    kind = {"flowers": "{a, b, c}", "numbers": "real"}[name]
    head = ["% a comment", "@relation x", "@attribute size REAL", "@ATTRIBUTE 'a colour' {red, blue}"]
    file = tmp_path / f"{name}.arff.xz"
    file.write_bytes(lzma.compress("\n".join([*head, f"@attribute Class {kind}", "@data", *rows]).encode()))
    found = list(read(file))
    if name == "numbers":  # nothing to be chosen between
        assert found == []
        return
    (table,) = found
    assert (table.name, len(table.y), sorted(set(table.y))) == ("flowers", 40, ["a", "b"])  # one row of c is too few
    part = table.split(0)
    assert (part.X.shape, part.X_test.shape) == ((28, 2), (12, 2))
    np.testing.assert_allclose([part.X[:, 0].mean(), part.X[:, 0].std()], [0, 1], atol=1e-12)
    assert (part.X[:, 1] == 1).all()  # what is missing is as most are


def test_text(tmp_path: Path) -> None:
    table, several, speed = (table["rows"] for table in bench("text", "--cache", str(tmp_path))["tables"])
    names = [row[""] for row in table]
    assert names[:2] == ["rosenblatt train --text", "rosenblatt train --text --max-size 2MB"]
    assert names[2:5] == ["LinearSVC", "LogisticRegression", "ComplementNB"]
    assert all(row["accuracy"] > 0.9 and row["model MB"] > 0 for row in table)
    assert all(0 <= row["ECE"] < 0.1 for row in table[:2])
    assert [row[""] for row in several] == ["rosenblatt train --label-separator", "LinearSVC words", "LinearSVC pairs"]
    assert all(row["micro F1"] > 0.9 and row["macro F1"] > 0.9 for row in several)
    assert [row["a CPU second"] > 0 for row in speed] == [True] * 3


def test_certify() -> None:
    (table,) = bench("certify")["tables"]
    answers = [(row["answer"], row["program"]) for row in table["rows"]]
    assert len(answers) == 13  # two sizes of four, three like text, two real ones
    assert all(ours.partition(",")[0] == program for ours, program in answers)
    assert [ours for ours, _ in answers[8:11]] == ["yes", "yes", "no"]  # sparse rows


def test_shards() -> None:
    linear, on_cluster, tagger = (table["rows"] for table in bench("shards")["tables"])
    *ours, peer = linear
    assert [row[""] for row in ours[:3]] == ["1 shard, 1 thread", "2 shards, 1 thread", "2 shards, 2 threads"]
    assert (len(ours), peer["who"]) == (7, "sklearn SGDClassifier(average=True)")
    assert all(0 < row[f"error {passes}"] < 0.5 for row in [*ours, peer] for passes in (3, 10))
    for one, two in zip(ours[1::2], ours[2::2], strict=True):  # the same run, whatever the threads
        assert [one[name] for name in one if name.startswith("error")] == [two[n] for n in two if n.startswith("error")]
    assert ours[0]["passes to one's 6"] <= 6
    assert [row[""] for row in tagger] == [row[""] for row in ours]
    assert all(row["F1 10"] > 50 for row in tagger)
    assert [row["as one machine"] for row in on_cluster if row[""].endswith("shards")] == ["yes"] * 3


def test_freund_schapire() -> None:
    page = ROOT / "docs" / "why" / "freund_schapire.md"
    before = page.exists() and page.stat().st_mtime_ns
    first, second = ({row[""]: row for row in table["rows"]} for table in bench("freund_schapire")["tables"])
    assert next(iter(first)) == "vote"
    assert list(first)[-2:] == ["support vectors", "mistakes"]
    assert second["mistakes"]["T = 10"] < first["mistakes"]["T = 10"]  # of the quadratic kernel
    for table in (first, second):
        assert table["vote"]["T = 1"] < table["last"]["T = 1"]
        counts = list(table["mistakes"].values())[1:]
        assert counts == sorted(counts)
    assert (page.exists() and page.stat().st_mtime_ns) == before  # only MNIST is written down


def test_parser() -> None:
    (rows,) = (table["rows"] for table in bench("parser")["tables"])
    assert [row["tags"] for row in rows] == ["gold", "gold", "predicted"]
    assert all(50 < row["LAS"] <= row["UAS"] <= 100 for row in rows)
    assert rows[0]["LAS"] > 75  # the templates that come with it, tags that are all right
    assert rows[0]["LAS"] > rows[2]["LAS"]  # the same with tags of taggers
    assert rows[1]["model MB"] < rows[0]["model MB"]


def test_startup() -> None:
    small, shell = (table["rows"] for table in bench("startup")["tables"])
    least, baseline, *verbs = small
    assert (least[""], baseline[""]) == ("python -c pass", "python -c 'import numpy, click'")
    assert baseline["CPU / baseline"] == baseline["MB / baseline"] == 1
    names = {row[""] for row in verbs}
    assert names >= {"predict (svmlight)", "predict (CSV)", "inspect (model)", "tag run", "trace", "certify", "train"}
    # The process that measures is larger than all of these: none of them has its peak.
    assert least["peak MB"] < 0.7 * baseline["peak MB"]
    assert min(row["peak MB"] for row in verbs) > least["peak MB"]
    ours = [row[""] for row in shell if row[""].endswith("ours")]
    assert ours == ["tag the test file: ours", "train, 10 passes: ours", "EWT, XPOS: train, 10 passes: ours"]


def test_tables(tmp_path: Path) -> None:
    (table,) = bench("tables", "--cache", str(tmp_path))["tables"]
    rows = {row[""]: row for row in table["rows"]}
    theirs = rows["pandas, ColumnTransformer, SGDClassifier"]
    assert 0 < rows["train"]["error"] < 0.5
    assert 0 < theirs["error"] < 0.5
    # One encoding and one pass: the same model, wherever the rows come from.
    assert (
        rows["train"]["error"]
        == rows["train, Parquet"]["error"]
        == rows["in Python: TableEncoding, Perceptron"]["error"]
    )
    assert rows["train --stream"]["error"] > 0
    assert all(row["MB a CPU second"] > 0 for row in table["rows"])


def test_the_peak_of_a_process_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.processes import cost

    own = "import re; print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    said = subprocess.run([sys.executable, "-c", own], capture_output=True, text=True, check=True)
    here = np.ones(100 << 17)  # 100 MB
    took = cost([sys.executable, "-c", "pass"])
    assert here.nbytes / 2**20 == 100
    assert took.peak == pytest.approx(int(said.stdout) / 1024, abs=3)
    assert cost([sys.executable, "-c", "b'1' * (50 << 20)"]).peak == pytest.approx(took.peak + 50, abs=3)
    with pytest.raises(RuntimeError, match=r"(?s)exit code 3.*no model"):
        cost([sys.executable, "-c", "import sys; print('no model', file=sys.stderr); sys.exit(3)"])


@pytest.fixture
def idx_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(ROOT)
    for part, rows in (("train", 3), ("t10k", 2)):
        images, labels = np.arange(rows * 4, dtype=np.uint8), np.arange(rows, dtype=np.uint8)
        header = b"\0\0\x08\x03" + np.array([rows, 2, 2], ">u4").tobytes()
        (tmp_path / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(header + images.tobytes()))
        header = b"\0\0\x08\x01" + np.array([rows], ">u4").tobytes()
        (tmp_path / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(header + labels.tobytes()))
    return tmp_path


def test_idx_files(idx_files: Path) -> None:
    from benchmarks.images import load

    images = load(idx_files)
    np.testing.assert_array_equal(images.X * 255, np.arange(12).reshape(3, 4))
    assert images.X.dtype == np.float32
    assert images.y.tolist() == [0, 1, 2]
    assert len(images.y_test) == 2
    assert not images.whole
    (idx_files / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(b"\0\0\x0d\x01"))
    with pytest.raises(ValueError, match=r"train-labels.*expected an idx file of unsigned bytes"):
        load(idx_files)
