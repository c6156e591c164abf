"""No call of the core's module crashes, whatever its arguments: a wrong one is refused; and Ctrl-C ends a long one."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import _core
from tests.project import core_good_calls as good
from tests.project import endless_calls

BIG = 2**63 - 1


def run(program: str, *args: str) -> subprocess.CompletedProcess[str]:
    """One of the programs beside this file, in a process of its own."""
    command = [sys.executable, "-m", f"tests.project.{program}", *args]
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=root)


def test_ctrl_c_ends_every_endless_call() -> None:
    done = run("endless_calls")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name} was ended" for name in endless_calls.CALLS]


@pytest.mark.parametrize("seed", [1, 2])
def test_no_call_crashes(seed: int) -> None:
    done = run("core_calls", str(seed), "20")
    told = done.stdout.splitlines()[-3:]
    assert done.returncode == 0, f"{done.returncode} after {told}\n{done.stderr[-2000:]}"
    assert told[-1] == "all calls were made"


def after(change: Callable[[], object], call: Callable[[], object]) -> Callable[[], object]:
    def both() -> object:
        change()
        return call()

    return both


def changed_columns(work: Callable[[_core.Rows], Callable[[], object]]) -> Callable[[], object]:
    """Rows whose columns are changed after `work` has seen them, and is asked to go on."""
    arrays = good.csr()
    go_on = work(_core.sparse_rows(*arrays, 3))
    return after(lambda: arrays[1].__setitem__(0, 10**6), go_on)


def changed_starts() -> Callable[[], object]:
    arrays = good.csr()
    rows = _core.sparse_rows(*arrays, 3)
    _core.check(rows)
    return after(lambda: arrays[2].__setitem__(4, 10**6), lambda: _core.squared_norms(rows, np.zeros(4)))


def read_on() -> Callable[[], object]:
    reader = good.read_block()
    rows = reader.rows
    read = {**good.READ, "text": b"1 1:1\n" * 1000}
    return after(lambda: reader.read(**read), lambda: _core.check(rows))  # type: ignore[arg-type]


def with_nan(name: str) -> Callable[[], object]:
    arrays = {**good.cells(), "w": np.zeros(len(good.cells()["w"])), "sums": np.zeros(len(good.cells()["w"]))}
    arrays[name][0] = np.nan
    return lambda: _core.chain_of(labels=3, attributes=4, units=1, visits=3, parts=good.classes(), **arrays)


def visit(**changed: object) -> Callable[[], object]:
    return lambda: _core.kernel_visit(good.rule(), **{**good.kernel_block(), **changed})


def train(visits: int = 0, **changed: object) -> Callable[[], object]:
    return lambda: good.state(visits=visits).run(**{**good.trained(), **changed})


def read_only() -> np.ndarray[Any, Any]:
    weights = np.zeros((4, 1))
    weights.flags.writeable = False
    return weights


def write(**changed: object) -> Callable[[], object]:
    return lambda: _core.write_svmlight(*good.csr(), **{**good.WRITTEN, **changed})  # type: ignore[arg-type]


def view(column: int, offset: int = 0) -> Callable[[], object]:
    words = {"unigrams": [("U", [(offset, 0)])], "bigrams": [], "boundary": "mark"}
    return lambda: _core.Templates(views=[(column, "x", 0)], **words)  # type: ignore[arg-type]


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a first position before the block": (visit(first=-1), "within the block"),
    "a first position after the block": (visit(first=4), "within the block"),
    "less than no room": (visit(room=-1), "room must not be negative"),
    "visits of a block that pass 2^63": (visit(visits=BIG), "visits must not be negative nor pass"),
    "fewer features than none": (lambda: _core.sparse_rows(*good.csr(), -5), "features must be from 0"),
    "one feature too many": (lambda: _core.sparse_rows(*good.csr(), BIG), "features must be from 0"),
    "rows of a block that is gone": (read_on(), "has read another block since"),
    "columns changed after a check": (
        changed_columns(lambda rows: lambda: _core.scores(rows, np.zeros((4, 1)), 1, 1.0, np.zeros((4, 1)))),
        "outside of the 3 columns",
    ),
    "columns changed after peeling": (
        changed_columns(lambda rows: partial(_core.peel(rows).weights, np.zeros(3))),
        "outside of the 3 columns",
    ),
    "columns changed in a search": (
        changed_columns(lambda rows: partial(_core.NearestPoint(rows).run, 3, 0.0)),
        "outside of the 3 columns",
    ),
    "starts changed after a check": (changed_starts(), "must not fall nor pass"),
    "a column too many for a template": (view(2**31 - 1), "a column must be from 0"),
    "an offset without an opposite": (view(0, -(2**31)), "within 1000"),
    "a column that says it is longer": (lambda: _core.Corpus([good.Liar(5)], good.ints(0, 5)), "fewer texts"),
    "a column that says it is shorter": (lambda: _core.Corpus([good.Liar(1)], good.ints(0, 1)), "more texts"),
    "visits of a training that pass 2^63": (train(visits=BIG), "visits must not be negative nor pass"),
    "a number of passes that wraps": (train(first_pass=BIG), "visits must not be negative nor pass"),
    "a pocket without a number of errors": (lambda: good.state(pocket_errors=np.nan), "must not be negative"),
    "weights that cannot be written to": (lambda: good.state(w=read_only()).run(**good.trained()), "must be copied"),
    "sums of another shape": (lambda: good.state(sums=np.zeros((5, 1))), "the shape of its weights"),
    "a base that is no base": (write(base=BIG), "base must be 0 or 1"),
    "a weight that is no number": (with_nan("w"), "numbers within"),
    "a sum that is no number": (with_nan("sums"), "numbers within"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(ValueError, match=words):
        call()


def test_a_batch_of_any_size() -> None:
    state = good.state()
    state.run(**{**good.trained(), "rule": good.rule(batch_size=BIG)})
    assert state.visits == 12


def test_arrays_of_a_state_outlive_it() -> None:
    state = good.state()
    state.run(**good.trained())
    before, w = state.w, state.w.copy()
    state.w = np.zeros((4, 1))
    assert before.tolist() == w.tolist() != state.w.tolist()
    del state
    assert before.tolist() == w.tolist()


def test_an_array_cannot_move_while_rows_have_it() -> None:
    assert any(len(rows) == 4 for rows in good.stale_rows())
