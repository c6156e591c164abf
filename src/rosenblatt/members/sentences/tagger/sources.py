"""The sources of the visits of a tagger: sentences in memory, one after another, or shards that learn separately.

The rule of shards is in `members.shards`. The core mixes what they learned by the keys of their attributes:
core/tagger/chain_mix.hpp. A mixed weight is a fraction. For steps of the perceptron it is stored as an integer, where a
weight of 1 has a fixed number of units; mu_s is a whole number of units too, nearly in proportion to the mistakes. A
shard makes whole steps, so a mix is exact, and the mistakes obey the bound exactly. Fewer units make smaller integers
and faster passes, and few shards need few units.
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

WORTH_A_THREAD = 1 << 10  # tokens of a shard's round; fewer take less time than starting a thread


def units_of(n_shards: int) -> int:
    """The units of a weight of 1: one for each shard, and as many again to express different numbers of mistakes.

    >>> [units_of(n_shards) for n_shards in (1, 2, 3, 8, 1000)]
    [2, 4, 8, 16, 2048]
    """
    return 2 << (n_shards - 1).bit_length()


class Wrong(NamedTuple):
    """The wrong sentences and tokens of a pass, and its mixed number of wrong sentences."""

    sentences: int
    tokens: int
    mixed: float


class TaggerSource(ABC):
    """The source from which a tagger learns, pass by pass."""

    @abstractmethod
    def begin(self, sentences: Array) -> None:
        """Begin passes over these sentences."""

    @abstractmethod
    def go_on(self, seed: int | None, number: int) -> Wrong | None:
        """Continue pass `number`, counted from 0, which decides the order. Return its mistakes when it is over."""

    @abstractmethod
    def count_right(self, sentences: Array) -> int:
        """The number of right tokens in these sentences."""

    @abstractmethod
    def chain(self) -> _core.Chain:
        """The learned weights."""


@dataclass
class TrainingSet:
    """The sentences, the number of the label of each token, and the templates."""

    parameters: TaggerParameters
    template_list: list[Template]
    n_labels: int
    corpus: _core.Corpus
    target: Array
    parts: Array = field(default_factory=lambda: parts_of(np.empty(0), None))  # the parts of the labels: see `parts_of`

    @cached_property
    def compiled(self) -> _core.Templates:
        return templates.build_templates(self.template_list, self.parameters.boundary)

    def __len__(self) -> int:
        return len(self.corpus)

    def empty_chain(self, units: int = 1) -> _core.Chain:
        """Zero weights, which are integers unless steps are passive-aggressive."""
        integers = self.parameters.step == "perceptron"
        units = units if integers else 1
        n_attributes = len(self.compiled)
        return _core.Chain(
            labels=self.n_labels, attributes=n_attributes, integers=integers, units=units, parts=self.parts
        )

    def part(self, sentences: Array) -> "TrainingSet":
        target = self.target[tokens_of(self.corpus, sentences)]
        return replace(self, corpus=self.corpus.part(sentences), target=target)

    def training(self, chain: _core.Chain) -> _core.ChainTraining:
        """The training of the core, which starts from this chain. It copies what it needs from the corpus."""
        least = self.parameters.min_count
        return _core.ChainTraining(chain, self.compiled, self.corpus, self.target, min_count=least)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "compiled"}


class OneByOne(TaggerSource):
    """All sentences, one after another."""

    def __init__(self, parameters: TaggerParameters, training: _core.ChainTraining) -> None:
        self.parameters, self.training = parameters, training
        self.sentences: Array = np.empty(0, dtype=np.int64)

    def begin(self, sentences: Array) -> None:
        """Begin with the weights of the training; from the second time on, with zero weights."""
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
        return self.training.right(self.parameters.readout, sentences)

    def chain(self) -> _core.Chain:
        """The weights of all rows that were ever used."""
        return self.training.chain()


@dataclass(frozen=True)
class SentenceShard:
    """Some of the sentences, prepared for learning.

    The training remembers rows of the mix that it has used. A new one of the same sentences gives the same result, but
    more slowly.
    """

    number: int
    size: int  # sentences
    training: _core.ChainTraining


@dataclass(frozen=True)
class SentenceRound:
    """What all shards share in a round: the mix that they start from, and their task."""

    mix: _core.ChainMix
    parameters: TaggerParameters
    seed: int | None
    number: int  # of this round, counted over all passes
    n_shards: int
    rounds: int  # of a pass


class ShardChange(NamedTuple):
    """The changes of a shard in a round, and its wrong sentences and tokens."""

    chain: _core.Chain
    sentences: int
    tokens: int


def prepare_shard(part: tuple[int, TrainingSet], shared: None) -> SentenceShard:  # noqa: ARG001 - a task of an engine
    """The shard with this number and these sentences. Most of the work before the first pass is here."""
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
    """How many tokens of these sentences a chain tags correctly: a task of an engine."""
    p = data.parameters
    tagger = _core.ChainTagger(chain, p.readout)
    return int(np.sum(tagger.tag(data.compiled, data.corpus) == data.target))


class SentenceShards(TaggerSource):
    """Shards of sentences in memory that make the passes, in rounds; subclasses keep them elsewhere.

    The clock counts the visits of the longest shard, because all shards work at the same time. So the average is over
    the mixed weights of the shards after each tick; the last weights of a shorter shard count again until the longest
    one ends.
    """

    def __init__(self, data: TrainingSet, engine: Engine) -> None:
        self.data, self.engine, self.parameters = data, engine, data.parameters
        self.shards: list[Any] = []  # in the form that the engine holds
        self.units = units_of(self.parameters.shards)
        self.restore(data.empty_chain(self.units), [])

    def begin(self, sentences: Array) -> None:
        """Cut these sentences into shards of nearly the same size; begin with zero weights."""
        cuts = spans(len(sentences), self.parameters.shards)
        self.shards = self._cut([sentences[first:last] for first, last in cuts])
        self.restore(self.data.empty_chain(self.units), [])

    def _cut(self, parts: Sequence[Array]) -> list[Any]:
        """Make shards of these sentences, without threads if they would take longer than the work."""
        sentences = [self.data.part(part) for part in parts]
        work = sum(len(part.target) for part in sentences) // (len(parts) * self.parameters.n_rounds)
        if isinstance(self.engine, Threads) and work < WORTH_A_THREAD:
            self.engine = Serial()
        return self.engine.run(prepare_shard, list(enumerate(sentences)), None)

    def restore(self, chain: _core.Chain, rounds: list[Wrong]) -> None:
        """Continue from this mix, after these rounds of a pass."""
        self.mix, self.rounds = _core.ChainMix(chain), rounds

    def go_on(self, seed: int | None, number: int) -> Wrong | None:
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
        """For any sentences, on all cores."""
        return count_right_tokens(self.data.part(sentences), self.chain())

    def chain(self) -> _core.Chain:
        """The mix."""
        return self.mix.chain()
