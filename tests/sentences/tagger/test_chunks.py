"""The chunks of a sentence in each scheme, and the counts of conlleval beside a count by another way."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import conlleval
from rosenblatt.data.sentences import load_sentences
from rosenblatt.services.sentences.scores import ChunkCounts, are_chunks, find_chunks

letters = st.sampled_from(["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y", "I", "B"])
tagged = st.lists(st.lists(letters, max_size=7), max_size=4)


def chunks(tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """Those that the package sees: type, first token, and the one after the last."""
    names: dict[str, int] = {}
    there = find_chunks([tags], names)
    types = [list(names)[number] for number in there.types]
    return list(zip(types, there.starts.tolist(), there.ends.tolist(), strict=True))


def plain(tags: list[str]) -> set[tuple[str, int, int]]:
    """Token by token, with an open chunk in hand."""
    found, open_type = set[tuple[str, int, int]](), ""
    open_since: int | None = None
    for k, tag in enumerate([*tags, "O"]):
        letter, name = tag[0], tag[2:]
        if open_since is not None and (letter in "BSO" or name != open_type):
            found.add((open_type, open_since, k))
            open_since = None
        if letter != "O" and open_since is None:
            open_since, open_type = k, name
        if letter in "ES":
            assert open_since is not None
            found.add((name, open_since, k + 1))
            open_since = None
    return found


def encoded(spans: list[tuple[str, int, int]], length: int, scheme: str) -> list[str]:
    """Chunks as tags."""
    tags = ["O"] * length
    for name, start, end in spans:
        tags[start:end] = [f"I-{name}"] * (end - start)
        after_same = any(other == (name, begin, start) for other in spans for begin in [other[1]])
        if scheme != "iob1" or after_same:
            tags[start] = f"B-{name}"
        if scheme == "bioes":
            tags[end - 1] = f"E-{name}" if end - start > 1 else f"S-{name}"
    return tags


@st.composite
def spans(draw: st.DrawFn) -> tuple[list[tuple[str, int, int]], int]:
    found, at = [], 0
    for gap, length, name in draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from("XY")))):
        found.append((name, at + gap, at + gap + length))
        at += gap + length
    return found, at + draw(st.integers(0, 2))


@given(spans(), st.sampled_from(["iob1", "iob2", "bioes"]))
def test_every_scheme_gives_its_chunks_back(given: tuple[list[tuple[str, int, int]], int], scheme: str) -> None:
    tags = encoded(*given, scheme)
    assert chunks(tags) == given[0]


@given(tagged)
def test_any_tags_at_all(sentences: list[list[str]]) -> None:
    for tags in sentences:
        assert set(chunks(tags)) == plain(tags)


def test_all_short_sentences() -> None:
    for tags in product(["O", "B-X", "I-X", "E-X", "S-X", "I-Y"], repeat=4):
        assert set(chunks(tags)) == plain(list(tags))


@given(tagged, st.data())
def test_counts(gold: list[list[str]], data: st.DataObject) -> None:
    predicted = [[data.draw(st.one_of(st.just(tag), letters)) for tag in tags] for tags in gold]
    scores = conlleval(gold, predicted)
    true = [(s, *chunk) for s, tags in enumerate(gold) for chunk in plain(tags)]
    found = [(s, *chunk) for s, tags in enumerate(predicted) for chunk in plain(tags)]
    both = set(true) & set(found)
    assert (scores.correct, scores.gold, scores.predicted) == (len(both), len(true), len(found))
    names = sorted({chunk[1] for chunk in true + found})
    assert list(scores.types) == names
    for name in names:
        counts = [sum(chunk[1] == name for chunk in some) for some in (both, true, found)]
        assert scores.types[name] == ChunkCounts(*counts)
    pairs = [pair for one, other in zip(gold, predicted, strict=True) for pair in zip(one, other, strict=True)]
    assert scores.n_tokens == len(pairs)
    assert scores.accuracy == (sum(one == other for one, other in pairs) / len(pairs) if pairs else 0.0)


@pytest.mark.parametrize("tag", ["", "X", "b-NP", "BNP", "B_NP", "O-NP", "-NP", "IB-NP"])
def test_what_is_no_tag(tag: str) -> None:
    with pytest.raises(ValueError, match="a tag must be O, or one of B, I, E, S with '-' and a type, got "):
        chunks([tag])


def test_types_may_have_dashes_or_be_missing() -> None:
    assert chunks(["B-a-b", "I-a-b", "B", "I"]) == [("a-b", 0, 2), ("", 2, 4)]


def test_nothing_found() -> None:
    scores = conlleval([["B-X", "O"]], [["O", "O"]])
    assert (scores.precision, scores.recall, scores.f1, scores.accuracy) == (0.0, 0.0, 0.0, 0.5)
    assert conlleval([], []).f1 == conlleval([[]], [[]]).accuracy == 0.0


def test_a_chunk_ends_with_its_sentence() -> None:
    assert conlleval([["B-X"], ["I-X"]], [["B-X"], ["B-X"]]).correct == 2


def test_sentences_must_be_the_same() -> None:
    for predicted in ([["O"]], [["O"], ["O", "O"]], []):
        with pytest.raises(ValueError, match="gold and predicted must have the same sentences"):
            conlleval([["O"], ["O"]], predicted)


def test_the_sentences_of_the_package() -> None:
    assert [len(chunks(tags)) for tags in load_sentences().column(2)][:3] == [4, 3, 5]


def test_tags_that_are_no_chunks() -> None:
    """Each token is a phrase, but those with O: precision and recall of the tags."""
    gold, predicted = [["NOUN", "B-VERB", "O"], ["O", "NOUN"]], [["NOUN", "NOUN", "NOUN"], ["O", "B-VERB"]]
    scores = conlleval(gold, predicted, raw=True)
    assert (scores.correct, scores.gold, scores.predicted, scores.accuracy) == (1, 3, 4, 0.4)
    assert scores.types == {"B-VERB": ChunkCounts(0, 1, 1), "NOUN": ChunkCounts(1, 2, 3)}
    assert not are_chunks(["B-NP", "NOUN"])
    assert are_chunks(["O", "B", "I-", "E-X", "S-X-Y"])
    assert not any(map(are_chunks, (["OX"], ["O-X"], ["BX"], [""], ["b-NP"])))
