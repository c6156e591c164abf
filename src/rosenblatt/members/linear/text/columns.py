"""Rows of texts, and of other columns beside them: how many columns of text become one row.

A row has the features of the other columns first, as they come, and then those of each column of text, of length one.
A list of texts is a table with one column of text and nothing beside it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import Matrix, SparseRows, as_rows, as_type, side_by_side, sparse, stack_all
from rosenblatt.members.linear.text.encoding import CountedTexts, Shape, TextEncoding, as_texts


@dataclass(frozen=True, eq=False)
class TextRows:
    """Rows of which texts are still texts: the texts of each column, and the features of the other columns, if any.

    >>> rows = TextRows([["a b", "c"]], np.array([[1.0], [2.0]]))
    >>> len(rows), rows[1:].texts, rows[np.array([0])].others.tolist()
    (2, [['c']], [[1.0]])
    """

    texts: list[list[str]]
    others: Matrix | None = None

    @classmethod
    def of(cls, X: Any) -> "TextRows":
        """Rows as they are, or a list or a column of texts."""
        return X if isinstance(X, TextRows) else cls([as_texts(X)])

    @classmethod
    def join(cls, parts: Sequence["TextRows"]) -> "TextRows":
        """Rows below each other."""
        columns = range(len(parts[0].texts))
        texts = [[text for part in parts for text in part.texts[k]] for k in columns]
        return cls(texts, None if parts[0].others is None else stack_all([part.others for part in parts]))

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows there are, and how many columns."""
        return len(self), len(self.texts) + (0 if self.others is None else self.others.shape[1])

    def __len__(self) -> int:
        return len(self.texts[0])

    def __getitem__(self, rows: Any) -> "TextRows":
        """Some of the rows, by a slice or an array of their numbers."""
        others = None if self.others is None else self.others[rows]
        if isinstance(rows, slice):
            return TextRows([texts[rows] for texts in self.texts], others)
        numbers = rows.tolist()
        return TextRows([[texts[k] for k in numbers] for texts in self.texts], others)


class CountedRows:
    """The same with the features of the texts and their counts, before their scales are known."""

    def __init__(self, shapes: Sequence[Shape], rows: TextRows) -> None:
        self.texts = [CountedTexts(shape, texts) for shape, texts in zip(shapes, rows.texts, strict=True)]
        others = None if rows.others is None else as_type(as_rows(rows.others), np.float32)
        self.others = others if others is None or isinstance(others, SparseRows) else sparse(others)

    def __len__(self) -> int:
        return len(self.texts[0])


def chosen_weighting(weighting: str, n_classes: int) -> str:
    """What "auto" is for so many classes."""
    return weighting if weighting != "auto" else "ratio" if n_classes == 2 else "tfidf"


class TextCounts:
    """What rows teach of the texts in each column, taken in part by part; `weighting` may be "auto"."""

    def __init__(self, shapes: Sequence[Shape], weighting: str) -> None:
        self.shapes, self.weighting, self._n_classes = list(shapes), weighting, 0
        self._counts = [_core.TextCounts(shape.core(), weighting in ("auto", "ratio")) for shape in shapes]

    def add(self, texts: Sequence[CountedTexts], rows: Array, target: Array, n_classes: int) -> None:
        """These rows of counted texts, whose classes are the targets; the classes may become more."""
        self._n_classes = max(n_classes, 1)
        if self.weighting == "auto" and n_classes > 2:
            self.weighting = "tfidf"
            for counts in self._counts:
                counts.forget_classes()
        for counts, column in zip(self._counts, texts, strict=True):
            counts.add(*column.parts, rows, target, self._n_classes)

    def encodings(self) -> list[TextEncoding]:
        """What all rows so far tell of the features of each column."""
        weighting = chosen_weighting(self.weighting, self._n_classes)
        pairs = zip(self.shapes, self._counts, strict=True)
        return [TextEncoding(shape, weighting, counts.scales(weighting)) for shape, counts in pairs]


