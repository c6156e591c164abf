"""Labels as JSON: of their type, sorted, each once."""

from typing import Any

import numpy as np
import pytest

from rosenblatt.base.record.parts import labels_as_json, labels_from_json


@pytest.mark.parametrize(
    "classes",
    [
        np.array([False, True]),
        np.array([0.1, 0.5], dtype=np.float16),
        np.array([0.1, 1e-300, 5e300][::-1])[[1, 2, 0]],
        np.array([1, 2**70], dtype=object),
        np.array(["", "\x00a", "b"]),
    ],
)
def test_labels(classes: Any) -> None:
    found = labels_from_json(labels_as_json(classes))
    assert found.dtype == classes.dtype
    assert found.tolist() == classes.tolist()


@pytest.mark.parametrize("classes", [np.array([b"a"]), np.array([None]), np.array([np.nan]), np.array([1j])])
def test_labels_that_are_refused(classes: Any) -> None:
    with pytest.raises(ValueError, match="classes_: a model file holds strings, booleans and finite numbers"):
        labels_as_json(classes)


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("complex128", [1, 2]),
        (["int64"], [1, 2]),
        ("int64", []),
        ("int64", "12"),
        ("int64", [1.0, 2.0]),
        ("int64", ["1", "2"]),
        ("int64", [True, 2]),
        ("int64", [1, 2**64]),
        pytest.param("int8", [1, 300], marks=pytest.mark.filterwarnings("ignore:NumPy will stop allowing")),  # before 2
        ("float64", [1, 2]),
        ("float32", [0.1, 0.2]),
        ("bool", [0, 1]),
        ("str", [1, 2]),
        ("str", ["a", "b\x00"]),
        ("str", ["b", "a"]),
        ("object", [1, "a"]),
        ("object", [[1], [2]]),
        ("object", [None]),
    ],
)
def test_labels_that_are_no_labels(kind: Any, labels: Any) -> None:
    with pytest.raises(ValueError, match="classes: expected a type and the sorted labels"):
        labels_from_json({"type": kind, "labels": labels})
