"""A safetensors file with a record, which is JSON, and a seal: the format's number, a hash of the record and tensors.

A file of a newer format is refused, and so is one that is not as it was written.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from reprlib import repr as short
from typing import Any, NamedTuple

from rosenblatt.base.atomic_write import replacing
from rosenblatt.base.record.json import canonical_json, parse_json
from rosenblatt.base.record.parts import Tensors
from rosenblatt.services.records.safetensors import NotSafetensorsError, as_bytes, dtype_name, read, write


class Sealed(NamedTuple):
    """A kind of such files: for messages, the metadata with the format's number and with the record, and the number."""

    what: str
    format_key: str
    record_key: str
    format: int

    def write(self, path: "str | os.PathLike[str]", record: dict[str, Any], tensors: Tensors) -> None:
        """Write a file, whole or not at all."""
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
        """Of the record and of every tensor with its name, dtype and shape, in whatever order they are in the file."""
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
