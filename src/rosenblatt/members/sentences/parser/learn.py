"""How a parser learns: an averaged perceptron over the actions of a transition system, arc-hybrid with swaps.

The run, to the letter: labels are numbered in sorted order; each pass visits the sentences in the order of
`_core.order` (or as they are listed). A greedy parser visits every configuration where more than one action is
possible: where the best action is not among those that cost the fewest arcs, the attributes get +1 for the best of
those and -1 for the one that was found. From the second pass on it goes on from its own action with probability
`exploration`, else from the right one. Weights, and the sums that average them, are integers.

What is guaranteed. Greedy, each update is one of a multi-class perceptron. If some weights of length 1 put every right
action of every configuration that is visited at least delta ahead of every wrong one, there are at most 2 T / delta^2
mistakes in all, for T templates: the proof is Novikoff's, and it does not ask where the examples come from, so that it
holds for a dynamic oracle too. But which configurations are visited depends on the run, the assumption is stronger than
that the training trees can be told from others, and a pass without mistakes shows only that its own configurations
were right. With a beam a sentence is an example, and the guarantee is that of violation-fixing updates (Huang, Fayong,
Guo 2012). No guarantee speaks of new sentences.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.members.online_run import check_no_rows_held_out
from rosenblatt.members.randomness import drawn_seed, hold_out, random_state
from rosenblatt.members.sentences.corpus import as_tags
from rosenblatt.members.sentences.parser import templates
from rosenblatt.members.sentences.parser.model import ParserModel
from rosenblatt.members.sentences.parser.parameters import ParserParameters
from rosenblatt.members.sentences.parser.record import relabelled
from rosenblatt.members.sentences.parser.state import Labels, Run, TrainingSet
from rosenblatt.members.sentences.parser.templates import Template
from rosenblatt.members.sentences.parser.trees import as_heads, as_sentences

PRUNED = (3.0, 2.5, 2.0, 1.5, 1.0, 0.5)  # what "auto" tries
WORTH = 0.0025  # the share of arcs that pruning may cost


class Pass(NamedTuple):
    """A pass that is over: its number from 1 on, sentences with a mistake, mistakes, the score of those held out."""

    number: int
    sentence_mistakes: int
    mistakes: int
    score: float | None


Watch = Callable[[Pass], Any]
"""Is told of each pass."""


class Treebank(NamedTuple):
    """Sentences and their trees: by token the head, and the text of the label."""

    corpus: _core.Corpus
    heads: Array
    labels: Array

    @classmethod
    def of(cls, X: Any, heads: Any, labels: Any) -> "Treebank":
        """As Python has them."""
        corpus = as_sentences(X)
        tags = as_tags(labels, corpus, "labels")
        return cls(corpus, as_heads(heads, corpus), text_array(tags.texts(0), "labels")[tags.tokens(0)])

    @classmethod
    def join(cls, parts: "list[Treebank]") -> "Treebank":
        """The sentences of one after those of the other."""
        if len(parts) == 1:
            return parts[0]
        corpora, heads, labels = zip(*parts, strict=True)
        return cls(_core.joined_corpus(list(corpora)), np.concatenate(heads), np.concatenate(labels))


def fit_parser(
    parameters: ParserParameters, treebank: Treebank, *, dev: Treebank | None = None, watch: Watch | None = None
) -> ParserModel:
    """Learn from a treebank; `dev` chooses the pass and the pruning."""
    found = templates.read(parameters.templates)
    return ParserRun(parameters, found, treebank, watch=watch).fit(dev)


def learn_more_parser(parameters: ParserParameters, before: ParserModel | None, treebank: Treebank) -> ParserModel:
    """One pass over further sentences in the listed order, from `before`, which stays as it is, or from the start.

    Labels may come as they will. Nothing is explored, and nothing pruned.
    """
    check_no_rows_held_out(parameters)
    model = ParserRun(parameters, templates.read(parameters.templates), treebank, before=before).one_pass()
    if before is not None:
        model.validation_scores, model.file_columns = before.validation_scores, before.file_columns
    return model


class ParserRun:
    """Pass after pass over a treebank, and what each pass got wrong."""

    def __init__(
        self,
        parameters: ParserParameters,
        template_list: list[Template],
        treebank: Treebank,
        *,
        before: ParserModel | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.parameters, self.template_list, self.watch = parameters, template_list, watch
        corpus, heads, texts = treebank
        self.labels = Labels.of(heads, texts, None if before is None else before.known)
        target = np.searchsorted(self.labels.classes, texts).astype(np.int32)
        self.data = TrainingSet(template_list, self.labels, corpus, heads, target)
        weights = None if before is None else relabelled(before.weights, self.labels, before.known)
        self.run = Run(parameters, self.data.training(weights))
        self.mistakes: list[int] = []
        self.sentences: list[int] = []
        self.scores: list[float] = []
        self.seed = 0

    def fit(self, dev: Treebank | None = None) -> ParserModel:
        """As `max_iter` and `early_stopping` have it; or until it is best on `dev`."""
        p, random = self.parameters, random_state(self.parameters.random_state)
        sentences = learned = np.arange(len(self.data.corpus))
        if dev is None and p.early_stopping:
            learned, chosen = hold_out(sentences, p.validation_fraction, random)
            dev = self._part(chosen)
        self.seed = drawn_seed(random)
        if dev is None:
            self.run.begin(sentences)
            self._train(p.max_iter)
            return self.model(self.run.weights(), 0.0 if p.prune == "auto" else float(p.prune))
        self.run.begin(learned)
        best = self._until_best(dev)
        least = self._pruning(best, dev)
        scores = np.array(self.scores)
        if len(learned) < len(sentences) and p.refit:
            self.run.begin(sentences)
            self.mistakes, self.sentences, self.scores = [], [], []
            self._train(int(np.argmax(scores)) + 1)
            best = self.run.weights()
        return self.model(best, least, validation_scores=scores)

    def one_pass(self) -> ParserModel:
        """In the listed order."""
        self.run.begin(np.arange(len(self.data.corpus)))
        self.run.parameters = ParserParameters(beam=self.parameters.beam, shuffle=False)
        self._pass()
        return self.model(self.run.weights(), 0.0)

    def _part(self, sentences: Array) -> Treebank:
        corpus, heads, target = self.data.corpus, self.data.heads, self.data.target
        starts = corpus.starts
        tokens = [np.arange(first, last) for first, last in zip(starts[sentences], starts[sentences + 1], strict=True)]
        chosen = np.concatenate([*tokens, np.empty(0, dtype=np.int64)])
        return Treebank(corpus.part(sentences), heads[chosen], self.labels.classes[target[chosen]])

    def _train(self, passes: int) -> None:
        """So many passes, or until one makes no mistake."""
        for _ in range(passes):
            self._pass()
            if self.mistakes[-1] == 0:
                break

    def _until_best(self, dev: Treebank) -> _core.ParseWeights:
        """Passes until the score no longer gets better; returns the weights of the best one."""
        p = self.parameters
        while len(self.scores) < p.max_iter:
            self._pass(dev)
            at = int(np.argmax(self.scores)) + 1
            if at == len(self.scores):
                best = self.run.weights()
            if self.mistakes[-1] == 0 or len(self.scores) - at >= p.n_iter_no_change:
                break
        return best

    def _pass(self, dev: Treebank | None = None) -> None:
        mistakes, sentences = self.run.train(self.seed, len(self.mistakes))
        self.mistakes.append(mistakes)
        self.sentences.append(sentences)
        if dev is not None:
            self.scores.append(self._score(self.run.weights(), dev))
        if self.watch is not None:
            self.watch(Pass(len(self.mistakes), sentences, mistakes, None if dev is None else self.scores[-1]))

    def _pruning(self, weights: _core.ParseWeights, dev: Treebank) -> float:
        """As told; else the highest that costs no more than `WORTH`."""
        p = self.parameters
        if p.prune != "auto":
            return float(p.prune)
        needed = max(self.scores) - WORTH
        found = (least for least in PRUNED if self._score(weights.pruned(p.readout, least), dev) >= needed)
        return next(found, 0.0)

    def _score(self, weights: _core.ParseWeights, dev: Treebank) -> float:
        """The share of arcs that are right, labels included."""
        return self.model(weights).share_right(dev.corpus, dev.heads, dev.labels)

    def model(self, weights: _core.ParseWeights, least: float = 0.0, **fields: Any) -> ParserModel:
        """What was learned: these weights, without those up to `least`."""
        p = self.parameters
        kept = weights.pruned(p.readout, least) if least > 0 else weights
        passes = (np.array(self.mistakes, dtype=np.int64), np.array(self.sentences, dtype=np.int64))
        return ParserModel(p, self.labels, kept, self.template_list, self.data.compiled, *passes, least, **fields)
