"""A tagger that learns sentence by sentence without end; each is tagged before its labels are learned.

The core learns sentences of one call by one training set, one after another, so the result does not depend on how many
sentences a call has.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.members.online_run import Answered, OnlineRun
from rosenblatt.members.sentences.corpus import as_corpus, as_tags
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import TaggerModel, parts_of, relabel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import TrainingSet

ANSWERED = 1 << 14  # tokens that are tagged at a time


class TaggerOnline(OnlineRun):
    """A run without end of a tagger; `shards`, passes and orders are only for training on a whole set.

    Examples
    --------
    >>> run = TaggerOnline(TaggerParameters())
    >>> X, y = [["the", "dog", "barks"], ["the", "cat", "barks"]], [["DT", "NN", "VB"], ["DT", "NN", "VB"]]
    >>> [answered.label for answered in run.learn(X, y)]
    [None, ['NN', 'NN', 'VB']]
    """

    in_place, portion = False, 1024

    def __init__(
        self,
        parameters: TaggerParameters,
        before: TaggerModel | None = None,
        *,
        same_pass: bool = False,
        classes: Any = None,
    ) -> None:
        super().__init__(parameters, before, same_pass=same_pass, classes=classes)
        self._templates = templates.read(parameters.templates) if before is None else before.templates
        self._compiled = templates.build_templates(self._templates, parameters.boundary)
        self._mistakes, self._sentence_mistakes = list[int](), list[int]()
        if before is not None:
            self._mistakes, self._sentence_mistakes = before.mistakes.tolist(), before.sentence_mistakes.tolist()
        self._answering = before
        self._number_of: dict[str, int] = {}

    @property
    def n_features(self) -> int:
        """The columns of a token that the templates look at."""
        return self._compiled.n_columns

    @property
    def _numbers(self) -> dict[str, int]:
        if len(self._number_of) != len(self._classes):
            self._number_of = {label: k for k, label in enumerate(self._classes.tolist())}
        return self._number_of

    def _knows(self, label: Sequence[str]) -> bool:
        return self._numbers.keys() >= set(label)

    def _list(self, classes: Any) -> Array:
        return np.unique(text_array(list(classes), "classes"))

    def _merge(self, classes: Array, y: Any) -> Array:
        return np.unique(text_array([*classes.tolist(), *chain.from_iterable(y)], "y"))

    def _resume(self, before: TaggerModel) -> _core.Chain:
        return before.chain

    def _begin(self, classes: Array, X: Any) -> _core.Chain:  # noqa: ARG002 - a chain does not depend on what comes
        integers, parts = self.parameters.step == "perceptron", parts_of(classes, self.parameters.share)
        return _core.Chain(labels=len(classes), attributes=len(self._compiled), integers=integers, parts=parts)

    def _grow(self, state: _core.Chain, classes: Array) -> _core.Chain:
        new = np.searchsorted(classes, self._classes)
        return relabel(state, new, parts_of(classes, self.parameters.share), len(classes))

    def _play(self, X: Any, y: Sequence[Sequence[str]]) -> list[Answered]:
        p, corpus, labels = self.parameters, as_corpus(X, self.n_features), self._classes.tolist()
        as_tags(y, corpus)  # checks that each token has one label
        target = np.array([self._numbers[label] for label in chain.from_iterable(y)], dtype=np.int32)
        training = TrainingSet(p, self._templates, len(labels), corpus, target).training(self._state)
        if not self._begun:
            self._mistakes, self._sentence_mistakes = [*self._mistakes, 0], [*self._sentence_mistakes, 0]
            self._begun = True
        answered = []
        for k in range(len(y)):
            which = np.array([k], dtype=np.int64)
            answered.append(Answered([labels[tag] for tag in training.tags(p.readout, which).tolist()]))
            sentences, tokens = training.run(step=p.step, C=float(p.C), sentences=which, seed=None, pass_number=0)
            self._sentence_mistakes[-1] += sentences
            self._mistakes[-1] += tokens
        self._state, self._answering = training.chain(), None
        return answered

    def answer(self, X: Any) -> tuple[list[Any], None]:
        if (model := self._answering) is None:
            self._answering = model = self.model()
        return [labels for part in _portions(X) for labels in model.predict(part)], None

    def model(self) -> TaggerModel:
        """The model so far. All sentences after `before` count as one pass."""
        if self._state is None:
            raise ValueError("expected an example to learn from before there is a model, found none")
        scores, columns = (None, None) if (b := self._before) is None else (b.validation_scores, b.file_columns)
        mistakes, sentences = np.array(self._mistakes, np.int64), np.array(self._sentence_mistakes, np.int64)
        passes = (mistakes, sentences, sentences.astype(np.float64))
        looked_at = self._templates, self._compiled
        return TaggerModel(self.parameters, self._classes, self._state, *looked_at, *passes, scores, columns)


def _portions(X: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Sentences, about `ANSWERED` tokens at a time, because no other thread can run while they become a corpus."""
    first = tokens = 0
    for k, sentence in enumerate(X):
        tokens += len(sentence)
        if tokens >= ANSWERED:
            yield X[first : k + 1]
            first, tokens = k + 1, 0
    if first < len(X):
        yield X[first:]
