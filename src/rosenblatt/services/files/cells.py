"""The cells of a column of text, as an array that keeps each of them as it is."""

from collections.abc import Iterable

import numpy as np

from rosenblatt.base.arrays import Array


def as_texts(cells: Iterable[str]) -> Array:
    """Texts as an array of objects: numpy's own texts would lose a character 0 at their end.

    >>> as_texts(["sunny", ""])
    array(['sunny', ''], dtype=object)
    """
    found = list(cells)
    array = np.empty(len(found), dtype=object)
    array[:] = found
    return array
