"""How a tagger learns: an averaged structured perceptron for label sequences (Collins 2002), first-order and exact.

Where the best sequence is wrong, the attributes of the right one are added and those of the wrong one taken away.

The run, to the letter: labels are numbered in sorted order; each pass visits the sentences in the order of
`_core.order` (or as they are listed) and updates at once, each attribute once for each token and label that differs.
The average is over the weights after each visit of a sentence. Weights are integers, and so are the sums that average
them, unless steps are passive-aggressive. In shards: see `tagger.shards`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.engines import Engine, engine_of
from rosenblatt.base.record.parts import MOST, Parts, Tensors
from rosenblatt.members.online_run import check_no_rows_held_out
from rosenblatt.members.randomness import drawn_seed, random_state
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, number_labels, numbers_among
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.labels import parts_of, relabelled
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.record import chain_from_record, chain_to_record
from rosenblatt.members.sentences.tagger.shards import PartsInMemory, ShardedRun
from rosenblatt.members.sentences.tagger.state import OneRun, State, TrainingSet, Wrong
from rosenblatt.members.sentences.tagger.templates import Template


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
    run = run_over(parameters, found, corpus, *number_labels(as_tags(y, corpus)), watch=watch, engine=engine)
    del corpus
    return run.fit()


def learn_more_tagger(
    parameters: TaggerParameters, before: TaggerModel | None, X: Any, y: Any, classes: Any = None
) -> TaggerModel:
    """One pass over further sentences in the listed order, from `before`, which stays as it is, or from the start.

    Labels may come as they will; `classes` lists all of them at the first call. One after the other, whatever `shards`
    is.
    """
    check_no_rows_held_out(parameters)
    found = templates.read(parameters.templates)
    corpus = as_corpus(X, templates.n_columns(found))
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
        chain = relabelled(chain, np.searchsorted(labels, known), parts_of(labels, parameters.share), len(labels))
    model = run_over(replace(parameters, shards=1), found, corpus, labels, target, chain=chain).one_pass()
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

    The core takes from the corpus what it needs: once a run is made, the corpus may go. `chain` is where it begins,
    else zero weights. `engine` is for shards; None: threads of this machine, as `n_jobs` says.
    """
    check_tags_found(classes)
    p, parts = parameters, parts_of(classes, parameters.share)
    data = TrainingSet(p, template_list, len(classes), corpus, target, parts)
    state: State
    if p.shards == 1:
        state = OneRun(p, data.training(data.empty_chain() if chain is None else chain))
    else:
        state = ShardedRun(p, PartsInMemory(data, engine or engine_of(min(p.shards, n_threads(p.n_jobs)))))
    return TaggerRun(p, template_list, classes, np.diff(corpus.starts), state, watch=watch)


def check_tags_found(classes: Array) -> None:
    """There must be something to learn."""
    if not len(classes):
        raise ValueError("SequenceTagger needs at least one token to learn from, found none")


