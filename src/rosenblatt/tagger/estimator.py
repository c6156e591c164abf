"""The sequence tagger: an averaged structured perceptron for label sequences (Collins 2002), first-order and exact.

A label sequence scores the weights of its attributes, which templates make; the best one is found by Viterbi, and
where it is wrong, the attributes of the right one are added and those of the wrong one taken away. Thin: it validates,
calls the core, and sets the fitted attributes.

The run, to the letter: labels are numbered in sorted order; each pass visits the sentences in the order of
`_core.order` (or as they are listed) and updates at once, each attribute once for each token and label that differs;
of sequences with equal scores the lowest last label wins, then the lowest label before it, and so on. The average is
over the weights after each visit of a sentence. Weights are integers, and so are the sums that average them.
"""

from collections.abc import Callable
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from rosenblatt import _core
from rosenblatt.exceptions import all_or_nothing
from rosenblatt.tagger import templates
from rosenblatt.tagger.corpus import as_corpus, as_tags, numbered, numbers_among
from rosenblatt.tagger.files import Pass, TagsFiles
from rosenblatt.tagger.record import chain_of, relabelled

Array = np.ndarray[Any, Any]

_PARAMETERS: dict[str, list[Any]] = {
    "templates": [str, HasMethods("__fspath__"), list, tuple],
    "boundary": [StrOptions({"mark", "drop"})],
    "readout": [StrOptions({"last", "average"})],
    "step": [StrOptions({"perceptron", "pa", "pa1", "pa2"})],
    "C": [Interval(Real, 0, None, closed="neither")],
    "beam": [Interval(Integral, 1, None, closed="left"), None],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "shuffle": ["boolean"],
    "early_stopping": ["boolean"],
    "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
    "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
    "refit": ["boolean"],
    "random_state": ["random_state"],
}


