"""What comes out where nothing is chosen? Test errors on small tables, beside scikit-learn's models as they come.

Ours are the member as `rosenblatt train` makes it, and as Python has it. All learn from the same numbers, see
`small_tables`. Each set is split five times, a large one twice. Seconds are those of the CPU for one fit, without what
prepares the numbers.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Perceptron as TheirPerceptron

from benchmarks.data import ROOT, Array
from benchmarks.small_tables import SmallTable, load
from benchmarks.table import Table, Target
from benchmarks.timing import once, one_thread
from rosenblatt import Perceptron
from rosenblatt.doors.cli.parameters import program_defaults

SPLITS, SPLITS_OF_LARGE, LARGE = 5, 2, 8000
CLEARLY, MOST_BEHIND, MOST_TIME = 0.3, 0.15, 1 / 3
PEER, PROGRAM = "LogisticRegression()", "rosenblatt train"
MODELS: dict[str, Callable[[int], Any]] = {
    PEER: lambda _: LogisticRegression(),
    PROGRAM: lambda n_rows: Perceptron(**program_defaults([], n_rows)),
    "Perceptron(readout='average')": lambda _: Perceptron(readout="average"),
    "Perceptron(readout='average', max_iter=10)": lambda _: Perceptron(readout="average", max_iter=10),
    "Perceptron()": lambda _: Perceptron(),
    "scikit-learn's Perceptron()": lambda _: TheirPerceptron(),
}


def run(folder: Path | None, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The models over all sets, the sets, and what is aimed at; `quick` takes what scikit-learn ships, split once."""
    uci = (folder or ROOT.parent / "shared" / "data") / "uci"
    sets = list(load(uci if uci.is_dir() and not quick else None))
    with one_thread():
        found = np.array([_of_set(one, 1 if quick else SPLITS) for one in sets])  # sets, models, (error, seconds)
    errors, seconds = found[..., 0], found[..., 1].sum(axis=0)
    models = Table(
        f"{len(sets)} sets; gap: mean error - that of {PEER}",
        {"": "", "error": ".2f", "gap": ".2f", "largest gap": ".2f", "better": ".0f", "worse": ".0f", "CPU": ".2f"},
    )
    for name, error, cpu in zip(MODELS, errors.T, seconds, strict=True):
        gap = error - errors[:, 0]
        models.add(
            name, error.mean(), gap.mean(), gap.max(), int((gap < -CLEARLY).sum()), int((gap > CLEARLY).sum()), cpu
        )
    each = Table("test errors of each set in per cent", {"": "", "rows": ".0f", **dict.fromkeys(MODELS, ".2f")})
    for one, error in zip(sets, errors, strict=True):
        each.add(one.name, len(one.y), *error)
    ours, theirs = list(MODELS).index(PROGRAM), list(MODELS).index(PEER)
    behind, time = float((errors[:, ours] - errors[:, theirs]).mean()), float(seconds[ours] / seconds[theirs])
    return [models, each], [
        Target(f"points behind {PEER}, mean", behind, "<=", MOST_BEHIND),
        Target(f"CPU of the fits / that of {PEER}", time, "<=", round(MOST_TIME, 2)),
    ]


def _of_set(table: SmallTable, splits: int) -> Array:
    """For each model the mean test error in per cent, and the mean seconds of a fit."""
    parts = [table.split(seed) for seed in range(min(splits, SPLITS_OF_LARGE) if len(table.y) > LARGE else splits)]
    found = np.zeros((len(MODELS), 2))
    for part in parts:
        for place, make in enumerate(MODELS.values()):
            model = make(len(part.y))
            seconds = once(lambda model=model, part=part: model.fit(part.X, part.y)).cpu  # type: ignore[misc]
            found[place] += 100 * (1 - model.score(part.X_test, part.y_test)), seconds
    return found / len(parts)
