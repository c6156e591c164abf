"""`fit_file` is `fit` in the listed order, however the file falls into blocks."""

import io
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Perceptron
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.members.run import Pass
from rosenblatt.services.files.svmlight import iter_svmlight, read_svmlight

from .files import bytes_of, stream, write

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

rows = st.lists(
    st.tuples(st.sampled_from(["-1", "+1"]), st.dictionaries(st.integers(1, 6), st.integers(-3, 3))), min_size=2
).filter(lambda found: len({label for label, _ in found}) == 2)


def text_of(found: list[tuple[str, dict[int, int]]], base: int) -> bytes:
    lines = [" ".join([label, *(f"{i - 1 + base}:{v}" for i, v in row.items())]) for label, row in found]
    return "".join(line + "\n" for line in lines).encode()


@given(
    found=rows,
    base=st.sampled_from([0, 1]),
    block_bytes=st.integers(1, 60),
    step=st.sampled_from(["perceptron", "pa1", "arow"]),
    readout=st.sampled_from(["last", "average"]),
    dtype=st.sampled_from([np.float64, np.float32]),
    intercept=st.booleans(),
)
def test_it_equals_fit(
    found: Any, base: int, block_bytes: int, step: Any, readout: Any, dtype: Any, intercept: bool
) -> None:
    text = text_of(found, base)
    words: dict[str, Any] = {"step": step, "readout": readout, "fit_intercept": intercept, "max_iter": 3, "eta0": 0.5}
    model, expected = Perceptron(**words), Perceptron(**words, shuffle=False)
    X, y = read_svmlight(io.BytesIO(text), dtype=dtype)
    expected.fit(X, y)
    words = {"dtype": dtype}
    model._fit_stream(_Again(text, block_bytes, **words))
    for name in ("coef_", "intercept_", "classes_", "mistakes_", "n_updates_", "n_iter_", "converged_"):
        np.testing.assert_array_equal(getattr(model, name), getattr(expected, name), strict=True)
    assert model.n_features_in_ == expected.n_features_in_ == X.shape[1]
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))


class _Again:
    """A stream of bytes that can be read more than once."""

    def __init__(self, text: bytes, block_bytes: int, **words: Any) -> None:
        self._text, self._block_bytes, self._words = text, block_bytes, words
        self._stream = stream(io.BytesIO(text), block_bytes, **words)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    is_file, size = True, None

    def blocks(self, after: int = 0) -> Any:
        return stream(io.BytesIO(self._text), self._block_bytes, **self._words).blocks(after)


@pytest.mark.parametrize("step", ["perceptron", "pa1", "arow"])
def test_many_classes(tmp_path: Path, step: Any) -> None:
    path = write(tmp_path / "data.svm", n_classes=4)
    model, expected = Perceptron(step=step, max_iter=5), Perceptron(step=step, max_iter=5, shuffle=False)
    X, y = read_svmlight(path)
    model._fit_stream(stream(path, 1 << 20))
    assert model.zero_based_ is False
    expected.fit(X, y).zero_based_ = False  # which only a file tells
    assert bytes_of(model.set_params(shuffle=False), tmp_path) == bytes_of(expected, tmp_path)
    assert not hasattr(model.fit(X, y), "zero_based_")


@pytest.mark.parametrize("multiclass", ["argmax", "one-vs-rest"])
@pytest.mark.parametrize("step", ["perceptron", "pa1", "arow"])
def test_classes_that_come_late(tmp_path: Path, step: Any, multiclass: Any) -> None:
    path = write(tmp_path / "data.svm", n_classes=5)
    words: dict[str, Any] = {"step": step, "multiclass": multiclass, "readout": "average", "max_iter": 1}
    model, expected = Perceptron(**words), Perceptron(**words)
    model._fit_stream(stream(path, 30))
    for X, y in iter_svmlight(path, n_features=6, zero_based=False, block_bytes=30):
        expected.partial_fit(X, y)
    assert len(model.classes_) == 5
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(model.intercept_, expected.intercept_)
    assert model.mistakes_.tolist() == [expected.mistakes_.sum()]


def test_names_as_labels_and_class_weights() -> None:
    text = b"no 1:1\nyes 2:1\nno 1:2 2:1\nyes 3:1\n"
    words: dict[str, Any] = {"class_weight": {"yes": 3.0}, "max_iter": 1}
    model = Perceptron(**words).fit_file(io.BytesIO(text))
    expected = Perceptron(**words, shuffle=False).fit(*read_svmlight(io.BytesIO(text)))
    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.coef_, expected.coef_)


def test_it_goes_on_with_partial_fit(tmp_path: Path) -> None:
    path = write(tmp_path / "data.svm")
    X, y = read_svmlight(path)
    model = Perceptron(readout="average", max_iter=1).fit_file(path).partial_fit(X, y)
    expected = Perceptron(readout="average").partial_fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(model.mistakes_, expected.mistakes_)


