"""`rosenblatt train --probabilities`, and what `predict` shows of them: all, the best few, or only sure answers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from rosenblatt import load, read_svmlight, write_svmlight


@pytest.fixture(scope="module")
def blobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    X, y = make_blobs(300, centers=3, cluster_std=4.0, random_state=0)
    path = tmp_path_factory.mktemp("blobs") / "blobs.svm"
    write_svmlight(X, y, path)
    return path


@pytest.mark.parametrize("options", [(), ("--kernel", "rbf"), ("--shards", "2", "--max-iter", "5")], ids=str)
def test_train_and_predict(rosenblatt: Any, blobs: Path, options: tuple[str, ...]) -> None:
    assert rosenblatt("train", str(blobs), "--probabilities", "--model", "m.st", *options).code == 0
    model = load("m.st")
    said = rosenblatt("predict", "m.st", str(blobs), "--probabilities", "--json").result("predict")
    p = model.predict_proba(read_svmlight(blobs)[0])
    np.testing.assert_array_equal(said["probabilities"], p)
    sure = rosenblatt("predict", "m.st", str(blobs), "--threshold", "0.6", "--json").result("predict")["labels"]
    assert sure == [label if q.max() >= 0.6 else None for label, q in zip(said["labels"], p, strict=True)]
    assert None in sure
    lines = rosenblatt("predict", "m.st", str(blobs), "--threshold", "0.6").out.splitlines()
    assert [float(line) if line else None for line in lines] == sure


def test_the_best_few(rosenblatt: Any, blobs: Path) -> None:
    rosenblatt("train", str(blobs), "--probabilities", "--model", "m.st")
    said = rosenblatt("predict", "m.st", str(blobs), "--probabilities", "--json").result("predict")
    top = rosenblatt("predict", "m.st", str(blobs), "--top-k", "2", "--json").result("predict")
    assert top["labels"] == said["labels"] == [best[0][0] for best in top["top"]]
    assert [[q for _, q in best] for best in top["top"]] == [sorted(p)[:0:-1] for p in said["probabilities"]]
    lines = rosenblatt("predict", "m.st", str(blobs), "--top-k", "2").out.splitlines()
    assert [line.split("\t")[0::2] for line in lines] == [[str(int(c)) for c, _ in best] for best in top["top"]]
    both = rosenblatt("predict", "m.st", str(blobs), "--top-k", "3", "--threshold", "0.3", "--json").result("predict")[
        "top"
    ]
    assert all(q >= 0.3 for best in both for _, q in best)
    assert {1, 2} <= {len(best) for best in both}
    none = rosenblatt("predict", "m.st", str(blobs), "--top-k", "3", "--threshold", "1").out
    assert "\n\n" in none  # no label at all


def test_scores_where_there_are_no_probabilities(rosenblatt: Any) -> None:
    rosenblatt("train", "and.csv", "--model", "and.st")
    top = rosenblatt("predict", "and.st", "and.csv", "--top-k", "2", "--json").result("predict")["top"]
    scores = rosenblatt("predict", "and.st", "and.csv", "--scores", "--json").result("predict")["scores"]
    assert [best[0][1] for best in top] == np.abs(scores).tolist()
    ended = rosenblatt("predict", "and.st", "and.csv", "--threshold", "0.5")
    assert (ended.code, ended.err) == (
        1,
        "error: and.st: expected a model with probabilities, found a Perceptron with scores alone\n",
    )


def test_wrong_usage(rosenblatt: Any, blobs: Path) -> None:
    rosenblatt("train", str(blobs), "--probabilities", "--model", "m.st")
    for options, message in (
        (("--threshold", "1.5"), "1.5 is not in the range 0<=x<=1"),
        (("--top-k", "0"), "0 is not in the range x>=1"),
        (("--scores", "--top-k", "2"), "--scores, --top-k: expected one of them, found 2"),
    ):
        ended = rosenblatt("predict", "m.st", str(blobs), *options)
        assert ended.code == 2
        assert message in ended.err
    ended = rosenblatt("train", str(blobs), "--probabilities", "--stream", "--model", "s.st")
    assert ended.code != 0
    assert "probabilities: expected False to learn from a file" in " ".join(ended.err.split())
