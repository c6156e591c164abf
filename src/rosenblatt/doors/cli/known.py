"""What further files have to fit: the features of a model, or of the rows it is trained on, and its classes."""

from dataclasses import replace
from typing import Any, NamedTuple

from rosenblatt.doors.cli.command import warn
from rosenblatt.doors.cli.facts import named


class Known(NamedTuple):
    """The features, their names or how a table becomes them, and the classes.

    A model that answers with numbers has no classes: they are None.
    """

    n_features: int
    names: list[str] | None
    classes: Any
    encoding: Any = None
    zero_based: bool | None = None

    def no_table(self, path: str) -> ValueError:
        """What to say of svmlight text, where the model takes the columns of a table."""
        columns = named(self.encoding.columns)
        return ValueError(
            f"{path}: expected a table with the columns {columns}, as the model was trained on one, found what is read "
            "as svmlight text; a table is named .csv, .tsv, .parquet or .arrow, or told by --from"
        )

    def encoding_for(self, table: Any, label: str | None, unknown: str | None = None) -> Any:
        """That of the model or, if it has none, one that takes numbers as they are; `unknown` may be told anew."""
        if self.encoding is not None:
            if unknown is None:
                return self.encoding
            return replace(self.encoding, parameters=replace(self.encoding.parameters, unknown=unknown))
        from rosenblatt.services.files.encoding import Encoding

        names = self.names or [name for name in table.names if name != label][: self.n_features]
        if len(names) != self.n_features or (self.names is None and len(table.names) > self.n_features + 1):
            expected = f"{self.n_features} columns of numbers, as the model was trained on rows without names"
            raise table.error(0, None, expected, f"{len(table.names)} ({named(table.names)})")
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
        """The labels of a table: from the column that is told, that of the training, or the only one left."""
        others = [name for name in table.names if name not in encoding.columns]
        column = label or encoding.parameters.label or (others[0] if len(others) == 1 else None)
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

            found = next(label for label in y.tolist() if exact(label) is None)
            raise ValueError(f"{path}: expected numbers, as the labels of the model ({self._listed}), found {found!r}")
        return y

    def checked(self, y: Any, path: str) -> Any:
        """The labels, of which the model must know some; of those that it does not know, a warning."""
        if self.classes is None:
            return y
        import numpy as np

        self.check_counts(*np.unique(y, return_counts=True), path)
        return y

    def check_counts(self, labels: Any, counts: Any, path: str) -> None:
        """The same for labels and how often each of them is there."""
        import numpy as np

        labels, counts = labels[counts > 0], counts[counts > 0]
        known = np.isin(labels, self.classes)
        strange = named(labels[~known].tolist())
        if not known.any():
            raise ValueError(f"{path}: expected labels that the model knows ({self._listed}), found none but {strange}")
        if n_strange := int(counts[~known].sum()):
            rows = f"{n_strange} of {counts.sum()} rows {'has a label' if n_strange == 1 else 'have labels'}"
            warn(f"{path}: {rows} that the model does not know: {strange}")

    @property
    def _are_texts(self) -> bool:
        return bool(self.classes.dtype.kind in "UO")

    @property
    def _listed(self) -> str:
        return named(self.classes.tolist())


def as_targets(y: Any, path: str) -> Any:
    """Labels of svmlight text as the numbers that a linear unit learns."""
    from rosenblatt.base.numbers import exact

    if y.dtype.kind == "U":
        wrong = next(label for label in y.tolist() if exact(label) is None)
        raise ValueError(f"{path}: expected numbers as labels, found {wrong!r}")
    return y.astype("float64")
