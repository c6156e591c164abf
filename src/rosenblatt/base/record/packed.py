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
    said = f"{narrow.dtype.kind}{narrow.itemsize}".encode("ascii")
    numbers = narrow.astype(narrow.dtype.newbyteorder("<")).tobytes()
    return np.frombuffer(said + zlib.compress(numbers, level=1), dtype=np.uint8)


def unpack(parts: Parts, name: str, size: int, kinds: str = "i") -> Array:
    """The numbers of a packed tensor, or of a plain one, as format 1 had them; `kinds` are those of numpy."""
    types = [kind for kind in TYPES if kind[0] in kinds]
    found = parts.tensor(name, (None,), "uint8", *(np.dtype(kind).name for kind in types))
    if found.dtype == np.uint8:
        found = _opened(name, found.tobytes(), types, size)
    if len(found) != size:
        raise ValueError(f"tensor {name!r}: expected {size} numbers, found {len(found)}")
    if not np.isfinite(found).all():
        raise ValueError(f"tensor {name!r}: expected finite numbers")
    return found


def _opened(name: str, content: bytes, types: list[str], size: int) -> Array:
    """Unpack at most size + 1 items, which shows an excess cheaply."""
    said = content[:2].decode("latin-1")
    if said not in types:
        raise ValueError(f"tensor {name!r}: expected numbers packed as {' or '.join(types)}, found {said!r}")
    kind, engine = np.dtype(f"<{said}"), zlib.decompressobj()
    try:
        numbers = engine.decompress(content[2:], (size + 1) * kind.itemsize)
    except zlib.error as error:
        raise ValueError(f"tensor {name!r}: expected numbers packed by zlib: {error}") from None
    if len(numbers) % kind.itemsize or not engine.eof or engine.unused_data:
        raise ValueError(f"tensor {name!r}: expected {size} packed numbers and nothing more")
    return np.frombuffer(numbers, dtype=kind)


def _narrow(array: Array) -> Array:
    if array.dtype.kind != "i" or not len(array):
        return array
    least, most = int(array.min()), int(array.max())
    fits = (kind for kind in (np.int8, np.int16, np.int32) if np.iinfo(kind).min <= least <= most <= np.iinfo(kind).max)
    return array.astype(next(fits, np.int64))
