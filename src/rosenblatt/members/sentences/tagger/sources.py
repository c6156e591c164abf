"""Where a tagger's visits come from: sentences in memory, one after the other, or shards that learn apart.

See `members.shards` for the rule of shards. What they have learned is mixed by the keys of their attributes, in the
core: core/tagger/chain_mix.hpp. A mixed weight is a fraction. For the perceptron's steps it is kept as an integer, so
many units for a weight of 1; and mu_s is a whole number of units too, nearly in proportion to the mistakes. A shard
makes whole steps, so a mix is exact, and the mistakes obey the bound to the last bit. The fewer units, the smaller the
integers, and the faster the pass: few shards need few.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.engines import Engine, Serial, Threads
from rosenblatt.members.sentences.corpus import tokens_of
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import parts_of
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.templates import Template
from rosenblatt.members.shards import mixed_mistakes, shares, spans

WORTH_A_THREAD = 1 << 10  # tokens of a shard's round; fewer are learned from before a thread has begun


def units_of(n_shards: int) -> int:
    """The units of a weight of 1: each shard can have one, and as many are left to tell them apart by their mistakes.

    >>> [units_of(n_shards) for n_shards in (1, 2, 3, 8, 1000)]
    [2, 4, 8, 16, 2048]
    """
    return 2 << (n_shards - 1).bit_length()


class Wrong(NamedTuple):
    """The wrong sentences and tokens of a pass, and the wrong sentences as shards were mixed."""

    sentences: int
    tokens: int
    mixed: float


class TaggerSource(ABC):
    """What a tagger learns from, pass by pass."""

    @abstractmethod
    def begin(self, sentences: Array) -> None:
        """The passes to come are over these sentences, from the start."""

    @abstractmethod
    def go_on(self, seed: int | None, number: int) -> Wrong | None:
        """Some of a pass, whose number from 0 on says which order comes next: what was wrong in it, once it is over."""

    @abstractmethod
    def count_right(self, sentences: Array) -> int:
        """How many tokens of these sentences are right."""

    @abstractmethod
    def chain(self) -> _core.Chain:
        """What was learned."""


@dataclass
class TrainingSet:
    """The sentences with their targets, as labels' numbers by token, and the templates that look at them."""

    parameters: TaggerParameters
    template_list: list[Template]
    n_labels: int
    corpus: _core.Corpus
    target: Array
    parts: Array = field(default_factory=lambda: parts_of(np.empty(0), None))  # of the labels: see `parts_of`

    @cached_property
    def compiled(self) -> _core.Templates:
        """The templates as the core has them."""
        return templates.build_templates(self.template_list, self.parameters.boundary)

    def __len__(self) -> int:
        return len(self.corpus)

    def empty_chain(self, units: int = 1) -> _core.Chain:
        """Zero weights: integers, unless steps are passive-aggressive."""
        integers = self.parameters.step == "perceptron"
        units = units if integers else 1
        n_attributes = len(self.compiled)
        return _core.Chain(
            labels=self.n_labels, attributes=n_attributes, integers=integers, units=units, parts=self.parts
        )

    def part(self, sentences: Array) -> "TrainingSet":
        """Some of the sentences."""
        target = self.target[tokens_of(self.corpus, sentences)]
        return replace(self, corpus=self.corpus.part(sentences), target=target)

    def training(self, chain: _core.Chain) -> _core.ChainTraining:
        """What learns from them, from this chain on. It takes from the corpus what it needs."""
        return _core.ChainTraining(chain, self.compiled, self.corpus, self.target)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "compiled"}


class OneByOne(TaggerSource):
    """All sentences, one after the other."""

    def __init__(self, parameters: TaggerParameters, training: _core.ChainTraining) -> None:
        self.parameters, self.training = parameters, training
        self.sentences: Array = np.empty(0, dtype=np.int64)

    def begin(self, sentences: Array) -> None:
        """From zero weights if this is not the first time, else from those of the training."""
        if len(self.sentences):
            self.training.restart()
        self.sentences = sentences

    def go_on(self, seed: int | None, number: int) -> Wrong:
        """One pass of the core."""
        p = self.parameters
        sentences, tokens = self.training.run(
            step=p.step, C=float(p.C), sentences=self.sentences, seed=seed, pass_number=number
        )
        return Wrong(sentences, tokens, float(sentences))

    def count_right(self, sentences: Array) -> int:
        """Of sentences of the training set."""
        return self.training.right(self.parameters.readout, sentences)

    def chain(self) -> _core.Chain:
        """All rows that were ever touched."""
        return self.training.chain()


@dataclass(frozen=True)
class SentenceShard:
    """Some of the sentences, ready to be learned from.

    The training remembers rows of the mix that it has met; a new one of the same sentences does the same, more slowly.
    """

    number: int
    size: int  # sentences
    training: _core.ChainTraining


