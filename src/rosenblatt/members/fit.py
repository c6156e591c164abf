"""The frame of a fit: labels become classes, rows get weights, some rows are held out, the run trains the model.

max_iter="validate" finds the best number of passes: the one with the fewest mistakes on held-out rows. These are a
fifth of the rows; if that is fewer than fifty rows, further fifths follow, each with a run of its own. If several
numbers of passes are equally good, the largest is used. Then a run over all rows makes this number of passes.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.engines import Engine, engine_of
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import answers, class_list, merge
from rosenblatt.base.rows import Matrix, as_rows, as_type, core_rows
from rosenblatt.members.calibration import Calibration, Decide, calibrate
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import PARTS, fifths, hold_out, random_state
from rosenblatt.members.rows import RowMember, RowsInMemory, RowsRun, WeightedRows
from rosenblatt.members.run import Watch, run
from rosenblatt.members.shards import RowsInShards
from rosenblatt.members.stopping import End, Stopping

TRIED = (2, 4, 7, 12, 20, 35)  # numbers of passes
ENOUGH = 50
LATER, MORE = 2, 4  # after the fewest mistakes at t passes, trying up to 2 t + 4 passes is enough
MANY, VISITS = 12, 10**5  # more than 12 passes only up to this many visits, because large sets gain nothing by them


def fit(
    member: RowMember[Any],
    X: Any,
    y: Any,
    sample_weight: Any = None,
    watch: Watch | None = None,
    *,
    start: Any = None,
    engine: Engine | None = None,
) -> tuple[Any, End]:
    """Learn from all rows; returns the model, and why the run has ended.

    `start` is a model to start from, or weights in the form of the parameter `init`. `engine` runs shards; None:
    `n_jobs` threads of this machine.
    """
    X, p = member.take_rows(as_rows(X)), member.parameters
    classes, target, weight, number = member.targets(X, y, sample_weight, all_labels=True)
    random, out = random_state(p.random_state), None
    if p.early_stopping or len(number) < X.shape[0] or p.max_iter == "validate":
        core_rows(X)  # checked before rows are selected, so that an error names the row of X
    if p.early_stopping:
        if p.max_iter == "validate":
            raise ParameterError("max_iter: expected a number or 'auto' with early_stopping, found 'validate'")
        number, held_out = hold_out(number, p.validation_fraction, random, target if len(classes) else None)
        out = WeightedRows.of(X, target, weight, held_out)
    rows, stop = WeightedRows.of(X, target, weight, number), member.stopping(len(number))
    state, seed = member.begin(classes, X, random, start)
    if p.max_iter == "validate":
        stop.max_iter = _best_passes(member, rows, classes, random, start, engine)
    if stop.max_iter == "auto" and not _has_shards(p):  # shards are not asked, because they may be on other machines
        stop.inseparable = lambda: member.inseparable(state, rows.X, rows.target)
    source = _source(rows, engine, member, state, classes, X.shape[1], X.shape[0], stop, seed, out)
    end = run(source, stop, score=source.score, watch=watch)
    model = source.model()
    member.finish(model)
    if getattr(p, "probabilities", False) and len(classes) > 1:
        model.calibration = _calibration(member, rows, engine, model, random)
    return model, end


def untrained_model(member: RowMember[Any], X: Any, classes: Any) -> Any:
    """The model before the first visit, for these classes and rows like those of X."""
    X, known = member.take_rows(as_rows(X)), class_list(classes)
    state, _ = member.begin(known, X, random_state(deepcopy(member.parameters.random_state)))
    return member.model(state, known, X.shape[1], 0, 0, [], None)


def learn_more(
    member: RowMember[Any],
    before: Any,
    X: Any,
    y: Any,
    classes: Any = None,
    sample_weight: Any = None,
    *,
    engine: Engine | None = None,
) -> Any:
    """One pass over further rows in the listed order, from `before`, which it changes, or from the start.

    New classes may come in any call; `classes` lists all of them at the first call.
    """
    X, p = member.take_rows(as_rows(X)), member.parameters
    check_offered(p, "more")
    if p.class_weight == "balanced":
        raise ValueError("class_weight='balanced' needs all labels at once; give partial_fit a dict of weights")
    new, target, weight, number = member.targets(X, y, sample_weight, all_labels=False)
    merged = merge(new[:0] if before is None else before.classes, new if classes is None else class_list(classes))
    if not np.isin(new, merged).all():
        raise ValueError(f"y has labels that are not in classes: {np.setdiff1d(new, merged).tolist()}")
    if len(merged):
        target = np.searchsorted(merged, new).astype(np.int32)[target]
    if before is None:
        state, _ = member.begin(merged, X, random_state(p.random_state))
    else:
        X, state = before.rows(X), member.go_on(before, merged)
    if len(merged) == 1:  # a single class counts as positive until another one comes
        target = target + np.int32(1)
    return one_pass(member, state, before, merged, X, target, weight, number, engine)


def one_pass(
    member: RowMember[Any],
    state: Any,
    before: Any,
    classes: Array,
    X: Matrix,
    target: Array,
    weight: Array | None,
    number: Array,
    engine: Engine | None = None,
) -> Any:
    """The model after one pass over the rows `number` of X, in the listed order; `before` is the model so far."""
    X = as_type(X, state.dtype)
    core_rows(X, check=len(number) < X.shape[0])
    seen = 0 if before is None else before.n_seen
    rows = WeightedRows.of(X, target, weight, number)
    if rows.weight is not None:
        rows = rows._replace(weight=as_type(rows.weight, X.dtype))
    if not len(classes):
        rows = rows._replace(target=as_type(rows.target, X.dtype))
    rows = rows._replace(number=seen + number)
    stop = Stopping(len(number), 1, None, 1)
    source = _source(rows, engine, member, state, classes, X.shape[1], seen + X.shape[0], stop)
    with member.all_or_nothing(state, rows.X):
        run(source, stop)
    model = source.model()
    if before is not None:
        if model.mixed is not None or before.mixed is not None:
            so_far = before.passes if before.mixed is None else before.mixed
            model.mixed = [*map(float, so_far), *map(float, model.passes if model.mixed is None else model.mixed)]
        model.passes, model.n_updates = [*before.passes, *model.passes], before.n_updates + model.n_updates
    return model


def _has_shards(parameters: Any) -> bool:
    return getattr(parameters, "shards", 1) > 1


def _source(rows: WeightedRows, engine: Engine | None, member: RowMember[Any], *run: Any) -> RowsRun:
    """Passes over rows in memory, or rounds of shards of them."""
    p = member.parameters
    if not _has_shards(p):
        return RowsInMemory(rows, member, *run)
    return RowsInShards.of(rows, engine or engine_of(min(p.shards, n_threads(p.n_jobs))), member, *run)


def _best_passes(
    member: RowMember[Any],
    rows: WeightedRows,
    classes: Array,
    random: np.random.RandomState,
    start: Any,
    engine: Engine | None,
) -> int:
    """The number of passes to make over all rows. `random` chooses the held-out rows and the orders of the trials."""
    trials = []
    for learned, out in _some_fifths(rows.target, random):
        state, seed = member.begin(classes, rows.X, random, start)
        some, others = (WeightedRows.of(rows.X, rows.target, rows.weight, number) for number in (learned, out))
        stop = Stopping(len(learned), TRIED[-1], None, 1)
        facts = classes, rows.X.shape[1], len(learned), stop, seed, others
        trials.append(_source(some, engine, member, state, *facts))
    best, least = 0, np.inf
    for passes in TRIED:
        error = sum(_error_after(trial, passes) for trial in trials)
        if error <= least:
            best, least = passes, error
        if passes >= LATER * best + MORE or (passes >= MANY and passes * len(rows.target) >= VISITS):
            break
    return best


def _error_after(trial: RowsRun, passes: int) -> float:
    """The error on the held-out rows after this number of passes, or fewer if a pass made no mistake."""
    if trial.stop.end != "clean":
        trial.stop.max_iter, trial.stop.end = passes, None
        run(trial, trial.stop)
    out, tie = trial.held_out, trial.member.parameters.tie
    assert out is not None
    wrong = answers(trial.member.decision(trial.state, out.X), tie) != out.target
    return float(np.average(wrong, weights=out.weight))


def _some_fifths(target: Array, random: np.random.RandomState) -> Iterator[tuple[Array, Array]]:
    """All rows but a fifth, and that fifth; more splits if a fifth is small."""
    return islice(fifths(target, random), -(-ENOUGH * PARTS // len(target)))


def _calibration(
    member: RowMember[Any], rows: WeightedRows, engine: Engine | None, model: Any, random: np.random.RandomState
) -> Calibration:
    """How the scores of a model become probabilities: from runs over a part of its rows, of at most as many passes."""

    def learn(learned: Array) -> Decide:
        state, seed = member.begin(model.classes, rows.X, random)
        some = WeightedRows.of(rows.X, rows.target, rows.weight, learned)
        assert rows.number is not None
        some = some._replace(number=rows.number[learned])
        stop = Stopping(len(learned), len(model.passes), None, 1)
        source = _source(some, engine, member, state, model.classes, model.n_features, model.n_seen, stop, seed)
        run(source, stop)
        return lambda numbers: member.decision(source.state, rows.X[numbers])

    def decide(numbers: Array) -> Array:
        decision: Array = model.decision(rows.X[numbers])
        return decision

    calibration = calibrate(learn, decide, rows.target, random, rows.weight)
    return replace(calibration, readout=member.parameters.readout)
