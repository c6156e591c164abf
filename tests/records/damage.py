"""What the tests of damaged files share: changes of an entry or a tensor, chosen or any, and what becomes of it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rosenblatt.doors.sklearn.model_file import load

from .files import Opened, opened, sealed

LARGE = 2.0**100  # with more, a score may be too large for its type, which is an error of its own

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-LARGE, LARGE) | st.just(np.nan) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)


def loaded(path: Path) -> Any:
    """The model, or None if it is refused."""
    try:
        return load(path)
    except ValueError as error:
        said = str(error)
    assert said.startswith(f"{path}: ")
    return None


def with_any_entry(file: Opened, data: Any) -> Opened:
    """One entry of the record is another."""
    inside = data.draw(st.sampled_from([file.record, file.record["parameters"], file.record["classes"]]))
    inside[data.draw(st.sampled_from(list(inside)))] = data.draw(json_values)
    return file


def with_any_tensor(file: Opened, data: Any) -> Opened:
    """One tensor is another."""
    tensors = file.tensors
    part = data.draw(st.sampled_from(list(tensors)))
    if data.draw(st.booleans()):  # other numbers, the shape as it was
        dtype, shape = tensors[part].dtype, tensors[part].shape
    else:
        dtype = data.draw(st.sampled_from([np.dtype(code) for code in ("f8", "f4", "i8", "i4")]))
        shape = data.draw(arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    most: Any = 9 if data.draw(st.booleans()) else LARGE if dtype.kind == "f" else 2**31 - 1
    tensors[part] = data.draw(
        arrays.arrays(dtype, shape, elements=arrays.from_dtype(dtype, min_value=-most, max_value=most))
    )
    return file


Change = Callable[[Opened], None]


def put(name: str, value: Any) -> Change:
    return lambda file: file.record.__setitem__(name, value)


def parameter(name: str, value: Any) -> Change:
    return lambda file: file.record["parameters"].__setitem__(name, value)


def tensor(name: str, change: Callable[[Any], Any]) -> Change:
    return lambda file: file.tensors.__setitem__(name, change(file.tensors[name]))


def entry(name: str, at: Any, value: Any) -> Change:
    return lambda file: file.tensors[name].__setitem__(at, value)


def without(name: str) -> Change:
    return lambda file: (file.record if name in file.record else file.tensors).__delitem__(name)


def more(name: str) -> Change:
    return lambda file: file.tensors.__setitem__(name, np.zeros(1))


def assert_refused(path: Path, folder: Path, change: Change, said: str) -> None:
    """With this change, the whole file at `path` is no model any more."""
    file = opened(path)
    load(sealed(folder / "whole", *file))
    change(file)
    changed = sealed(folder / "changed", *file)
    with pytest.raises(ValueError, match=f"^{re.escape(str(changed))}: .*{said}"):
        load(changed)
