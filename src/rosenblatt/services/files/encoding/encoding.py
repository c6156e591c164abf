"""An encoding: its parameters, and what it has learned of the columns of a table. It makes features and labels.

Numbers stay numbers, dates become numbers, a category becomes an indicator for each of its values (the lecture's
recipe), text becomes hashed words and n-grams. numpy is all that is needed, but for hashed text. Features are made in
memory that is allocated once: numbers are written side by side where the features will be, and become them there.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import chain
from os import PathLike
from reprlib import repr as short
from typing import Any, TypeAlias

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import NumberedLabels
from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import Matrix, SparseRows
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.encoding.columns import LABELS, Categories, Label, NumberColumns, Texts
from rosenblatt.services.files.encoding.learn import ColumnStore, ahead, learn, learned_from
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.notation import PLAIN, Notation
from rosenblatt.services.files.table import BLOCK_ROWS, Table
from rosenblatt.services.files.table_file import Format, iter_table, table_of_file
from rosenblatt.services.files.text_column import Coded


@dataclass(frozen=True)
class Features:
    """How rows of features are made; `unknown` says whether a category that was not seen is an error."""

    numbers: NumberColumns
    categories: Categories
    texts: Texts
    unknown: str

    def __len__(self) -> int:
        return len(self.numbers) + len(self.categories) + len(self.texts)

    @property
    def is_sparse(self) -> bool:
        """Whether they are sparse rows: if most of them are 0 in every row."""
        columns = len(self.numbers.names) + len(self.categories.names)
        return bool(self.texts.names) or len(self) > 3 * columns

    def of(self, table: Table, numbers: Array | None = None) -> Matrix:
        """The rows of a table. `numbers` are its numbers, NaN where one is missing, with room for indicators."""
        numbers = self._numbers_in(table) if numbers is None else numbers
        return self._sparse(table, numbers) if self.is_sparse else self._dense(table, numbers)

    def _numbers_in(self, table: Table) -> Array:
        """The numbers of a table, row by row."""
        n_places = len(self.numbers) + len(self.categories.names)
        width = max(1, n_places if self.is_sparse else len(self))
        writer = _core.RowWriter(width)
        for block in table.blocks():
            writer.add(self.numbers.read(block), len(block))
        return writer.take().reshape(-1, width)

    def _dense(self, table: Table, numbers: Array) -> Array:
        shape, n_numbers = (len(table), len(self)), len(self.numbers)
        X = numbers if numbers.shape == shape else np.empty(shape)
        for part, block in _parts(table):
            rows = X[part]
            if X is not numbers:
                rows[:, :n_numbers] = numbers[part, :n_numbers]
            rows[:, n_numbers:] = 0
            self.numbers.finish(rows[:, :n_numbers])
            chosen = self.categories.encode(block, self.unknown)
            row, place = np.nonzero(chosen >= 0)
            rows[row, n_numbers + chosen[row, place]] = 1
        return X

    def _sparse(self, table: Table, numbers: Array) -> SparseRows:
        """Sparse rows, without values that are 0, where the numbers have been."""
        n_numbers, n_features = len(self.numbers), len(self.numbers) + len(self.categories)
        writer = _core.SparseWriter(numbers, n_numbers, n_features)
        for part, block in _parts(table):
            self.numbers.finish(numbers[part, :n_numbers])
            writer.add(self.categories.encode(block, self.unknown))
        indices, starts = writer.take()
        rows = SparseRows(numbers.reshape(-1)[: starts[-1]], indices, starts, n_features)
        return _side_by_side([rows, *self.texts.encode(table)]) if self.texts.names else rows


def _parts(table: Table) -> Iterator[tuple[slice, Table]]:
    """The blocks of a table, and where their rows go."""
    end = 0
    for block in table.blocks():
        yield slice(end, end + len(block)), block
        end += len(block)


def _side_by_side(parts: list[SparseRows]) -> SparseRows:
    """The columns of all parts, each part after the other, with indices of 32 bits if they fit."""
    n_rows, width = parts[0].shape[0], sum(part.n_columns for part in parts)
    rows = np.concatenate([part.row_numbers() for part in parts])
    offsets = np.cumsum([0, *(part.n_columns for part in parts[:-1])])
    columns = np.concatenate([part.indices + offset for part, offset in zip(parts, offsets, strict=True)])
    order = np.lexsort((columns, rows))
    kind = np.int32 if max(width, len(rows)) <= np.iinfo(np.int32).max else np.int64
    starts = np.searchsorted(rows[order], np.arange(n_rows + 1)).astype(kind)
    values = np.concatenate([part.data for part in parts])
    return SparseRows(values[order], columns[order].astype(kind), starts, width)


ReadBlocks: TypeAlias = Callable[[Callable[[str], bool]], Generator[Table, None, None]]
"""Gives the blocks of a table, with the columns that are wanted."""


@dataclass(frozen=True)
class Encoding:
    r"""How a table becomes features and labels.

    >>> import io
    >>> text = b"weather,wind,walk\nsunny,3,yes\nrainy,5,no\n"
    >>> encoding = Encoding.learn(EncodingParameters(label="walk"), io.BytesIO(text))
    >>> encoding.feature_names()
    ['wind', 'weather=rainy', 'weather=sunny']
    >>> encoding.transform(io.BytesIO(text)), encoding.labels(io.BytesIO(text))
    (array([[-1.,  0.,  1.],
           [ 1.,  1.,  0.]]), array(['yes', 'no'], dtype='<U3'))
    """

    parameters: EncodingParameters
    numbers: NumberColumns
    categories: Categories
    label: Label | None
    notation: Notation = PLAIN
    """How the text of the table was written; other files are read so."""
    whole_texts: bool = False
    """Whether its only column of text is handed on as it is, to a model that makes its own features of it."""

    @classmethod
    def learn(cls, parameters: EncodingParameters, table: Any, notation: Notation | None = None) -> "Encoding":
        """Learn from a `Table`, a frame, or a file or blocks of it, of which only one is held at a time.

        `notation` says how a file is written.
        """
        blocks = _blocks_of(table, notation)
        first = next(blocks)
        return cls(parameters, *learn(parameters, chain([first], blocks)), first.notation)

    @classmethod
    def learn_before(cls, parameters: EncodingParameters, read: ReadBlocks) -> "Encoding":
        """Learn, in a pass of its own, from a file of which features will be made in another.

        What is wrong with numbers of which nothing is to be learned is said when features are made of them.
        """
        with closing(read(lambda name: name not in parameters.ignore)) as blocks:
            first = next(blocks)
        with closing(read(learned_from(parameters, first).__contains__)) as blocks:
            next(blocks)
            return cls(parameters, *learn(parameters, chain([first], blocks), read_again=True), first.notation)

    @classmethod
    def learn_and_transform(
        cls, parameters: EncodingParameters, blocks: Iterator[Table]
    ) -> tuple["Encoding", Matrix, Table]:
        """Learn from the blocks of a file and make features of them; with what `labels` needs of the table.

        Numbers are written once, where the features will be, and the text of a file is given back block by block.
        """
        store, first = ColumnStore(parameters), next(blocks)
        encoding = cls(parameters, *learn(parameters, chain([first], blocks), store), first.notation)
        table, numbers = store.take()
        return encoding, encoding._features.of(table, numbers), table

    @classmethod
    def of_numbers(cls, names: list[str]) -> "Encoding":
        """Columns of numbers as they are, as a model without an encoding takes them."""
        return cls(EncodingParameters(standardise=False), NumberColumns.plain(names), Categories([], [], []), None)

    @property
    def texts(self) -> Texts:
        """The columns of text."""
        return Texts(list(self.parameters.text), self.parameters.ngrams, self.parameters.hash_bits)

    @property
    def columns(self) -> list[str]:
        """The columns that become features."""
        return [*self.numbers.names, *self.categories.names, *self.texts.names]

    @property
    def n_features(self) -> int:
        """How many features there are: those of the numbers, then the categories, then the texts."""
        return len(self._features)

    @property
    def is_sparse(self) -> bool:
        """Whether the features are sparse rows: if most of them are 0 in every row."""
        return self._features.is_sparse

    @property
    def _features(self) -> Features:
        return Features(self.numbers, self.categories, self.texts, self.parameters.unknown)

    def feature_names(self) -> list[str]:
        """`wind`, `weather=sunny`, `body#17`; `wind=` and `weather=` say that a value is missing."""
        return [name for part in (self.numbers, self.categories, self.texts) for name in part.feature_names()]

    def rename(self, names: dict[str, str]) -> "Encoding":
        """The same with other names of columns, for the names of its features."""
        numbers, categories, texts = (
            [names.get(name, name) for name in part.names] for part in (self.numbers, self.categories, self.texts)
        )
        return replace(
            self,
            parameters=replace(self.parameters, text=texts),
            numbers=replace(self.numbers, names=numbers),
            categories=replace(self.categories, names=categories),
        )

    def names_of(self, features: list[int]) -> list[str]:
        """The names of some features; those of hashed words are many, and need not all be made."""
        before, bits = len(self.numbers) + len(self.categories), self.texts.hash_bits
        known = [*self.numbers.feature_names(), *self.categories.feature_names()]
        return [
            known[k] if k < before else f"{self.texts.names[(k - before) >> bits]}#{(k - before) % (1 << bits)}"
            for k in features
        ]

    def transform(self, table: Any) -> Matrix:
        """The features of a table, whose columns are taken by name: an array, or `SparseRows` if `is_sparse`."""
        if self.whole_texts:
            return self._table_of(table).texts(self.texts.names[0])
        return self._features.of(self._table_of(table))

    def labels(self, table: Any) -> Array:
        """The labels of a table: whole numbers, numbers or text, as in training."""
        return np.asarray(self.numbered_labels(table))

    def numbered_labels(self, table: Any) -> Array | NumberedLabels:
        """The same, with texts numbered."""
        if self.label is None:
            raise ValueError("label: expected the name of a column, found None when the encoding was fitted")
        blocks = self._table_of(table).blocks()
        if self.label.kind != "text":
            return np.concatenate([self.label.encode(block) for block in blocks])
        coded = Coded.join([self.label.texts(block) for block in blocks])
        return NumberedLabels.of(coded.texts, coded.numbers)

    def blocks(
        self,
        path: FileLike,
        *,
        format: Format | None = None,  # noqa: A002
        delimiter: str | None = None,
        block_rows: int = BLOCK_ROWS,
        **written: Any,
    ) -> Iterator[tuple[Matrix, Array]]:
        """Features and labels of a file, so many rows at a time; `written`: how, if not as in training."""
        needed = {*self.columns, *([] if self.label is None else [self.label.name])}
        reading: Any = {"format": format, "delimiter": delimiter, "notation": self.notation.but(**written)}
        blocks = iter_table(path, **reading, block_rows=block_rows, wanted=needed.__contains__)
        with closing(ahead(lambda block: (self.transform(block), self.labels(block)), blocks)) as encoded:
            yield from encoded

    def _table_of(self, table: Any) -> Table:
        if not _is_file(table):
            return Table.of(table).written_as(self.notation)
        return table_of_file(table, notation=self.notation, lacking=self.parameters.label)

    def as_record(self) -> dict[str, Any]:
        """The encoding as a model file has it."""
        return {
            "notation": self.notation.as_record(),
            "parameters": self.parameters.as_record(),
            "numbers": asdict(self.numbers),
            "categories": asdict(self.categories),
            "label": None if self.label is None else self.label.kind,
            **({"whole_texts": True} if self.whole_texts else {}),
        }

    @classmethod
    def from_record(cls, record: Any) -> "Encoding":
        """An encoding as a model file has it. Nothing of it is believed."""
        if not isinstance(record, dict):
            raise ValueError(f"expected an object, found {short(record)}")  # noqa: TRY004 - of a file
        parts = Parts(record, {})
        names = EncodingParameters.declarations().keys()
        entries = parts.value(
            "parameters", "those of TableEncoding", lambda value: isinstance(value, dict) and value.keys() == names
        )
        parameters = EncodingParameters.of(**entries)
        name, kinds = parameters.label, (*LABELS, None)
        kind = parts.value("label", f"{', '.join(LABELS)} or null", lambda value: value in kinds)
        if (kind is None) != (name is None):
            raise ValueError(f"label: expected a column and what kind it is, or neither; found {name!r}, {kind!r}")
        numbers = NumberColumns.from_json(parts.value("numbers", "what was learned", lambda value: value is not None))
        values = parts.value("categories", "what was learned", lambda value: value is not None)
        notation = Notation.from_record(parts.value("notation", "how it is written", bool))
        whole = "whole_texts" in record and parts.flag("whole_texts")
        parts.end()
        label = None if name is None else Label(name, kind)
        encoding = cls(parameters, numbers, Categories.from_json(values), label, notation, whole)
        if whole and encoding.columns != parameters.text[:1]:
            raise ValueError(f"whole_texts: expected one column, of text, found {short(encoding.columns)}")
        columns = [*encoding.columns, *([] if name is None else [name])]
        if len(set(columns)) < len(columns):
            raise ValueError(f"expected each column once, found {short(columns)}")
        return encoding


def _is_file(table: Any) -> bool:
    return isinstance(table, str | PathLike) or hasattr(table, "readline")


def _blocks_of(table: Any, notation: Notation | None) -> Iterator[Table]:
    """In blocks of one size, so that what is learned does not depend on where the table comes from."""
    if _is_file(table) or isinstance(table, Iterator):
        yield from iter_table(table, notation=notation) if _is_file(table) else table
        return
    rows = Table.of(table)
    if not len(rows):
        raise ValueError("expected a table with rows, found none")
    yield from rows.blocks()
