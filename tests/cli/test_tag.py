"""`rosenblatt tag`: the models, tags and counts of Python, from files and pipes, with clear errors."""

import io
import os
import pty
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import SequenceTagger, conlleval, load, read_conll

TRAIN = ("tag", "train", "train.txt", "--templates", "chunk", "--model", "m.safetensors")
PROGRAM = [sys.executable, "-m", "rosenblatt"]


@pytest.fixture
def model(rosenblatt: Any) -> SequenceTagger:
    """In a file as well."""
    assert rosenblatt(*TRAIN, "--max-iter", "2").code == 0
    model = SequenceTagger(templates="chunk", max_iter=2)
    model.fit_file("train.txt")
    return model


def same(a: SequenceTagger, b: SequenceTagger) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a._model.chain.arrays(), b._model.chain.arrays(), strict=True))


def test_the_model_of_python(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    assert same(load("m.safetensors"), model)
    text = (folder / "train.txt").read_bytes()
    assert rosenblatt("tag", "train", *TRAIN[3:], "--max-iter", "2", stdin=text).code == 0
    assert same(load("m.safetensors"), model)
    assert rosenblatt("tag", "train", "train.conllu", "--tag", "xpos", "--model", "m.safetensors").code == 0
    assert same(load("m.safetensors"), SequenceTagger().fit_file("train.conllu", tag="xpos"))
    args = ("train.conllu", "--columns", "form, xpos", "--templates", "chunk", "--model", "m.safetensors")
    assert rosenblatt("tag", "train", *args).code == 0
    expected = SequenceTagger(templates="chunk").fit_file("train.conllu", columns=["form", "xpos"])
    assert same(load("m.safetensors"), expected)


def test_the_score_after_each_pass(rosenblatt: Any, json_of: Any) -> None:
    expected = SequenceTagger(templates="chunk", max_iter=4).fit_file("train.txt", dev="dev.txt")
    ended = rosenblatt(*TRAIN, "--dev", "dev.txt", "--max-iter", "4", "--json")
    passes = [json_of(line, "tag_pass") for line in ended.err.splitlines()]
    assert [one["score"] for one in passes] == expected.validation_scores_.tolist()
    assert [one["mistakes"] for one in passes] == expected.mistakes_.tolist()
    assert ended.result("tag_train")["score"] == expected.validation_scores_.max()
    assert same(load("m.safetensors"), expected)
    lines = rosenblatt(*TRAIN, "--dev", "dev.txt", "--max-iter", "4").err.splitlines()
    assert len(lines) == len(passes)
    score = f"{100 * expected.validation_scores_[0]:.2f} %"
    assert lines[0] == f"pass 1: {expected.mistakes_[0]} wrong tokens, held-out accuracy {score}"


def test_passes_made_and_the_pass_kept(rosenblatt: Any) -> None:
    tagger = SequenceTagger(templates="chunk", max_iter=30).fit_file("train.txt", dev="dev.txt")
    kept = int(tagger.validation_scores_.argmax()) + 1
    assert tagger.kept_pass_ == kept < tagger.n_iter_
    shown = rosenblatt(*TRAIN, "--dev", "dev.txt", "--max-iter", "30").out
    assert f"passes made                         {tagger.n_iter_}\n" in shown
    assert f"pass kept                           {kept}\n" in shown
    assert f"accuracy on the sentences held out  {100 * tagger.validation_scores_.max():.2f} %\n" in shown
    result = rosenblatt(*TRAIN, "--dev", "dev.txt", "--max-iter", "30", "--json").result("tag_train")
    assert (result["n_iter"], result["kept_pass"]) == (tagger.n_iter_, kept)
    inspected = rosenblatt("inspect", "m.safetensors", "--json").result("inspect_model")
    assert (inspected["n_iter"], inspected["kept_pass"]) == (tagger.n_iter_, kept)
    again = SequenceTagger(templates="chunk", early_stopping=True).fit_file("train.txt")  # refit: all its passes count
    assert again.kept_pass_ == again.n_iter_


def test_tagging(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    out = io.BytesIO()
    model.tag_file("test.txt", out)
    assert rosenblatt("tag", "run", "m.safetensors", "test.txt") == (0, out.getvalue().decode(), "")
    text = (folder / "test.txt").read_bytes()
    assert rosenblatt("tag", "run", "m.safetensors", stdin=text).out == out.getvalue().decode()
    assert rosenblatt("tag", "run", "m.safetensors", "test.txt", "-o", "out.txt") == (0, "", "")
    assert (folder / "out.txt").read_bytes() == out.getvalue()
    model.tag_file("test.txt", best := io.BytesIO(), n_best=2, scores=True)
    args = ("tag", "run", "m.safetensors", "test.txt", "--nbest", "2", "--score")
    assert rosenblatt(*args).out == best.getvalue().decode()
    without = rosenblatt("tag", "run", "m.safetensors", "new.txt").out
    assert all(len(line.split()) in (0, 3) for line in without.splitlines())


def test_universal(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("tag", "train", "train.conllu", "--tag", "xpos", "--model", "m.safetensors")
    text = (folder / "train.conllu").read_bytes()
    tagged = rosenblatt("tag", "run", "m.safetensors", "--from", "conllu", stdin=text.replace(b"NN", b"_")).out
    assert tagged.encode() == text  # it has learned them all
    ended = rosenblatt("tag", "run", "m.safetensors", "train.conllu", "--nbest", "2")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: CoNLL-U has a place for one tag and none for scores")
    said = rosenblatt("tag", "eval", "m.safetensors", "train.conllu", "--json").result("tag_eval")
    assert (said["raw"], said["accuracy"], said["f1"]) == (True, 1, 1)


def test_one_tag_of_several_columns(rosenblatt: Any, folder: Path) -> None:
    args = ("tag", "train", "train.conllu", "--tag", "upos+xpos", "--max-iter", "2", "--model", "m.safetensors")
    assert rosenblatt(*args).code == 0
    model = SequenceTagger(max_iter=2).fit_file("train.conllu", tag=("upos", "xpos"))
    assert same(load("m.safetensors"), model)
    model.tag_file("train.conllu", out := io.BytesIO())
    assert rosenblatt("tag", "run", "m.safetensors", "train.conllu").out == out.getvalue().decode()
    (folder / "tagged.conllu").write_bytes(out.getvalue())
    gold, tagged = read_conll("train.conllu"), read_conll("tagged.conllu")
    right = {}
    for name in ("upos", "xpos"):
        each = (chain.from_iterable(sentences.column(name)) for sentences in (gold, tagged))
        right[name] = [a == b for a, b in zip(*each, strict=True)]
    counted = rosenblatt("tag", "eval", "m.safetensors", "train.conllu", "--json").result("tag_eval_columns")
    assert counted["columns"] == {name: np.mean(each) for name, each in right.items()}
    assert counted["accuracy"] == np.mean(np.logical_and(right["upos"], right["xpos"])) < 1
    shown = rosenblatt("tag", "eval", "m.safetensors", "train.conllu").out.splitlines()
    assert shown[-1].split() == ["all", f"{100 * counted['accuracy']:.2f}", "%"]
    ended = rosenblatt("tag", "train", "train.conllu", "--tag", "feats+deps", "--model", "n.safetensors")
    assert (ended.code, (folder / "n.safetensors").exists()) == (1, False)
    assert (
        ended.err
        == "error: train.conllu: expected tags to learn in the column feats and deps, found '_' in all words\n"
    )


def test_counts(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    test = read_conll("test.txt")
    scores = conlleval(test.column(2), model.predict([[token[:2] for token in one] for one in test]))
    assert 0 < scores.f1 < 1
    n_tokens = sum(map(len, test))
    strange = f"warning: test.txt: 1 of {n_tokens} tokens has a tag that the model does not know: I-ADJP\n"
    assert rosenblatt("tag", "eval", "m.safetensors", "test.txt") == (0, f"{scores}\n", strange)
    rosenblatt("tag", "run", "m.safetensors", "test.txt", "-o", "tagged.txt")
    assert rosenblatt("tag", "eval", "tagged.txt").out == f"{scores}\n"
    tagged = (folder / "tagged.txt").read_bytes()
    said = rosenblatt("tag", "eval", "--json", stdin=tagged).result("tag_eval")
    assert (said["f1"], said["accuracy"], said["raw"]) == (scores.f1, scores.accuracy, False)
    assert {name: counts["correct"] for name, counts in said["types"].items()} == {
        name: counts.correct for name, counts in scores.types.items()
    }
    raw = rosenblatt("tag", "eval", "tagged.txt", "--raw", "--json").result("tag_eval")
    assert set(raw["types"]) == {tag for one in read_conll("tagged.txt") for token in one for tag in token[2:]} - {"O"}


def test_pipes(model: SequenceTagger, folder: Path) -> None:
    tag, count = [*PROGRAM, "tag", "run", "m.safetensors"], [*PROGRAM, "tag", "eval"]
    with (
        (folder / "test.txt").open("rb") as file,
        subprocess.Popen(tag, stdin=file, stdout=subprocess.PIPE) as tagging,
    ):
        ended = subprocess.run(count, stdin=tagging.stdout, capture_output=True, text=True, check=True)
    assert tagging.returncode == 0
    assert ended.stdout.startswith("processed ")


def test_progress_on_a_terminal(folder: Path) -> None:
    terminal, end = pty.openpty()
    with subprocess.Popen([*PROGRAM, *TRAIN, "--dev", "dev.txt"], stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        shown = b""
        while part := _read(terminal):
            shown += part
        process.communicate()
    os.close(terminal)
    assert process.returncode == 0
    assert re.search(rb"pass 1: \d+ wrong tokens, held-out accuracy", shown)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so when the other end is closed
        return b""


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("train", "none.txt", "--model", "new"), 1, "error: none.txt: No such file or directory\n"),
        (
            ("train", "train.txt", "--templates", "none", "--model", "new"),
            1,
            "error: templates: expected 'pos'",
        ),
        (
            ("train", "train.txt", "--tag", "upos", "--model", "new"),
            1,
            "error: a column must be a number",
        ),
        (
            ("train", "train.txt", "--templates", "chunk", "--tag", "1", "--model", "new"),
            1,
            "has the tags to learn",
        ),
        (("train", "train.txt", "--dev", "bad.txt", "--model", "new"), 1, "error: bad.txt:2:3: expected 1 column"),
        (("train", "train.txt", "--C", "0", "--model", "new"), 2, "error: C: expected a number over 0, found 0.0"),
        (
            ("run", "and.safetensors", "new.txt"),
            1,
            "expected a SequenceTagger, found a Perceptron",
        ),
        (("run", "m.safetensors", "bad.txt", "-o", "new"), 1, "error: bad.txt:1:2: expected"),
        (("run", "m.safetensors", "new.txt", "--nbest", "0"), 2, "--nbest"),
        (("eval", "bad.txt"), 1, "error: bad.txt:1:2: expected"),
        (("eval", "a", "b", "c"), 2, "expected MODEL and FILE, found 3 files"),
        (("eval", "tagged.txt", "--tag", "1"), 2, "without MODEL the last two columns are compared"),
    ],
)
def test_errors(rosenblatt: Any, model: SequenceTagger, folder: Path, args: Any, code: int, said: str) -> None:
    (folder / "bad.txt").write_bytes(b"a\nb c\n")
    assert rosenblatt("train", "and.csv", "--model", "and.safetensors").code == 0
    before = sorted(path.name for path in folder.iterdir())
    ended = rosenblatt("tag", *args)
    assert (ended.code, said in ended.err) == (code, True), ended
    if code:
        assert ended.out == ""
        assert sorted(path.name for path in folder.iterdir()) == before


def test_other_verbs_refuse_a_tagger(rosenblatt: Any, model: SequenceTagger) -> None:
    for args in (("predict", "m.safetensors", "data.svm"), ("evaluate", "m.safetensors", "data.svm")):
        said = "m.safetensors: expected a classifier, found a SequenceTagger, which is for rosenblatt tag"
        assert rosenblatt(*args) == (1, "", f"error: {said}\n")


def test_a_file_without_tags(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    ended = rosenblatt("tag", "eval", "m.safetensors", "new.txt")
    said = "new.txt: expected a column with the tags besides those that the templates look at, found 2 columns"
    assert ended == (1, "", f"error: {said}: it is missing\n")
    ended = rosenblatt("tag", "eval", "m.safetensors", stdin=(folder / "new.txt").read_bytes())
    assert (ended.code, ended.out, "it is missing" in ended.err) == (1, "", True)
    assert rosenblatt("tag", "train", "train.txt", "--model", "words.st").code == 0  # looks at words alone
    ended = rosenblatt("tag", "eval", "words.st", "new.txt")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: new.txt: expected tags that were learned (B-")
    ended = rosenblatt("tag", "eval", "train.txt")  # of no tagger
    assert (ended.code, ended.out, "one is missing; with MODEL the file is tagged" in ended.err) == (1, "", True)
    ended = rosenblatt("tag", "train", "train.txt", "--dev", "new.txt", "--model", "new")
    assert ended == (1, "", "error: new.txt: expected 3 columns, as in the file to learn from, found 2\n")
    (folder / "other.txt").write_text("a b X\nc d Y\n", encoding="utf-8")
    ended = rosenblatt("tag", "train", "train.txt", "--dev", "other.txt", "--model", "new")
    assert (ended.code, "expected tags that were learned" in ended.err) == (1, True)
    assert not (folder / "new").exists()


def test_universal_tags_that_are_not_there(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("tag", "train", "train.conllu", "--tag", "xpos", "--model", "m.safetensors")
    lines = [line.split("\t") for line in (folder / "train.conllu").read_text(encoding="utf-8").split("\n")]
    text = "\n".join("\t".join([*line[:4], "_", *line[5:]]) if len(line) == 10 else "\t".join(line) for line in lines)
    (folder / "new.conllu").write_text(text, encoding="utf-8")
    ended = rosenblatt("tag", "eval", "m.safetensors", "new.conllu")
    assert (ended.code, ended.out, ended.err.endswith("found none but _\n")) == (1, "", True)


def test_some_tags_that_are_not_known(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    text = (folder / "test.txt").read_text(encoding="utf-8")
    (folder / "more.txt").write_text(f"{text.rstrip()}\n\nOh UH B-INTJX\n", encoding="utf-8")
    ended = rosenblatt("tag", "eval", "m.safetensors", "more.txt")
    n_tokens = sum(map(len, read_conll("more.txt")))
    said = f"warning: more.txt: 2 of {n_tokens} tokens have tags that the model does not know: B-INTJX, I-ADJP\n"
    assert (ended.code, ended.err) == (0, said)
    assert ended.out.startswith("processed ")


def test_standard_input_is_what_the_model_learned_from(rosenblatt: Any, folder: Path) -> None:
    rosenblatt("tag", "train", "train.conllu", "--tag", "xpos", "--model", "m.safetensors")
    text = (folder / "train.conllu").read_bytes()
    assert rosenblatt("tag", "run", "m.safetensors", stdin=text) == (0, text.decode(), "")
    assert rosenblatt("tag", "eval", "m.safetensors", "-", "--json", stdin=text).result("tag_eval")["accuracy"] == 1
    assert rosenblatt("tag", "run", "m.safetensors", "--from", "columns", stdin=b"dog\n").out.split()[0] == "dog"


def test_nothing_to_tag(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    assert rosenblatt("tag", "run", "m.safetensors") == (0, "", "")
    assert rosenblatt("tag", "run", "m.safetensors", stdin=b"\n\n") == (0, "\n\n", "")
    assert rosenblatt("tag", "run", "m.safetensors", "--nbest", "2", "--score") == (0, "", "")
    (folder / "empty.conllu").write_text("# nothing\n\n", encoding="utf-8")
    rosenblatt("tag", "train", "train.conllu", "--model", "u.st")
    assert rosenblatt("tag", "run", "u.st", "empty.conllu") == (0, "# nothing\n\n", "")
    assert rosenblatt("tag", "run", "u.st") == (0, "", "")
    for args in (("tag", "eval", "m.safetensors"), ("tag", "train", "--model", "new")):
        ended = rosenblatt(*args)
        assert (ended.code, ended.out) == (1, "")


def test_files_of_another_kind(rosenblatt: Any, model: SequenceTagger, folder: Path) -> None:
    words = rosenblatt("tag", "train", "train.txt", "--model", "words.st")
    assert words.code == 0
    for args in (("run", "words.st", "and.csv"), ("eval", "words.st", "and.csv"), ("train", "and.csv", "--model", "n")):
        said = "and.csv: expected sentences, a token a line in columns, found by its name a table (csv)"
        assert rosenblatt("tag", *args) == (1, "", f"error: {said}\n")
    ended = rosenblatt("tag", "run", "words.st", "m.safetensors")
    assert ended == (1, "", "error: m.safetensors: expected sentences, found a model file\n")
    (folder / "words.csv").write_text("dog\n", encoding="utf-8")
    assert rosenblatt("tag", "run", "words.st", "words.csv", "--from", "columns").code == 0


def test_shards_and_several_files(rosenblatt: Any, folder: Path) -> None:
    sentences = (folder / "train.txt").read_bytes().split(b"\n\n")
    for number, part in enumerate((sentences[:3], sentences[3:])):
        (folder / f"cut-{number}.txt").write_bytes(b"\n\n".join(part) + b"\n")
    expected = SequenceTagger(templates="chunk", shards=3, rounds=2).fit_file("train.txt")
    for given in (["train.txt"], ["cut-*.txt"], ["cut-0.txt", "cut-1.txt"]):
        options = ("--templates", "chunk", "--shards", "3", "--rounds", "2", "--n-jobs", "2", "--model", "many")
        assert rosenblatt("tag", "train", *given, *options).code == 0
        found = load("many")
        assert same(found, expected)
        assert (found.shards, found.mixed_mistakes_.tolist()) == (3, expected.mixed_mistakes_.tolist())
