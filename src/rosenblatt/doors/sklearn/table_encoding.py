"""The encoding of tables as a scikit-learn transformer, over `rosenblatt.services.files.encoding.Encoding`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_array, check_is_fitted, validate_data

from rosenblatt.base.arrays import Array, refuse_masked
from rosenblatt.base.record.json import canonical_json, parse_json
from rosenblatt.base.rows import as_users_have_it, is_sparse
from rosenblatt.doors.sklearn.estimator import public
from rosenblatt.members.linear.text.columns import TextColumns
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.encoding.columns import Categories, Label, NumberColumns
from rosenblatt.services.files.encoding.encoding import Encoding
from rosenblatt.services.files.encoding.parameters import EncodingDeclaration, EncodingParameters
from rosenblatt.services.files.frames import is_array
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.files.table import BLOCK_ROWS, Table
from rosenblatt.services.files.table_file import Format


def _of_encoding(name: str, text: str) -> Any:
    field = name.removesuffix("_")
    return property(lambda estimator: getattr(estimator._fitted_encoding(name), field), doc=text)


@public(EncodingParameters)
class TableEncoding(TransformerMixin, BaseEstimator, EncodingDeclaration):
    r"""Features of a table: numbers, an indicator for each category, words of texts.

    It is a transformer for pipelines of scikit-learn. `save` can put it into the model file with the model, which can
    then predict raw tables. A column that is not listed in `categorical` or `text` has numbers if its type says so, or
    in a CSV file if most of its values are numbers; dates are read according to `dates`; all other columns have
    categories. If most rows have a category of their own, there is a warning. A table to transform is read by the names
    of its columns: their order does not matter, and other columns are ignored. The index of a pandas frame is no
    column. The columns of an array, or of a list of rows, are called x0, x1, ... A sparse matrix raises an error,
    because its rows are features already.

    Attributes
    ----------
    n_features_
        How many features there are.
    n_features_in_, feature_names_in_
        How many columns the table of the fit had, and their names if it was a frame or a dict. Not set after a file.
    numbers_, categories_, texts_, label_
        What was learned about each kind of columns; the features come in this order.

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
    >>> encoding.transform(table).round(2), encoding.labels(table)
    (array([[ 0.  ,  0.  ,  0.  ,  1.  ],
           [ 1.22,  0.  ,  1.  ,  0.  ],
           [-1.22,  1.  ,  0.  ,  0.  ]]), array(['yes', 'no', 'yes'], dtype='<U3'))
    >>> model = Perceptron().fit(encoding.transform(table), encoding.labels(table))
    >>> model.predict(encoding.transform({"wind": [6], "weather": ["rainy"]}))
    array(['no'], dtype='<U3')
    """

    columns: list[str] = _of_encoding("columns", "The columns that become features.")
    n_features_: int = _of_encoding("n_features_", "The number of features.")
    numbers_: NumberColumns = _of_encoding("numbers_", "What was learned about columns of numbers.")
    categories_: Categories = _of_encoding("categories_", "What was learned about columns of categories.")
    texts_: TextColumns | None = _of_encoding("texts_", "What was learned about columns of text; None if none.")
    label_: Label | None = _of_encoding("label_", "The column of labels.")

    def fit(self, table: Any, y: Any = None, **written: Any) -> "TableEncoding":  # noqa: ARG002 - scikit-learn's signature
        r"""Learn from a table: a frame, a dict of columns, an array, a `Table`, or a file or blocks of it.

        Only one block of a file is in memory at a time. The options `written` are those of `read_table`: header, names,
        na, decimal, thousands, date_order, encoding. They are stored, so that files to transform are read in the same
        way.

        Examples
        --------
        >>> import io
        >>> text = io.BytesIO(b"2,5;?\n1,5;3\n")
        >>> words = {"header": False, "na": ["?"], "decimal": ","}
        >>> encoding = TableEncoding(missing="mean", standardise=False).fit(text, **words)
        >>> encoding.transform(io.BytesIO(b"0,5;4\n"))
        array([[0.5, 4. ]])
        """
        parameters, notation = EncodingParameters.of(**self.get_params(deep=False)), Notation.of(**written)
        if _is_rows(table):
            refuse_masked(table, "X")
            rows = check_array(table, **_reading_of(table), estimator=self)
            table, columns = Table.of(rows), {"n_features_in_": rows.shape[1]}
        elif isinstance(table, Table | dict) or hasattr(table, "columns"):
            table = Table.of(table)
            names = np.array(table.names, dtype=object)
            columns = {"n_features_in_": len(names), "feature_names_in_": names}
        else:
            columns = {}
        self._encoding = Encoding.learn(parameters, table, notation)
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        self.__dict__.update(columns)
        return self

    def transform(self, table: Any) -> Any:
        """Return the features of a table, whose columns are found by name.

        They are a CSR matrix if most features are 0 in every row, else an array. The columns of an array must have the
        order of the fit.
        """
        return as_users_have_it(self._fitted_encoding().transform(self._with_names(table)))

    def labels(self, table: Any) -> Array:
        """Return the labels: whole numbers, numbers or text, as in training."""
        return self._fitted_encoding().labels(self._with_names(table))

    def blocks(
        self,
        path: FileLike,
        *,
        format: Format | None = None,  # noqa: A002
        delimiter: str | None = None,
        block_rows: int = BLOCK_ROWS,
        **written: Any,
    ) -> Iterator[tuple[Any, Array]]:
        r"""Yield the features and labels of a file, a block of rows at a time, in little memory.

        It is read like the file of the fit. `written`: options of `read_table` that differ for this file.

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
        reading: Any = {"format": format, "delimiter": delimiter, "block_rows": block_rows, **written}
        for X, y in self._fitted_encoding().blocks(path, **reading):
            yield as_users_have_it(X), y

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return names such as `wind`, `weather=sunny`, `body#17`; `wind=` and `weather=` mean that a value is missing.

        After a fit to an array, `input_features` are the names of its columns.
        """
        encoding = self._fitted_encoding()
        if input_features is not None and "n_features_in_" in vars(self):
            names = _check_feature_names_in(self, input_features)
            if "feature_names_in_" not in vars(self):
                encoding = encoding.rename({f"x{number}": str(name) for number, name in enumerate(names)})
        return np.array(encoding.feature_names(), dtype=object)

    def to_json(self) -> str:
        """Return the whole encoding as JSON.

        Examples
        --------
        >>> encoding = TableEncoding().fit({"weather": ["sunny", "rainy"]})
        >>> TableEncoding.from_json(encoding.to_json()).transform({"weather": ["rainy"]})
        array([[1., 0.]])
        """
        return canonical_json(self.as_record())

    @classmethod
    def from_json(cls, text: str) -> "TableEncoding":
        """Read what `to_json` wrote; a ValueError says what is wrong with it. No code in it is run."""
        return cls.from_record(parse_json(text, "encoding"))

    def as_record(self) -> dict[str, Any]:
        """The encoding as a record for a model file."""
        return self._fitted_encoding().as_record()

    @classmethod
    def from_record(cls, record: Any) -> "TableEncoding":
        """Read the encoding from the record of a model file, and check all of it."""
        return cls._of(Encoding.from_record(record))

    @classmethod
    def of_numbers(cls, names: list[str]) -> "TableEncoding":
        """An encoding of numbers that stay as they are, for a model that has no encoding."""
        return cls._of(Encoding.of_numbers(names))

    @classmethod
    def _of(cls, encoding: Encoding) -> "TableEncoding":
        transformer = cls(**encoding.parameters.as_dict())
        transformer._encoding = encoding
        return transformer

    def _fitted_encoding(self, attribute: str | None = None) -> Encoding:
        """The learned encoding with the current `unknown`, which may change after the fit.

        `attribute` asks for an AttributeError before the fit, so that hasattr is False.
        """
        if attribute is not None and "_encoding" not in vars(self):
            raise AttributeError(f"TableEncoding has no {attribute} before it is fitted")
        check_is_fitted(self)
        if self.unknown == self._encoding.parameters.unknown:
            return self._encoding
        EncodingParameters.declarations()["unknown"].check(self.unknown)
        return replace(self._encoding, parameters=replace(self._encoding.parameters, unknown=self.unknown))

    def __sklearn_is_fitted__(self) -> bool:
        return "_encoding" in vars(self)

    def _with_names(self, table: Any) -> Any:
        """A table whose columns have names: the columns of an array get those of the fit, or x0, x1, ..."""
        if not _is_rows(table):
            return table
        refuse_masked(table, "X")
        rows = validate_data(self, table, reset=False, **_reading_of(table))
        return Table.of(rows, getattr(self, "feature_names_in_", None))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was learned as its record, so that a pickle does not depend on the classes behind it."""
        state = dict(super().__getstate__())
        if "_encoding" in state:
            state["_encoding"] = state["_encoding"].as_record()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "_encoding" in state:
            state["_encoding"] = Encoding.from_record(state["_encoding"])
        super().__setstate__(state)


def _is_rows(table: Any) -> bool:
    """Whether a table has no names: an array, a list of rows, or a sparse matrix, which is refused."""
    if is_sparse(table):
        raise TypeError(
            "TableEncoding takes no sparse matrix: its rows are features already, so give it to the model as it is"
        )
    return is_array(table)


def _reading_of(rows: Any) -> dict[str, Any]:
    """How scikit-learn checks rows: cells stay as they are, because the encoding handles missing values."""
    return {"dtype": None if hasattr(rows, "dtype") else object, "ensure_all_finite": False}
