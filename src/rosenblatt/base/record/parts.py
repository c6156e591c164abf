"""What a model file holds: a record, which is JSON, and tensors. What is taken out is checked; nothing is left over.

Labels keep their type. Parameters are JSON as they are, but {"tensor": name} is an array, {"texts": [...]} a list of
texts, and {"dict": [[key, value], ...]} a dict, as JSON has no keys but strings. A path is its text. A dense matrix is
one tensor, a sparse one three. Arrays of numbers may be packed by zlib, as tensors of bytes: two that name the type as
numpy does, then the packed numbers, integers in the narrowest type; what is unpacked is never longer than was expected.
"""

import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from itertools import pairwise
from os import PathLike, fspath
from reprlib import repr as short
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, SparseRows

Tensors = dict[str, Array]

DTYPES = {
    name: np.dtype(code)
    for name, code in {
        "F64": "<f8",
        "F32": "<f4",
        "F16": "<f2",
        "I64": "<i8",
        "I32": "<i4",
        "I16": "<i2",
        "I8": "|i1",
        "U64": "<u8",
        "U32": "<u4",
        "U16": "<u2",
        "U8": "|u1",
    }.items()
}

FLOATS = ("float64", "float32")
NUMBERS = tuple(dtype.name for dtype in DTYPES.values())
LISTS_OF_TEXTS = ("templates",)  # parameters that may be one; elsewhere a list is an array of numbers
LABELS = ("str", "bool", *NUMBERS, "object")
MOST = 2**53  # no run counts as far, and it is far from where integers overflow


class Parts:
    """Reads the parts of a file, each of them once, and checks them."""

    def __init__(self, record: dict[str, Any], tensors: Tensors) -> None:
        self._record, self._tensors = dict(record), dict(tensors)

    def of(self, record: dict[str, Any], prefix: str) -> "Parts":
        """Parts of their own: a record, and the tensors whose names begin so, without this beginning."""
        names = [name for name in self._tensors if name.startswith(prefix)]
        return Parts(record, {name.removeprefix(prefix): self._tensors.pop(name) for name in names})

    def value(self, name: str, expected: str, holds: Callable[[Any], bool]) -> Any:
        """An entry of the record for which `holds` is true; else it is not as `expected`."""
        if name not in self._record:
            raise ValueError(f"{name}: expected {expected}, found nothing")
        value = self._record.pop(name)
        if not holds(value):
            raise ValueError(f"{name}: expected {expected}, found {short(value)}")
        return value

    def count(self, name: str, least: int = 0, left_out: int | None = None) -> int:
        """An integer; `left_out` is what it is if there is none, if it may be left out."""
        if left_out is not None and name not in self._record:
            return left_out
        return int(
            self.value(name, f"an integer from {least} to 2^53", lambda n: type(n) is int and least <= n <= MOST)
        )

    def has_entry(self, name: str) -> bool:
        """Whether the record has such an entry."""
        return name in self._record

    def number(self, name: str, none: float | None = None) -> float:
        """A finite number that is not negative; `none` is what null stands for, if it may be there."""
        if none is not None and self._record.get(name, 0) is None:
            del self._record[name]
            return none
        return float(self.value(name, "a finite number from 0 on", lambda x: type(x) is float and 0 <= x < math.inf))

    def flag(self, name: str) -> bool:
        """An entry that is true or false."""
        return bool(self.value(name, "true or false", lambda value: isinstance(value, bool)))

    def has(self, tensor: str) -> bool:
        return tensor in self._tensors

    def tensor(self, name: str, shape: tuple[int | None, ...] | None, *dtypes: str) -> Array:
        """A tensor of finite numbers. None in a shape is any size, None as shape is any shape."""
        if name not in self._tensors:
            raise ValueError(f"tensor {name!r}: expected one, found none")
        array = self._tensors.pop(name)
        if array.dtype.name not in dtypes:
            raise ValueError(f"tensor {name!r}: expected {' or '.join(dtypes)}, found {array.dtype}")
        if shape is not None and not _fits(array.shape, shape):
            sizes = ", ".join("any" if size is None else str(size) for size in shape)
            raise ValueError(f"tensor {name!r}: expected shape ({sizes}), found {array.shape}")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"tensor {name!r}: expected finite numbers, found {_first(array, ~np.isfinite(array))}")
        return array

    def integers(self, name: str, size: int | None, dtype: str, *, below: int) -> Array:
        """A tensor of integers from 0 on."""
        array = self.tensor(name, (size,), dtype)
        wrong = (array < 0) | (array >= below)
        if wrong.any():
            raise ValueError(f"tensor {name!r}: expected integers from 0 to {below - 1}, found {_first(array, wrong)}")
        return array

    def within(self, prefix: str) -> Tensors:
        """The tensors whose names begin with this, under the rest of their names."""
        names = [name for name in self._tensors if name.startswith(prefix)]
        return {name.removeprefix(prefix): self._tensors.pop(name) for name in names}

    def end(self) -> None:
        """Raise an error if anything is left over."""
        if self._record or self._tensors:
            raise ValueError(f"expected nothing more, found {short([*self._record, *self._tensors])}")


