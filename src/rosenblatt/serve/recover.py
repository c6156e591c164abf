"""A model from its folder: the newest good snapshot, and a replay of the examples after it.

All of the log is looked at, also what a snapshot has: a damaged example is found at the start, not when it is needed.
"""

from dataclasses import dataclass
from itertools import islice

from rosenblatt.learning.online_run import OnlineRun
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.form import Form, as_text
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.log import Entry, Log, damaged
from rosenblatt.serve.snapshots import Snapshots
from rosenblatt.serve.tally import Tally

PORTION = 500  # examples that are learned at a time


@dataclass
class Recovered:
    """A model as it was, and what the log does not have of it."""

    run: OnlineRun
    form: Form
    tally: Tally
    unsaved: dict[int, str]  # answers that were given, but not yet logged


def recovered(
    configuration: Configuration, limits: Limits, log: Log, snapshots: Snapshots, upto: int = 2**62
) -> Recovered:
    """The model of all examples up to a sequence number that were not rolled back."""
    rollbacks = log.rollbacks()
    found = snapshots.newest(upto, rollbacks)
    beside = snapshots.beside
    base = None if beside is None else beside.model
    seq = 0 if found is None else found[0]
    run = configuration.run(base if found is None else found[1], same_pass=found is not None)
    first = next(log.entries(), None)
    form = Form(configuration, limits, run, beside, None if first is None else first.x)
    state = Recovered(run, form, Tally(), {})
    log.check_ids(lambda seq: undone(seq, rollbacks))
    entries = log.entries(upto=upto)
    while portion := [*islice(entries, PORTION)]:
        live = [entry for entry in portion if not undone(entry.seq, rollbacks)]
        known = [entry for entry in live if entry.seq <= seq]
        for entry in known:
            _count(state.tally, entry, entry.predicted, log)
        _replay(state, live[len(known) :], log)
    return state


def undone(seq: int, rollbacks: list[tuple[int, int]]) -> bool:
    """Whether an example was rolled back."""
    return any(back_to < seq < at for at, back_to in rollbacks)


def _replay(state: Recovered, entries: list[Entry], log: Log) -> None:
    if not entries:
        return
    X, y = state.form.replayed(entries)
    for entry, taken in zip(entries, state.run.learn(X, y), strict=True):
        label = as_text(taken.label)
        if entry.predicted is None:
            state.unsaved[entry.seq] = label
        elif entry.predicted != label:
            said = f"{entry.predicted} as its prediction, as was logged, found {label}: a replay gives another model"
            raise damaged(log.path, entry.seq, said)
        _count(state.tally, entry, label, log)


def _count(tally: Tally, entry: Entry, predicted: str | None, log: Log) -> None:
    if predicted is None:
        raise damaged(log.path, entry.seq, "what was predicted for it, found nothing")
    tally.add(entry.seq, mistake=predicted != entry.y)
