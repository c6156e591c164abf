"""Linear training and prediction: seconds an epoch, to predict, to fit as it comes, and the errors that they buy.

An epoch is (a fit of k + 1 passes - a fit of one pass) / k, which leaves out what a fit does only once; the whole fit
of one pass stands beside it. The machine's limit is one read of the arrays that an epoch must read. Errors are of the
test part after five passes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.data import Split
from benchmarks.table import Table, Target
from benchmarks.timing import Seconds, interleaved
from rosenblatt import PassiveAggressiveClassifier, Perceptron

PASSES, SEEDS = 5, 5
Errors = tuple[float | None, ...]
COLUMNS = {
    "": "",
    "ours CPU": ".4f",
    "ours wall": ".4f",
    "peer CPU": ".4f",
    "peer wall": ".4f",
    "peer/ours": ".2f",
    "ours/read": ".2f",
    "ours error": ".4f",
    "peer error": ".4f",
    "peer": "",
}


@dataclass(frozen=True)
class Case:
    """The same work done twice: given a number of passes, our estimator and a peer's."""

    name: str
    ours: Callable[[int], Any]
    peer: Callable[[int], Any]
    who: str


LAST, PA = "sklearn Perceptron", "sklearn SGDClassifier(learning_rate='pa1')"
AVERAGED = "sklearn SGDClassifier(average=True)"
BINARY = [
    Case("listed", lambda k: Perceptron(shuffle=False, max_iter=k), lambda k: peers.perceptron(k, shuffle=False), LAST),
    Case("shuffled", lambda k: Perceptron(max_iter=k), peers.perceptron, LAST),
    Case("averaged", lambda k: Perceptron(readout="average", max_iter=k), peers.averaged_perceptron, AVERAGED),
    Case("AROW", lambda k: Perceptron(step="arow", max_iter=k), peers.passive_aggressive, "sklearn PA-I: no AROW"),
    Case("PA-I", lambda k: PassiveAggressiveClassifier(max_iter=k, tol=None), peers.passive_aggressive, PA),
]
MULTICLASS = [
    Case("native, last", lambda k: Perceptron(max_iter=k), peers.perceptron, LAST),
    Case("native, averaged", lambda k: Perceptron(readout="average", max_iter=k), peers.averaged_perceptron, AVERAGED),
]


def read_once(split: Split) -> object:
    """One read of the indices and values; as integers, the fastest that numpy reads."""
    return split.X.indices.max(), split.X.data.view(np.int32).max()


def error(model: Any, split: Split) -> float:
    return float(np.mean(model.predict(split.X_test) != split.y_test))


class SideBySide:
    """A table of ours and the peers' seconds, in which each row can be looked up."""

    def __init__(self, title: str, read: Seconds) -> None:
        self.table = Table(title, COLUMNS)
        self.read = read
        self.ours: dict[str, Seconds] = {}
        self.peer: dict[str, Seconds] = {}

    def add(self, name: str, ours: Seconds, peer: Seconds, who: str, errors: Errors = (None, None)) -> None:
        self.ours[name], self.peer[name] = ours, peer
        ratios = peer.cpu / ours.cpu, ours.cpu / self.read.cpu
        self.table.add(name, ours.cpu, ours.wall, peer.cpu, peer.wall, *ratios, *errors, who)

    def faster(self, name: str) -> float:
        """How many times faster ours is."""
        return self.peer[name].cpu / self.ours[name].cpu


def binary(split: Split, repeats: int) -> tuple[Table, list[Target]]:
    """One table for two classes, and its targets."""
    fits = {(c.name, who, k): make(k) for c in BINARY for k in (1, PASSES) for who, make in _sides(c)}
    runs: dict[Any, Callable[[], object]] = {"read": lambda: read_once(split)}
    runs |= {key: _fit(model, split) for key, model in fits.items()}
    # The models to predict with are fitted by the runs before.
    runs |= {who: _predict(fits["shuffled", who, PASSES], split) for who in ("ours", "peer")}
    least = interleaved(runs, repeats)
    side = SideBySide(f"{split} (seconds, minimum of at least {repeats} interleaved repeats)", least["read"])
    side.table.add("one read of the arrays", least["read"].cpu, least["read"].wall)
    for c in BINARY:
        last = {who: fits[c.name, who, PASSES] for who in ("ours", "peer")}
        epoch = {who: _epoch(least[c.name, who, 1], least[c.name, who, PASSES], last[who]) for who in last}
        errors = tuple(error(model, split) for model in last.values())
        side.add(f"epoch, {c.name}", epoch["ours"], epoch["peer"], c.who, errors)
    for c in BINARY:
        side.add(f"fit of one pass, {c.name}", least[c.name, "ours", 1], least[c.name, "peer", 1], c.who)
    side.add("predict the training rows", least["ours"], least["peer"], LAST)
    _as_it_comes(side, split, repeats)
    if peers.has_river():
        river = peers.river_epoch(split.X, split.y)
        side.add("epoch, listed, extrapolated", side.ours["epoch, listed"], river, "river Perceptron")
    else:
        side.table.add("river is not installed: not compared")
    # The aims are for data that is larger than the caches.
    return side.table, list(_binary_targets(side, split.title)) if split.X.nnz > 10**7 else []