def test_progress(tmp_path: Path) -> None:
    path = write(tmp_path / "data.svm")
    told: list[Pass] = []
    model = Perceptron(max_iter=2)
    model._fit_stream(stream(path), watch=told.append)
    ends = [so_far for so_far in told if so_far.over]
    assert [(e.number, e.mistakes, e.at.n_rows) for e in ends] == [
        (1, model.mistakes_[0], 40),
        (2, model.mistakes_[1], 40),
    ]
    assert [(e.at.n_rows_before, e.at.position, e.at.size) for e in ends] == [
        (0, ends[0].at.size, path.stat().st_size),
        (40, ends[0].at.size, path.stat().st_size),
    ]
    assert all(a.at.position <= b.at.position for a, b in pairwise(told) if a.number == b.number)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"readout": "vote"}, "readout: expected 'last' or 'average' to learn from a file, found 'vote': "),
        ({"readout": "pocket"}, "readout: expected 'last' or 'average' to learn from a file, found 'pocket': "),
        ({"keep_mistakes": True}, "keep_mistakes: expected False to learn from a file, found True: "),
        ({"early_stopping": True}, "early_stopping: expected False to learn from a file, found True: "),
        ({"batch_size": 2}, "batch_size: expected 1 to learn from a file, found 2: "),
        ({"class_weight": "balanced"}, "class_weight: expected weights over 0 of labels to learn from a file, found "),
        ({"class_weight": {1: 0}}, "class_weight: expected weights over 0 of labels to learn from a file, found "),
        ({"init": "random"}, "init: expected 'zeros' to learn from a file, found "),
        ({"init": [[0, 0]]}, "init: expected 'zeros' to learn from a file, found "),
        ({"step": "no"}, "The 'step' parameter of Perceptron must be a str among "),
    ],
)
def test_words_that_need_all_rows(words: Any, said: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the text follows
        Perceptron(**words).fit_file("none.svm")
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"1 1:1\n-1 2:x\n", "<file>:2:6: expected a number after ':', found 'x'"),
        (b"1 1:1\nno 2:1\n", "<file>:2:1: expected a number as label, as in the lines before, found 'no'"),
        (b"1 1:1\n1 2:1\n", "Perceptron needs at least 2 classes, got samples of only one class: [1.0]"),
        (b"1 0:1\n-1 3:1\n", "<file>:2:4: expected an index of at most 2, found '3'"),
        (b"1 1:1\n-1 2147483647:1\n", "<file>:2:4: expected an index of at most 3, found '2147483647'"),
        (b"", "<file>:1:1: expected a label, found the end of the file"),
    ],
)
def test_bad_files_change_nothing(text: bytes, said: str) -> None:
    model = Perceptron(max_iter=1).fit([[0.0], [1.0]], [0, 1])
    before = dict(vars(model))
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the text follows
        model._fit_stream(stream(io.BytesIO(text), 8, n_features=3))
    assert str(refused.value) == said
    assert vars(model) == before


def test_indices_whose_weights_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="expected an index of at most 2147483647, found '2147483648'"):
        Perceptron(max_iter=1).fit_file(io.BytesIO(b"1 1:1\n-1 2147483648:1\n"))


def test_a_pipe_is_read_once() -> None:
    with pytest.raises(ValueError, match="<file> can be read only once: use max_iter=1, or a cache"):
        Perceptron().fit_file(io.BytesIO(b"1 1:1\n-1 2:1\n"))


def test_weights_that_grow_too_large() -> None:
    text = b"1 1:3e38\n1 2:3e38\n-1 1:1e-30\n" * 3
    with pytest.raises(OverflowError, match="too large"):
        Perceptron(max_iter=1, eta0=1.0, margin=1e30).fit_file(io.BytesIO(text), dtype=np.float32)


def test_whoever_watches_ends_the_run(tmp_path: Path) -> None:
    """At the end of a pass it is as `max_iter`; within one, as if the file ended there; and it can go on."""
    path = write(tmp_path / "data.svm")
    words: dict[str, Any] = {"readout": "average", "max_iter": 4}
    expected = Perceptron(readout="average", max_iter=2)._fit_stream(stream(path))
    ended = Perceptron(**words)._fit_stream(stream(path), watch=lambda so_far: so_far.over and so_far.number == 2)
    np.testing.assert_array_equal(ended.coef_, expected.coef_)
    assert ended.mistakes_.tolist() == expected.mistakes_.tolist()
    heard: list[Pass] = []

    def watch(so_far: Pass) -> bool:
        heard.append(so_far)
        return bool(so_far.at.n_rows >= 20)

    part = Perceptron(**words)._fit_stream(stream(path), tmp_path / "run.part", seconds=0, watch=watch)
    X, y = read_svmlight(path, n_features=part.n_features_in_)
    first = heard[-1].at.n_rows
    assert first < 40
    same = Perceptron(shuffle=False, readout="average", max_iter=1).fit(X[:first], y[:first])
    np.testing.assert_array_equal(part.coef_, same.coef_)
    assert part.mistakes_.tolist() == same.mistakes_.tolist() == [heard[-1].mistakes]
    whole = Perceptron(**words)._fit_stream(stream(path))
    resumed = Perceptron(**words)._fit_stream(stream(path), tmp_path / "run.part", resume=True)
    np.testing.assert_array_equal(resumed.coef_, whole.coef_)
    assert resumed.mistakes_.tolist() == whole.mistakes_.tolist()


def test_a_clean_part_of_a_pass_is_no_clean_pass(tmp_path: Path) -> None:
    path = tmp_path / "data.svm"
    path.write_bytes(b"1 1:1\n-1 1:-1\n1 1:2\n")
    whole = Perceptron()._fit_stream(stream(path, 8))
    assert (whole.mistakes_.tolist(), whole.converged_) == ([2, 0], True)
    part = Perceptron()._fit_stream(stream(path, 8), watch=lambda so_far: so_far.number == 2 and not so_far.over)
    assert (part.mistakes_.tolist(), part.converged_) == ([2], False)
