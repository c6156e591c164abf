"""A tagger that learns without end, sentence by sentence; each is tagged before its labels are learned.

Sentences that come together are learned by one training set of the core, one after the other: what is learned does not
depend on how many come together.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.members.online_run import Answered, check_endless
from rosenblatt.members.sentences.corpus import as_corpus, as_tags
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import TaggerModel, parts_of, relabel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import TrainingSet

_ENDLESS: dict[str, tuple[tuple[Any, ...], str]] = {
    "early_stopping": ((False,), "each sentence is learned when it comes, and none is held out"),
}
ANSWERED = 1 << 14  # tokens at a time


class TaggerOnline:
    """A tagger's run that is never over.

    Parameters
    ----------
    parameters
        Those of a `SequenceTagger`; its `shards`, passes and orders are for training on a whole set.
    before
        The model to go on from; it stays as it is.
    same_pass
        Whether its last pass goes on, as that of a run that `model` gave; else a new one begins.
    classes
        Labels that are known before the first sentence.

    Examples
    --------
    >>> run = TaggerOnline(TaggerParameters())
    >>> X, y = [["the", "dog", "barks"], ["the", "cat", "barks"]], [["DT", "NN", "VB"], ["DT", "NN", "VB"]]
    >>> [taken.label for taken in run.learn(X, y)]
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
        check_endless(parameters, _ENDLESS)
        self.parameters = parameters
        self._templates = templates.read(parameters.templates) if before is None else before.templates
        self._compiled = templates.build_templates(self._templates, parameters.boundary)
        self._before, self._begun = before, same_pass
        self._classes = np.unique(text_array([] if classes is None else list(classes), "classes"))
        self._chain: _core.Chain | None = None
        self._tokens, self._sentences = list[int](), list[int]()  # wrong ones of each pass
        if before is not None:
            self._classes, self._chain = before.classes, before.chain
            self._tokens, self._sentences = before.mistakes.tolist(), before.sentence_mistakes.tolist()
        self._answering: TaggerModel | None = before

    @property
    def classes(self) -> Array | None:
        """The labels so far."""
        return self._classes if len(self._classes) else None

    @property
    def n_features(self) -> int:
        """The columns of a token that the templates look at."""
        return self._compiled.n_columns

    def learn(self, X: Any, y: Sequence[Sequence[str]]) -> list[Answered]:
        """Tag and learn each sentence, in order."""
        found, first = list[Answered](), 0
        while first < len(y):
            known = set(self._classes.tolist())
            last = next((k for k in range(first, len(y)) if not known.issuperset(y[k])), len(y))
            if last > first and self._chain is not None:
                found += [Answered(label) for label in self._play(X[first:last], y[first:last])]
                first = last
                continue
            # A label that was not there yet: nobody could have predicted it, but an answer was given.
            label = None if self._chain is None else self.answer(X[first : first + 1])[0][0]
            self._expect(y[first])
            self._play(X[first : first + 1], y[first : first + 1])
            found.append(Answered(label))
            first += 1
        return found

    def _expect(self, labels: Sequence[str]) -> None:
        """That sentences with these labels can be learned."""
        before = self._classes
        self._classes = np.unique(text_array([*before.tolist(), *labels], "y"))
        parts = parts_of(self._classes, self.parameters.share)
        if self._chain is None:
            integers, count = self.parameters.step == "perceptron", len(self._classes)
            self._chain = _core.Chain(labels=count, attributes=len(self._compiled), integers=integers, parts=parts)
        elif len(before) < len(self._classes):
            self._chain = relabel(self._chain, np.searchsorted(self._classes, before), parts, len(self._classes))

    def _play(self, X: Any, y: Sequence[Sequence[str]]) -> list[list[str]]:
        """Sentences whose labels are all known; returns what each was taken for."""
        p, corpus = self.parameters, as_corpus(X, self.n_features)
        as_tags(y, corpus)  # one label a token
        labels = self._classes.tolist()
        number = {label: k for k, label in enumerate(labels)}
        target = np.array([number[label] for label in chain.from_iterable(y)], dtype=np.int32)
        assert self._chain is not None
        training = TrainingSet(p, self._templates, len(labels), corpus, target).training(self._chain)
        if not self._begun:
            self._tokens, self._sentences, self._begun = [*self._tokens, 0], [*self._sentences, 0], True
        found = []
        for k in range(len(y)):
            which = np.array([k], dtype=np.int64)
            found.append([labels[tag] for tag in training.tags(p.readout, which).tolist()])
            sentences, tokens = training.run(step=p.step, C=float(p.C), sentences=which, seed=None, pass_number=0)
            self._sentences[-1] += sentences
            self._tokens[-1] += tokens
        self._chain, self._answering = training.chain(), None
        return found

    def answer(self, X: Any) -> tuple[list[Any], None]:
        """The labels of sentences as the model is now."""
        if (model := self._answering) is None:
            self._answering = model = self.model()
        return [labels for part in _portions(X) for labels in model.predict(part)], None

    def model(self) -> TaggerModel:
        """What was learned so far; all that came after `before` counts as one pass."""
        if self._chain is None:
            raise ValueError("expected an example to learn from before there is a model, found none")
        scores, columns = (None, None) if (b := self._before) is None else (b.validation_scores, b.file_columns)
        tokens, sentences = np.array(self._tokens, np.int64), np.array(self._sentences, np.int64)
        counts = (tokens, sentences, sentences.astype(np.float64))
        looked_at = self._templates, self._compiled
        return TaggerModel(self.parameters, self._classes, self._chain, *looked_at, *counts, scores, columns)


def _portions(X: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Sentences, about `ANSWERED` tokens at a time: to make a corpus of them lets no other thread run."""
    first = tokens = 0
    for k, sentence in enumerate(X):
        tokens += len(sentence)
        if tokens >= ANSWERED:
            yield X[first : k + 1]
            first, tokens = k + 1, 0
    if first < len(X):
        yield X[first:]