@dataclass(frozen=True)
class TextColumns:
    """The columns of text: their names ("" for a list), what is known of each, and the features that stand before."""

    names: list[str]
    encodings: list[TextEncoding]
    n_others: int = 0

    @classmethod
    def learn(
        cls, names: list[str], counted: CountedRows, rows: Array, target: Array, n_classes: int, weighting: str
    ) -> Self:
        """Learn from the rows with these numbers, whose classes are the targets."""
        weighting = chosen_weighting(weighting, n_classes)
        encodings = [TextEncoding.learn(texts, rows, target, n_classes, weighting) for texts in counted.texts]
        return cls(names, encodings, 0 if counted.others is None else counted.others.shape[1])

    def __len__(self) -> int:
        return self.n_others + sum(len(encoding.features) for encoding in self.encodings)

    @cached_property
    def scales(self) -> Array:
        """Of each feature of a row; those of other columns stay as they are."""
        scales = [encoding.scales.scales for encoding in self.encodings]
        return np.concatenate([np.ones(self.n_others, np.float32), *scales])

    @property
    def nbytes(self) -> int:
        """How many bytes a model file needs for the features of texts."""
        tensors = Tensors()
        self.to_record(tensors)
        return sum(tensor.nbytes for tensor in tensors.values())

    def keep(self, features: Array) -> Self:
        """The same with some features, in ascending order, among them all of other columns."""
        if len(features) == len(self):
            return self
        places = np.searchsorted(features, [*self.starts, len(self)])
        encodings = [
            encoding.keep(features[first:last] - start)
            for encoding, start, first, last in zip(self.encodings, self.starts, places, places[1:], strict=False)
        ]
        return replace(self, encodings=encodings)

    @property
    def starts(self) -> list[int]:
        """The first feature of each column in a row."""
        return list(accumulate((len(encoding.features) for encoding in self.encodings[:-1]), initial=self.n_others))

    @property
    def weighting(self) -> str:
        """How much a feature counts in a text; all columns have the same."""
        return self.encodings[0].weighting

    def column_of(self, feature: int) -> str:
        """The name of the column of text that a feature of a row comes from."""
        return self.names[bisect_right(self.starts, feature) - 1]

    def name_of(self, feature: int) -> str:
        """`body#17`: this column, and the number of the feature there."""
        place = bisect_right(self.starts, feature) - 1
        return f"{self.names[place]}#{self.encodings[place].features[feature - self.starts[place]]}"

    def rows_of(self, counted: CountedRows, rows: Array) -> SparseRows:
        """Some of the rows."""
        texts = [encoding.rows_of(column, rows) for encoding, column in zip(self.encodings, counted.texts, strict=True)]
        return side_by_side([*([] if counted.others is None else [counted.others[rows]]), *texts])

    def rows(self, X: TextRows) -> SparseRows:
        """Rows, without features of texts that are not known."""
        n_others = 0 if X.others is None else X.others.shape[1]
        if (n_others, len(X.texts)) != (self.n_others, len(self.encodings)):
            raise ValueError(
                f"X: expected rows of {self.n_others} features and {len(self.encodings)} texts, found {n_others} and "
                f"{len(X.texts)}"
            )
        counted = CountedRows([encoding.shape for encoding in self.encodings], X)
        return self.rows_of(counted, np.arange(len(counted)))

    def words_of(self, blocks: Callable[[], Iterable[TextRows]], columns: Array) -> dict[int, str]:
        """The words of features of texts, in lower case, as they are where the texts of some blocks have them first."""
        words = dict[int, str]()
        for place, (start, encoding) in enumerate(zip(self.starts, self.encodings, strict=True)):
            of_column = columns[(columns >= start) & (columns < start + len(encoding.features))] - start
            wanted = encoding.features[of_column]
            number_of = dict(zip(wanted.tolist(), (of_column + start).tolist(), strict=True))
            for block in blocks():
                if not len(wanted):
                    break
                seen = encoding.words_of(block.texts[place], wanted)
                words |= {number_of[feature]: text for feature, text in seen.items()}
                wanted = np.setdiff1d(wanted, list(seen))
        return words

    def to_record(self, tensors: Tensors) -> list[dict[str, Any]]:
        """The columns, one by one; their arrays join the tensors."""
        record = []
        for place, (name, encoding) in enumerate(zip(self.names, self.encodings, strict=True)):
            arrays = Tensors()
            entry = {"name": name, "n_features": len(encoding.features), **encoding.to_record(arrays)}
            tensors |= {f"texts.{place}.{key}": tensor for key, tensor in arrays.items()}
            record.append(entry)
        return record

    @classmethod
    def from_record(cls, record: Any, n_others: int | None, parts: Parts, n_features: int | None = None) -> Self:
        """Read them from a record, and check all of it. `n_others` or the number of all features is known."""
        if not isinstance(record, list) or not record or not all(isinstance(entry, dict) for entry in record):
            raise ValueError("texts: expected a list of columns of text")
        names, encodings = list[str](), list[TextEncoding]()
        for place, entry in enumerate(record):
            column = parts.of(entry, f"texts.{place}.")
            names.append(column.value("name", "the name of a column", lambda name: isinstance(name, str)))
            encodings.append(TextEncoding.from_record(column.count("n_features"), column))
            column.end()
        n_texts = sum(len(encoding.features) for encoding in encodings)
        n_others = (n_features or 0) - n_texts if n_others is None else n_others
        if n_others < 0:
            raise ValueError(f"texts: expected at most {n_features} features, found {n_texts}")
        if len(set(names)) < len(names):
            raise ValueError(f"texts: expected each column once, found {names}")
        return cls(names, encodings, n_others)
