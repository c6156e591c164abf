"""An encoding: its parameters, and what it has learned of the columns of a table. It makes features and labels.

Numbers stay numbers, dates become numbers, a category becomes an indicator for each of its values (the lecture's
recipe), text becomes words and n-grams, or stays text for a model that learns what its words tell. Features are made
in memory that is allocated once: numbers are written side by side where the features will be, and become them there.
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
from rosenblatt.base.numbers import number_text
from rosenblatt.base.record.parts import Parts, Tensors, tensor_as_json, tensors_from_json
from rosenblatt.base.rows import Matrix, SparseRows, sum_duplicates
from rosenblatt.members.linear.text.columns import TextColumns, TextRows
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.encoding.columns import LABELS, Categories, Label, NumberColumns
from rosenblatt.services.files.encoding.learn import ColumnStore, LearnedColumns, Texts, ahead, learn, learned_from
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.notation import PLAIN, Notation
from rosenblatt.services.files.table import BLOCK_ROWS, Table
from rosenblatt.services.files.table_file import Format, iter_table, table_of_file
from rosenblatt.services.files.text_column import Coded


@dataclass(frozen=True)
class Features:
    """How rows of features are made, but for texts; `unknown` says whether a category that was not seen is an error."""

    numbers: NumberColumns
    categories: Categories
    unknown: str

    def __len__(self) -> int:
        return len(self.numbers) + len(self.categories)

    @property
    def is_sparse(self) -> bool:
        """Whether they are sparse rows: if most of them are 0 in every row."""
        return len(self) > 3 * (len(self.numbers.names) + len(self.categories.names))

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
        return SparseRows(numbers.reshape(-1)[: starts[-1]], indices, starts, n_features)


def _parts(table: Table) -> Iterator[tuple[slice, Table]]:
    """The blocks of a table, and where their rows go."""
    end = 0
    for block in table.blocks():
        yield slice(end, end + len(block)), block
        end += len(block)


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
    texts: TextColumns | None = None
    """What is known of columns of text; None: they stay text, for a model that learns their features itself."""

    @classmethod
    def learn(
        cls,
        parameters: EncodingParameters,
        table: Any,
        notation: Notation | None = None,
        *,
        texts: Texts = "learn",
    ) -> "Encoding":
        """Learn from a `Table`, a frame, or a file or blocks of it, of which only one is held at a time.

        `notation` says how a file is written; `texts` may be left to a model.
        """
        blocks = _blocks_of(table, notation)
        first = next(blocks)
        return cls._of(parameters, learn(parameters, chain([first], blocks), texts=texts), first)

    @classmethod
    def _of(cls, parameters: EncodingParameters, learned: LearnedColumns, first: Table) -> "Encoding":
        return cls(parameters, learned.numbers, learned.categories, learned.label, first.notation, learned.texts)

    @classmethod
    def learn_before(cls, parameters: EncodingParameters, read: ReadBlocks, *, texts: Texts = "learn") -> "Encoding":
        """Learn, in a pass of its own, from a file of which features will be made in another.

        What is wrong with numbers of which nothing is to be learned is said when features are made of them.
        """
        with closing(read(lambda name: name not in parameters.ignore)) as blocks:
            first = next(blocks)
        with closing(read(learned_from(parameters, first).__contains__)) as blocks:
            next(blocks)
            return cls._of(parameters, learn(parameters, chain([first], blocks), texts=texts, read_again=True), first)

    @classmethod
    def learn_and_transform(
        cls, parameters: EncodingParameters, blocks: Iterator[Table], *, texts: Texts = "learn"
    ) -> tuple["Encoding", Matrix | TextRows, Table]:
        """Learn from the blocks of a file and make features of them; with what `labels` needs of the table.

        Numbers are written once, where the features will be, and the text of a file is given back block by block.
        """
        store, first = ColumnStore(parameters), next(blocks)
        encoding = cls._of(parameters, learn(parameters, chain([first], blocks), store, texts=texts), first)
        table, numbers = store.take()
        return encoding, encoding._rows_of(table, numbers), table

    @classmethod
    def of_numbers(cls, names: list[str]) -> "Encoding":
        """Columns of numbers as they are, as a model without an encoding takes them."""
        return cls(EncodingParameters(standardise=False), NumberColumns.plain(names), Categories([], [], []), None)

    @classmethod
    def of_text(cls, text: str, label: str) -> "Encoding":
        """A column of texts that stay text, as a model of texts without an encoding takes them."""
        parameters = EncodingParameters(text=[text], label=label)
        return cls(parameters, NumberColumns.plain([]), Categories([], [], []), None)

    @property
    def columns(self) -> list[str]:
        """The columns that become features."""
        return [*self.numbers.names, *self.categories.names, *self.parameters.text]

    @property
    def n_features(self) -> int:
        """How many features there are: of the numbers, then the categories, then the texts that do not stay text."""
        return len(self._features) if self.texts is None else len(self.texts)

    @property
    def is_sparse(self) -> bool:
        """Whether the features are sparse rows: if most of them are 0 in every row."""
        return self.texts is not None or self._features.is_sparse

    @property
    def leaves_texts(self) -> bool:
        """Whether columns of text stay text."""
        return bool(self.parameters.text) and self.texts is None

    @property
    def _features(self) -> Features:
        return Features(self.numbers, self.categories, self.parameters.unknown)

    def feature_names(self) -> list[str]:
        """`wind`, `weather=sunny`, `body#17`; `wind=` and `weather=` say that a value is missing."""
        return self.names_of(list(range(self.n_features)))

    def rename(self, names: dict[str, str]) -> "Encoding":
        """The same with other names of columns, for the names of its features."""
        numbers, categories, texts = (
            [names.get(name, name) for name in part]
            for part in (self.numbers.names, self.categories.names, self.parameters.text)
        )
        return replace(
            self,
            parameters=replace(self.parameters, text=texts),
            numbers=replace(self.numbers, names=numbers),
            categories=replace(self.categories, names=categories),
            texts=None if self.texts is None else replace(self.texts, names=texts),
        )

    def names_of(self, features: list[int]) -> list[str]:
        """The names of some features; those of texts are many, and need not all be made."""
        known = [*self.numbers.feature_names(), *self.categories.feature_names()]
        return [known[k] if k < len(known) or self.texts is None else self.texts.name_of(k) for k in features]

    def cells_of(self, features: list[int], row: Matrix) -> list[str]:
        """What these features of a row say, but for those of texts: `wind=3`, `weather=sunny`."""
        values, numbers = (row.toarray() if isinstance(row, SparseRows) else row).ravel(), self.numbers
        names = self.names_of(features)
        for place, k in enumerate(features):
            if k < len(numbers.names):
                number = values[k] * numbers.scale[k] + numbers.mean[k]
                names[place] = f"{names[place]}={number_text(float(f'{number:.6g}'))}"
        return names

    def transform(self, table: Any) -> Matrix | TextRows:
        """The features of a table, whose columns are taken by name: an array, or `SparseRows` if `is_sparse`."""
        return self._rows_of(self._table_of(table))

    def _rows_of(self, table: Table, numbers: Array | None = None) -> Matrix | TextRows:
        others = self._features.of(table, numbers) if len(self._features) else None
        if not self.parameters.text:
            return others
        rows = TextRows([table.texts(name).tolist() for name in self.parameters.text], others)
        return rows if self.texts is None else sum_duplicates(self.texts.rows(rows).astype(np.float64))

    def to_model(self) -> "Encoding":
        """The same for a model that has what is known of the texts."""
        return replace(self, texts=None)

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

    def as_record(self, tensors: Tensors | None = None) -> dict[str, Any]:
        """The encoding as a model file has it. Arrays join the tensors or, if there are none, are texts in the record.

        Texts that a model knows are not in it.
        """
        arrays = Tensors()
        record = {
            "notation": self.notation.as_record(),
            "parameters": self.parameters.as_record(),
            "numbers": asdict(self.numbers),
            "categories": asdict(self.categories),
            "label": None if self.label is None else self.label.kind,
            "texts": None if self.texts is None else self.texts.to_record(arrays),
        }
        if tensors is None:
            return record | {"tensors": {name: tensor_as_json(tensor) for name, tensor in arrays.items()}}
        tensors |= {f"encoding.{name}": tensor for name, tensor in arrays.items()}
        return record

    @classmethod
    def from_record(cls, record: Any, tensors: Tensors | None = None) -> "Encoding":
        """An encoding as a model file has it, with the tensors that are its own. Nothing of it is believed."""
        if not isinstance(record, dict):
            raise ValueError(f"expected an object, found {short(record)}")  # noqa: TRY004 - of a file
        if tensors is None:
            record = dict(record)
            tensors = tensors_from_json(record.pop("tensors", None))
        parts = Parts(record, tensors)
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
        categories = Categories.from_json(
            parts.value("categories", "what was learned", lambda value: value is not None)
        )
        notation = Notation.from_record(parts.value("notation", "how it is written", bool))
        of_texts, texts = parts.value("texts", "columns of text or null", lambda _: True), None
        if of_texts is not None:
            texts = TextColumns.from_record(of_texts, len(numbers) + len(categories), parts)
            if texts.names != list(parameters.text):
                raise ValueError(f"texts: expected the columns {short(parameters.text)}, found {short(texts.names)}")
        parts.end()
        label = None if name is None else Label(name, kind)
        encoding = cls(parameters, numbers, categories, label, notation, texts)
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
