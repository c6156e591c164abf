"""What a pipeline refuses, and where it says so: texts that are none, treebanks that lack what is learned."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest

from rosenblatt import DataFileError, TextPipeline
from rosenblatt.data.treebank import treebank_path

TREEBANK = treebank_path().read_text(encoding="utf-8")


def without(*columns: int) -> io.BytesIO:
    """The treebank with nothing in these columns."""
    lines = [line.split("\t") for line in TREEBANK.split("\n")]
    for fields in lines:
        if len(fields) == 10:
            for column in columns:
                fields[column] = "_"
    return io.BytesIO("\n".join("\t".join(fields) for fields in lines).encode())


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda p: p.annotate(["One text.", "Two."]), TypeError, "text: expected one text, a str, found list"),
        (lambda p: p.annotate(b"One."), TypeError, "found bytes"),
        (lambda p: p.annotate("One.\nTw\ud800o."), ValueError, "text: line 2, column 3: expected text in UTF-8"),
        (lambda p: p.annotate_file(io.BytesIO(), io.BytesIO(), source="tree"), ValueError, "source: expected one of"),
        (lambda p: p.score_file(io.BytesIO(), source="tree"), ValueError, "source: expected one of 'text', 'tokens'"),
        (
            lambda p: p.annotate_file(without(), io.BytesIO(), source="tokens", as_json=True),
            ValueError,
            "as_json and ranges are for a source of 'text', found 'tokens'",
        ),
    ],
)
def test_arguments(
    pipeline: TextPipeline, wrong: Callable[[TextPipeline], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        wrong(pipeline)


@pytest.mark.parametrize("parameters", [{"folds": 1}, {"tree": "poor"}, {"max_size": float("nan")}, {"n_jobs": 0}])
def test_parameters(parameters: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(parameters))}: expected "):
        TextPipeline(**parameters).fit(treebank_path())


def test_parts_are_a_list() -> None:
    with pytest.raises(TypeError, match="without: expected a list of names of parts, found 'tree'"):
        TextPipeline().fit_file(treebank_path(), without="tree")


@pytest.mark.parametrize(("columns", "names"), [((3,), "upos"), ((4,), "xpos"), ((2,), "lemma"), ((6, 7), "head")])
def test_a_treebank_held_out_has_what_is_learned(columns: tuple[int, ...], names: str) -> None:
    learned: list[str] = []
    with pytest.raises(DataFileError, match=f"<file>:1:1: expected {names}, as in <file>, found none"):
        TextPipeline().fit_file(without(), dev=without(*columns), tell=lambda *part: learned.append(part[0]))
    assert learned == []
    less = TextPipeline(tree="lean", max_iter=1).fit_file(without(*columns), dev=without())
    assert set(less.scores_) == set(less.parts_)


def test_a_treebank_without_its_text() -> None:
    with pytest.raises(DataFileError, match="<file>:1:1: expected words in the column form, found none"):
        TextPipeline(max_iter=1).fit_file(io.BytesIO(re.sub(rb"# text.*\n", b"", without(1, 2).getvalue())))


@pytest.mark.parametrize(("columns", "names"), [((3,), "upos"), ((3, 4, 5), "upos and xpos")])
def test_tags_that_are_not_there(columns: tuple[int, ...], names: str) -> None:
    lemmas = TextPipeline(max_iter=1, folds=2).fit_file(without(), without=["tree"])
    message = f"<file>: expected words with {names}, as in training, found '_' in all "
    with pytest.raises(ValueError, match=message):
        lemmas.annotate_file(without(*columns), io.BytesIO(), source="tags")
    with pytest.raises(ValueError, match=message):
        lemmas.score_file(without(*columns), source="tags")
    lemmas.annotate_file(without(5), io.BytesIO(), source="tags")
