"""The tagger in shards: what a shard does in a round, how a round is mixed, and a run of such passes.

See `learning.shards` for the rule. What shards have learned is mixed by the keys of their attributes, in the core:
core/tagger/chain_mix.hpp. A mixed weight is a fraction. For the perceptron's steps it is kept as an integer, so many
units for a weight of 1; and mu_s is a whole number of units too, nearly in proportion to the mistakes. A shard makes
whole steps, so a mix is exact, and the mistakes obey the bound to the last bit. The fewer units, the smaller the
integers, and the faster the pass: few shards need few.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, NamedTuple, Protocol

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.engines import Engine, Serial, Threads
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.state import TrainingSet, Wrong
from rosenblatt.members.shards import mixed_mistakes, shares, spans

WORTH_A_THREAD = 1 << 10  # tokens of a shard's round; fewer are learned from before a thread has begun


def units_of(n_shards: int) -> int:
    """The units of a weight of 1: each shard can have one, and as many are left to tell them apart by their mistakes.

    >>> [units_of(n_shards) for n_shards in (1, 2, 3, 8, 1000)]
    [2, 4, 8, 16, 2048]
    """
    return 2 << (n_shards - 1).bit_length()


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


class Parts(Protocol):
    """The sentences to learn from, wherever they are, by their numbers."""

    engine: Engine
    """Of the parts that are held."""

    def empty_chain(self, units: int = 1) -> _core.Chain:
        """Zero weights."""
        ...

    def held(self, parts: Sequence[Array]) -> list[Any]:
        """Shards that have these sentences, as the engine holds them."""
        ...

    def right(self, chain: _core.Chain, sentences: Array) -> int:
        """How many tokens of these sentences a chain gets right."""
        ...


@dataclass
class PartsInMemory:
    """Sentences that are here: `Parts`."""

    data: TrainingSet
    engine: Engine

    def empty_chain(self, units: int = 1) -> _core.Chain:
        """Zero weights."""
        return self.data.empty_chain(units)

    def held(self, parts: Sequence[Array]) -> list[Any]:
        """Ready to be learned from. Where there is little to do, threads would only cost time."""
        sentences = [self.data.part(part) for part in parts]
        work = sum(len(part.target) for part in sentences) // (len(parts) * self.data.parameters.n_rounds)
        if isinstance(self.engine, Threads) and work < WORTH_A_THREAD:
            self.engine = Serial()
        return self.engine.run(prepared, list(enumerate(sentences)), None)

    def right(self, chain: _core.Chain, sentences: Array) -> int:
        """On all cores."""
        return right_tokens(self.data.part(sentences), chain)


def right_tokens(data: TrainingSet, chain: _core.Chain) -> int:
    """How many tokens of these sentences a chain gets right: a task of an engine."""
    p = data.parameters
    tagger = _core.ChainTagger(chain, p.readout)
    return int(np.sum(tagger.tag(data.compiled, data.corpus) == data.target))


class ShardedRun:
    """A run whose passes are made by shards, in rounds: a `State`.

    Its clock counts the visits of the longest shard, since all visit at once. So the average is that of the weights
    which the shards had after each tick, weighted as they are mixed; the last of a shorter shard count once more.
    """

    def __init__(self, parameters: TaggerParameters, parts: Parts) -> None:
        self.parameters, self.parts = parameters, parts
        self.shards: list[Any] = []  # as the engine holds them
        self.made: list[Wrong] = []  # the rounds of this pass so far
        self.units = units_of(parameters.shards)
        self.mix = _core.ChainMix(parts.empty_chain(self.units))

    def begin(self, sentences: Array) -> None:
        """These sentences are cut into shards, as equal as can be; from zero weights."""
        cuts = spans(len(sentences), self.parameters.shards)
        self.shards = self.parts.held([sentences[first:last] for first, last in cuts])
        self.restore(self.parts.empty_chain(self.units), [])

    def restore(self, chain: _core.Chain, made: list[Wrong]) -> None:
        """Go on from this mix, after these rounds of a pass."""
        self.mix, self.made = _core.ChainMix(chain), made

    def go_on(self, seed: int | None, number: int) -> Wrong | None:
        """One round."""
        rounds, engine = self.parameters.n_rounds, self.parts.engine
        shared = Round(self.mix, self.parameters, seed, number * rounds + len(self.made), len(self.shards), rounds)
        learned = engine.run(train_shard, self.shards, shared)
        wrong = [one.sentences for one in learned]
        counts = shares(wrong, self.units)
        self.mix.mix([one.chain for one in learned], counts, engine.threads)
        self.made = [*self.made, Wrong(sum(wrong), sum(one.tokens for one in learned), mixed_mistakes(wrong, counts))]
        if len(self.made) < rounds:
            return None
        sentences, tokens, mixed = zip(*self.made, strict=True)
        self.made = []
        return Wrong(sum(sentences), sum(tokens), fsum(mixed))

    def right(self, sentences: Array) -> int:
        """Of any sentences."""
        return self.parts.right(self.chain(), sentences)

    def chain(self) -> _core.Chain:
        """The mix."""
        return self.mix.chain()
