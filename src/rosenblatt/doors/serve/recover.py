"""A model from its folder: the newest good snapshot, and a replay of the examples after it.

Only these are read, and each is checked. What the snapshot has already is checked in the background (`check`).
"""

import time
from dataclasses import dataclass

from rosenblatt.doors.serve.configuration import Configuration
from rosenblatt.doors.serve.form import Form, as_text
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.log import Log
from rosenblatt.doors.serve.log_chain import Entry, damaged, undone
from rosenblatt.doors.serve.snapshots import Beside, Snapshots
from rosenblatt.doors.serve.tally import Tally
from rosenblatt.members.online_run import OnlineRun


@dataclass
class Recovered:
    """A model as it was, what the log does not have of it, and the seconds that the replay took."""

    run: OnlineRun
    form: Form
    tally: Tally
    unsaved: dict[int, str]  # answers that were given, but not yet logged
    seconds: float = 0.0

    @property
    def beside(self) -> Beside:
        """What a snapshot has beside the model."""
        return Beside(self.tally, self.form.grows)


class EndedError(Exception):
    """The server ends before a replay is over."""


@dataclass
class Progress:
    """How far a replay is, for those who wait for it; they may end it."""

    seq: int = 0
    last: int = 0
    ended: bool = False

    def reach(self, seq: int) -> None:
        """Another page of the log was replayed."""
        self.seq = seq
        if self.ended:
            raise EndedError


def recovered(
    configuration: Configuration, limits: Limits, log: Log, snapshots: Snapshots, progress: Progress
) -> Recovered:
    """The model of all examples that were not rolled back."""
    rollbacks, base = log.rollbacks(), snapshots.base
    snapshot = snapshots.newest(rollbacks)
    seq, before, beside = (0, None, Beside(Tally())) if snapshot is None else snapshot
    if before is None and base is not None:
        before = base.model
    run = configuration.run(before, same_pass=snapshot is not None)
    state = Recovered(run, Form(configuration, limits, run, base, grows=beside.grows), beside.tally, {})
    progress.last, begun = log.head.seq, time.monotonic()
    for page in log.pages(seq):
        progress.reach(page.last)
        live = [entry for entry in page.entries if not undone(entry.seq, rollbacks)]
        if live:
            _replay(state, live, log)
    state.seconds = time.monotonic() - begun
    return state


def _replay(state: Recovered, entries: list[Entry], log: Log) -> None:
    X, y = state.form.replayed(entries)
    for entry, answer in zip(entries, state.run.learn(X, y), strict=True):
        label = as_text(answer.label)
        if entry.predicted is None:
            state.unsaved[entry.seq] = label
        elif entry.predicted != label:
            said = f"{entry.predicted} as its prediction, as was logged, found {label}: a replay gives another model"
            raise damaged(log.path, entry.seq, said)
        state.tally.add(entry.seq, mistake=label != entry.y)
