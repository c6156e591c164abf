"""Rows and labels as they were read, and what further files must fit: the features and classes of a model."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.numbers import first_names


class Data(NamedTuple):
    """Rows and labels; of a table, the names of the features (None if there are texts) and the encoding that made them.

    `zero_based`: whether svmlight text counts columns from 0.
    """

    X: Any
    y: Any
    names: list[str] | None = None
    encoding: Any = None
    zero_based: bool | None = None

    @classmethod
    def of_table(cls, encoding: Any, X: Any, y: Any) -> "Data":
        return cls(X, y, None if encoding.parameters.text else encoding.feature_names(), encoding)

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, x1, x2, ... if the file has none."""
        return self.names or [f"x{number}" for number in range(1, self.X.shape[1] + 1)]

    def columns(self, chosen: Sequence[str]) -> tuple[int, ...]:
        """The places of features that are named, or numbered from 1 on."""
        names, places = self.feature_names, list[int]()
        for name in chosen:
            if name in names:
                places.append(names.index(name))
            elif name.isdigit() and 0 < int(name) <= len(names):
                places.append(int(name) - 1)
            else:
                raise ValueError(f"features: expected names or numbers from 1 to {len(names)}, found {name!r}")
        return tuple(places)

    def as_written(self, table: Any) -> "Data":
        """The rows with the numbers of the table as fractions, exactly as they are written there."""
        numbers = self.encoding.numbers
        if numbers.standardised:
            raise ParameterError("--standardise: numbers that are to stay as written cannot be scaled")
        X = (self.X.toarray() if hasattr(self.X, "toarray") else self.X).astype(object)
        for place, (name, unit, fill) in enumerate(zip(numbers.names, numbers.units, numbers.fill, strict=True)):
            X[:, place] = [fill if number is None else number for number in table.fractions(name, unit)]
        return self._replace(X=X)


class Schema(NamedTuple):
    """What a model knows of its training data: the features, their names or the encoding of a table, and the classes.

    A model that answers with numbers has no classes: they are None. One of several labels a row knows what is between
    them in a cell.
    """

    n_features: int
    names: list[str] | None
    classes: Any
    encoding: Any = None
    zero_based: bool | None = None
    label_separator: str | None = None

    def encoding_for(self, table: Any, label: str | None, unknown: str | None = None) -> Any:
        """The encoding of the model or, if it has none, one that takes numbers as they are.

        `unknown`: what a category that the model does not know becomes, if not as in training.
        """
        if self.encoding is not None:
            if unknown is None:
                return self.encoding
            return replace(self.encoding, parameters=replace(self.encoding.parameters, unknown=unknown))
        from rosenblatt.services.files.encoding import Encoding

        names = self.names or [name for name in table.names if name != label][: self.n_features]
        if len(names) != self.n_features or (self.names is None and len(table.names) > self.n_features + 1):
            expected = f"{self.n_features} columns of numbers, as the model was trained on rows without names"
            raise table.error(0, None, expected, f"{len(table.names)} ({first_names(table.names)})")
        return Encoding.of_numbers(names)

    def columns(self, label: str | None, *, labels: bool) -> set[str] | None:
        """The columns of a table that rows, and their labels, are made of; None if only the table can tell."""
        if self.encoding is None:
            return None
        column = label or self.encoding.parameters.label
        if labels and column is None:
            return None
        return {*self.encoding.columns, *([column] if labels else [])}

    def labels_in(self, table: Any, encoding: Any, label: str | None) -> Any:
        """The labels of a table, from the column `label`, that of the training, or the only one that is left."""
        rest = [name for name in table.names if name not in encoding.columns]
        column = label or encoding.parameters.label or (rest[0] if len(rest) == 1 else None)
        if column is None:
            raise table.error(0, None, "a column of labels besides those of the features", ", ".join(table.names))
        from rosenblatt.services.files.encoding.columns import Label

        if self.classes is None:
            return Label(column, "number").encode(table)
        labels = Label(column, "text").encode(table)
        if self._are_texts:
            return labels
        import numpy as np

        from rosenblatt.base.numbers import as_labels, exact

        texts, rows = np.unique(labels, return_inverse=True)
        numbers = as_labels(texts)
        if numbers.dtype.kind == "U":
            strange = [exact(text) is None for text in texts.tolist()]
            row = int(np.asarray(strange)[rows].argmax())
            raise table.error(
                row, column, f"a number, as the labels of the model ({self._listed})", repr(str(labels[row]))
            )
        return numbers[rows]

    def labels(self, y: Any, path: str) -> Any:
        """Labels of svmlight text as the model has them: if its classes are text, 1 is the class "1"."""
        if self.classes is None:
            return as_targets(y, path)
        if self._are_texts:
            return y.astype(str)
        if y.dtype.kind == "U":
            from rosenblatt.base.numbers import exact

            strange = next(label for label in y.tolist() if exact(label) is None)
            expected = f"expected numbers, as the labels of the model ({self._listed})"
            raise ValueError(f"{path}: {expected}, found {strange!r}")
        return y

    def check_labels(self, y: Any, path: str) -> None:
        """A ValueError if the model knows none of the labels; a warning of those that it does not know."""
        if self.classes is not None:
            import numpy as np

            self.check_counts(*np.unique(y, return_counts=True), path)

    def check_counts(self, labels: Any, counts: Any, path: str) -> None:
        """The same for labels and how often each of them is there."""
        import numpy as np

        labels, counts = labels[counts > 0], counts[counts > 0]
        known = np.isin(labels, self.classes)
        strange = first_names(labels[~known].tolist())
        if not known.any():
            raise ValueError(f"{path}: expected labels that the model knows ({self._listed}), found none but {strange}")
        if n_strange := int(counts[~known].sum()):
            rows = f"{n_strange} of {counts.sum()} rows {'has a label' if n_strange == 1 else 'have labels'}"
            warnings.warn(f"{path}: {rows} that the model does not know: {strange}", stacklevel=2)

    @property
    def _are_texts(self) -> bool:
        return bool(self.classes.dtype.kind in "UO")

    @property
    def _listed(self) -> str:
        return first_names(self.classes.tolist())


def as_targets(y: Any, path: str) -> Any:
    """Labels of svmlight text as the numbers that a regressor learns."""
    from rosenblatt.base.numbers import exact

    if y.dtype.kind == "U":
        wrong = next(label for label in y.tolist() if exact(label) is None)
        raise ValueError(f"{path}: expected numbers as labels, found {wrong!r}")
    return y.astype("float64")
