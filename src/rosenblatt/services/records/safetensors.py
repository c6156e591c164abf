"""The safetensors format: named arrays in one file that any language can read, and nothing in it that could run.

Eight bytes hold the length of the header. The header is JSON: of each tensor its dtype, shape and place, and under
`__metadata__` a map of strings. Then come the bytes of the tensors without gaps, little-endian, row by row. All of it
is checked before a tensor is looked at, and tensors are mapped into memory, not read. For another file a message says
what it seems to be, by how it begins.

A sealed file has as metadata a record, which is JSON, and a seal: the format's number, and a hash of the record and the
tensors. A file of a newer format is refused, and so is one that is not as it was written.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from reprlib import repr as short
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.atomic_write import replacing
from rosenblatt.base.record.json import canonical_json, parse_json
from rosenblatt.base.record.parts import DTYPES, Tensors

SIZE = 512  # so many bytes are enough to tell
_BY_BYTES = {
    b"\x1f\x8b": "gzip data",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"PK\x03\x04": "a zip archive",
    b"\x80\x02": "a pickle",
    b"\x80\x03": "a pickle",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"\x93NUMPY": "an array of numpy",
    b"\x89HDF": "an HDF5 file",
    b"\x89PNG": "a picture",
    b"%PDF": "a PDF file",
}
_SVMLIGHT = re.compile(r"\s*[^\s:]+(?:\s+(?:qid:)?[0-9]+:[^\s:]+)+")


def seems_to_be(head: bytes) -> str:
    r"""A name for the file that begins so.

    >>> seems_to_be(b"1 1:0.5 2:1\n"), seems_to_be(b"x1,x2,y\n"), seems_to_be(b""), seems_to_be(b"\0\0\0")
    ('svmlight text', 'a table (CSV)', 'an empty file', 'a file of another kind')
    """
    if not head:
        return "an empty file"
    for beginning, name in _BY_BYTES.items():
        if head.startswith(beginning):
            return name
    try:
        text = head.decode("utf-8", "strict" if len(head) < SIZE else "ignore")  # the last character may be cut
    except UnicodeDecodeError:
        return "a file of another kind"
    if not text.isprintable() and re.search(r"[\0-\x08\x0e-\x1f]", text):
        return "a file of another kind"
    first = text.lstrip().partition("\n")[0]
    if first[:1] in ("{", "["):
        return "JSON"
    if _SVMLIGHT.match(first):
        return "svmlight text"
    return "a table (CSV)" if any(sign in first for sign in ",;\t") else "text"


_NAMES = {dtype: name for name, dtype in DTYPES.items()}

LARGEST_HEADER = 100_000_000  # bytes; the safetensors library has the same limit
MOST_DIMENSIONS = 8


class NotSafetensorsError(ValueError):
    """A file that does not begin as one of this format; what it seems to be instead."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"expected a safetensors file, found {kind}")
        self.seems = kind


class _Place(NamedTuple):
    """Where a tensor is: its bytes from `first` to `last`, counted from the end of the header."""

    first: int
    last: int
    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


def write(file: BinaryIO, tensors: Tensors, metadata: dict[str, str]) -> None:
    """Write the tensors in an order in which each is aligned."""
    names = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name in names:
        array = tensors[name]
        first, end = end, end + array.nbytes
        header[name] = {"dtype": dtype_name(array), "shape": array.shape, "data_offsets": [first, end]}
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    if len(text) > LARGEST_HEADER:
        raise ValueError(f"expected a header of at most {LARGEST_HEADER} bytes, found one of {len(text)}")
    file.write(len(text).to_bytes(8, "little") + text)
    for name in names:
        file.write(as_bytes(tensors[name]))


def read(path: "str | os.PathLike[str]") -> tuple[Tensors, dict[str, str]]:
    """The tensors of a file, which cannot be written to, and its metadata; a ValueError says what is wrong in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Path(folder, "and").open("wb") as file:
    ...         write(file, {"w": np.array([-4.0, 3.0, 2.0])}, {"of": "AND"})
    ...     read(Path(folder, "and"))
    ({'w': array([-4.,  3.,  2.])}, {'of': 'AND'})
    """
    data = _map(path)
    length = int.from_bytes(data[:8].tobytes(), "little")
    if data[8:9].tobytes() != b"{" or length > LARGEST_HEADER:
        raise NotSafetensorsError(seems_to_be(data[:SIZE].tobytes()))
    start = 8 + length
    if start > len(data):
        raise ValueError(f"the file is cut off: expected a header of {length} bytes, found {len(data) - 8}")
    header = parse_json(data[8:start].tobytes(), "the header")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError(f"__metadata__: expected a map of strings, found {short(metadata)}")
    places = sorted(_place(name, entry) for name, entry in header.items())
    ends = [0, *(place.last for place in places)]
    for place, end in zip(places, ends[:-1], strict=True):
        if place.first != end:
            raise ValueError(f"tensor {short(place.name)}: expected its bytes from {end} on, found {place.first}")
    if ends[-1] != len(data) - start:
        problem = "the file is cut off: " if ends[-1] > len(data) - start else ""
        raise ValueError(f"{problem}expected {ends[-1]} bytes of tensors, found {len(data) - start}")
    return {place.name: _tensor(data[start:], place) for place in places}, metadata


