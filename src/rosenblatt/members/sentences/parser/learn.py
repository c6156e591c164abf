"""How a parser learns.

The exact run: labels are numbered in sorted order; each pass visits the sentences in the order of `_core.order` (or in
the listed order). A greedy parser visits every configuration in which more than one action is possible. If the best
action is not among those that cost the fewest arcs, the attributes get +1 for the best of those and -1 for the action
with the best score. From the second pass on it continues with its own action with probability `exploration`, else with
the right one. Weights, and the sums that average them, are integers.

What is guaranteed: without a beam, each update is one of a multi-class perceptron. Assume that some weights of length 1
score every right action of every visited configuration higher than every wrong one, by at least delta. Then there are
at most 2 T / delta^2 mistakes in all, for T templates. The proof is Novikoff's. It does not depend on where the
examples come from, so it holds for a dynamic oracle too. But the run decides which configurations are visited, the
assumption is stronger than that the training trees can be separated from others, and a pass without mistakes shows only
that its own configurations were right. With a beam, a sentence is an example, and the guarantee is that of
violation-fixing updates (Huang, Fayong, Guo 2012). No guarantee says anything about new sentences.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.declare import SIZE
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.corpus import as_tags, tokens_of
from rosenblatt.members.sentences.parser import templates
from rosenblatt.members.sentences.parser.model import (
    Labels,
    ParserModel,
    as_heads,
    as_sentences,
    bytes_of,
    empty_share,
    has_parts_twice,
    relabel,
    with_case,
)
from rosenblatt.members.sentences.parser.parameters import ParserParameters
from rosenblatt.members.sentences.parser.templates import Template
from rosenblatt.members.sentences.run import SentenceRun

PRUNED = (3.0, 2.5, 2.0, 1.5, 1.0, 0.5)  # the prunings that "auto" tries
NEARLY = 0.02  # how far the pruning for a size may be from the lowest that does
WORTH = 0.0025  # the share of arcs that pruning may cost


class Treebank(NamedTuple):
    """Sentences and their trees: for each token the head, and the text of the label."""

    corpus: _core.Corpus
    heads: Array
    labels: Array

    @classmethod
    def of(cls, X: Any, heads: Any, labels: Any) -> "Treebank":
        """A treebank from Python lists."""
        corpus = as_sentences(X)
        tags = as_tags(labels, corpus, "labels")
        return cls(corpus, as_heads(heads, corpus), text_array(tags.texts(0), "labels")[tags.tokens(0)])

    @classmethod
    def join(cls, parts: "list[Treebank]") -> "Treebank":
        """All sentences, one treebank after another."""
        if len(parts) == 1:
            return parts[0]
        corpora, heads, labels = zip(*parts, strict=True)
        return cls(_core.joined_corpus(list(corpora)), np.concatenate(heads), np.concatenate(labels))


def fit_parser(
    parameters: ParserParameters, treebank: Treebank, *, dev: Treebank | None = None, watch: Watch | None = None
) -> ParserModel:
    """Learn from a treebank; `dev` chooses the pass and the pruning."""
    run = ParserRun(parameters, templates.read(parameters.templates), treebank, watch=watch)
    model: ParserModel = run.fit(dev)
    return model


def learn_more_parser(parameters: ParserParameters, before: ParserModel | None, treebank: Treebank) -> ParserModel:
    """One pass over further sentences in the listed order, from a copy of `before`, or from the start.

    New labels may come in any call. It explores no wrong actions and prunes nothing.
    """
    check_offered(parameters, "more")
    model: ParserModel = ParserRun(parameters, templates.read(parameters.templates), treebank, before=before).one_pass()
    if before is not None:
        model.validation_scores, model.file_columns = before.validation_scores, before.file_columns
        if before.empty_shares is not None and model.empty_shares is not None:
            model.empty_shares = np.maximum(before.empty_shares, model.empty_shares)
    return model


class ParserRun(SentenceRun):
    """Pass after pass over a treebank."""

    always_keeps_best = True  # because they show how much can be pruned

    def __init__(
        self,
        parameters: ParserParameters,
        template_list: list[Template],
        treebank: Treebank,
        *,
        before: ParserModel | None = None,
        watch: Watch | None = None,
    ) -> None:
        super().__init__(parameters, len(treebank.corpus), watch=watch)
        self.template_list, self.treebank = template_list, treebank
        self.compiled = templates.build_templates(template_list)
        corpus = treebank.corpus
        self.sees_case = has_parts_twice(corpus) if before is None else before.sees_case
        self.empty_shares = np.array([empty_share(corpus, k) for k in range(corpus.n_columns)])
        self.labels = Labels.of(treebank.heads, treebank.labels, None if before is None else before.known)
        target = np.searchsorted(self.labels.classes, treebank.labels).astype(np.int32)
        if before is None:
            weights = _core.ParseWeights(actions=len(self.labels.actions), templates=len(self.compiled))
        else:
            weights = relabel(before.weights, self.labels, before.known)
        sentences = with_case(corpus) if self.sees_case else corpus, treebank.heads, target
        self.training = _core.ParseTraining(weights, self.labels.actions, self.compiled, *sentences)
        self.sentences: Array = np.empty(0, dtype=np.int64)
        self.shuffle = bool(parameters.shuffle)
        self.pruned = 0.0 if parameters.prune == "auto" else float(parameters.prune)

    def one_pass(self) -> Any:
        """One pass over all sentences in the listed order, without exploration or pruning."""
        self.shuffle, self.pruned = False, 0.0
        return super().one_pass()

    def _draw_seed(self, random: np.random.RandomState) -> int:
        return drawn_seed(random)

    def _begin(self, sentences: Array) -> None:
        if len(self.sentences):
            self.training.restart()
        self.sentences = sentences

    def _go_on(self) -> tuple[int, int]:
        """One pass. The first one does not explore."""
        p, number = self.parameters, len(self.mistakes)
        return self.training.run(
            beam=int(p.beam),
            exploration=min(float(p.exploration), 1.0) if number > 0 else 0.0,
            sentences=self.sentences,
            shuffled=self.shuffle,
            seed=self.seed or 0,
            pass_number=number,
        )

    def _copy_weights(self) -> _core.ParseWeights:
        return self.training.weights()

    def _part(self, sentences: Array) -> Treebank:
        corpus, heads, labels = self.treebank
        tokens = tokens_of(corpus, sentences)
        return Treebank(corpus.part(sentences), heads[tokens], labels[tokens])

    def _score(self, held_out: Treebank) -> float:
        """The share of right arcs, with their labels."""
        return self._share_right(self.weights(), held_out)

    def _prepare_best(self, held_out: Treebank) -> None:
        """If "auto" chooses, find the highest pruning that costs no more than `WORTH`."""
        if self.parameters.prune == "auto":
            needed = max(self.scores) - WORTH
            tried = ((least, self.best.pruned(self.parameters.readout, least)) for least in PRUNED)
            good = (least for least, weights in tried if self._share_right(weights, held_out) >= needed)
            self.pruned = next(good, 0.0)

    def _share_right(self, weights: _core.ParseWeights, treebank: Treebank) -> float:
        return self._model(weights, 0.0).share_right(*treebank)

    def model(self, weights: _core.ParseWeights | None = None, **fields: Any) -> ParserModel:
        """The model with these weights, or those after the last pass, without the pruned ones."""
        weights = self.weights() if weights is None else weights
        size, least = self.parameters.max_size, self.pruned
        pruned, most = self._prune(weights, least), math.inf if size is None else SIZE.bytes_of(size)
        if bytes_of(pruned) > most:
            least, pruned = self._fit_into(most, weights, least)
        return self._model(pruned, least, **fields)

    def _prune(self, weights: _core.ParseWeights, least: float) -> _core.ParseWeights:
        return weights.pruned(self.parameters.readout, least) if least > 0 else weights

    def _fit_into(self, most: float, weights: _core.ParseWeights, too_low: float) -> tuple[float, _core.ParseWeights]:
        """The lowest pruning, nearly, with which the weights take at most so many bytes, and what it leaves."""
        high = max(2 * too_low, 1.0)
        while bytes_of(fitting := self._prune(weights, high)) > most and fitting.n_weight_rows:
            too_low, high = high, 2 * high
        while high - too_low > NEARLY * high:
            middle = (too_low + high) / 2
            if bytes_of(tried := self._prune(weights, middle)) > most:
                too_low = middle
            else:
                high, fitting = middle, tried
        return high, fitting

    def _model(self, weights: _core.ParseWeights, pruned: float, **fields: Any) -> ParserModel:
        mistakes, sentence_mistakes = (
            np.array(counts, dtype=np.int64) for counts in (self.mistakes, self.sentence_mistakes)
        )
        p, looked_at = self.parameters, (self.template_list, self.compiled)
        model = ParserModel(p, self.labels, weights, *looked_at, mistakes, sentence_mistakes, pruned, **fields)
        model.empty_shares, model.sees_case = self.empty_shares, self.sees_case
        return model
