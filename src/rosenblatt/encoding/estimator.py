"""From tables to features and labels: the encoding is learned with the model, and is part of it.

Numbers stay numbers, a category becomes an indicator for each of its values (the lecture's recipe), text becomes hashed
words and n-grams.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from os import PathLike
from reprlib import repr as short
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import _align_api_if_sparse
from sklearn.utils.validation import check_is_fitted

from rosenblatt.arrays import Array
from rosenblatt.data.compressed import FileLike
from rosenblatt.data.table import BLOCK_ROWS, Format, Table, iter_table, read_table
from rosenblatt.encoding.columns import LABELS, Categories, Label, Numbers, Texts
from rosenblatt.encoding.learn import MISSING, learn
from rosenblatt.exceptions import all_or_nothing
from rosenblatt.record.parts import Parts
from rosenblatt.record.safetensors import parse_json
from rosenblatt.theory.data_hash import canonical_json

Missing = Literal["error", "zero", "mean", "indicator"]

UNKNOWN = ("error", "ignore")
MOST_NGRAMS, MOST_HASH_BITS = 8, 28
_NAMES = ("categorical", "text", "ignore")


class TableEncoding(TransformerMixin, BaseEstimator):
    r"""Features of a table: numbers, an indicator for each category, hashed words.

    A transformer for pipelines of scikit-learn, and what `save` puts into a model file beside the model, so that raw
    tables can be predicted. A column that is named neither `categorical` nor `text` has numbers if the table says so,
    in a CSV file if its first value is a number; all others have categories. A table to transform is read by the names
    of the columns, in any order and with others between.

    Parameters
    ----------
    label
        The column of labels, for `labels` and `blocks`. None: there is none, all columns become features.
    categorical
        Columns of categories, which may look like numbers.
    text
        Columns of text: hashed n-grams of words.
    ignore
        Columns that are left out.
    missing
        What is done with a missing number or category: "error"; "zero": all its features are 0; "mean": the mean of
        the numbers, the most frequent category; "indicator": 0, and one feature more, which says so. A dict has it by
        column, "error" for others. A text may be empty.
    unknown
        What is done with a category that training had not: "error", or "ignore": all its indicators are 0.
    standardise
        Whether numbers get mean 0 and deviation 1.
    ngrams
        Up to how many words of a text make a feature.
    hash_bits
        Each column of text has 2^hash_bits features.

    Attributes
    ----------
    n_features_
        How many features there are.
    numbers_, categories_, texts_, label_
        What was learned of each kind of columns; the features come in this order.

    See Also
    --------
    read_table : Tables from files, with the place of what is wrong in them.

    Examples
    --------
    >>> import io
    >>> from rosenblatt import Perceptron, read_table
    >>> table = read_table(io.BytesIO(b"weather,wind,walk\nsunny,3,yes\nrainy,5,no\novercast,1,yes\n"))
    >>> encoding = TableEncoding(label="walk").fit(table)
    >>> encoding.get_feature_names_out().tolist()
    ['wind', 'weather=overcast', 'weather=rainy', 'weather=sunny']
    >>> encoding.transform(table), encoding.labels(table)
    (array([[3., 0., 0., 1.],
           [5., 0., 1., 0.],
           [1., 1., 0., 0.]]), array(['yes', 'no', 'yes'], dtype='<U3'))
    >>> model = Perceptron().fit(encoding.transform(table), encoding.labels(table))
    >>> model.predict(encoding.transform({"wind": [4], "weather": ["rainy"]}))
    array(['no'], dtype='<U3')
    """

    def __init__(
        self,
        *,
        label: str | None = None,
        categorical: Sequence[str] = (),
        text: Sequence[str] = (),
        ignore: Sequence[str] = (),
        missing: Missing | dict[str, Missing] = "error",
        unknown: Literal["error", "ignore"] = "error",
        standardise: bool = False,
        ngrams: int = 1,
        hash_bits: int = 18,
    ) -> None:
        self.label = label
        self.categorical = categorical
        self.text = text
        self.ignore = ignore
        self.missing = missing
        self.unknown = unknown
        self.standardise = standardise
        self.ngrams = ngrams
        self.hash_bits = hash_bits

    def fit(self, table: Any, y: Any = None) -> "TableEncoding":  # noqa: ARG002 - scikit-learn's signature
        """Learn from a table: a `Table`, a frame, or a file or blocks of it, of which only one is held at a time."""
        self._check_parameters()
        with all_or_nothing(self):
            self._set(*learn(self, _blocks_of(table)))
        return self

    def transform(self, table: Any) -> Any:
        """The features: a CSR matrix if most of them are 0 in every row, else an array. Columns are taken by name."""
        check_is_fitted(self)
        rows = _table_of(table)
        parts: list[Any] = [
            self.numbers_.encode(rows),
            self.categories_.encode(rows, self.unknown),
            self.texts_.encode(rows),
        ]
        if not self._sparse:
            return np.hstack([parts[0], *(part.toarray() for part in parts[1:])])
        X = sp.csr_array(sp.hstack(parts))
        X.sort_indices()
        return _align_api_if_sparse(X)

    def labels(self, table: Any) -> Array:
        """The labels: whole numbers, numbers or text, as in training."""
        check_is_fitted(self)
        if self.label_ is None:
            raise ValueError("label: expected the name of a column, found None when the encoding was fitted")
        return self.label_.encode(_table_of(table))

    def blocks(
        self,
        path: FileLike,
        *,
        format: Format | None = None,  # noqa: A002
        block_rows: int = BLOCK_ROWS,
    ) -> Iterator[tuple[Any, Array]]:
        r"""Features and labels of a file, so many rows at a time, in little memory.

        Examples
        --------
        >>> import io
        >>> from rosenblatt import Perceptron
        >>> text = b"weather,walk\nsunny,1\nrainy,-1\novercast,1\n"
        >>> encoding = TableEncoding(label="walk").fit(io.BytesIO(text))
        >>> model = Perceptron()
        >>> for X, y in encoding.blocks(io.BytesIO(text), block_rows=2):
        ...     print(X.tolist(), y)
        ...     model = model.partial_fit(X, y)
        [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]] [ 1 -1]
        [[1.0, 0.0, 0.0]] [1]
        """
        for block in iter_table(path, format=format, block_rows=block_rows):
            yield self.transform(block), self.labels(block)

    def get_feature_names_out(self, input_features: Any = None) -> Array:  # noqa: ARG002 - scikit-learn's signature
        """`wind`, `weather=sunny`, `body#17`; `wind=` and `weather=` say that a value is missing."""
        check_is_fitted(self)
        parts = (self.numbers_, self.categories_, self.texts_)
        return np.array([name for part in parts for name in part.feature_names()], dtype=object)

    def to_json(self) -> str:
        """All of it as JSON.

        Examples
        --------
        >>> encoding = TableEncoding().fit({"weather": ["sunny", "rainy"]})
        >>> TableEncoding.from_json(encoding.to_json()).transform({"weather": ["rainy"]})
        array([[1., 0.]])
        """
        return canonical_json(self.as_record())

    @classmethod
    def from_json(cls, text: str) -> "TableEncoding":
        """What `to_json` wrote; a ValueError says what is wrong with it. Nothing in it is run."""
        return cls.from_record(parse_json(text, "encoding"))

    def as_record(self) -> dict[str, Any]:
        """What a model file has of it."""
        check_is_fitted(self)
        given = {name: list(value) if name in _NAMES else value for name, value in self.get_params().items()}
        return {
            "parameters": given,
            "numbers": asdict(self.numbers_),
            "categories": asdict(self.categories_),
            "label": None if self.label_ is None else self.label_.kind,
        }

    @classmethod
    def from_record(cls, record: Any) -> "TableEncoding":
        """An encoding as a model file has it. Nothing of it is believed."""
        if not isinstance(record, dict):
            raise ValueError(f"expected an object, found {short(record)}")  # noqa: TRY004 - of a file
        parts = Parts(record, {})
        names = set(cls._get_param_names())
        given = parts.value(
            "parameters", "those of TableEncoding", lambda it: isinstance(it, dict) and set(it) == names
        )
        encoding = cls(**given)
        encoding._check_parameters()
        kind = parts.value("label", f"{', '.join(LABELS)} or null", lambda kind: kind in (*LABELS, None))
        if (kind is None) != (encoding.label is None):
            raise ValueError(
                f"label: expected a column and what kind it is, or neither; found {encoding.label!r}, {kind!r}"
            )
        numbers = Numbers.from_json(parts.value("numbers", "what was learned", lambda value: value is not None))
        categories = Categories.from_json(
            parts.value("categories", "what was learned", lambda value: value is not None)
        )
        parts.end()
        encoding._set(numbers, categories, None if encoding.label is None else Label(encoding.label, kind))
        columns = [*encoding.columns, *([] if encoding.label is None else [encoding.label])]
        if len(set(columns)) < len(columns):
            raise ValueError(f"expected each column once, found {short(columns)}")
        return encoding

    @classmethod
    def of_numbers(cls, names: list[str]) -> "TableEncoding":
        """Columns of numbers as they are, as a model without an encoding takes them."""
        encoding = cls()
        encoding._set(Numbers.plain(names), Categories([], [], []), None)
        return encoding

    @property
    def columns(self) -> list[str]:
        """The columns that become features."""
        return [*self.numbers_.names, *self.categories_.names, *self.texts_.names]

    def _set(self, numbers: Numbers, categories: Categories, label: Label | None) -> None:
        self.numbers_, self.categories_, self.label_ = numbers, categories, label
        self.texts_ = Texts(list(self.text), self.ngrams, self.hash_bits)
        self.n_features_ = len(numbers) + len(categories) + len(self.texts_)
        columns = len(numbers.names) + len(categories.names)
        self._sparse = bool(self.texts_.names) or self.n_features_ > 3 * columns

    def _check_parameters(self) -> None:
        def check(name: str, expected: str, holds: bool) -> None:
            if not holds:
                raise ValueError(f"{name}: expected {expected}, found {short(getattr(self, name))}")

        check("label", "the name of a column or None", self.label is None or isinstance(self.label, str))
        columns = [self.label]
        for name in _NAMES:
            given = getattr(self, name)
            check(name, "a list of columns", isinstance(given, list | tuple) and all(isinstance(n, str) for n in given))
            columns += given
            check(name, "each column once", len(set(columns)) == len(columns))
        words = self.missing.values() if isinstance(self.missing, dict) else [self.missing]
        check("missing", f"{', '.join(MISSING)}, or these by column", all(word in MISSING for word in words))
        check("unknown", " or ".join(UNKNOWN), self.unknown in UNKNOWN)
        check("standardise", "True or False", isinstance(self.standardise, bool))
        for name, most in (("ngrams", MOST_NGRAMS), ("hash_bits", MOST_HASH_BITS)):
            value = getattr(self, name)
            check(name, f"an integer from 1 to {most}", type(value) is int and 1 <= value <= most)


def _is_file(table: Any) -> bool:
    return isinstance(table, str | PathLike) or hasattr(table, "readline")


def _table_of(table: Any) -> Table:
    return read_table(table) if _is_file(table) else Table.of(table)


def _blocks_of(table: Any) -> Iterator[Table]:
    """In blocks of one size, so that what is learned does not depend on where the table comes from."""
    if _is_file(table) or isinstance(table, Iterator):
        yield from iter_table(table) if _is_file(table) else table
        return
    rows = Table.of(table)
    if not len(rows):
        raise ValueError("expected a table with rows, found none")
    for first in range(0, len(rows), BLOCK_ROWS):
        yield rows.rows(first, first + BLOCK_ROWS)