def tensor_as_json(tensor: Array) -> dict[str, Any]:
    """A tensor as JSON, where there is no file to hold it.

    >>> tensors_from_json({"x": tensor_as_json(np.arange(3, dtype=np.int32))})
    {'x': array([0, 1, 2], dtype=int32)}
    """
    return {"type": tensor.dtype.str, "shape": list(tensor.shape), "base64": b64encode(tensor.tobytes()).decode()}


def tensors_from_json(entries: Any) -> Tensors:
    """Tensors of which each is what `tensor_as_json` made."""
    if not isinstance(entries, dict):
        raise ValueError(f"tensors: expected an object, found {short(entries)}")  # noqa: TRY004 - of a file
    types = {dtype.str: dtype for dtype in DTYPES.values()}
    tensors = Tensors()
    for name, entry in entries.items():
        try:
            data = b64decode(entry["base64"], validate=True)
            tensors[name] = np.frombuffer(data, types[entry["type"]]).reshape(entry["shape"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"tensors: {short(name)}: expected type, shape and base64: {error}") from None
    return tensors


def labels_as_json(classes: Array) -> dict[str, Any]:
    """The classes of a model.

    >>> labels_as_json(np.array(["no", "yes"]))
    {'type': 'str', 'labels': ['no', 'yes']}
    """
    kind = "str" if classes.dtype.kind == "U" else classes.dtype.name
    labels = [label.item() if isinstance(label, np.generic) else label for label in classes.tolist()]
    if kind not in LABELS or not all(map(_is_label, labels)):
        raise ValueError(
            f"classes_: a model file holds strings, booleans and finite numbers as labels, not {short(labels)} "
            f"({classes.dtype})"
        )
    return {"type": kind, "labels": labels}


def labels_from_json(entry: Any) -> Array:
    """What `labels_as_json` made; they must be sorted, and no two the same."""
    expected = "classes: expected a type and the sorted labels"
    if not isinstance(entry, dict) or entry.keys() != {"type", "labels"} or entry["type"] not in LABELS:
        raise ValueError(f"{expected}, found {short(entry)}")
    kind, labels = entry["type"], entry["labels"]
    if not isinstance(labels, list) or not labels or not all(map(_is_label, labels)):
        raise ValueError(f"{expected}, found {short(labels)}")
    try:
        is_sorted = all(a < b for a, b in pairwise(labels))
        classes = np.array(labels, dtype=kind)
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"{expected}: {error}") from None
    if not is_sorted or [(type(x), x) for x in classes.tolist()] != [(type(x), x) for x in labels]:
        raise ValueError(f"{expected}, found {short(labels)} for type {kind!r}")
    return classes


def parameters_as_json(parameters: dict[str, Any], tensors: Tensors) -> dict[str, Any]:
    """The parameters of a model; arrays among them join the tensors.

    >>> tensors = {}
    >>> parameters_as_json({"init": [[0, 0, 0.5]], "class_weight": {-1: 2.0}}, tensors)
    {'init': {'tensor': 'parameter.init'}, 'class_weight': {'dict': [[-1, 2.0]]}}
    >>> tensors
    {'parameter.init': array([[0. , 0. , 0.5]])}
    """
    record: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, PathLike):
            record[name] = fspath(value)
        elif name in LISTS_OF_TEXTS and isinstance(value, list | tuple):
            record[name] = {"texts": texts(name, list(value))}
        elif isinstance(value, dict):
            record[name] = {"dict": [[_plain(name, key), _plain(name, entry)] for key, entry in value.items()]}
        elif isinstance(value, np.ndarray | list | tuple) or (hasattr(value, "__array__") and np.ndim(value)):
            tensors[f"parameter.{name}"] = _numbers(name, value)
            record[name] = {"tensor": f"parameter.{name}"}
        else:
            record[name] = _plain(name, value)
    return record