class TaggerRun:
    """Pass after pass over sentences of these lengths, and what each pass got wrong.

    `after_round`, if there is one, is called whenever the run could be taken down and go on from there.
    """

    def __init__(
        self,
        parameters: TaggerParameters,
        template_list: list[Template],
        classes: Array,
        lengths: Array,
        state: State,
        *,
        watch: Watch | None = None,
        after_round: Callable[[], None] | None = None,
    ) -> None:
        self.parameters, self.template_list, self.classes = parameters, template_list, classes
        self.compiled = templates.compiled(template_list, parameters.boundary)
        self.lengths, self.state, self.watch, self.after_round = lengths, state, watch, after_round
        self.seed: int | None = None
        self.choice: Array | None = None  # the scores of a run that has held sentences out, once another goes on
        self.best: _core.Chain | None = None  # by the scores
        self._chain: _core.Chain | None = None  # after the last pass, if it was asked for
        self._restored: tuple[_core.Chain, list[Wrong]] | None = None
        self._count()

    def _count(self) -> None:
        self.tokens: list[int] = []  # wrong ones of each pass
        self.sentences: list[int] = []  # wrong ones of each pass
        self.mixed: list[float] = []  # the same as shards were mixed
        self.scores: list[float] = []

    def fit(self, dev: _core.Corpus | None = None) -> TaggerModel:
        """As `max_iter` and `early_stopping` have it; or until it is best on `dev`, whose last column has the tags."""
        p, random = self.parameters, random_state(self.parameters.random_state)
        learned = sentences = np.arange(len(self.lengths))
        score: Callable[[], float] | None = None
        if dev is not None:
            right = numbers_among(self.classes, dev, dev.n_columns - 1)
            score = partial(self._score, dev, right)
        elif p.early_stopping:
            held_out, learned = _split(len(sentences), p.validation_fraction, random)
            n_tokens = max(1, int(self.lengths[held_out].sum()))
            score = lambda: self.state.right(held_out) / n_tokens  # noqa: E731
        self.seed = drawn_seed(random) if p.shuffle else None
        if score is not None and self.choice is None:
            keep = dev is not None or not p.refit
            self._train(learned, p.max_iter, score, keep=keep)
            scores = np.array(self.scores)
            if keep:
                return self.model(self.best, validation_scores=scores)
            self._count()
            self.choice = scores
        self._train(sentences, p.max_iter if self.choice is None else int(np.argmax(self.choice)) + 1)
        return self.model(validation_scores=self.choice)

    def one_pass(self) -> TaggerModel:
        """One pass in the listed order."""
        self._train(np.arange(len(self.lengths)), 1)
        return self.model()

    def _train(
        self, sentences: Array, passes: int, score: Callable[[], float] | None = None, *, keep: bool = False
    ) -> None:
        """So many passes, until one makes no mistake, or until the score no longer gets better."""
        self.state.begin(sentences)
        if self._restored is not None:
            assert isinstance(self.state, ShardedRun)
            self.state.restore(*self._restored)
            self._restored = None
        while len(self.tokens) < passes and not self._over():
            self._pass(score, keep=keep)

    def _over(self) -> bool:
        if not self.sentences:
            return False
        since_best = len(self.scores) - 1 - int(np.argmax(self.scores)) if self.scores else 0
        return self.sentences[-1] == 0 or since_best >= self.parameters.n_iter_no_change

    def _pass(self, score: Callable[[], float] | None, *, keep: bool) -> None:
        self._chain = None
        while (wrong := self.state.go_on(self.seed, len(self.tokens))) is None:
            self._tell_round()
        self.sentences.append(wrong.sentences)
        self.tokens.append(wrong.tokens)
        self.mixed.append(wrong.mixed)
        if score is not None:
            self.scores.append(score())
            if keep and int(np.argmax(self.scores)) == len(self.scores) - 1:
                self.best = self._after_pass()
        self._tell_round()
        if self.watch is not None:
            found = None if score is None else self.scores[-1]
            self.watch(Pass(len(self.tokens), wrong.sentences, wrong.tokens, found))

    def _tell_round(self) -> None:
        if self.after_round is not None:
            self.after_round()

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

    def to_record(self) -> tuple[dict[str, Any], Tensors]:
        """The record and the tensors of a checkpoint, of a run in shards."""
        assert isinstance(self.state, ShardedRun)
        tensors: Tensors = {name: np.array(getattr(self, name), dtype) for name, dtype in _COUNTS.items()}
        tensors["made"] = np.array(self.state.made, dtype=np.float64).reshape(-1, len(Wrong._fields))
        if self.choice is not None:
            tensors["choice"] = self.choice
        record = chain_to_record(self.state.chain(), tensors, "mix.")
        if self.best is not None:
            record |= chain_to_record(self.best, tensors, "best.")
        return record, tensors

    def restore(self, parts: Parts) -> None:
        """Go on from there, once `fit` is called."""
        for name, dtype in _COUNTS.items():
            setattr(self, name, parts.tensor(name, (None,), dtype).tolist())
        made = parts.tensor("made", (None, len(Wrong._fields)), "float64")
        n_labels, lengths = len(self.classes), {len(self.tokens), len(self.sentences), len(self.mixed)}
        if len(lengths) > 1 or len(made) >= self.parameters.n_rounds or (made < 0).any() or (made > MOST).any():
            raise ValueError("expected the passes and rounds of one run")
        rounds = [Wrong(int(row[0]), int(row[1]), row[2]) for row in made.tolist()]
        self._restored = chain_from_record(n_labels, parts, "mix."), rounds
        if parts.has("choice"):
            self.choice = parts.tensor("choice", (None,), "float64")
        if parts.has("best.keys"):
            self.best = chain_from_record(n_labels, parts, "best.")
        parts.end()


_COUNTS = {"tokens": "int64", "sentences": "int64", "mixed": "float64", "scores": "float64"}


def _split(count: int, fraction: float, random: np.random.RandomState) -> tuple[Array, Array]:
    """The sentences to hold out, and the others."""
    if count < 2:
        raise ValueError(f"early_stopping needs at least 2 sentences, found {count}")
    size = min(max(1, round(fraction * count)), count - 1)
    order = random.permutation(count)
    return np.sort(order[:size]), np.sort(order[size:])