class SequenceTagger(TagsFiles, BaseEstimator):
    """A tagger of sentences: parts of speech, chunks, names, or any labels of the tokens of a sequence.

    Sentences are lists of tokens; a token is a word, or a tuple of columns (word, part of speech, ...). CoNLL files are
    learned by `fit_file` and tagged by `tag_file`.

    Parameters
    ----------
    templates
        What the tagger looks at: "pos" (for words alone), "chunk" (words and parts of speech), "ner", the path of a
        template file of CRF++, or a list of templates. See `rosenblatt.tagger.templates`.
    boundary
        What a template sees beyond the ends of a sentence. "mark": a mark that says how far it is beyond. "drop":
        nothing, and no attribute is made.
    readout
        Which weights answer. "average": the mean of the weights after each sentence. "last": the last ones. It never
        changes the run, and may be changed after the fit.
    step
        How far to step. "perceptron": 1. "pa", "pa1", "pa2": passive-aggressive, just far enough for the right labels
        to be ahead of the wrong ones by the root of the number of wrong labels.
    C
        The largest step of "pa1", the aggressiveness of "pa2".
    beam
        How many labels of each token to go on from; None for all. With hundreds of labels a small number is faster.
        Training then updates where the best of the beam is furthest ahead of the right labels (max-violation).
    max_iter
        The most passes; a pass without a mistake ends the run too.
    shuffle
        Whether each pass takes the sentences in a new random order; else in the listed one.
    early_stopping
        Whether to hold out a part of the sentences, and choose by it how many passes to make: the first number with
        the most tokens right.
    validation_fraction
        The part held out.
    n_iter_no_change
        For how many passes the score on the part held out may stand still.
    refit
        Whether to train again on all sentences, with the number of passes that early stopping chose.
    random_state
        Seed of the orders and of the part held out.

    Attributes
    ----------
    classes_ : the sorted labels
    n_iter_ : passes made
    converged_ : whether the last pass made no mistake
    mistakes_ : wrong tokens of each pass
    sentence_mistakes_ : wrong sentences of each pass, each an update
    validation_scores_ : with sentences held out, the share of their tokens that is right, after each pass
    n_features_in_ : columns of a token that the templates look at
    file_columns_ : after `fit_file`, what the columns of the file are
    n_rows_ : rows of weights, one for each attribute (and label before, for a bigram) that was in a mistake

    Examples
    --------
    >>> from rosenblatt import SequenceTagger
    >>> sentences = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "sleep"]]
    >>> tags = [["DET", "NOUN", "VERB"], ["DET", "NOUN", "VERB"], ["NOUN", "VERB"]]
    >>> model = SequenceTagger().fit(sentences, tags)
    >>> model.predict([["the", "cat", "barks"]])
    [['DET', 'NOUN', 'VERB']]
    >>> model.mistakes_.tolist(), model.converged_
    ([4, 0], True)
    """

    _parameter_constraints = _PARAMETERS

    def __init__(
        self,
        *,
        templates: Any = "pos",
        boundary: Literal["mark", "drop"] = "mark",
        readout: Literal["last", "average"] = "average",
        step: Literal["perceptron", "pa", "pa1", "pa2"] = "perceptron",
        C: float = 1.0,
        beam: int | None = None,
        max_iter: int = 10,
        shuffle: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 3,
        refit: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.templates = templates
        self.boundary = boundary
        self.readout = readout
        self.step = step
        self.C = C
        self.beam = beam
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.refit = refit
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn from sentences and their labels.

        Parameters
        ----------
        X
            Sentences: lists of words, or of tuples of columns.
        y
            For each sentence the list of its labels, which are strings.
        """
        with all_or_nothing(self):
            compiled = self._compile()
            corpus = as_corpus(X, compiled.n_columns)
            self._fit(compiled, corpus, *numbered(as_tags(y, corpus)))
        return self

    def _fit(
        self,
        compiled: _core.Templates,
        corpus: _core.Corpus,
        classes: Array,
        target: Array,
        dev: _core.Corpus | None = None,
        watch: Callable[[Pass], None] | None = None,
    ) -> None:
        """`dev` are sentences to hold against the tagger, instead of a part of the corpus; its last column has tags."""
        if not len(classes):
            raise ValueError("SequenceTagger needs at least one token to learn from, found none")
        random = check_random_state(self.random_state)
        sentences, held_out = np.arange(len(corpus)), np.arange(0)
        if self.early_stopping and dev is None:
            held_out, sentences = self._split(len(corpus), random)
        seed = int(random.randint(np.iinfo(np.int64).max, dtype=np.int64)) if self.shuffle else None

        def score(run: _Run) -> float:
            if dev is None:
                n_tokens = max(1, int(np.diff(corpus.starts)[held_out].sum()))
                return run.training.right(self.readout, self.beam or 0, held_out) / n_tokens
            found = _core.ChainTagger(run.training.chain(), self.readout, self.beam or 0).tag(compiled, dev)
            return float(np.mean(found == numbers_among(classes, dev, dev.n_columns - 1)))

        for name in ("validation_scores_", "file_columns_"):
            self.__dict__.pop(name, None)
        run = _Run(self, self._new_chain(len(classes), len(compiled)), compiled, corpus, target, seed, watch)
        if dev is None and not len(held_out):
            run.train(sentences, self.max_iter)
        else:
            again = self.refit and dev is None
            run.train_watched(sentences, score, keep=not again)
            self.validation_scores_ = np.array(run.scores)
            if again:
                run.restart()
                run.train(np.arange(len(corpus)), int(np.argmax(self.validation_scores_)) + 1)
        self._set(run, compiled, classes)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from further sentences: one pass in the listed order, from the weights as they are.

        Chained calls equal one listed pass of `fit` over all the sentences, if `classes` lists all labels at the first
        call or the first sentences have them all; a label that comes later starts with zero weights.
        """
        self._validate_params()
        with all_or_nothing(self):
            compiled = self._compile()
            corpus = as_corpus(X, compiled.n_columns)
            tags = as_tags(y, corpus)
            known = [] if classes is None else list(classes)
            before = getattr(self, "classes_", np.array([], dtype=str))
            labels = np.unique(np.array([*before.tolist(), *known, *tags.texts(0)], dtype=str))
            if not len(labels):
                raise ValueError("SequenceTagger needs at least one label, found none")
            chain = self._new_chain(len(labels), len(compiled)) if not len(before) else self._chain
            if len(before) and len(before) < len(labels):
                chain = relabelled(chain, len(labels), np.searchsorted(labels, before))
            target = np.searchsorted(labels, np.array(tags.texts(0), dtype=str)).astype(np.int32)[tags.tokens(0)]
            run = _Run(self, chain, compiled, corpus, target, None)
            run.train(np.arange(len(corpus)), 1)
            self._set(run, compiled, labels)
        return self

    def predict(self, X: Any) -> list[list[str]]:
        """The labels of each sentence. Long work is done on all cores."""
        corpus = self._corpus(X)
        labels = self.classes_[self._tags(corpus)].tolist()
        starts = corpus.starts.tolist()
        return [labels[first:last] for first, last in pairwise(starts)]

    def predict_nbest(self, X: Any, n: int) -> list[list[tuple[list[str], float]]]:
        """The n best label sequences of each sentence with their scores, best first, exactly (without a beam).

        A score is the sum of the weights of a sequence. It is no probability; how far the first is ahead of the second
        says how sure the tagger is.

        Examples
        --------
        >>> model = SequenceTagger(templates=["U:%x[0,0]", "B"]).fit([["a", "b"]], [["A", "B"]])
        >>> model.predict_nbest([["a", "b"]], n=2)[0]
        [(['A', 'B'], 2.0), (['B', 'B'], 1.0)]
        """
        corpus = self._corpus(X)
        found = self._answering().best(self._templates, corpus, n)
        return [[(self.classes_[labels].tolist(), score) for labels, score in sentence] for sentence in found]

    def score(self, X: Any, y: Any) -> float:
        """The share of tokens with the right label."""
        corpus = self._corpus(X)
        found = self._tags(corpus)
        right = numbers_among(self.classes_, as_tags(y, corpus))
        return float(np.mean(right == found)) if len(found) else float("nan")

    def _corpus(self, X: Any) -> _core.Corpus:
        check_is_fitted(self)
        return as_corpus(X, self._templates.n_columns)

    def _tags(self, corpus: _core.Corpus) -> Array:
        return self._answering().tag(self._templates, corpus)

    def _answering(self) -> _core.ChainTagger:
        """The weights that answer, made once for each readout."""
        wanted = (self.readout, self.beam)
        made = self.__dict__.get("_answers")
        if made is None or made[0] != wanted:
            made = (wanted, _core.ChainTagger(self._chain, self.readout, self.beam or 0))
            self._answers = made
        return made[1]

    def _compile(self) -> _core.Templates:
        self._template_list = templates.read(self.templates)
        return templates.compiled(self._template_list, self.boundary)

    def _new_chain(self, n_labels: int, n_templates: int) -> _core.Chain:
        return _core.Chain(labels=n_labels, attributes=n_templates, integers=self.step == "perceptron")

    def _split(self, count: int, random: np.random.RandomState) -> tuple[Array, Array]:
        if count < 2:
            raise ValueError(f"early_stopping needs at least 2 sentences, found {count}")
        size = min(max(1, round(self.validation_fraction * count)), count - 1)
        order = random.permutation(count)
        return np.sort(order[:size]), np.sort(order[size:])

    def _set(self, run: "_Run", compiled: _core.Templates, classes: Array) -> None:
        self.__dict__.pop("_answers", None)
        self._chain, self._templates, self.classes_ = run.best or run.training.chain(), compiled, classes
        self.n_features_in_ = compiled.n_columns
        self.mistakes_, self.sentence_mistakes_ = np.array(run.tokens), np.array(run.sentences)
        self.n_iter_, self.converged_ = len(run.tokens), run.tokens[-1] == 0
        self.n_rows_ = self._chain.n_rows

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_answers", None)
        if "_chain" in state:
            del state["_templates"]
            chain = state["_chain"]
            state["_chain"] = (chain.labels, chain.attributes, chain.visits, *chain.arrays())
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "_chain" in state:
            state["_chain"] = chain_of(*state["_chain"])
            state["_templates"] = templates.compiled(state["_template_list"], state["boundary"])
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.target_tags.required = True
        return tags


class _Run:
    """Pass after pass, and what each of them got wrong."""

    def __init__(
        self,
        model: SequenceTagger,
        chain: _core.Chain,
        compiled: _core.Templates,
        corpus: _core.Corpus,
        target: Array,
        seed: int | None,
        watch: Callable[[Pass], None] | None = None,
    ) -> None:
        self.model, self.seed, self.watch = model, seed, watch
        self.training = _core.ChainTraining(chain, compiled, corpus, target)
        self.best: _core.Chain | None = None  # of a watched run that keeps it
        self._count()

    def _count(self) -> None:
        self.tokens: list[int] = []
        self.sentences: list[int] = []
        self.scores: list[float] = []

    def restart(self) -> None:
        """Forget all, and begin again from zero weights."""
        self.training.restart()
        self._count()

    def train(self, sentences: Array, passes: int) -> None:
        for _ in range(passes):
            self._pass(sentences)
            if self.sentences[-1] == 0:
                break

    def train_watched(self, sentences: Array, score: "Callable[[_Run], float]", *, keep: bool) -> None:
        """Until the score does not get better; if `keep`, the best chain is kept."""
        model = self.model
        while len(self.scores) < model.max_iter:
            self._pass(sentences, score)
            at = int(np.argmax(self.scores)) + 1
            if at == len(self.scores) and keep:
                self.best = self.training.chain()
            if self.sentences[-1] == 0 or len(self.scores) - at >= model.n_iter_no_change:
                break

    def _pass(self, sentences: Array, score: "Callable[[_Run], float] | None" = None) -> None:
        model = self.model
        wrong, tokens = self.training.run(
            step=model.step,
            C=float(model.C),
            beam=model.beam or 0,
            sentences=sentences,
            seed=self.seed,
            pass_number=len(self.tokens),
        )
        self.sentences.append(wrong)
        self.tokens.append(tokens)
        if score is not None:
            self.scores.append(score(self))
        if self.watch is not None:
            self.watch(Pass(len(self.tokens), wrong, tokens, self.scores[-1] if score else None))
