"""`rosenblatt parse`: the models, trees and counts of Python, from files and pipes, with clear errors."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import DependencyParser, SequenceTagger, attachment_scores, load, read_conll
from rosenblatt.data.treebank import load_treebank
from rosenblatt.services.sentences.parsing import read_trees, score_trees, tag_all

TRAIN = ("parse", "train", "treebank.conllu", "--model", "p.safetensors")


@pytest.fixture
def model(rosenblatt: Any) -> DependencyParser:
    """In a file as well."""
    assert rosenblatt(*TRAIN, "--max-iter", "3").code == 0
    fitted: DependencyParser = DependencyParser(max_iter=3).fit_file("treebank.conllu")
    return fitted


def tagged_text(tagger: Any, text: bytes, folds: int = 0) -> bytes:
    """The text with the tags of a tagger, or of others like it that have not seen the sentences."""
    return tag_all(read_conll(io.BytesIO(text), format="conllu"), [tagger], folds=folds).text


def same(a: DependencyParser, b: DependencyParser) -> bool:
    arrays = [model._model.weights.arrays() for model in (a, b)]
    return all(np.array_equal(x, y) for x, y in zip(*arrays, strict=True))


def test_the_model_of_python(rosenblatt: Any, model: DependencyParser, folder: Path) -> None:
    assert same(load("p.safetensors"), model)
    text = (folder / "treebank.conllu").read_bytes()
    assert rosenblatt("parse", "train", *TRAIN[3:], "--max-iter", "3", stdin=text).code == 0
    assert same(load("p.safetensors"), model)
    args = ("--templates", "lean", "--columns", "form,xpos", "--exploration", "0", "--seed", "3", "--max-iter", "2")
    assert rosenblatt(*TRAIN, *args).code == 0
    words: Any = {"templates": "lean", "exploration": 0, "random_state": 3, "max_iter": 2}
    assert same(load("p.safetensors"), DependencyParser(**words).fit_file("treebank.conllu", columns=["form", "xpos"]))


def test_dev_and_json(rosenblatt: Any, json_of: Any) -> None:
    ended = rosenblatt(*TRAIN, "--dev", "treebank.conllu", "--max-iter", "4", "--json")
    passes = [json_of(line, "tag_pass") for line in ended.err.splitlines()]
    expected = DependencyParser(max_iter=4).fit_file("treebank.conllu", dev="treebank.conllu")
    assert [one["score"] for one in passes] == expected.validation_scores_.tolist()
    said = ended.result("parse_train")
    assert (said["kept_pass"], said["pruned"]) == (expected.kept_pass_, expected.pruned_)
    assert (said["n_weight_rows"], said["score"]) == (expected.n_weight_rows_, expected.validation_scores_.max())
    lines = rosenblatt(*TRAIN, "--dev", "treebank.conllu", "--max-iter", "1").err
    share = 100 * expected.validation_scores_[0]
    assert lines == f"pass 1: {expected.mistakes_[0]} wrong actions, held-out LAS {share:.2f} %\n"


def test_parsing(rosenblatt: Any, model: DependencyParser, folder: Path) -> None:
    model.parse_file("treebank.conllu", out := io.BytesIO())
    assert rosenblatt("parse", "run", "p.safetensors", "treebank.conllu") == (0, out.getvalue().decode(), "")
    text = (folder / "treebank.conllu").read_bytes()
    assert rosenblatt("parse", "run", "p.safetensors", stdin=text).out == out.getvalue().decode()
    assert rosenblatt("parse", "run", "p.safetensors", "treebank.conllu", "-o", "out.conllu") == (0, "", "")
    assert (folder / "out.conllu").read_bytes() == out.getvalue()
    assert rosenblatt("parse", "run", "p.safetensors", stdin=b"") == (0, "", "")
    assert rosenblatt("parse", "run", "p.safetensors", stdin=b"\n\n") == (0, "\n\n", "")


def test_counting(rosenblatt: Any, model: DependencyParser) -> None:
    sentences, heads, labels = load_treebank()
    tags = [[(token[1], token[3]) for token in sentence] for sentence in sentences]
    rosenblatt("parse", "run", "p.safetensors", "treebank.conllu", "-o", "out.conllu")
    scores = score_trees("treebank.conllu", "out.conllu")
    of_trees = attachment_scores((heads, labels), model.predict(sentences), gold_tags=tags, tags=tags)
    words = [score for name, score in scores.table.items() if name not in ("UAS", "LAS", "CLAS", "MLAS", "BLEX")]
    assert [score.f1 for score in words] == [1] * 8  # they are those of the file
    assert replace(scores, table={}) == replace(of_trees, table={})
    assert {name: scores.table[name] for name in of_trees.table} == of_trees.table
    assert rosenblatt("parse", "eval", "p.safetensors", "treebank.conllu") == (0, f"{scores}\n", "")
    assert rosenblatt("parse", "eval", "treebank.conllu", "out.conllu").out == f"{scores}\n"
    said = rosenblatt("parse", "eval", "p.safetensors", "treebank.conllu", "--json").result("parse_eval")
    assert {name: said[name] for name in ("uas", "las", "clas", "mlas")} == {
        name: getattr(scores, name) for name in ("uas", "las", "clas", "mlas")
    }
    assert said["by_label"]["det"]["gold"] == scores.by_label["det"].gold


def test_a_tagger_before_the_parser(rosenblatt: Any, folder: Path) -> None:
    train = ("tag", "train", "treebank.conllu", "--tag", "xpos", "--max-iter", "3", "--model", "x.safetensors")
    assert rosenblatt(*train).code == 0
    tagger = load("x.safetensors")._model
    text = (folder / "treebank.conllu").read_bytes()
    args = ("--tagger", "x.safetensors", "--columns", "form,xpos", "--max-iter", "3")
    assert rosenblatt(*TRAIN, *args, "--jackknife", "4").code == 0
    parser = DependencyParser(max_iter=3)
    learned = io.BytesIO(tagged_text(tagger, text, 4))
    assert same(load("p.safetensors"), parser.fit_file(learned, columns=["form", "xpos"]))
    parser.parse_file(io.BytesIO(tagged_text(tagger, text)), out := io.BytesIO())
    run = ("parse", "run", "p.safetensors", "treebank.conllu", "--tagger", "x.safetensors")
    assert rosenblatt(*run).out == out.getvalue().decode()
    (folder / "out.conllu").write_bytes(out.getvalue())
    found = rosenblatt("parse", "eval", "treebank.conllu", "out.conllu").out
    assert rosenblatt("parse", "eval", "p.safetensors", "treebank.conllu", "--tagger", "x.safetensors").out == found
    assert rosenblatt(*TRAIN, *args, "--jackknife", "0").code == 0
    known = DependencyParser(max_iter=3).fit_file(io.BytesIO(tagged_text(tagger, text)), columns=["form", "xpos"])
    assert same(load("p.safetensors"), known)


def test_jackknifed_tags_are_of_taggers_that_have_not_seen_them(folder: Path) -> None:
    text = (folder / "treebank.conllu").read_bytes()
    tagger = SequenceTagger().fit_file("treebank.conllu", tag="xpos")
    known, unknown = tagged_text(tagger._model, text), tagged_text(tagger._model, text, 5)
    right = [line.split(b"\t")[4] for line in text.split(b"\n") if b"\t" in line]
    found = [[line.split(b"\t")[4] for line in one.split(b"\n") if b"\t" in line] for one in (known, unknown)]
    wrong = [sum(a != b for a, b in zip(right, one, strict=True)) for one in found]
    assert wrong[0] < 5 < wrong[1] < len(right) / 2
    with pytest.raises(ValueError, match="jackknife: expected 2 to 58 folds"):
        tagged_text(tagger._model, text, 59)


def test_pictures(rosenblatt: Any, model: DependencyParser, folder: Path) -> None:
    rosenblatt("parse", "run", "p.safetensors", "treebank.conllu", "-o", "out.conllu")
    words, trees = read_trees("treebank.conllu")
    drawn = rosenblatt("parse", "draw", "treebank.conllu").out
    assert len(drawn.split("\n\n")) == len(words) == len(trees.heads)
    one = rosenblatt("parse", "draw", "treebank.conllu", "--sentence", "58").out
    assert drawn.split("\n\n")[57] == one
    assert len(one.splitlines()) == 10
    assert rosenblatt("parse", "draw", "treebank.conllu", "out.conllu").out.count(" < ") > 0
    ended = rosenblatt("parse", "draw", "treebank.conllu", "out.conllu", "--sentence", "2", "-o", "tree.svg")
    assert (ended, (folder / "tree.svg").read_text(encoding="utf-8")[:4]) == ((0, "", ""), "<svg")


BROKEN = [
    (("train", "treebank.conllu", "--jackknife", "3", "--model", "new"), 2, "--jackknife needs --tagger"),
    (("train", "treebank.conllu", "--columns", "form,head", "--model", "new"), 1, "'head' has what is to be learned"),
    (("train", "treebank.conllu", "--columns", "word", "--model", "new"), 1, "got 'word'"),
    (
        ("train", "p.safetensors", "--model", "new"),
        1,
        "expected sentences in CoNLL-U, found a model file",
    ),
    (
        ("train", "treebank.conllu", "--tagger", "p.safetensors", "--model", "new"),
        1,
        "expected a SequenceTagger",
    ),
    (
        ("train", "cycle.conllu", "--model", "new"),
        1,
        "cycle.conllu:1:13: expected a tree, found a cycle",
    ),
    (("train", "train.txt", "--model", "new"), 1, "train.txt:1:"),
    (("run", "treebank.conllu", "p.safetensors"), 1, "expected sentences in CoNLL-U, found a model file"),
    (("run", "and.safetensors", "treebank.conllu"), 1, "expected a DependencyParser, found a Perceptron"),
    (
        ("eval", "treebank.conllu", "cycle.conllu"),
        1,
        "cycle.conllu:1:13: expected a tree, found a cycle",
    ),
    (
        ("eval", "treebank.conllu", "other.conllu"),
        1,
        "other.conllu, beside treebank.conllu: expected the same text, found 'a' in place of 'The",
    ),
    (("eval", "treebank.conllu"), 2, "takes 2 values"),
    (
        ("train", "treebank.conllu", "--model", "m.st", "--max-size", "10"),
        2,
        "'--max-size': expected a size such as '2MB' or '500kB', found '10'",
    ),
    (("eval", "treebank.conllu", "treebank.conllu", "--tagger", "x"), 2, "--tagger is for sentences that MODEL parses"),
    (("draw", "treebank.conllu", "--sentence", "59"), 2, "--sentence: expected 1 to 58"),
    (("draw", "treebank.conllu", "-o", "all.svg"), 2, "an SVG file has one picture"),
    (("draw", "a", "b", "c"), 2, "expected one file or two, found 3"),
    (
        ("draw", "treebank.conllu", "other.conllu"),
        1,
        "other.conllu: expected the words of treebank.conllu",
    ),
]


@pytest.mark.parametrize(("args", "code", "said"), BROKEN)
def test_what_is_refused(
    rosenblatt: Any, model: DependencyParser, folder: Path, args: tuple[str, ...], code: int, said: str
) -> None:
    row = "{}\ta\t_\t_\t_\t_\t{}\tdep\t_\t_\n"
    (folder / "cycle.conllu").write_text(row.format(1, 2) + row.format(2, 1), encoding="utf-8")
    (folder / "other.conllu").write_text(row.format(1, 0), encoding="utf-8")
    assert rosenblatt("train", "and.csv", "--model", "and.safetensors").code == 0
    before = sorted(folder.iterdir())
    ended = rosenblatt("parse", *args)
    assert (ended.code, ended.out) == (code, "")
    assert said in " ".join(ended.err.split())
    assert sorted(folder.iterdir()) == before


def test_other_verbs_refuse_a_parser(rosenblatt: Any, model: DependencyParser) -> None:
    said = "p.safetensors: expected a classifier, found a DependencyParser, which is for rosenblatt parse"
    assert said in rosenblatt("predict", "p.safetensors", "and.csv").err
    inspected = rosenblatt("inspect", "p.safetensors", "--json")
    assert inspected.code == 0
