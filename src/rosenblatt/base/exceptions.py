"""What can go wrong, by name, and how a fit that fails leaves its model as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class ParameterError(ValueError):
    """A parameter that is not what it may be, or does not go with another."""


class DivergenceError(ValueError):
    """The learning rate is too large: the loss rises instead of falling.

    >>> from rosenblatt import LinearUnit
    >>> LinearUnit(eta0=0.32).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    Traceback (most recent call last):
    rosenblatt.DivergenceError: eta0=0.32 is too large: E rose from 0.87233 (pass 7) to 0.8769 (pass 8). On this data \
batch descent converges below 2/lambda_max = 0.31386. Use eta0='auto', a smaller number, or scale the features
    """

    __module__ = "rosenblatt"


class ScaleWarning(UserWarning):
    """The columns have numbers of very different size, so that the small ones are hardly learned.

    >>> import warnings
    >>> from rosenblatt import Perceptron, ScaleWarning
    >>> with warnings.catch_warnings(record=True, action="always", category=ScaleWarning) as caught:
    ...     model = Perceptron().fit([[52_000, 31], [61_000, 44], [48_000, 58], [39_000, 23]], [0, 1, 1, 0])
    >>> print(caught[0].message)  # doctest: +NORMALIZE_WHITESPACE
    the numbers of column 0 are about 5.1e+04, those of the constant feature 1: the large ones decide and the small ones
    are hardly learned. Scale the columns first: sklearn.preprocessing.StandardScaler
    """

    __module__ = "rosenblatt"


class DataFileError(ValueError):
    r"""A file that is not as it should be: `path:line:column: expected ..., found ...`, each also an attribute.

    Lines and columns count from 1, columns in bytes; of a table, columns are cells, and lines rows if it has none.

    >>> import io
    >>> from rosenblatt.services.files.svmlight import read_svmlight
    >>> read_svmlight(io.BytesIO(b"1 1:0.5 2:1\n-1 1:abc\n"))
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:2:6: expected a number after ':', found 'abc'
    """

    __module__ = "rosenblatt"

    def __init__(self, path: str, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(path, line, column, expected, found)
        self.path, self.line, self.column, self.expected, self.found = path, line, column, expected, found

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: expected {self.expected}, found {self.found}"


class NoRowsError(DataFileError):
    """A file that ends before its first row. A command that answers row by row may take it as a file without rows."""


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Puts every attribute back as it was if the block fails, also by Ctrl-C."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
