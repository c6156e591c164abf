"""The core's features and rows of texts are those of plain_text."""

import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rosenblatt import _core, plain_text
from tests.text import unicode_table

WEIGHTINGS = ("tfidf", "log", "binary", "ratio")
# Characters that every version of Unicode of a supported Python has, in several scripts, and words that are long.
CHARACTERS = st.one_of(
    st.sampled_from(" \t\n.,!?'_-aAbBzZ09\0\x7f"),
    st.sampled_from(
        "éÉßẞİıſΣσςЖж漢字かなカーー々〇한글שלום\u0627\u0644\u200c\u200d\u200b\u00a0\u00ad\ufe0f\ufeff€😀👩Ⓐ𐐀𐐨़\u0300"
    ),
)
TEXTS = st.text(CHARACTERS, max_size=40) | st.text(st.sampled_from("abcdefgh"), max_size=200)
CHARS = st.none() | st.sampled_from([(1, 1), (3, 5), (2, 3)])


def shape_of(bits: int, ngrams: int, chars: tuple[int, int] | None) -> _core.TextShape:
    return _core.TextShape(bits, ngrams, *(chars or (0, 0)))


def counted(texts: list[str], bits: int, ngrams: int, chars: tuple[int, int] | None) -> list[dict[int, int]]:
    reader = _core.TextFeatures(shape_of(bits, ngrams, chars))
    reader.add(texts)
    counts, features, starts = reader.take()
    pairs = list(zip(features.tolist(), counts.tolist(), strict=True))
    return [dict(pairs[first:last]) for first, last in pairwise(starts)]


@given(st.lists(TEXTS, max_size=4), st.sampled_from([1, 6, 22, 29]), st.integers(1, 4), CHARS)
@example(["x" * 62 + "yz", "漢" * 70, "a" * 8 + " " + "b" * 16], 22, 2, (3, 5))
def test_features(texts: list[str], bits: int, ngrams: int, chars: tuple[int, int] | None) -> None:
    found = counted(texts, bits, ngrams, chars)
    expected = [plain_text.features(text, bits=bits, ngrams=ngrams, chars=chars) for text in texts]
    assert [list(text.items()) for text in found] == [list(text.items()) for text in expected]


@pytest.mark.parametrize("name", ["english", "chinese_and_japanese", "emoji", "right_to_left", "long_words"])
def test_features_of_many_scripts(name: str) -> None:
    text = Path(__file__).with_name("texts").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    assert counted([text], 22, 3, (3, 5)) == [plain_text.features(text, ngrams=3, chars=(3, 5))]


LABELED = st.lists(st.tuples(st.text(st.sampled_from("ab c"), max_size=12), st.integers(0, 2)), min_size=1, max_size=6)


@given(LABELED, st.sampled_from(WEIGHTINGS), st.sampled_from([3, 22]), st.sampled_from([None, (3, 4)]))
def test_rows(labeled: list[tuple[str, int]], weighting: str, bits: int, chars: tuple[int, int] | None) -> None:
    texts, y = [text for text, _ in labeled], [label for _, label in labeled]
    reader = _core.TextFeatures(shape_of(bits, 2, chars))
    reader.add(texts)
    parts = (*reader.take(), np.arange(len(texts)))
    counts = _core.TextCounts(shape_of(bits, 2, chars), weighting == "ratio")
    counts.add(*parts, np.array(y, np.int32), max(y) + 1)
    scales = counts.scales(weighting)
    values, columns, starts = scales.rows(*parts)

    plain = [plain_text.features(text, bits=bits, chars=chars) for text in texts]
    expected = plain_text.scales(plain, y, weighting, bits=bits)
    assert dict(zip(scales.features.tolist(), scales.scales, strict=True)) == pytest.approx(expected, abs=1e-6)
    assert scales.features.tolist() == sorted(expected)
    for text, (first, last) in zip(plain, pairwise(starts), strict=True):
        row = dict(zip(scales.features[columns[first:last]].tolist(), values[first:last].tolist(), strict=True))
        assert row == pytest.approx(plain_text.row(text, expected, weighting, bits=bits), abs=1e-5)


def test_scales_that_are_given_back_make_the_same_rows() -> None:
    shape = shape_of(22, 2, (3, 5))
    reader = _core.TextFeatures(shape)
    reader.add(["the cat", "a dog", "the the dog"])
    parts = (*reader.take(), np.array([2, 0], dtype=np.int64))
    counts = _core.TextCounts(shape, of_classes=False)
    counts.add(*parts, np.array([0, 1], np.int32), 2)
    learned = counts.scales("tfidf")
    again = _core.TextScales(shape, "tfidf", learned.features, learned.scales)
    for one, other in zip(learned.rows(*parts), again.rows(*parts), strict=True):
        assert one.tobytes() == other.tobytes()


def test_places() -> None:
    text = "Größe: 漢"
    features, begins, ends = _core.TextFeatures(shape_of(22, 2, None)).places(text)
    data = text.encode()
    assert [data[b:e].decode() for b, e in zip(begins, ends, strict=True)] == [
        "Größe",
        "Größe:",
        ":",
        ": 漢",
        "漢",
    ]
    assert features.tolist() == list(plain_text.features(text))


def test_bad_texts_are_named() -> None:
    reader = _core.TextFeatures(shape_of(22, 2, None))
    texts: list[Any] = ["fine", None]
    with pytest.raises(TypeError, match=r"texts must be strings, found NoneType \(row 1\)"):
        reader.add(texts)
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        reader.add(["fine", "\ud800"])
    assert len(reader) == 0


@pytest.mark.skipif(
    f"Unicode {unicodedata.unidata_version}." not in unicode_table.PLACE.read_text(encoding="ascii"),
    reason="this Python knows another version of Unicode",
)
def test_the_table_is_what_its_script_writes() -> None:
    assert unicode_table.PLACE.read_text(encoding="ascii") == unicode_table.table()


VALUES = st.floats(-9, 9, width=32).filter(lambda value: value == 0 or abs(value) > 1e-3)


@given(st.lists(st.dictionaries(st.integers(0, 9), VALUES, max_size=5), max_size=6))
def test_merged_hapaxes(rows: list[dict[int, float]]) -> None:
    data = np.array([value for row in rows for value in row.values()], dtype=np.float32)
    indices = np.array([feature for row in rows for feature in row], dtype=np.int32)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    values, columns, starts, place, share, n_columns = _core.merge_hapaxes(data, indices, starts, 10)
    merged, places = plain_text.merge_hapaxes(rows)
    pairs = list(zip(columns.tolist(), values.tolist(), strict=True))
    assert len(merged) == len(starts) - 1
    for row, (first, last) in zip(merged, pairwise(starts), strict=True):
        assert [column for column, _ in pairs[first:last]] == list(row)
        np.testing.assert_allclose([value for _, value in pairs[first:last]], list(row.values()), rtol=1e-6)
    assert n_columns == len({number for number, _ in places.values()})
    for feature in range(10):
        number, of_it = places.get(feature, (0, 0.0))
        assert place[feature] == number
        assert share[feature] == pytest.approx(of_it, rel=1e-6)
