"""A tagger's run between two passes: the training set of the core, which learns from it."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.corpus import as_plain, from_plain
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.labels import parts_of
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.templates import Template


class Wrong(NamedTuple):
    """The wrong sentences and tokens of a pass, and the wrong sentences as shards were mixed."""

    sentences: int
    tokens: int
    mixed: float


class State(Protocol):
    """What learns pass by pass, from all sentences at once or in shards."""

    def begin(self, sentences: Array) -> None:
        """The passes to come are over these sentences, from the start."""
        ...

    def go_on(self, seed: int | None, number: int) -> Wrong | None:
        """Some of a pass, whose number from 0 on says which order comes next: what was wrong in it, once it is over."""
        ...

    def right(self, sentences: Array) -> int:
        """How many tokens of these sentences are right."""
        ...

    def chain(self) -> _core.Chain:
        """What was learned."""
        ...


@dataclass
class TrainingSet:
    """The sentences with their targets, as labels' numbers by token, and the templates that look at them.

    It pickles, for other machines: what is of the core goes as what it is made of.
    """

    parameters: TaggerParameters
    template_list: list[Template]
    n_labels: int
    corpus: _core.Corpus
    target: Array
    parts: Array = field(default_factory=lambda: parts_of(np.empty(0), None))  # of the labels: see `parts_of`

    @cached_property
    def compiled(self) -> _core.Templates:
        """The templates as the core has them."""
        return templates.compiled(self.template_list, self.parameters.boundary)

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
        starts = self.corpus.starts
        tokens = [np.arange(first, last) for first, last in zip(starts[sentences], starts[sentences + 1], strict=True)]
        target = self.target[np.concatenate([*tokens, np.empty(0, dtype=np.int64)])]
        return replace(self, corpus=self.corpus.part(sentences), target=target)

    def training(self, chain: _core.Chain) -> _core.ChainTraining:
        """What learns from them, from this chain on. It takes from the corpus what it needs."""
        return _core.ChainTraining(chain, self.compiled, self.corpus, self.target)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name != "compiled"}
        return {**state, "corpus": as_plain(self.corpus)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, corpus=from_plain(state["corpus"]))


@dataclass
class OneRun:
    """A run over all sentences, one after the other: a `State`."""

    parameters: TaggerParameters
    training: _core.ChainTraining
    sentences: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))

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

    def right(self, sentences: Array) -> int:
        """Of sentences that are in the training set."""
        return self.training.right(self.parameters.readout, sentences)

    def chain(self) -> _core.Chain:
        """All rows that were ever touched."""
        return self.training.chain()