@dataclass(frozen=True)
class SentenceRound:
    """What all shards share in a round: the mix that they start from, and what is asked of them."""

    mix: _core.ChainMix
    parameters: TaggerParameters
    seed: int | None
    number: int  # of this round, counted over all passes
    n_shards: int
    rounds: int  # of a pass


class ShardChange(NamedTuple):
    """What a shard has changed in a round, and its wrong sentences and tokens."""

    chain: _core.Chain
    sentences: int
    tokens: int


def prepare_shard(part: tuple[int, TrainingSet], shared: None) -> SentenceShard:  # noqa: ARG001 - a task of an engine
    """The shard with this number and these sentences: where most of the work before the first pass is done."""
    number, sentences = part
    return SentenceShard(number, len(sentences), sentences.training(sentences.empty_chain()))


def train_shard(shard: SentenceShard, turn: SentenceRound) -> ShardChange:
    """Visit the part of a shard that this round is for. A pure function of its sentences and of the round.

    The order depends on the seed and on the numbers of the round and of the shard, and on nothing else.
    """
    p = turn.parameters
    first, last = spans(shard.size, turn.rounds)[turn.number % turn.rounds]
    return ShardChange(
        *shard.training.run_from(
            turn.mix,
            step=p.step,
            C=float(p.C),
            sentences=np.arange(first, last),
            seed=turn.seed,
            pass_number=turn.number * turn.n_shards + shard.number,
        )
    )


def count_right_tokens(data: TrainingSet, chain: _core.Chain) -> int:
    """How many tokens of these sentences a chain gets right: a task of an engine."""
    p = data.parameters
    tagger = _core.ChainTagger(chain, p.readout)
    return int(np.sum(tagger.tag(data.compiled, data.corpus) == data.target))


class SentenceShards(TaggerSource):
    """Shards of sentences in memory that make the passes, in rounds; a subclass has them elsewhere.

    Its clock counts the visits of the longest shard, since all visit at once. So the average is that of the weights
    which the shards had after each tick, weighted as they are mixed; the last of a shorter shard count once more.
    """

    def __init__(self, data: TrainingSet, engine: Engine) -> None:
        self.data, self.engine, self.parameters = data, engine, data.parameters
        self.shards: list[Any] = []  # as the engine holds them
        self.units = units_of(self.parameters.shards)
        self.restore(data.empty_chain(self.units), [])

    def begin(self, sentences: Array) -> None:
        """These sentences are cut into shards, as equal as can be; from zero weights."""
        cuts = spans(len(sentences), self.parameters.shards)
        self.shards = self._cut([sentences[first:last] for first, last in cuts])
        self.restore(self.data.empty_chain(self.units), [])

    def _cut(self, parts: Sequence[Array]) -> list[Any]:
        """Shards that have these sentences. Where there is little to do, threads would only cost time."""
        sentences = [self.data.part(part) for part in parts]
        work = sum(len(part.target) for part in sentences) // (len(parts) * self.parameters.n_rounds)
        if isinstance(self.engine, Threads) and work < WORTH_A_THREAD:
            self.engine = Serial()
        return self.engine.run(prepare_shard, list(enumerate(sentences)), None)

    def restore(self, chain: _core.Chain, rounds: list[Wrong]) -> None:
        """Go on from this mix, after these rounds of a pass."""
        self.mix, self.rounds = _core.ChainMix(chain), rounds

    def go_on(self, seed: int | None, number: int) -> Wrong | None:
        """One round."""
        n_rounds, engine = self.parameters.n_rounds, self.engine
        turn = number * n_rounds + len(self.rounds)
        shared = SentenceRound(self.mix, self.parameters, seed, turn, len(self.shards), n_rounds)
        learned = engine.run(train_shard, self.shards, shared)
        wrong = [shard.sentences for shard in learned]
        counts = shares(wrong, self.units)
        self.mix.mix([shard.chain for shard in learned], counts, engine.threads)
        tokens = sum(shard.tokens for shard in learned)
        self.rounds = [*self.rounds, Wrong(sum(wrong), tokens, mixed_mistakes(wrong, counts))]
        if len(self.rounds) < n_rounds:
            return None
        sentences, of_tokens, mixed = zip(*self.rounds, strict=True)
        self.rounds = []
        return Wrong(sum(sentences), sum(of_tokens), fsum(mixed))

    def count_right(self, sentences: Array) -> int:
        """Of any sentences, on all cores."""
        return count_right_tokens(self.data.part(sentences), self.chain())

    def chain(self) -> _core.Chain:
        """The mix."""
        return self.mix.chain()
