"""How texts become rows: the core finds n-grams and counts them, and each feature has a learned scale.

`rosenblatt.plain_text` does the same in plain Python.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from reprlib import repr as short
from typing import Any, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import SparseRows
from rosenblatt.members.linear.text.parameters import TextFeaturesDeclaration
from rosenblatt.members.linear.text.reasons import Reason

LEAST_CHARS, SHORT = 3, 300  # minimum characters of a part of a word; maximum bytes of a short text
USUAL_CHARS, FIRST = 4, 8192  # n-grams of 3 to so many characters; so many texts tell whether texts are short
FEW = 1 << 16  # scales that differ, of which each feature stores the number
WEIGHTINGS = ("tfidf", "log", "binary", "ratio")


@dataclass(frozen=True)
class Shape:
    """What the features of a text are: n-grams of 1 to `ngrams` words, and of 3 to `chars` characters (0: none)."""

    bits: int
    ngrams: int
    chars: int

    def numbers(self) -> tuple[int, int, int, int]:
        """The bits, the words of an n-gram, and the minimum and the maximum characters, as the core takes them."""
        return self.bits, self.ngrams, min(self.chars, LEAST_CHARS), self.chars

    @classmethod
    def of(cls, chosen: TextFeaturesDeclaration, texts: Sequence[str]) -> Self:
        """As chosen; where nothing is, the mean length of the first texts tells whether n-grams of characters help."""
        chars = int(chosen.chars) if chosen.chars != "auto" else USUAL_CHARS if _are_short(texts[:FIRST]) else 0
        return cls(chosen.bits, chosen.ngrams, chars)

    def core(self) -> _core.TextShape:
        """For the core."""
        return _core.TextShape(*self.numbers())


class CountedTexts:
    """The features of texts and their counts, before their scales are known."""

    def __init__(self, shape: Shape, texts: Sequence[str]) -> None:
        self.shape, reader = shape, _core.TextFeatures(shape.core())
        reader.add(texts if isinstance(texts, list) else list(texts))
        self.parts = reader.take()

    def __len__(self) -> int:
        return len(self.parts[2]) - 1


@dataclass(frozen=True, eq=False)
class TextEncoding:
    """The known features, in ascending order, and the scale of each."""

    shape: Shape
    weighting: str
    scales: _core.TextScales

    @classmethod
    def learn(cls, texts: CountedTexts, rows: Array, target: Array, n_classes: int, weighting: str) -> Self:
        """Learn from the texts with these numbers, whose classes are the targets."""
        core = texts.shape.core()
        scales = _core.TextScales.learn(core, weighting, *texts.parts, rows, target, n_classes)
        return cls(texts.shape, weighting, scales)

    @cached_property
    def features(self) -> Array:
        """The feature of each column."""
        features: Array = self.scales.features
        return features

    def __eq__(self, another: object) -> bool:
        if not isinstance(another, TextEncoding) or (self.shape, self.weighting) != (another.shape, another.weighting):
            return False
        pairs = (self.features, another.features), (self.scales.scales, another.scales.scales)
        return all(map(np.array_equal, *zip(*pairs, strict=True)))

    def __reduce__(self) -> tuple[Any, ...]:
        return TextEncoding.of_arrays, (self.shape, self.weighting, self.features, self.scales.scales)

    def keep(self, columns: Array) -> Self:
        """The same with some of the features."""
        return self.of_arrays(self.shape, self.weighting, self.features[columns], self.scales.scales[columns])

    def rows_of(self, texts: CountedTexts, rows: Array) -> SparseRows:
        """The rows of some of the texts."""
        values, columns, starts = self.scales.rows(*texts.parts, rows)
        return SparseRows(values, columns, starts, len(self.features))

    def reasons(self, text: str, columns: Array, amounts: Array) -> list[Reason]:
        """The words of a text, with their shares of what some columns add to a score."""
        reader = _core.TextFeatures(self.shape.core())
        begins, ends, shares = reader.reasons(text, self.features[columns], amounts)
        if not text.isascii():
            first_bytes = np.frombuffer(text.encode(), dtype=np.uint8) & 0xC0 != 0x80  # of characters
            before = np.concatenate([[0], np.cumsum(first_bytes)])
            begins, ends = before[begins], before[ends]
        words = zip(begins.tolist(), ends.tolist(), shares.tolist(), strict=True)
        return [Reason(text[begin:end], share, begin, end) for begin, end, share in words]

    def words_of(self, texts: list[str], features: Array) -> dict[int, str]:
        """The words of these features, in lower case, as they are where the texts have them first."""
        first = _core.TextFeatures(self.shape.core()).find_first(texts, features.tolist())
        return {feature: " ".join(words.lower().split()) for feature, words in first}

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        shape, scales = self.shape, self.scales.scales
        tensors["features"] = _core.pack_ascending(self.features)
        table, places = np.unique(scales, return_inverse=True)
        if len(table) <= FEW:  # as many texts have most features as have many others
            tensors["scales"], tensors["scale_of"] = table, places.astype(np.min_scalar_type(FEW - 1))
        else:
            tensors["scales"] = scales
        return {"bits": shape.bits, "ngrams": shape.ngrams, "chars": shape.chars, "weighting": self.weighting}

    @classmethod
    def from_record(cls, n_features: int, parts: Parts) -> Self:
        """Read it from a record, and check all of it."""
        shape = Shape(parts.count("bits", least=1), parts.count("ngrams", least=1), parts.count("chars"))
        weighting = parts.value("weighting", f"one of {', '.join(WEIGHTINGS)}", lambda word: word in WEIGHTINGS)
        features = _core.unpack_ascending(parts.tensor("features", (None,), "uint8"))
        if len(features) != n_features or (n_features and features[-1] >= shape.core().size):
            raise ValueError(f"tensor 'features': expected {n_features} below {shape.core().size}, found others")
        if not parts.has("scale_of"):
            return cls.of_arrays(shape, weighting, features, parts.tensor("scales", (n_features,), "float32"))
        table = parts.tensor("scales", (None,), "float32")
        places = parts.integers("scale_of", n_features, "uint16", below=len(table))
        return cls.of_arrays(shape, weighting, features, table[places])

    @classmethod
    def of_arrays(cls, shape: Shape, weighting: str, features: Array, scales: Array) -> Self:
        return cls(shape, weighting, _core.TextScales(shape.core(), weighting, features, scales))


def as_texts(texts: Any, name: str = "X") -> list[str]:
    """A list, or a column of numpy, pandas, polars or Arrow, as a list of texts; an error names the first that is none.

    >>> as_texts(np.array(["a", "b"]))
    ['a', 'b']
    """
    if isinstance(texts, str | bytes):
        raise TypeError(f"{name}: expected a list of texts, found one text: put it into a list")
    if hasattr(texts, "columns"):
        raise TypeError(f"{name}: expected one column of texts, found a table: choose its column, as in table['text']")
    if isinstance(texts, Mapping | Set):
        raise TypeError(f"{name}: expected a list of texts, found a {type(texts).__name__}")
    ways = [getattr(texts, way) for way in ("to_pylist", "tolist", "to_list") if hasattr(texts, way)]
    column: list[Any] = texts if isinstance(texts, list) else ways[0]() if ways else list(texts)
    try:
        for row, text in enumerate(column):
            if not isinstance(text, str):
                raise TypeError(f"{name}: expected texts, found {short(text)} (row {row})")
            if not text.isascii():
                text.encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise ValueError(f"{name}: expected whole characters, found {half}, half of a pair (row {row})") from None
    if not column:
        raise ValueError(f"{name}: expected at least one text, found none")
    return column


def _are_short(texts: Sequence[str]) -> bool:
    return sum(len(text.encode()) if not text.isascii() else len(text) for text in texts) <= SHORT * len(texts)
