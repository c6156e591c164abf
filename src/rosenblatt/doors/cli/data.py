"""What a verb has read: rows and labels and, of a table, how they were made."""

from typing import Any, NamedTuple

import click


class Data(NamedTuple):
    """Rows and labels; of a table, the names of the features (None if hashed) and how they were made.

    `zero_based`: whether svmlight text counts columns from 0.
    """

    X: Any
    y: Any
    names: list[str] | None = None
    encoding: Any = None
    zero_based: bool | None = None

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, x1, x2, ... if the file has none."""
        return self.names or [f"x{number}" for number in range(1, self.X.shape[1] + 1)]

    def columns(self, chosen: tuple[str, ...]) -> tuple[int, ...]:
        """The places of features that are named, or numbered from 1 on."""
        names, found = self.feature_names, list[int]()
        for name in chosen:
            if name in names:
                found.append(names.index(name))
            elif name.isdigit() and 0 < int(name) <= len(names):
                found.append(int(name) - 1)
            else:
                raise ValueError(f"features: expected names or numbers from 1 to {len(names)}, found {name!r}")
        return tuple(found)


def encoded(encoding: Any, X: Any, y: Any) -> Data:
    """The features of a table, with its labels."""
    names = None if encoding.texts.names else encoding.feature_names()
    return Data(X, y, names, encoding)


def as_written(data: Data, table: Any) -> Any:
    """The rows with the numbers of the table as they are written there."""
    numbers = data.encoding.numbers
    if numbers.standardised:
        raise click.UsageError("--standardise: numbers that are to stay as written cannot be scaled")
    X = (data.X.toarray() if hasattr(data.X, "toarray") else data.X).astype(object)
    for place, (name, unit, fill) in enumerate(zip(numbers.names, numbers.units, numbers.fill, strict=True)):
        X[:, place] = [fill if number is None else number for number in table.fractions(name, unit)]
    return X
