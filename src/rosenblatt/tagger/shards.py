"""The tagger in shards: what a shard does in a round, how a round is mixed, and a run of such passes.

See `learning.shards` for the rule. What shards have learned is mixed by the keys of their attributes, in the core:
core/chain/chain_mix.hpp. A mixed weight is a fraction. For the perceptron's steps it is kept as an integer, so many
`UNITS` for a weight of 1: sums stay exact, fast, and the same on every machine. So a mix is rounded by half a unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.arrays import Array
from rosenblatt.learning.engines import Engine, Serial, Threads
from rosenblatt.learning.shards import mixed_mistakes, spans
from rosenblatt.tagger.parameters import TaggerParameters
from rosenblatt.tagger.state import TrainingSet, Wrong

UNITS = 1 << 12  # what one of a thousand shards alone has learned still counts
WORTH_A_THREAD = 1 << 10  # tokens of a shard's round; fewer are learned from before a thread has begun


@dataclass(frozen=True)
class Shard:
    """Some of the sentences, ready to be learned from.

    The training remembers rows of the mix that it has met; a new one of the same sentences does the same, more slowly.
    """

    number: int
    size: int  # sentences
    training: _core.ChainTraining


@dataclass(frozen=True)
class Round:
    """What all shards share in a round: the mix that they start from, and what is asked of them."""

    mix: _core.ChainMix
    parameters: TaggerParameters
    seed: int | None
    number: int  # of this round, counted over all passes
    n_shards: int
    rounds: int  # of a pass


class Learned(NamedTuple):
    """What a shard has changed in a round, and its wrong sentences and tokens."""

    chain: _core.Chain
    sentences: int
    tokens: int


def prepared(part: tuple[int, TrainingSet], shared: None) -> Shard:  # noqa: ARG001 - a task of an engine
    """The shard with this number and these sentences: where most of the work before the first pass is done."""
    number, sentences = part
    return Shard(number, len(sentences), sentences.training(sentences.empty_chain()))


def train_shard(shard: Shard, turn: Round) -> Learned:
    """Visit the part of a shard that this round is for. A pure function of its sentences and of the round.

    The order depends on the seed and on the numbers of the round and of the shard, and on nothing else.
    """
    p = turn.parameters
    first, last = spans(shard.size, turn.rounds)[turn.number % turn.rounds]
    return Learned(
        *shard.training.run_from(
            turn.mix,
            step=p.step,
            C=float(p.C),
            sentences=np.arange(first, last),
            seed=turn.seed,
            pass_number=turn.number * turn.n_shards + shard.number,
        )
    )


def mixed_pass(
    mix: _core.ChainMix,
    shards: Sequence[Any],
    engine: Engine,
    parameters: TaggerParameters,
    seed: int | None,
    number: int,
) -> Wrong:
    """One pass over all shards, as `engine` holds them; `mix` changes.

    Its clock counts the visits of the longest shard, since all visit at once. So the average is that of the weights
    which the shards had after each tick, weighted as they are mixed; the last of a shorter shard count once more.
    """
    rounds, sentences, tokens, weighted = parameters.n_rounds, 0, 0, 0.0
    for turn in range(number * rounds, (number + 1) * rounds):
        shared = Round(mix, parameters, seed, turn, len(shards), rounds)
        learned = engine.run(train_shard, shards, shared)
        wrong = [one.sentences for one in learned]
        mix.mix([one.chain for one in learned], wrong)
        sentences += sum(wrong)
        tokens += sum(one.tokens for one in learned)
        weighted += mixed_mistakes(wrong)
    return Wrong(sentences, tokens, weighted)


class ShardedRun:
    """A run whose passes are made by shards: a `State`."""

    def __init__(self, data: TrainingSet, engine: Engine) -> None:
        self.data, self.parameters, self.engine = data, data.parameters, engine
        self.shards: list[Any] = []  # as the engine holds them
        self.mix = _core.ChainMix(data.empty_chain(UNITS))

    def begin(self, sentences: Array) -> None:
        """These sentences are cut into shards, as equal as can be; from zero weights."""
        n_shards = self.parameters.shards
        parts = [self.data.part(sentences[first:last]) for first, last in spans(len(sentences), n_shards)]
        work = sum(len(part.target) for part in parts) // (n_shards * self.parameters.n_rounds)
        self.working = Serial() if isinstance(self.engine, Threads) and work < WORTH_A_THREAD else self.engine
        self.shards = self.working.hold(prepared, list(enumerate(parts)))
        self.mix = _core.ChainMix(self.data.empty_chain(UNITS))

    def train(self, seed: int | None, number: int) -> Wrong:
        """One pass, mixed `n_rounds` times."""
        return mixed_pass(self.mix, self.shards, self.working, self.parameters, seed, number)

    def right(self, sentences: Array) -> int:
        """Of any sentences."""
        held_out, p = self.data.part(sentences), self.parameters
        tagger = _core.ChainTagger(self.chain(), p.readout)
        return int(np.sum(tagger.tag(held_out.compiled, held_out.corpus) == held_out.target))

    def chain(self) -> _core.Chain:
        """The mix."""
        return self.mix.chain()
