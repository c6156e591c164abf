"""What the tests of model files share: there and back again, two models that are the same, files made by hand."""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rosenblatt.base.record.parts import Tensors
from rosenblatt.doors.sklearn.model_file import load, save
from rosenblatt.services.records.safetensors import read, write

Array = np.ndarray[Any, Any]


def round_trip(model: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.safetensors")
        save(model, path)
        return load(path)


def assert_same(one: Any, other: Any) -> None:
    """The same type, and the same bits in all that the two hold, whatever holds it."""
    if sp.issparse(one):
        assert type(one) is type(other) or isinstance(other, sp.csr_array)
        for part in ("shape", "data", "indices", "indptr"):
            assert_same(getattr(one, part), getattr(other, part))
    elif isinstance(one, np.ndarray) and one.dtype != object:
        assert isinstance(other, np.ndarray)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()
    elif isinstance(one, np.ndarray | list | tuple):
        assert type(one) is type(other)
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            assert_same(one[name], other[name])
    elif hasattr(one, "__dict__"):
        assert type(one) is type(other)
        # what was taken from the state and can be taken again is not saved
        taken = {"weights_of", "lasting"}
        assert_same(*({k: v for k, v in vars(x).items() if k not in taken} for x in (one, other)))
    else:
        assert type(one) is type(other)
        assert repr(one) == repr(other)


def content_hash(text: str, tensors: Tensors) -> str:
    """As the format defines it, written once more: the record, the table of the tensors, their bytes by name."""
    names = {
        "f8": "F64",
        "f4": "F32",
        "f2": "F16",
        "i8": "I64",
        "i4": "I32",
        "i2": "I16",
        "u1": "U8",
        "u8": "U64",
        "u2": "U16",
    }
    table = {name: [names[array.dtype.str[1:]], list(array.shape)] for name, array in tensors.items()}
    head = json.dumps({"model": text, "tensors": table}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(head.encode() + b"".join(tensors[name].tobytes() for name in sorted(tensors))).hexdigest()


class Opened(NamedTuple):
    """What is in a file, to be changed."""

    record: dict[str, Any]
    tensors: Tensors


def opened(path: Path) -> Opened:
    tensors, metadata = read(path)
    return Opened(json.loads(metadata["model"]), {name: array.copy() for name, array in tensors.items()})


def sealed(path: Path, record: Any, tensors: Tensors, **metadata: str) -> Path:
    """Write a file by hand, with the right hash."""
    text = json.dumps(record)
    with path.open("wb") as file:
        write(
            file, tensors, {"rosenblatt_format": "1", "model": text, "sha256": content_hash(text, tensors)} | metadata
        )
    return path