def _as_it_comes(side: SideBySide, split: Split, repeats: int) -> None:
    models = {"ours": Perceptron(), "peer": peers.perceptron_as_it_comes()}
    least = interleaved({who: _fit(model, split) for who, model in models.items()}, max(1, repeats // 2))
    errors = tuple(error(model, split) for model in models.values())
    passes = " and ".join(str(model.n_iter_) for model in models.values())
    side.add(f"default fit ({passes} passes)", least["ours"], least["peer"], LAST, errors)


def _binary_targets(side: SideBySide, title: str) -> Iterator[Target]:
    epoch = {case.name: side.ours[f"epoch, {case.name}"].cpu for case in BINARY}
    yield Target(f"{title}: listed epoch / one read", epoch["listed"] / side.read.cpu, "<=", 3.5)
    yield Target(f"{title}: shuffled / listed epoch", epoch["shuffled"] / epoch["listed"], "<=", 1.4)
    yield Target(f"{title}: shuffled epoch, times faster", side.faster("epoch, shuffled"), ">=", 4.5)
    yield Target(f"{title}: averaged epoch, times faster", side.faster("epoch, averaged"), ">=", 6)
    yield Target(f"{title}: averaged / not averaged", epoch["averaged"] / epoch["shuffled"], "<=", 1.35)
    yield Target(f"{title}: AROW / plain shuffled epoch", epoch["AROW"] / epoch["shuffled"], "<=", 1.5)
    predict = side.peer["predict the training rows"].wall / side.ours["predict the training rows"].wall
    on_one = f"on all cores; {side.faster('predict the training rows'):.2f} by CPU time"
    yield Target(f"{title}: predict, times faster by the clock", predict, ">=", 2, on_one)


def multiclass(split: Split, repeats: int) -> tuple[Table, list[Target]]:
    """More than two classes: ours moves two rows of weights on a mistake, the peers fit one model a class."""
    fits = {(c.name, who): make(PASSES) for c in MULTICLASS for who, make in _sides(c)}
    runs: dict[Any, Callable[[], object]] = {"read": lambda: read_once(split)}
    runs |= {key: _fit(model, split) for key, model in fits.items()}
    least = interleaved(runs, repeats)
    side = SideBySide(f"{split} (fits of {PASSES} passes)", least["read"])
    targets = []
    for c in MULTICLASS:
        errors = error(fits[c.name, "ours"], split), error(fits[c.name, "peer"], split)
        side.add(c.name, least[c.name, "ours"], least[c.name, "peer"], f"{c.who}, one-vs-all", errors)
        targets.append(Target(f"{split.title}: {c.name}, times faster", side.faster(c.name), ">=", 2.5))
        targets.append(Target(f"{split.title}: {c.name}, error - peer's", errors[0] - errors[1], "<=", 0))
    return side.table, targets


def sorted_by_class(splits: list[Split]) -> Table:
    """A shuffled run must not mind that the rows come sorted by class. Means, as a last iterate depends on its luck."""
    table = Table(
        f"test error of a shuffled run, {PASSES} passes, mean of {SEEDS} seeds",
        {"": "", "last": ".4f", "last, sorted rows": ".4f", "average": ".4f", "average, sorted rows": ".4f"},
    )
    for split in splits:
        by_class = np.argsort(split.y, kind="stable")
        X, y = split.X[by_class], split.y[by_class]
        means = []
        for readout in ("last", "average"):
            runs = [Perceptron(readout=readout, max_iter=PASSES, random_state=seed) for seed in range(SEEDS)]
            for rows, labels in ((split.X, split.y), (X, y)):
                means.append(float(np.mean([error(model.fit(rows, labels), split) for model in runs])))
        table.add(split.title, *means)
    return table


def _sides(case: Case) -> tuple[tuple[str, Callable[[int], Any]], ...]:
    return ("ours", case.ours), ("peer", case.peer)


def _fit(model: Any, split: Split) -> Callable[[], object]:
    return lambda: model.fit(split.X, split.y)


def _predict(model: Any, split: Split) -> Callable[[], object]:
    return lambda: model.predict(split.X)


def _epoch(one: Seconds, several: Seconds, model: Any) -> Seconds:
    """Ours ends at a pass without a mistake: what counts are the passes that were made."""
    return (several - one) / max(1, int(model.n_iter_) - 1)
