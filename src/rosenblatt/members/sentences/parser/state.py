"""A parser's run between two passes: the labels that it knows, and the training set of the core, which learns."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.parser import templates
from rosenblatt.members.sentences.parser.parameters import ParserParameters
from rosenblatt.members.sentences.parser.templates import Template


class Wrong(NamedTuple):
    """The mistakes of a pass, each an update, and the sentences that had one."""

    mistakes: int
    sentences: int


MOST_LABELS = 1000  # treebanks have some tens, with subtypes at most some hundreds


@dataclass(eq=False)
class Labels:
    """The sorted labels, and which of them arcs between words have (`arcs`), and the arc from the root (`root`)."""

    classes: Array
    arcs: Array
    root: Array

    @classmethod
    def of(cls, heads: Array, labels: Array, known: "Labels | None" = None) -> "Labels":
        """Those of a treebank, by token, and those that were known before."""
        arcs, root = np.unique(labels[heads != 0]), np.unique(labels[heads == 0])
        if known is not None:
            arcs = np.union1d(arcs, known.classes[known.arcs])
            root = np.union1d(root, known.classes[known.root])
        classes = np.union1d(arcs, root)
        if not len(classes):
            raise ValueError("DependencyParser needs at least one word to learn from, found none")
        if len(classes) > MOST_LABELS:
            raise ValueError(
                f"labels: expected at most {MOST_LABELS:,} different ones, since each step takes time by their number; "
                f"found {len(classes):,}: are they in another column?"
            )
        # Sentences of one word have no arcs between words, but longer ones may come.
        has_arcs = np.isin(classes, arcs) if len(arcs) else np.ones(len(classes), dtype=bool)
        return cls(classes, np.flatnonzero(has_arcs), np.flatnonzero(np.isin(classes, root)))

    @cached_property
    def actions(self) -> _core.Actions:
        """The actions of the core: shift, left and right with each label, root with each label, swap."""
        return _core.Actions(len(self.classes), self.arcs.tolist(), self.root.tolist())

    def action_numbers(self, of: "Labels") -> Array:
        """The numbers that the actions of fewer labels have among these."""
        arcs = np.searchsorted(self.classes[self.arcs], of.classes[of.arcs])
        root = np.searchsorted(self.classes[self.root], of.classes[of.root])
        n_arcs, n_root = len(self.arcs), len(self.root)
        swap = 1 + 2 * n_arcs + n_root
        return np.concatenate([[0], 1 + arcs, 1 + n_arcs + arcs, 1 + 2 * n_arcs + root, [swap]]).astype(np.int32)


@dataclass
class TrainingSet:
    """Sentences with their trees, and the templates that look at them."""

    template_list: list[Template]
    labels: Labels
    corpus: _core.Corpus
    heads: Array
    target: Array  # the number of each token's label

    @cached_property
    def compiled(self) -> _core.TreeTemplates:
        """The templates as the core has them."""
        return templates.compiled(self.template_list)

    def training(self, weights: _core.ParseWeights | None) -> _core.ParseTraining:
        """What learns from them, from these weights on, or from zero."""
        if weights is None:
            weights = _core.ParseWeights(actions=len(self.labels.actions), templates=len(self.compiled))
        return _core.ParseTraining(weights, self.labels.actions, self.compiled, self.corpus, self.heads, self.target)


class Run:
    """Pass after pass over some of the sentences."""

    def __init__(self, parameters: ParserParameters, training: _core.ParseTraining) -> None:
        self.parameters, self.training = parameters, training
        self.sentences: Array = np.empty(0, dtype=np.int64)
        self._weights: _core.ParseWeights | None = None  # after the last pass, if they were asked for

    def begin(self, sentences: Array) -> None:
        """The passes to come are over these: from zero weights, if this is not the first time."""
        if len(self.sentences):
            self.training.restart()
        self.sentences, self._weights = sentences, None

    def train(self, seed: int, number: int) -> Wrong:
        """One pass, whose number from 0 on says which order comes next. The first one does not explore."""
        p, self._weights = self.parameters, None
        exploration = min(float(p.exploration), 1.0) if number > 0 else 0.0
        mistakes, sentences = self.training.run(
            beam=int(p.beam),
            exploration=exploration,
            sentences=self.sentences,
            shuffled=bool(p.shuffle),
            seed=seed,
            pass_number=number,
        )
        return Wrong(mistakes, sentences)

    def weights(self) -> _core.ParseWeights:
        """What was learned so far, made once a pass."""
        if self._weights is None:
            self._weights = self.training.weights()
        return self._weights
