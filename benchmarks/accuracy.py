"""How accurate is the family? Its members beside scikit-learn's linear models, on text.

All that is chosen is chosen by cross-validation on the training part, by the same folds for everyone, from small
grids; then each choice is fitted on the whole training part and meets the test part once. The target is judged on
the member that cross-validation prefers. The best of all members on the test part stands beside it; it is chosen by
the test part, so it flatters.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from benchmarks import peers
from benchmarks.data import Split
from benchmarks.table import Table, Target
from benchmarks.timing import once, one_thread
from rosenblatt import Perceptron

AIMS = {"imdb1": 0.1106, "news20": 0.1377}  # the best of the peers as they come, hinge SGD and LinearSVC
PASSES = [2, 5, 10]
Grid = dict[str, list[Any]]


@dataclass(frozen=True)
class Member:
    """An estimator and the values among which cross-validation chooses (none: it is taken as it is)."""

    name: str
    estimator: Any
    grid: Grid = field(default_factory=dict)
    ours: bool = True


def members(n_classes: int) -> list[Member]:
    """The family, then the peers."""
    first: Grid = {"C": [0.1, 0.3, 1.0], "max_iter": PASSES}
    second: Grid = {"r": [0.3, 1.0, 3.0, 10.0], "max_iter": PASSES}
    average, last = Perceptron(readout="average"), Perceptron(step="arow")
    family = [
        Member("average, perceptron", average, {"max_iter": PASSES}),
        Member("average, perceptron with margin", average, {"margin": [0.3, 1.0, 3.0], "max_iter": PASSES}),
        Member("average, pa1", Perceptron(readout="average", step="pa1"), first),
        Member("average, pa2", Perceptron(readout="average", step="pa2"), first),
        Member("average, arow", Perceptron(readout="average", step="arow"), second),
        Member("last, arow", last, second),
    ]
    if n_classes > 2:
        family.append(Member("last, arow, one-vs-rest", Perceptron(step="arow", multiclass="one-vs-rest"), second))
    return [
        *family,
        Member("sklearn hinge SGD", peers.hinge(), ours=False),
        Member("sklearn hinge SGD, alpha chosen", peers.hinge(), {"alpha": [3e-5, 1e-4, 3e-4]}, ours=False),
        Member("sklearn LinearSVC", peers.linear_svm(), ours=False),
        Member("sklearn LinearSVC, C chosen", peers.linear_svm(), {"C": [0.1, 0.3, 1.0, 3.0]}, ours=False),
    ]


def compare(name: str, split: Split, *, quick: bool) -> tuple[Table, list[Target]]:
    """The table of a data set, and its target."""
    folds = StratifiedKFold(2 if quick else 5, shuffle=True, random_state=0)
    table = Table(
        f"{split}: errors, and CPU seconds of the last fit",
        {"": "", "by folds": ".4f", "test": ".4f", "seconds": ".3f", "chosen": ""},
    )
    family: list[tuple[float, float, str]] = []
    with one_thread():
        for member in members(len(np.unique(split.y))):
            search = GridSearchCV(
                member.estimator, {k: v[-1:] if quick else v for k, v in member.grid.items()}, cv=folds, refit=False
            )
            search.fit(split.X, split.y)
            model = member.estimator.set_params(**search.best_params_)
            seconds = once(partial(model.fit, split.X, split.y))
            chosen = ", ".join(f"{word}={value}" for word, value in search.best_params_.items())
            by_folds, test = 1 - search.best_score_, 1 - model.score(split.X_test, split.y_test)
            table.add(member.name, by_folds, test, seconds.cpu, chosen)
            if member.ours:
                family.append((by_folds, test, f"{member.name}, {chosen}"))
    preferred, luckiest = min(family), min(family, key=lambda member: member[1])
    return table, [
        Target(f"{split.title}: test error, member preferred by folds", preferred[1], "<=", AIMS[name], preferred[2]),
        Target(
            f"{split.title}: test error, least of {len(family)} members", luckiest[1], "<=", AIMS[name], luckiest[2]
        ),
    ]
