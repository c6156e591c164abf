"""Engines: results in the order of parts, the first error, and a Ctrl-C that ends all threads."""

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from rosenblatt.base.engines import Engine, Serial, Threads, engine_of

ENGINES: list[Engine] = [Serial(), Threads(1), Threads(2), Threads(4)]


def slow_square(part: int, shared: int) -> int:
    time.sleep((part % 3) / 100)  # so that those that begin later end earlier
    return part * part + shared


@pytest.mark.parametrize("engine", ENGINES)
def test_results_come_in_the_order_of_parts(engine: Engine) -> None:
    assert engine.run(slow_square, range(10, 0, -1), 3) == [part * part + 3 for part in range(10, 0, -1)]
    assert engine.run(slow_square, [], 3) == []


def fail_late_first(part: int, _: None) -> int:
    if part == 1:
        time.sleep(0.05)
    if part in (1, 3):
        raise ValueError(f"part {part}")
    return part


@pytest.mark.parametrize("engine", ENGINES)
def test_of_several_errors_that_of_the_first_part_comes(engine: Engine) -> None:
    with pytest.raises(ValueError, match="part 1"):
        engine.run(fail_late_first, range(5), None)


def test_no_more_threads_than_asked_for() -> None:
    working, most, lock = 0, 0, threading.Lock()

    def count(part: int, shared: Any) -> None:
        nonlocal working, most
        with lock:
            working += 1
            most = max(most, working)
        time.sleep(0.01)
        with lock:
            working -= 1

    Threads(3).run(count, range(12), None)
    assert 1 <= most <= 3
    assert isinstance(engine_of(1), Serial)


ENDLESS = """
import threading
import numpy as np
from rosenblatt.base.engines import Threads
from tests.project.endless_calls import train

def forever(part, begun):
    begun.wait()
    train(pocket=False)

print("begun", flush=True)
begun = threading.Barrier(2)
try:
    Threads(2).run(forever, range(4), begun)
except KeyboardInterrupt:
    print("ended", threading.active_count(), flush=True)
"""


def test_ctrl_c_ends_all_threads() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "ended 1\n"
        assert process.returncode == 0


def test_a_failing_part_ends_those_that_run() -> None:
    from tests.project.endless_calls import train

    def work(part: int, _: None) -> object:
        if part == 0:
            raise ValueError("at once")
        return train(pocket=False)

    with pytest.raises(ValueError, match="at once"):
        Threads(2).run(work, range(3), None)
