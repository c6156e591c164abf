"""The format itself: what is written is read, and whatever a header says is checked before a tensor is looked at."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.base.record.parts import DTYPES
from rosenblatt.services.records.safetensors import read, write

from .files import assert_same


def written(path: Path, header: Any, data: bytes = b"", length: int | None = None) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + data)
    return path


def entry(dtype: Any = "F64", shape: Any = (2,), data_offsets: Any = (0, 16)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": data_offsets}


tensors = st.dictionaries(
    st.text(max_size=3).filter(lambda name: name != "__metadata__"),
    st.tuples(st.sampled_from(list(DTYPES.values())), st.lists(st.integers(0, 3), max_size=4)),
    max_size=5,
).map(
    lambda made: {
        name: np.arange(math.prod(shape)).astype(dtype).reshape(shape) for name, (dtype, shape) in made.items()
    }
)


@settings(max_examples=100, deadline=None)
@given(tensors, st.dictionaries(st.text(max_size=3), st.text(max_size=5), max_size=3))
def test_what_is_written_is_read(tmp_path_factory: Any, arrays: Any, metadata: Any) -> None:
    path = tmp_path_factory.mktemp("safetensors") / "file"
    with path.open("wb") as file:
        write(file, arrays, metadata)
    found, said = read(path)
    assert said == metadata
    assert_same({name: found[name] for name in arrays}, arrays)
    assert not any(array.flags.writeable for array in found.values())
    assert all(array.flags.aligned for array in found.values())


def test_any_order_of_bytes_and_of_axes_is_written_as_one(tmp_path: Path) -> None:
    rows = np.arange(6.0).reshape(2, 3)
    for number, array in enumerate([rows, rows.astype(">f8"), np.asfortranarray(rows), np.repeat(rows, 2, 1)[:, ::2]]):
        with (tmp_path / str(number)).open("wb") as file:
            write(file, {"rows": array}, {})
        assert_same(read(tmp_path / str(number))[0]["rows"], rows)
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_a_tensor_that_is_not_aligned_is_copied(tmp_path: Path) -> None:
    numbers = np.arange(2.0)
    header = {"byte": entry("U8", [1], [0, 1]), "numbers": entry(shape=[2], data_offsets=[1, 17])}
    found, _ = read(written(tmp_path / "file", header, b"\x07" + numbers.tobytes()))
    assert found["numbers"].flags.aligned
    assert_same(found["numbers"], numbers)
    with pytest.raises(ValueError, match="read-only"):
        found["numbers"][0] = 1


def test_other_types_are_not_written(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file, pytest.raises(ValueError, match="found complex128"):
        write(file, {"w": np.array([1j])}, {})


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"{", "expected JSON"),
        (b"{\xff\xfe", "expected JSON: 'utf-8' codec"),
        (b"[]", "expected a safetensors file"),
        (b'{"a":' * 100_000, "expected JSON"),
        (b'{"a": 1, "a": 2}', "the name 'a' comes twice"),
        (b'{"a": NaN}', "NaN is not a number"),
        (b'{"a": ' + b"1" * 5000 + b"}", "expected JSON"),
        ({"w": 7}, "tensor 'w': expected its dtype, shape and data_offsets, found 7"),
        ({"w": entry() | {"more": 1}}, "expected its dtype, shape and data_offsets"),
        ({"w": entry(dtype="BF16")}, "expected one of F64, F32, .* as dtype, found 'BF16'"),
        ({"w": entry(dtype=[])}, r"as dtype, found \[\]"),
        ({"w": entry(shape=[-2])}, r"expected a shape of at most 8 sizes, found \[-2\]"),
        ({"w": entry(shape=[2.0])}, r"expected a shape of at most 8 sizes, found \[2.0\]"),
        ({"w": entry(shape=[True, 2])}, "expected a shape"),
        ({"w": entry(shape=2)}, "expected a shape"),
        ({"w": entry(shape=[2] + [1] * 8)}, "expected a shape of at most 8 sizes"),
        ({"w": entry(shape=[0, 2**63])}, "expected a shape"),
        ({"w": entry(shape=[2**62, 2**62])}, "expected 1701.* bytes for F64"),
        ({"w": entry(shape=[10**9, 10**9])}, "expected 8000000000000000000 bytes"),
        ({"w": entry(shape=[3])}, r"expected 24 bytes for F64 of shape \[3\], found offsets \[0, 16\]"),
        ({"w": entry(data_offsets=[0])}, "expected two data_offsets"),
        ({"w": entry(data_offsets=[-16, 0])}, "expected two data_offsets"),
        ({"w": entry(data_offsets=[16, 0])}, "expected 16 bytes"),
        ({"w": entry(data_offsets=[8, 24])}, "tensor 'w': expected its bytes from 0 on, found 8"),
        ({"v": entry(), "w": entry()}, "tensor 'w': expected its bytes from 16 on, found 0"),
        ({"v": entry(), "w": entry(data_offsets=[16, 32])}, "expected 32 bytes of tensors, found 16"),
        ({}, "expected 0 bytes of tensors, found 16"),
        ({"__metadata__": {"a": 1}}, "__metadata__: expected a map of strings"),
        ({"__metadata__": []}, "__metadata__: expected a map of strings"),
    ],
)
def test_a_header_that_is_wrong(tmp_path: Path, header: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read(written(tmp_path / "file", header, bytes(16)))


def test_nothing_of_a_great_size(tmp_path: Path) -> None:
    found, _ = read(written(tmp_path / "small", {"w": entry(shape=[0, 2**40], data_offsets=[0, 0])}))
    assert found["w"].shape == (0, 2**40)
    with pytest.raises(ValueError, match=r"too (big|large)"):  # numpy's own words
        read(written(tmp_path / "large", {"w": entry(shape=[0, 2**62, 2**62], data_offsets=[0, 0])}))


def test_a_length_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the file is cut off: expected a header of 17 bytes, found 16"):
        read(written(tmp_path / "file", b"{}", bytes(14), 17))
    for length in (10**8 + 1, 2**31, 2**63, 2**64 - 1):
        with pytest.raises(ValueError, match="expected a safetensors file, found a file of another kind"):
            read(written(tmp_path / "file", b"{}", bytes(14), length))


def test_a_header_may_not_be_too_long(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write((10**8 + 8).to_bytes(8, "little"))
        file.truncate(2 * 10**8)  # takes no room
    with pytest.raises(ValueError, match="expected a safetensors file, found a file of another kind"):
        read(path)
    with path.open("wb") as file, pytest.raises(ValueError, match="expected a header of at most 100000000 bytes"):
        write(file, {}, {"long": "x" * 10**8})


@pytest.mark.parametrize("size", range(8))
def test_a_file_that_is_too_short(tmp_path: Path, size: int) -> None:
    (tmp_path / "file").write_bytes(bytes(size))
    with pytest.raises(
        ValueError,
        match=f"expected a safetensors file, found {'an empty file' if size == 0 else 'a file of another kind'}",
    ):
        read(tmp_path / "file")


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a file, found a folder"):
        read(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_header_is_read_or_refused(tmp_path_factory: Any, header: bytes) -> None:
    path = written(tmp_path_factory.mktemp("safetensors") / "file", header)
    try:
        found, metadata = read(path)
    except ValueError:
        return
    assert found == {}
    assert all(isinstance(text, str) for text in metadata.values())
