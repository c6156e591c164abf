"""The one home of the type of arrays, and of what numpy has not for them.

numpy passes over a mask, and makes one label of two: of 1 and "1", of two texts of which one has a character 0 more
at its end, of 2^53 + 1 and 2.0^53. What comes from a user is looked at before it becomes an array.
"""

import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]

_FIRST, _FEW = 1000, 16  # if the first values are few different ones, comparing is faster than sorting


def unique(values: Array) -> tuple[Array, Array]:
    """The sorted values, each of them once, and for each the number of it: faster than numpy's where texts are few.

    >>> unique(np.array(["no", "yes", "no"]))
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0], dtype=int32))
    """
    few = np.unique(values[:_FIRST]) if values.dtype.kind == "U" and len(values) > _FIRST else values[:0]
    if 0 < len(few) <= _FEW:
        numbers = np.zeros(len(values), dtype=np.int32)
        for value in few[1:]:
            numbers += values >= value
        if (few.take(numbers) == values).all():
            return few, numbers
    distinct, places = np.unique(values, return_inverse=True)
    return distinct, places.astype(np.int32)


def refuse_masked(values: Any, name: str) -> None:
    """Refuse an array with masked entries, or a list of such: without its mask it would have other numbers.

    >>> refuse_masked(np.ma.array([1, 2], mask=[False, True]), "X")
    Traceback (most recent call last):
    ValueError: X: expected a value in every place, found 1 masked: fill it, or leave its row out
    """
    if "numpy.ma" not in sys.modules:  # then no masked array can exist
        return
    from numpy.ma import MaskedArray, getmask  # this waits if another thread is importing it

    if isinstance(values, np.ndarray | str) and not isinstance(values, MaskedArray):
        return
    parts = values if isinstance(values, list | tuple) else [values]
    masked = sum(int(np.count_nonzero(getmask(part))) for part in parts if isinstance(part, MaskedArray))
    if masked:
        raise ValueError(
            f"{name}: expected a value in every place, found {masked} masked: "
            f"fill {'it' if masked == 1 else 'them'}, or leave {'its row' if masked == 1 else 'their rows'} out"
        )


def check_labels(labels: Any, name: str = "y") -> None:
    """Refuse masked labels, and different ones of which an array would make one.

    >>> check_labels([1, 2.0]), check_labels(["a", "b"])
    (None, None)
    >>> check_labels([1, "1"])
    Traceback (most recent call last):
    ValueError: y: expected strings or numbers as labels, found both: 1 and '1'
    """
    refuse_masked(labels, name)
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return  # an array of one type has labels of one type
    values = labels if isinstance(labels, list | tuple) else np.asarray(labels)
    if isinstance(values, np.ndarray):
        values = values.ravel().tolist() if values.dtype == object else []
    kinds = set(map(type, values))
    if len({_sort_of(kind) for kind in kinds}) > 1:
        first = values[0]
        odd = next(value for value in values if _sort_of(type(value)) != _sort_of(type(first)))
        raise ValueError(f"{name}: expected strings or numbers as labels, found both: {first!r} and {odd!r}")
    if str in kinds or np.str_ in kinds:
        check_texts(values, name)
    elif len(kinds) > 1 and any(issubclass(kind, float | np.floating) for kind in kinds):
        for value in values:
            if isinstance(value, int | np.integer) and int(float(value)) != value:
                raise ValueError(f"{name}: expected whole numbers up to 2^53 beside floats, found {value}")


def _sort_of(kind: type) -> type:
    return next((sort for sort in (str, bytes) if issubclass(kind, sort)), object)


def check_texts(texts: Sequence[str], name: str) -> None:
    """Refuse texts of which an array would cut the end off."""
    if "\0" in "".join(texts):
        for text in texts:
            if text.endswith("\0"):
                raise ValueError(f"{name}: expected labels that do not end in a character 0, found {text!r}")


def text_array(texts: Sequence[str], name: str) -> Array:
    check_labels(texts, name)
    return np.array(texts, dtype=str)


def mix_bits(numbers: Array) -> Array:
    """Numbers of 64 bits, mixed as in SplitMix64 (Steele, Lea, Flood 2014): neighbours come to lie far apart.

    >>> mix_bits(np.array([0, 1], dtype=np.uint64))
    array([                  0, 6238072747940578789], dtype=uint64)
    """
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(numbers ^ (numbers >> np.uint64(31)))