def parameters_from_json(record: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """What `parameters_as_json` made; whether a parameter may be so is for the estimator to say."""
    parameters: dict[str, Any] = {}
    for name, value in record.items():
        if value == {"tensor": f"parameter.{name}"}:
            parameters[name] = parts.tensor(f"parameter.{name}", None, *NUMBERS)
        elif isinstance(value, dict) and value.keys() == {"texts"}:
            parameters[name] = texts(name, value["texts"])
        elif isinstance(value, dict) and value.keys() == {"dict"}:
            parameters[name] = _dict(name, value["dict"])
        else:
            parameters[name] = _plain(name, value)
    return parameters


def texts(name: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(text, str) for text in values):
        raise ValueError(f"{name}: expected a list of texts, found {short(values)}")
    return values


def _fits(shape: tuple[int, ...], expected: tuple[int | None, ...]) -> bool:
    return len(shape) == len(expected) and all(b in (a, None) for a, b in zip(shape, expected, strict=True))


def _first(array: Array, wrong: Array) -> str:
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{array[at]} at {list(at)}"


def _is_label(label: Any) -> bool:
    return isinstance(label, str | int) or (isinstance(label, float) and math.isfinite(label))


def _dict(name: str, pairs: Any) -> dict[Any, Any]:
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise ValueError(f"{name}: expected pairs of a key and a value, found {short(pairs)}")
    entries = {_plain(name, key): _plain(name, value) for key, value in pairs}
    if len(entries) < len(pairs):
        raise ValueError(f"{name}: expected each key once, found {short(pairs)}")
    return entries


def _plain(name: str, value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or _is_label(value):
        return value
    what = "nothing that can run" if callable(value) else "words, finite numbers, None, and arrays and dicts of these"
    raise ValueError(f"{name}: a model file holds {what}, not {short(value)}")


def _numbers(name: str, value: Any) -> Array:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: a model file holds arrays of numbers: {error}") from None
    if array.dtype.name not in NUMBERS:
        raise ValueError(f"{name}: a model file holds arrays of numbers, not of {array.dtype}")
    return array


def put_matrix(tensors: Tensors, name: str, X: Matrix) -> None:
    """A dense matrix is one tensor, a sparse one three."""
    if isinstance(X, SparseRows):
        tensors |= {f"{name}.data": X.data, f"{name}.indices": X.indices, f"{name}.indptr": X.indptr}
    else:
        tensors[name] = np.asarray(X)


def matrix(parts: Parts, name: str, n_rows: int | None, n_columns: int, dtypes: tuple[str, ...]) -> Matrix:
    if not parts.has(f"{name}.data"):
        return parts.tensor(name, (n_rows, n_columns), *dtypes)
    data = parts.tensor(f"{name}.data", (None,), *dtypes)
    indices = parts.tensor(f"{name}.indices", data.shape, "int32", "int64")
    indptr = parts.tensor(f"{name}.indptr", (None if n_rows is None else n_rows + 1,), "int32", "int64")
    # checked because the core uses them as places in memory
    if len(indptr) == 0 or indptr[0] != 0 or indptr[-1] != len(data) or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"tensor '{name}.indptr': expected starts of rows that rise from 0 to {len(data)}")
    if len(indices) and (indices.min() < 0 or indices.max() >= n_columns):
        raise ValueError(f"tensor '{name}.indices': expected columns from 0 to {n_columns - 1}, found others")
    return SparseRows(data, indices, indptr, n_columns)


TYPES = ("i1", "i2", "i4", "i8", "f8")


def pack(array: Array) -> Array:
    """The bytes.

    >>> pack(np.array([3, 500, 3]))[:2].tobytes()
    b'i2'
    """
    narrow = _narrow(array)
    mark = f"{narrow.dtype.kind}{narrow.itemsize}".encode("ascii")
    numbers = narrow.astype(narrow.dtype.newbyteorder("<")).tobytes()
    return np.frombuffer(mark + zlib.compress(numbers, level=1), dtype=np.uint8)


def unpack(parts: Parts, name: str, size: int, kinds: str = "i") -> Array:
    """The numbers of a packed tensor; `kinds` are those of numpy, i for integers and f for floats.

    At most size + 1 numbers are unpacked, because one too many is enough to refuse the tensor.
    """
    types = [kind for kind in TYPES if kind[0] in kinds]
    content = parts.tensor(name, (None,), "uint8").tobytes()
    mark = content[:2].decode("latin-1")
    if mark not in types:
        raise ValueError(f"tensor {name!r}: expected numbers packed as {' or '.join(types)}, found {mark!r}")
    dtype, unpacker = np.dtype(f"<{mark}"), zlib.decompressobj()
    try:
        unpacked = unpacker.decompress(content[2:], (size + 1) * dtype.itemsize)
    except zlib.error as error:
        raise ValueError(f"tensor {name!r}: expected numbers packed by zlib: {error}") from None
    if len(unpacked) % dtype.itemsize or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"tensor {name!r}: expected {size} packed numbers and nothing more")
    numbers = np.frombuffer(unpacked, dtype)
    if len(numbers) != size:
        raise ValueError(f"tensor {name!r}: expected {size} numbers, found {len(numbers)}")
    if not np.isfinite(numbers).all():
        raise ValueError(f"tensor {name!r}: expected finite numbers")
    return numbers


def _narrow(array: Array) -> Array:
    if array.dtype.kind != "i" or not len(array):
        return array
    least, most = int(array.min()), int(array.max())
    fits = (kind for kind in (np.int8, np.int16, np.int32) if np.iinfo(kind).min <= least <= most <= np.iinfo(kind).max)
    return array.astype(next(fits, np.int64))
