"""Arrays of numbers packed by zlib, as tensors of bytes: two that name the type as numpy does, then the packed numbers.

Integers are packed in the narrowest type. What is unpacked is never longer than was expected.
"""

import zlib

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts

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
