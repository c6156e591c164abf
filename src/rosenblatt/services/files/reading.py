"""How data files become rows and labels: what is said of the files, and what is found out from them.

Every door reads files by this: the command line, `fit_file`, runs over a file larger than memory, and the workers of a
cluster. Nothing heavy is imported before a file is read, since the command line builds its options from here.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.numbers import as_labels, first_names
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.format import LINES, TABLES, format_of, is_named, kind_of
from rosenblatt.services.files.notation import PLAIN, Notation
from rosenblatt.services.files.schema import Data, Schema, as_targets

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding import Encoding
    from rosenblatt.services.files.table import Table

FORMATS = ("svmlight", *TABLES, *LINES)
NOTATION = (
    "header",
    "names",
    "na",
    "decimal",
    "thousands",
    "date_order",
    "encoding",
    "encoding_errors",
)  # the words of a `Notation`


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What is said of data files. None, or "auto": the name of a file tells, or its beginning, or the training data."""

    format: str | None = None  # one of FORMATS
    delimiter: str | None = None  # between the cells of a CSV table
    n_features: int | None = None  # columns of svmlight text
    zero_based: bool | Literal["auto"] = "auto"  # whether svmlight text counts columns from 0
    dtype: Any = "float64"  # of the features
    label: str | None = None  # the column of a table with the labels; None: the last one
    label_separator: str | None = None  # joins several labels of a line; None: a line has one label
    notation_words: Mapping[str, Any] = field(default_factory=dict)  # how the text of a table is written
    encoding_words: Mapping[str, Any] = field(default_factory=dict)  # how a table is to become features
    encoding: "Encoding | None" = None  # how a table becomes features, once that is learned
    schema: Schema | None = None  # what the rows must fit: the training data of a model
    texts: Literal["learn", "learn with labels", "leave"] = "learn"  # leave: they stay text, for a model of texts

    def like(self, schema: Schema) -> "Reading":
        """The same for further files of a model: where nothing else is said, they are read as its training data."""
        from_zero = schema.zero_based if self.zero_based == "auto" and schema.zero_based is not None else None
        return replace(
            self,
            n_features=schema.n_features,
            zero_based=self.zero_based if from_zero is None else from_zero,
            encoding=schema.encoding,
            schema=schema,
            label_separator=schema.label_separator,
        )

    def for_lines(self, path: FileLike) -> "Reading":
        """The same, with what lines of `label<TAB>text` and of fastText say of themselves: which column is what."""
        if self.form(path) not in ("lines", "fasttext"):
            return self
        words = {"text": ["text"], **self.encoding_words}
        return replace(self, label=self.label or "label", encoding_words=words)

    @property
    def notation(self) -> Notation:
        """How the text of a table is written: as said, else as that which the model has learned from."""
        return (PLAIN if self.encoding is None else self.encoding.notation).but(**self.notation_words)

    def form(self, path: FileLike) -> str:
        """The format as said, by the name of the file or, where that says nothing, as the model has learned from.

        "table": only the beginning of the file will tell what kind of table it is.
        """
        if isinstance(path, str) and kind_of(path) == "model":
            raise ValueError(f"{path}: expected data, found a model file")
        of_table = self.encoding is not None
        unsaid = "csv" if self.delimiter else "table" if of_table and not is_named(path) else "svmlight"
        form = self.format or format_of(path, unsaid)
        if self.encoding is not None and form == "svmlight":
            expected = f"a table with the columns {first_names(self.encoding.columns)}, as the model was trained on one"
            advice = "a table is named .csv, .tsv, .parquet or .arrow, or told by --from"
            raise ValueError(f"{path}: expected {expected}, found what is read as svmlight text; {advice}")
        return form

    def blocks(self, path: FileLike, wanted: Callable[[str], bool] | None = None) -> "Generator[Table, None, None]":
        """A table, block by block, with the columns that are wanted."""
        from rosenblatt.services.files.table_file import iter_table

        return iter_table(path, **self._of_table(path), wanted=wanted)

    def table(self, path: FileLike) -> "Table | None":
        """The whole table, or None if the file is svmlight text."""
        if self.form(path) == "svmlight":
            return None
        from rosenblatt.services.files.table_file import table_of_file

        return table_of_file(path, **self._of_table(path))

    def _of_table(self, path: FileLike) -> dict[str, Any]:
        """What the reader of tables asks for; a file that is like the model's need not have the labels."""
        form, for_answers = self.form(path), self.schema is not None and self.encoding is not None
        return {
            "format": None if form == "table" else form,
            "delimiter": self.delimiter,
            "notation": self.notation,
            "label_separator": self.label_separator,
            "lacking": self.encoding.parameters.label if for_answers and self.encoding is not None else None,
        }

    def learn_encoding(self, blocks: "Callable[[], Iterator[Table]]", **words: Any) -> "Encoding":
        """How a table becomes features, learned from its blocks, which are asked for twice."""
        from rosenblatt.services.files.encoding import Encoding

        return Encoding.learn(self._encoding_parameters(next(blocks()).names, **words), blocks(), texts=self.texts)

    def learn_encoding_before(self, path: FileLike) -> "Encoding":
        """The same from a file that need not fit into memory, and is read again to learn from it."""
        from rosenblatt.services.files.encoding import Encoding

        parameters = self._encoding_parameters(next(self.blocks(path)).names)
        return Encoding.learn_before(parameters, lambda wanted: self.blocks(path, wanted), texts=self.texts)

    def _encoding_parameters(self, names: list[str], **words: Any) -> EncodingParameters:
        label = self.label if self.label is not None else names[-1]
        return EncodingParameters.of(label=label, **{**self.encoding_words, **words})

    def read(self, path: str, *, fractions: bool = False) -> Data:
        """Rows and labels of a file to learn from; with `fractions` numbers of a table stay as written."""
        table = self.table(path) if fractions else None
        if table is None:
            import numpy as np

            data = self.read_all([path])
            return data._replace(y=np.asarray(data.y))
        encoding = self.learn_encoding(lambda: iter([table]))
        return Data.of_table(encoding, encoding.transform(table), encoding.labels(table)).as_written(table)

    def read_all(self, paths: Sequence[str], *, numbers: bool = False) -> Data:
        """Rows and labels of files, in their order: one data set, with what is learned of tables learned of all.

        With `numbers` the labels are numbers, else those of a single table may be `NumberedLabels`.
        """
        if len(paths) == 1 and self.form(paths[0]) != "svmlight":
            return self._learn_and_transform(paths[0], numbers=numbers)
        tables = [table for table in map(self.table, paths) if table is not None]
        if not tables:
            from rosenblatt.services.files.svmlight import read_counted_files

            (X, y), zero_based = read_counted_files(paths, self.n_features, "float64", self.zero_based)
            _check_no_table(paths[0], X, y)
            return Data(X, as_targets(as_labels(y), paths[0]) if numbers else as_labels(y), zero_based=zero_based)
        if len(tables) < len(paths):
            raise ParameterError("expected files of one kind, found svmlight text and tables: see --from")
        encoding = _with_labels(self.learn_encoding(lambda: iter(tables)), numbers=numbers)
        from rosenblatt.base.rows import stack_all
        from rosenblatt.members.linear.text.columns import TextRows

        parts = [encoding.transform(table) for table in tables]
        rows: Any = TextRows.join(parts) if encoding.leaves_texts else stack_all(parts)
        return Data.of_table(encoding, rows, stack_all([encoding.labels(table) for table in tables]))

    def _learn_and_transform(self, path: str, *, numbers: bool) -> Data:
        """A table, of which each block is read once."""
        from rosenblatt.services.files.encoding import Encoding

        ignored = self.encoding_words.get("ignore") or ()
        blocks = self.blocks(path, lambda name: name not in ignored)
        first = next(blocks)
        parameters = self._encoding_parameters(first.all_names)
        learned, X, table = Encoding.learn_and_transform(parameters, chain([first], blocks), texts=self.texts)
        encoding = _with_labels(learned, numbers=numbers)
        return Data.of_table(encoding, X, encoding.numbered_labels(table))

    def read_rows(self, files: Sequence[FileLike]) -> tuple[Any, Any, bool]:
        """X and y of files, svmlight text or, with an encoding, tables; and whether they count columns from 0."""
        if self.encoding is None:
            from rosenblatt.services.files.svmlight import read_counted_files

            (X, y), from_zero = read_counted_files(files, self.n_features, self.dtype, self.zero_based)
            return X, y, from_zero
        import numpy as np

        from rosenblatt.base.rows import stack_all
        from rosenblatt.services.files.table_file import table_of_file

        words: dict[str, Any] = {"format": self.format, "delimiter": self.delimiter, "notation": self.notation}
        tables = [table_of_file(file, **words) for file in files]
        X = stack_all([self.encoding.transform(table) for table in tables]).astype(self.dtype)
        return X, np.concatenate([self.encoding.labels(table) for table in tables]), True

    def read_to_test(self, path: str) -> Data:
        """Rows and labels that fit the schema; some of the labels must be known."""
        schema = self._schema
        table = self.table(path)
        if table is None:
            from rosenblatt.services.files.svmlight import read_counted_files

            (X, y), zero_based = read_counted_files([path], self.n_features, "float64", self.zero_based)
            _check_no_table(path, X, y)
            data = Data(X, schema.labels(as_labels(y), path), zero_based=zero_based)
        else:
            encoding = self._encoding_for(table)
            y = schema.labels_in(table, encoding, self.label)
            data = Data.of_table(encoding, encoding.transform(table), y)
        schema.check_labels(data.y, path)
        return data

    def iter_rows(self, path: str) -> Iterator[Any]:
        """Rows that fit the schema, block by block; a table may come without labels.

        Where nothing tells how svmlight text counts columns, all of it must be read first.
        """
        if self.form(path) != "svmlight":
            for encoding, table in self._encoded_blocks(path, labels=False):
                yield encoding.transform(table)
        else:
            for X, _ in self._svmlight_blocks(path):
                yield X

    def iter_labelled(self, path: str) -> Iterator[tuple[Any, Any]]:
        """The same rows with their labels, which the model need not know."""
        if self.form(path) != "svmlight":
            for encoding, table in self._encoded_blocks(path, labels=True):
                labels = self._schema.labels_in(table, encoding, self.label)
                yield encoding.transform(table), labels
        else:
            for X, y in self._svmlight_blocks(path):
                yield X, self._schema.labels(y if y.dtype.kind == "U" else as_labels(y), path)

    @property
    def _schema(self) -> Schema:
        assert self.schema is not None, "these files must fit a schema: see `like`"
        return self.schema

    def _encoding_for(self, table: "Table") -> Any:
        return self._schema.encoding_for(table, self.label, self.encoding_words.get("unknown"))

    def _encoded_blocks(self, path: str, *, labels: bool) -> Iterator[tuple[Any, Any]]:
        """Blocks of a table with how they become features; where it is known which, with the needed columns alone."""
        encoding, needed = None, self._schema.columns(self.label, labels=labels)
        for table in self.blocks(path, None if needed is None else needed.__contains__):
            encoding = encoding or self._encoding_for(table)
            yield encoding, table

    def _svmlight_blocks(self, path: str) -> Iterator[tuple[Any, Any]]:
        if self.zero_based == "auto":
            from rosenblatt.services.files.svmlight import read_counted_files

            (X, y), _ = read_counted_files([path], self.n_features, "float64", "auto")
            _check_no_table(path, X, y)
            yield X, as_labels(y)
            return
        from rosenblatt.services.files.svmlight import iter_rows

        for X, y in iter_rows(path, n_features=self._schema.n_features, zero_based=self.zero_based):
            _check_no_table(path, X, y)
            yield X, y


def _with_labels(encoding: "Encoding", *, numbers: bool) -> "Encoding":
    if numbers and encoding.label is not None:
        return replace(encoding, label=replace(encoding.label, kind="number"))
    return encoding


def _check_no_table(path: FileLike, X: Any, y: Any) -> None:
    if X.nnz == 0 and y.dtype.kind == "U" and "," in y[0]:
        raise ValueError(f"{path}: expected svmlight text, found {str(y[0])!r}; a CSV table is read with --from csv")