def dtype_name(array: Array) -> str:
    name = _NAMES.get(array.dtype.newbyteorder("<"))
    if name is None:
        raise ValueError(f"expected a tensor of one of {', '.join(DTYPES)}, found {array.dtype}")
    return name


def as_bytes(array: Array) -> memoryview:
    """The bytes of an array as they are in a file, without a copy if they are so in memory."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8).data


def _map(path: "str | os.PathLike[str]") -> Array:
    place = Path(path)
    if place.exists() and not place.is_file():
        raise ValueError("expected a file, found a folder or a device")
    with place.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return np.empty(0, np.uint8)  # because an empty file cannot be mapped
        return np.asarray(np.memmap(file, np.uint8, mode="r"))


def _place(name: str, entry: Any) -> _Place:
    place = f"tensor {short(name)}"
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"{place}: expected its dtype, shape and data_offsets, found {short(entry)}")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise ValueError(f"{place}: expected one of {', '.join(DTYPES)} as dtype, found {short(dtype)}")
    if not _are_sizes(shape) or len(shape) > MOST_DIMENSIONS:
        raise ValueError(f"{place}: expected a shape of at most {MOST_DIMENSIONS} sizes, found {short(shape)}")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise ValueError(f"{place}: expected two data_offsets, found {short(offsets)}")
    size = math.prod(shape) * DTYPES[dtype].itemsize
    if offsets[1] - offsets[0] != size:
        raise ValueError(f"{place}: expected {size} bytes for {dtype} of shape {shape}, found offsets {offsets}")
    return _Place(offsets[0], offsets[1], name, DTYPES[dtype], tuple(shape))


def _are_sizes(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(type(n) is int and 0 <= n < 2**63 for n in numbers)


def _tensor(data: Array, place: _Place) -> Array:
    array = data[place.first : place.last].view(place.dtype).reshape(place.shape)
    array = array.astype(place.dtype.newbyteorder("="), copy=not array.flags.aligned)
    array.flags.writeable = False
    return array


class Sealed(NamedTuple):
    """A kind of such files: for messages, the metadata with the format's number and with the record, and the number."""

    what: str
    format_key: str
    record_key: str
    format: int

    def write(self, path: "str | os.PathLike[str]", record: dict[str, Any], tensors: Tensors) -> None:
        text = canonical_json(record)
        metadata = {self.format_key: str(self.format), self.record_key: text, "sha256": self._hash(text, tensors)}
        with replacing(path) as file:
            write(file, tensors, metadata)

    def read(self, path: "str | os.PathLike[str]") -> tuple[dict[str, Any], Tensors]:
        """The record and the tensors, if they are as they were written."""
        try:
            tensors, metadata = read(path)
        except NotSafetensorsError as error:
            raise ValueError(f"not {self.what}: it seems to be {error.seems}") from None
        number = metadata.get(self.format_key, "")
        if not (number.isascii() and number.isdecimal() and int(number) > 0):
            expected = f"expected {self.format_key} with a number as metadata"
            raise ValueError(f"not {self.what} of rosenblatt: {expected}, found {short(number)}")
        if int(number) > self.format:
            raise ValueError(
                f"this file has format {number}; this version reads up to {self.format}: upgrade rosenblatt"
            )
        if metadata.keys() != {self.format_key, self.record_key, "sha256"}:
            raise ValueError(
                f"expected {self.format_key}, {self.record_key} and sha256 as metadata; found {short(sorted(metadata))}"
            )
        if metadata["sha256"] != self._hash(metadata[self.record_key], tensors):
            raise ValueError("expected what its sha256 was made of, found something else: the file is damaged")
        return parse_json(metadata[self.record_key], self.record_key), tensors

    def is_at(self, path: "str | os.PathLike[str]") -> bool:
        """Whether a file is one of this kind, whatever is in it."""
        try:
            return self.format_key in read(path)[1]
        except ValueError:
            return False

    def _hash(self, text: str, tensors: Tensors) -> str:
        """The hash of the record and of each tensor with its name, type and shape, whatever their order in the file."""
        table = {name: [dtype_name(tensor), tensor.shape] for name, tensor in tensors.items()}
        digest = hashlib.sha256(canonical_json({self.record_key: text, "tensors": table}).encode("ascii"))
        for name in sorted(tensors):
            digest.update(as_bytes(tensors[name]))
        return digest.hexdigest()


@contextmanager
def errors_at(path: "str | os.PathLike[str]") -> Iterator[None]:
    """What is wrong with a file is said with its name."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None
