"""Work on many items at a time: the results and the errors come in the order of the items, and nothing is left over."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from rosenblatt.services.files import blocks
from rosenblatt.services.files.blocks import in_order


@pytest.fixture(params=[1, 2, 5], autouse=True)
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many threads, on any machine."""
    monkeypatch.setattr(blocks, "cpu_count", lambda: request.param)


def slower_first(number: int) -> int:
    time.sleep(0.002 * (number % 3 == 0))
    return -number


def test_in_the_order_of_the_items() -> None:
    assert list(in_order(slower_first, iter(range(1, 50)))) == [-number for number in range(1, 50)]
    assert list(in_order(slower_first, iter([]))) == []


def test_on_as_many_threads_as_told() -> None:
    def thread_of(number: int) -> int:
        slower_first(number)
        return threading.get_ident()

    assert len(set(in_order(thread_of, iter(range(50)), 1))) == 1
    assert len(set(in_order(thread_of, iter(range(50)), 2))) <= 2


def refuse_seven(number: int) -> int:
    if number == 7:
        raise ValueError("seven")
    return slower_first(number)


def fail_after_six() -> Iterator[int]:
    yield from range(1, 7)
    raise OSError("the disk")


def test_an_error_comes_after_what_is_before_it() -> None:
    results = in_order(refuse_seven, iter(range(1, 50)))
    assert [next(results) for _ in range(6)] == [-1, -2, -3, -4, -5, -6]
    with pytest.raises(ValueError, match="seven"):
        next(results)
    results = in_order(slower_first, fail_after_six())
    assert [next(results) for _ in range(6)] == [-1, -2, -3, -4, -5, -6]
    with pytest.raises(OSError, match="the disk"):
        next(results)


def test_only_a_few_items_ahead_and_no_thread_after() -> None:
    fetched = []

    def items() -> Iterator[int]:
        for number in range(1, 1000):
            fetched.append(number)
            yield number

    threads = threading.active_count()
    with closing(in_order(slower_first, items())) as results:
        assert [next(results) for _ in range(3)] == [-1, -2, -3]
    assert len(fetched) < 200
    assert threading.active_count() == threads
