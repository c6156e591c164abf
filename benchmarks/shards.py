"""Shards: what mixing costs in passes, what threads give back in seconds, beside scikit-learn one row after the other.

Errors are those of the average on the test part. A pass is (a fit of k + 1 passes - a fit of one pass) / k, by wall
time, since threads are to be seen; what else the machine does at that time lengthens it, so that its load stands in the
title. The time to the sequential run's error is the number of passes that it takes, each as long as measured.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.data import Split
from benchmarks.table import Table, Target
from benchmarks.timing import interleaved
from rosenblatt import Perceptron
from rosenblatt.base.rows import as_rows
from rosenblatt.members.fit import fit
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember

SHARDS, THREADS = (1, 2, 8, 32), (1, 2)
SHOWN, AIM, MOST = (1, 3, 6, 10), 6, 30  # passes: in the table, of the sequential run to be reached, at the most
TIMED = 5
FASTER = 1.7  # two threads than one


@dataclass(frozen=True)
class Setting:
    """How many shards, on how many threads, in which order."""

    shards: int
    threads: int
    shuffle: bool

    def estimator(self, passes: int) -> Perceptron:
        return Perceptron(
            readout="average", shards=self.shards, n_jobs=self.threads, shuffle=self.shuffle, max_iter=passes
        )


def settings() -> list[Setting]:
    """One shard is for one thread."""
    return [Setting(*given) for given in product(SHARDS, THREADS, (False, True)) if given[0] > 1 or given[1] == 1]


def errors_of(split: Split, shards: int) -> list[float]:
    """The test error after each pass, in a shuffled order."""
    errors: list[float] = []
    X_test = as_rows(split.X_test)

    def watch(made: Any) -> None:
        errors.append(float(np.mean(made.model().predict(X_test) != split.y_test)))

    fit(
        LinearMember(PerceptronParameters(shards=shards, readout="average", max_iter=MOST)),
        split.X,
        split.y,
        watch=watch,
    )
    return errors


def pass_seconds(makes: dict[Any, Callable[[int], Any]], split: Split, repeats: int) -> dict[Any, float]:
    """The wall seconds of a pass of each estimator, which comes for a number of passes; they take turns."""
    fits = {
        (name, passes): lambda make=make, passes=passes: make(passes).fit(split.X, split.y)
        for name, make in makes.items()
        for passes in (1, 1 + TIMED)
    }
    took = interleaved(fits, repeats)
    return {name: max(1e-9, (took[name, 1 + TIMED] - took[name, 1]).wall / TIMED) for name in makes}


def passes_to(errors: list[float], aim: float) -> int | None:
    """After how many passes the error is as low; None: not within these."""
    return next((number for number, error in enumerate(errors, start=1) if error <= aim), None)


def linear(split: Split, repeats: int) -> tuple[Table, list[Target]]:
    """The linear perceptron in shards on this machine."""
    errors = {shards: errors_of(split, shards) for shards in SHARDS}
    makes: dict[Any, Callable[[int], Any]] = {setting: setting.estimator for setting in settings()}
    makes["sklearn"] = peers.averaged_perceptron
    seconds = pass_seconds(makes, split, repeats)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    table = Table(f"{split}; {load}", COLUMNS)
    aim = errors[1][min(AIM, len(errors[1])) - 1]
    sequential = passes_to(errors[1], aim)
    for shards in SHARDS:
        needed = passes_to(errors[shards], aim)
        for threads in THREADS if shards > 1 else (1,):
            listed, shuffled = (seconds[Setting(shards, threads, shuffle=shuffle)] for shuffle in (False, True))
            to_aim = None if needed is None else needed * shuffled
            name = f"{shards} shard{'s' * (shards > 1)}, {threads} thread{'s' * (threads > 1)}"
            table.add(name, *_shown(errors[shards]), listed, shuffled, needed, to_aim, "ours")
    of_peer = [_error(peers.averaged_perceptron(passes).fit(split.X, split.y), split) for passes in SHOWN]
    table.add("one by one", *of_peer, None, seconds["sklearn"], None, None, "sklearn SGDClassifier(average=True)")
    one, two = (seconds[Setting(2, threads, shuffle=False)] for threads in THREADS)
    targets = [Target("a listed pass of 2 shards, one thread / two", one / two, ">=", FASTER, load)]
    needed = passes_to(errors[2], aim)
    if needed is not None and sequential is not None:
        ratio = needed * seconds[Setting(2, 2, shuffle=True)] / (sequential * seconds[Setting(1, 1, shuffle=True)])
        targets.append(Target("time to the sequential error, 2 shards on two threads / one", ratio, "<=", 1.0, load))
    return table, targets


def _shown(errors: list[float]) -> list[float]:
    return [errors[min(passes, len(errors)) - 1] for passes in SHOWN]


def _error(model: Any, split: Split) -> float:
    return float(np.mean(model.predict(split.X_test) != split.y_test))


COLUMNS = {
    "": "",
    **{f"error {passes}": ".4f" for passes in SHOWN},
    "listed s": ".4f",
    "shuffled s": ".4f",
    f"passes to one's {AIM}": ".0f",
    "s to it": ".3f",
    "who": "",
}
