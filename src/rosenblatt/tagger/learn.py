"""How a tagger learns: an averaged structured perceptron for label sequences (Collins 2002), first-order and exact.

Where the best sequence is wrong, the attributes of the right one are added and those of the wrong one taken away.

The run, to the letter: labels are numbered in sorted order; each pass visits the sentences in the order of
`_core.order` (or as they are listed) and updates at once, each attribute once for each token and label that differs.
The average is over the weights after each visit of a sentence. Weights are integers, and so are the sums that average
them, unless steps are passive-aggressive. In shards: see `tagger.shards`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.arrays import Array
from rosenblatt.data.cores import n_threads
from rosenblatt.learning.engines import Engine, engine_of
from rosenblatt.learning.randomness import drawn_seed, random_state
from rosenblatt.tagger import templates
from rosenblatt.tagger.corpus import as_corpus, as_tags, numbered, numbers_among
from rosenblatt.tagger.labels import parts_of, relabelled
from rosenblatt.tagger.model import TaggerModel
from rosenblatt.tagger.parameters import TaggerParameters
from rosenblatt.tagger.shards import ShardedRun
from rosenblatt.tagger.state import OneRun, State, TrainingSet
from rosenblatt.tagger.templates import Template


class Pass(NamedTuple):
    """A pass that is over: its number from 1 on, wrong sentences and tokens, the score of sentences held out."""

    number: int
    sentence_mistakes: int
    mistakes: int
    score: float | None


Watch = Callable[[Pass], Any]
"""Is told of each pass."""


def fit_tagger(
    parameters: TaggerParameters, X: Any, y: Any, *, watch: Watch | None = None, engine: Engine | None = None
) -> TaggerModel:
    """Learn from sentences and their labels."""
    found = templates.read(parameters.templates)
    corpus = as_corpus(X)
    run = TaggerRun(parameters, found, corpus, *numbered(as_tags(y, corpus)), watch=watch, engine=engine)
    del corpus
    return run.fit()


def learn_more_tagger(
    parameters: TaggerParameters, before: TaggerModel | None, X: Any, y: Any, classes: Any = None
) -> TaggerModel:
    """One pass over further sentences in the listed order, from `before`, which stays as it is, or from the start.

    Labels may come as they will; `classes` lists all of them at the first call. One after the other, whatever `shards`
    is.
    """
    found = templates.read(parameters.templates)
    corpus = as_corpus(X, templates.n_columns(found))
    tags = as_tags(y, corpus)
    known = [] if before is None else before.classes.tolist()
    labels = np.unique(np.array([*known, *([] if classes is None else classes), *tags.texts(0)], dtype=str))
    if not len(labels):
        raise ValueError("SequenceTagger needs at least one label, found none")
    target = np.searchsorted(labels, np.array(tags.texts(0), dtype=str)).astype(np.int32)[tags.tokens(0)]
    chain = None if before is None else before.chain
    if chain is not None and not np.array_equal(chain.parts, parts_of(np.array(known, dtype=str), parameters.share)):
        raise ValueError(f"share: expected what the weights were learned with, found {parameters.share!r}: use fit")
    if chain is not None and len(known) < len(labels):
        chain = relabelled(chain, np.searchsorted(labels, known), parts_of(labels, parameters.share), len(labels))
    model = TaggerRun(replace(parameters, shards=1), found, corpus, labels, target, chain=chain).one_pass()
    model.parameters = parameters
    if before is not None:
        model.validation_scores, model.file_columns = before.validation_scores, before.file_columns
    return model


class TaggerRun:
    """Pass after pass over a corpus whose token t has label classes[target[t]], and what each pass got wrong.

    The core takes from the corpus what it needs: once a run is made, the corpus may go. `chain` is where it begins,
    else zero weights. `engine` is for shards; None: threads of this machine, as `n_jobs` says.
    """

    def __init__(
        self,
        parameters: TaggerParameters,
        template_list: list[Template],
        corpus: _core.Corpus,
        classes: Array,
        target: Array,
        *,
        chain: _core.Chain | None = None,
        watch: Watch | None = None,
        engine: Engine | None = None,
    ) -> None:
        if not len(classes):
            raise ValueError("SequenceTagger needs at least one token to learn from, found none")
        self.parameters, self.template_list, self.classes, self.watch = parameters, template_list, classes, watch
        self.lengths = np.diff(corpus.starts)
        p, parts = parameters, parts_of(classes, parameters.share)
        data = TrainingSet(p, template_list, len(classes), corpus, target, parts)
        self.compiled = data.compiled
        self.state: State = (
            OneRun(p, data.training(data.empty_chain() if chain is None else chain))
            if p.shards == 1
            else ShardedRun(data, engine or engine_of(min(p.shards, n_threads(p.n_jobs))))
        )
        self.seed: int | None = None
        self._chain: _core.Chain | None = None  # after the last pass, if it was asked for
        self._count()

    def _count(self) -> None:
        self.tokens: list[int] = []  # wrong ones of each pass
        self.sentences: list[int] = []  # wrong ones of each pass
        self.mixed: list[float] = []  # the same as shards were mixed
        self.scores: list[float] = []

    def fit(self, dev: _core.Corpus | None = None) -> TaggerModel:
        """As `max_iter` and `early_stopping` have it; or until it is best on `dev`, whose last column has the tags."""
        p, random = self.parameters, random_state(self.parameters.random_state)
        sentences = np.arange(len(self.lengths))
        if dev is None and p.early_stopping:
            held_out, learned = _split(len(sentences), p.validation_fraction, random)
        self.seed = drawn_seed(random) if p.shuffle else None
        if dev is not None:
            right = numbers_among(self.classes, dev, dev.n_columns - 1)
            self.state.begin(sentences)
            best = self._until_best(lambda: self._score(dev, right))
            return self.model(best, validation_scores=np.array(self.scores))
        if not p.early_stopping:
            self.state.begin(sentences)
            self._train(p.max_iter)
            return self.model()
        n_tokens = max(1, int(self.lengths[held_out].sum()))
        self.state.begin(learned)
        best = self._until_best(lambda: self.state.right(held_out) / n_tokens, keep=not p.refit)
        scores = np.array(self.scores)
        if p.refit:
            self.state.begin(sentences)
            self._count()
            self._train(int(np.argmax(scores)) + 1)
        return self.model(best, validation_scores=scores)

    def one_pass(self) -> TaggerModel:
        """One pass in the listed order."""
        self.state.begin(np.arange(len(self.lengths)))
        self._pass()
        return self.model()

    def _train(self, passes: int) -> None:
        """So many passes, or until one makes no mistake."""
        for _ in range(passes):
            self._pass()
            if self.sentences[-1] == 0:
                break

    def _until_best(self, score: Callable[[], float], *, keep: bool = True) -> _core.Chain | None:
        """Passes until the score no longer gets better; returns the chain of the best one, if `keep`."""
        best, p = None, self.parameters
        while len(self.scores) < p.max_iter:
            self._pass(score)
            at = int(np.argmax(self.scores)) + 1
            if at == len(self.scores) and keep:
                best = self._after_pass()
            if self.sentences[-1] == 0 or len(self.scores) - at >= p.n_iter_no_change:
                break
        return best

    def _pass(self, score: Callable[[], float] | None = None) -> None:
        self._chain = None
        wrong, tokens, mixed = self.state.train(self.seed, len(self.tokens))
        self.sentences.append(wrong)
        self.tokens.append(tokens)
        self.mixed.append(mixed)
        if score is not None:
            self.scores.append(score())
        if self.watch is not None:
            self.watch(Pass(len(self.tokens), wrong, tokens, None if score is None else self.scores[-1]))

    def _score(self, corpus: _core.Corpus, right: Array) -> float:
        """The share of right tokens."""
        p = self.parameters
        tagger = _core.ChainTagger(self._after_pass(), p.readout)
        return float(np.mean(tagger.tag(self.compiled, corpus) == right))

    def _after_pass(self) -> _core.Chain:
        """The chain after the last pass, made once."""
        if self._chain is None:
            self._chain = self.state.chain()
        return self._chain

    def model(self, chain: _core.Chain | None = None, **fields: Any) -> TaggerModel:
        """What was learned: this chain, else that after the last pass."""
        return TaggerModel(
            self.parameters,
            self.classes,
            self._after_pass() if chain is None else chain,
            self.template_list,
            self.compiled,
            np.array(self.tokens),
            np.array(self.sentences),
            np.array(self.mixed),
            **fields,
        )


def _split(count: int, fraction: float, random: np.random.RandomState) -> tuple[Array, Array]:
    """The sentences to hold out, and the others."""
    if count < 2:
        raise ValueError(f"early_stopping needs at least 2 sentences, found {count}")
    size = min(max(1, round(fraction * count)), count - 1)
    order = random.permutation(count)
    return np.sort(order[:size]), np.sort(order[size:])
