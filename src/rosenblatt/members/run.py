"""The one run of passes: turn after turn, until the stop or a `watch` function ends it.

A learner is a member in the middle of a run, with the source of its visits: rows in memory, shards, blocks of a file,
or the workers of a cluster. A turn is what it does between two checks of the run: some passes, a round, or a block.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from rosenblatt.members.stopping import End, Stopping


class Turn(NamedTuple):
    """What a learner did in a turn."""

    mistakes: Sequence[int] = ()  # of each pass that ended in this turn; empty within a pass
    loss: float = 0.0  # for each row, in the last pass that ended
    so_far: int = 0  # mistakes so far in a pass that has not ended
    sentence_mistakes: int | None = None  # for sentences: those with a mistake
    at: Any = None  # the place in the source; with it, `watch` is called within a pass too


class Pass(NamedTuple):
    """The argument of `watch`: a pass that is over, or the place within a pass if the source has one."""

    number: int  # from 1 on
    mistakes: int
    model: Callable[[], Any]  # returns the model as if the run ended here
    score: float | None = None  # on held-out examples; a higher score is better
    sentence_mistakes: int | None = None
    over: bool = True
    last: bool = False  # whether the run ends here, whatever `watch` returns
    at: Any = None


Watch = Callable[[Pass], Any]
"""Is told of each pass; a true answer ends the run."""


class Learner(Protocol):
    """A member in the middle of a run, with the source of its visits."""

    def turn(self, passes: int) -> Turn:
        """Continue for at most this number of passes."""
        ...

    def snapshot(self) -> Any:
        """A copy of the model as if the run ended here."""
        ...


def run(
    learner: Learner,
    stop: Stopping,
    *,
    score: Callable[[], float] | None = None,
    watch: Watch | None = None,
    after_turn: Callable[[], None] | None = None,
) -> End:
    """Make turn after turn until the end, and return why the run ended.

    After each pass, `score` says how good the learner is on held-out examples. `after_turn` is called, before `watch`,
    when the state is complete, so that another process could continue from it.
    """
    while not stop.end:
        turn = learner.turn(stop.passes_ahead() if score is None and watch is None else 1)
        over, reached = bool(turn.mistakes), None
        if over:
            reached = None if score is None else score()
            stop.after([*turn.mistakes], turn.loss if reached is None else -reached)
        if after_turn is not None:
            after_turn()
        if watch is not None and (over or turn.at is not None):
            number, mistakes = len(stop.mistakes), turn.mistakes[-1] if over else turn.so_far
            facts = reached, turn.sentence_mistakes, over, stop.end is not None, turn.at
            if watch(Pass(number + (not over), mistakes, learner.snapshot, *facts)):
                stop.halt()
    return stop.end
