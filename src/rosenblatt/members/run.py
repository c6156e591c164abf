"""The one run of passes: turn after turn, until the stop ends it or somebody who watches does.

A learner is a member in the middle of a run, with the source of its visits: rows in memory, shards, blocks of a file,
the workers of a cluster. What it does before the run looks up is a turn: some passes, a round, or a block.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from rosenblatt.members.stopping import End, Stopping


class Turn(NamedTuple):
    """What a learner has done since the run last looked up."""

    mistakes: Sequence[int] = ()  # of each pass that has ended; none while a pass goes on
    loss: float = 0.0  # a row, of the last pass that has ended
    so_far: int = 0  # mistakes of the pass that goes on
    sentence_mistakes: int | None = None  # of sentences, those with a mistake
    at: Any = None  # how far the source is: such a turn is heard of also within a pass


class Pass(NamedTuple):
    """What `watch` hears: a pass that is over, or how far one is whose source lets the run look up within it."""

    number: int  # from 1 on
    mistakes: int
    model: Callable[[], Any]  # gives what was learned, as if the run ended here
    score: float | None = None  # of what is held out, the higher the better
    sentence_mistakes: int | None = None
    over: bool = True
    last: bool = False  # whether the run ends with it, whatever `watch` says
    at: Any = None


Watch = Callable[[Pass], Any]
"""Is told of each pass; a true answer ends the run."""


class Learner(Protocol):
    """A member in the middle of a run, with the source of its visits."""

    def turn(self, passes: int) -> Turn:
        """Go on: at most so many passes."""
        ...

    def snapshot(self) -> Any:
        """The model as if the run ended here, whatever comes next."""
        ...


def run(
    learner: Learner,
    stop: Stopping,
    *,
    score: Callable[[], float] | None = None,
    watch: Watch | None = None,
    after_turn: Callable[[], None] | None = None,
) -> End:
    """Turn after turn until the end; returns why it has ended.

    `score` is asked after each pass how good the learner is on what is held out, and `after_turn` called whenever the
    run could be taken down and go on from there, before `watch` hears.
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
