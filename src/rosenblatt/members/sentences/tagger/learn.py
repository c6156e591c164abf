"""How a tagger learns.

The exact run: labels are numbered in sorted order; each pass visits the sentences in the order of `_core.order` (or in
the listed order) and updates immediately, each attribute once for each token and label that differs. The average is
over the weights after each visit of a sentence. Weights, and the sums that average them, are integers, unless steps are
passive-aggressive. For shards see `sources`.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.engines import Engine, engine_of
from rosenblatt.base.record.parts import MOST, Parts, Tensors
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, number_labels, numbers_among
from rosenblatt.members.sentences.run import SentenceRun
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import (
    TaggerModel,
    chain_from_record,
    chain_to_record,
    parts_of,
    relabel,
)
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import OneByOne, SentenceShards, TaggerSource, TrainingSet, Wrong
from rosenblatt.members.sentences.tagger.templates import Template


def fit_tagger(
    parameters: TaggerParameters, X: Any, y: Any, *, watch: Watch | None = None, engine: Engine | None = None
) -> TaggerModel:
    """Learn from sentences and their labels."""
    template_list = templates.read(parameters.templates)
    corpus = as_corpus(X)
    run = run_over(parameters, template_list, corpus, *number_labels(as_tags(y, corpus)), watch=watch, engine=engine)
    del corpus
    model: TaggerModel = run.fit()
    return model


def learn_more_tagger(
    parameters: TaggerParameters, before: TaggerModel | None, X: Any, y: Any, classes: Any = None
) -> TaggerModel:
    """One pass over further sentences in the listed order, from a copy of `before`, or from the start.

    New labels may come in any call; `classes` lists all of them at the first call. `shards` has no effect: the pass
    goes from sentence to sentence.
    """
    check_offered(parameters, "more")
    template_list = templates.read(parameters.templates)
    corpus = as_corpus(X, templates.n_columns(template_list))
    tags = as_tags(y, corpus)
    known = [] if before is None else before.classes.tolist()
    labels = np.unique(text_array([*known, *([] if classes is None else classes), *tags.texts(0)], "y"))
    if not len(labels):
        raise ValueError("SequenceTagger needs at least one label, found none")
    target = np.searchsorted(labels, np.array(tags.texts(0), dtype=str)).astype(np.int32)[tags.tokens(0)]
    chain = None if before is None else before.chain
    if chain is not None and not np.array_equal(chain.parts, parts_of(np.array(known, dtype=str), parameters.share)):
        raise ValueError(f"share: expected what the weights were learned with, found {parameters.share!r}: use fit")
    if chain is not None and len(known) < len(labels):
        chain = relabel(chain, np.searchsorted(labels, known), parts_of(labels, parameters.share), len(labels))
    run = run_over(replace(parameters, shards=1), template_list, corpus, labels, target, chain=chain)
    model: TaggerModel = run.one_pass()
    model.parameters = parameters
    if before is not None:
        model.validation_scores, model.file_columns = before.validation_scores, before.file_columns
    return model


def run_over(
    parameters: TaggerParameters,
    template_list: list[Template],
    corpus: _core.Corpus,
    classes: Array,
    target: Array,
    *,
    chain: _core.Chain | None = None,
    watch: Watch | None = None,
    engine: Engine | None = None,
) -> "TaggerRun":
    """A run over a corpus whose token t has label classes[target[t]].

    The core copies what it needs, so the corpus need not live as long as the run. `chain` is the start; default: zero
    weights. `engine` runs shards; None: `n_jobs` threads of this machine.
    """
    check_tags_found(classes)
    if parameters.shards > 1:
        check_offered(parameters, "shards")
    p, parts = parameters, parts_of(classes, parameters.share)
    data = TrainingSet(p, template_list, len(classes), corpus, target, parts)
    source: TaggerSource
    if p.shards == 1:
        source = OneByOne(p, data.training(data.empty_chain() if chain is None else chain))
    else:
        source = SentenceShards(data, engine or engine_of(min(p.shards, n_threads(p.n_jobs))))
    return TaggerRun(p, template_list, classes, np.diff(corpus.starts), source, watch=watch)


def check_tags_found(classes: Array) -> None:
    """Raise an error if there is no tag to learn."""
    if not len(classes):
        raise ValueError("SequenceTagger needs at least one token to learn from, found none")


class TaggerRun(SentenceRun):
    """Pass after pass over sentences of these lengths, from a source."""

    def __init__(
        self,
        parameters: TaggerParameters,
        template_list: list[Template],
        classes: Array,
        lengths: Array,
        source: TaggerSource,
        *,
        watch: Watch | None = None,
    ) -> None:
        self.template_list, self.classes, self.lengths, self.source = template_list, classes, lengths, source
        self.compiled = templates.build_templates(template_list, parameters.boundary)
        self._checkpoint: tuple[_core.Chain, list[Wrong]] | None = (
            None  # the state of a checkpoint from which it continues
        )
        super().__init__(parameters, len(lengths), watch=watch)

    def _count_anew(self) -> None:
        super()._count_anew()
        self.mixed_mistakes = list[float]()  # wrong sentences of each pass, with the factors that mix shards

    def _draw_seed(self, random: np.random.RandomState) -> int | None:
        return drawn_seed(random) if self.parameters.shuffle else None

    def _begin(self, sentences: Array) -> None:
        self.source.begin(sentences)
        if self._checkpoint is not None:
            assert isinstance(self.source, SentenceShards)
            self.source.restore(*self._checkpoint)
            self._checkpoint = None

    def _go_on(self) -> tuple[int, int] | None:
        wrong = self.source.go_on(self.seed, len(self.mistakes))
        if wrong is None:
            return None
        self.mixed_mistakes.append(wrong.mixed)
        return wrong.tokens, wrong.sentences

    def _copy_weights(self) -> _core.Chain:
        return self.source.chain()

    def _part(self, sentences: Array) -> Array:
        return sentences

    def _score(self, held_out: Array | _core.Corpus) -> float:
        """The share of right tokens, in sentences by their numbers, or in a corpus whose last column has the tags."""
        if isinstance(held_out, np.ndarray):
            return self.source.count_right(held_out) / max(1, int(self.lengths[held_out].sum()))
        right = numbers_among(self.classes, held_out, held_out.n_columns - 1)
        tagger = _core.ChainTagger(self.weights(), self.parameters.readout)
        return float(np.mean(tagger.tag(self.compiled, held_out) == right))

    def model(self, weights: _core.Chain | None = None, **fields: Any) -> TaggerModel:
        """The model with these weights, or those after the last pass."""
        chain = self.weights() if weights is None else weights
        mistakes, sentence_mistakes, mixed = (np.array(getattr(self, name), dtype) for name, dtype in _PASSES.items())
        p, looked_at = self.parameters, (self.template_list, self.compiled)
        return TaggerModel(p, self.classes, chain, *looked_at, mistakes, sentence_mistakes, mixed, **fields)

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        """The record and the tensors of a checkpoint, of a run in shards."""
        assert isinstance(self.source, SentenceShards)
        tensors: Tensors = {name: np.array(getattr(self, name), dtype) for name, dtype in _COUNTS.items()}
        tensors["rounds"] = np.array(self.source.rounds, dtype=np.float64).reshape(-1, len(Wrong._fields))
        if self.choice is not None:
            tensors["choice"] = self.choice
        record = chain_to_record(self.source.chain(), tensors, "mix.")
        if self.best is not None:
            record |= chain_to_record(self.best, tensors, "best.")
        return record, tensors

    def restore(self, parts: Parts) -> None:
        """Continue from there when `fit` is called."""
        for name, dtype in _COUNTS.items():
            setattr(self, name, parts.tensor(name, (None,), dtype).tolist())
        rounds = parts.tensor("rounds", (None, len(Wrong._fields)), "float64")
        n_labels, lengths = len(self.classes), {len(getattr(self, name)) for name in _PASSES}
        if len(lengths) > 1 or len(rounds) >= self.parameters.n_rounds or (rounds < 0).any() or (rounds > MOST).any():
            raise ValueError("expected the passes and rounds of one run")
        so_far = [Wrong(int(row[0]), int(row[1]), row[2]) for row in rounds.tolist()]
        self._checkpoint = chain_from_record(n_labels, parts, "mix."), so_far
        if parts.has("choice"):
            self.choice = parts.tensor("choice", (None,), "float64")
        if parts.has("best.keys"):
            self.best = chain_from_record(n_labels, parts, "best.")
        parts.end()


_PASSES = {"mistakes": "int64", "sentence_mistakes": "int64", "mixed_mistakes": "float64"}
_COUNTS = {**_PASSES, "scores": "float64"}
