"""A trace of 10,000 visits: recorded by the core, asked of the core visit by visit, and run by plain.py.

The middle one is how `trace` worked before the core had a recorder: the same pass, called from Python for each row. All
three end with the same weights, which is checked.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.table import Table, Target
from benchmarks.timing import interleaved
from rosenblatt import _core, plain, trace
from rosenblatt.base.rows import core_rows

ROWS, VISITS = 100, 10_000
FASTER = 20  # times, at least: what was aimed at


def run(repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The table, and what is aimed at."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(ROWS, 2)), random.integers(0, 2, ROWS)  # which no line separates
    passes = (VISITS // 10 if quick else VISITS) // ROWS
    runs: dict[str, Callable[[], Any]] = {
        "trace: recorded by the core": lambda: trace(X, y, max_iter=passes).weights.tolist(),
        "the core, asked visit by visit": lambda: by_visits(X, y, passes),
        "plain.py": lambda: by_plain(X, y, passes),
    }
    (expected, *others) = (made() for made in runs.values())
    np.testing.assert_allclose(others, [expected] * len(others), rtol=1e-9)
    took = interleaved(runs, repeats)
    ours = took["trace: recorded by the core"].cpu
    table = Table(f"{passes * ROWS} visits of {ROWS} points", {"": "", "us a visit": ".3f", "CPU / ours": ".1f"})
    for name, seconds in took.items():
        table.add(name, seconds.cpu / (passes * ROWS) * 1e6, seconds.cpu / ours)
    times = took["the core, asked visit by visit"].cpu / ours
    return [table], [Target("trace: times faster than visit by visit", times, ">=", FASTER)]


def by_visits(X: Any, y: Any, passes: int) -> list[list[float]]:
    """The weights after each visit are kept, as a trace does."""
    state, target, kept = _core.LinearState(np.zeros((X.shape[1] + 1, 1)), 1, 1.0), y.astype(np.int32), []
    rule = _core.Rule(tie="mistake", margin=0, step="perceptron", C=1, r=1, multiclass="argmax", batch_size=1)
    for _ in range(passes):
        for i in range(len(X)):
            rows, score = core_rows(X[[i]], check=False), np.empty((1, 1))
            _core.scores(rows, state.w, 1, 1.0, score)
            state.run(rows, target[[i]], None, rule, seed=None, first_pass=0, passes=1)
            kept.append((score[0, 0], state.w[:, 0].copy()))
    return [np.roll(kept[-1][1], 1).tolist()]


def by_plain(X: Any, y: Any, passes: int) -> list[list[float]]:
    """In floats."""
    made = plain.run([(1.0, *row) for row in X.tolist()], (2 * y - 1).tolist(), max_iter=passes)
    return [list(w) for w in made.after[-1]]
