"""A tagger that has learned: the chain of its weights, its templates, how it answers, and its record.

A label sequence scores the weights of its attributes, which templates make; the best one is found by Viterbi. Of
sequences with equal scores the lowest last label wins, then the lowest label before it, and so on.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.members.model import Model
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, numbers_among
from rosenblatt.members.sentences.tagger.columns import FileColumns
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.record import run_from_record, run_to_record
from rosenblatt.members.sentences.tagger.templates import Template


@dataclass(eq=False)
class TaggerModel(Model):
    """A trained sequence tagger."""

    kind: ClassVar[str] = "SequenceTagger"
    conventions: ClassVar[str] = (
        "row k is of the attribute with the 64-bit key keys[k], after label before[k] if that is not -1, and has the "
        "next counts[k] cells: labels, w and sums; the average is (visits * w - sums) / visits; both are in units, of "
        "which a weight of 1 has `units`, or one; of n labels, label j shares the cell n + parts[j] of a unigram; all "
        "but the keys are packed: two bytes with the type (i1, i2, i4, i8, f8, little-endian), then zlib's; "
        "shards: shard s learned from the sentences n s // shards to n (s + 1) // "
        "shards, in round r, counted from 0 over all passes, from the r-th of `rounds` parts of them, in the order of "
        "pass r shards + s; mixed_mistakes_: the wrong sentences of each pass, weighted as the shards were mixed"
    )
    parameters: TaggerParameters
    classes: Array
    chain: _core.Chain
    templates: list[Template]
    compiled: _core.Templates  # the same, as the core has them
    mistakes: Array  # wrong tokens of each pass
    sentence_mistakes: Array
    mixed_mistakes: Array  # wrong sentences as shards were mixed
    validation_scores: Array | None = None  # of the sentences held out, after each pass
    file_columns: FileColumns | None = None  # of the file that it has learned from
    answers: dict[str, _core.ChainTagger] = field(default_factory=dict)  # the last readout that was asked for

    @property
    def n_features(self) -> int:  # type: ignore[override]
        """The columns of a token that the templates look at."""
        return self.compiled.n_columns

    @property
    def converged(self) -> bool:
        """Whether the last pass made no mistake."""
        return bool(len(self.mistakes)) and int(self.mistakes[-1]) == 0

    @property
    def kept_pass(self) -> int:
        """The number of the pass whose weights it has: the best on what was held out, else the last.

        A run over all sentences, after one that held some out, has passes of its own: the scores are not theirs.
        """
        scores, made = self.validation_scores, len(self.mistakes)
        return made if scores is None or len(scores) != made else int(np.argmax(scores)) + 1

    def facts(self) -> dict[str, Any]:
        """What is to be said of its training."""
        return {
            "n_iter": len(self.mistakes),
            "kept_pass": self.kept_pass,
            "mistakes_of_last_pass": int(self.mistakes[-1]) if len(self.mistakes) else None,
            "converged": self.converged,
        }

    def size(self) -> dict[str, Any]:
        """How large it is."""
        return {"n_rows": int(self.chain.n_rows)}

    def answering(self) -> _core.ChainTagger:
        """The weights that answer, made once for a readout."""
        readout = self.parameters.readout
        made = self.answers.get(readout)
        if made is None:
            made = _core.ChainTagger(self.chain, readout)
            self.answers.clear()
            self.answers[readout] = made
        return made

    def transitions(self) -> list[tuple[str, str, float]] | None:
        """A tag, the one after it, and the weight of the two; None if tags in a row are weighed by more than that.

        Other attributes have no names: their texts are hashed.
        """
        if [template.literal for template in self.templates if template.kind == "B"] != ["B"]:
            return None
        _, before, counts, labels, w, sums = self.chain.arrays()
        weights, visits = w.astype(np.float64), max(self.chain.visits, 1)
        if self.parameters.readout == "average":
            weights = (visits * weights - sums) / visits
        weights /= self.chain.units
        before = np.repeat(before, counts)
        tags, there = self.classes.tolist(), np.flatnonzero(before >= 0)
        return [(tags[before[k]], tags[labels[k]], float(weights[k])) for k in there]

    def corpus(self, X: Any) -> _core.Corpus:
        """Sentences as the core has them."""
        return as_corpus(X, self.n_features)

    def tags(self, corpus: _core.Corpus) -> Array:
        """For each token the number of its label. Long work is done on all cores."""
        return self.answering().tag(self.compiled, corpus)

    def best(self, corpus: _core.Corpus, n: int) -> list[list[tuple[Array, float]]]:
        """For each sentence its n best sequences of label numbers with their scores."""
        return self.answering().best(self.compiled, corpus, n)

    def predict(self, X: Any) -> list[list[str]]:
        """The labels of each sentence."""
        corpus = self.corpus(X)
        labels = self.classes[self.tags(corpus)].tolist()
        return [labels[first:last] for first, last in pairwise(corpus.starts.tolist())]

    def predict_nbest(self, X: Any, n: int) -> list[list[tuple[list[str], float]]]:
        """The n best label sequences of each sentence with their scores."""
        found = self.best(self.corpus(X), n)
        return [[(self.classes[labels].tolist(), score) for labels, score in sentence] for sentence in found]

    def score(self, X: Any, y: Any) -> float:
        """The share of tokens with the right label."""
        corpus = self.corpus(X)
        found = self.tags(corpus)
        right = numbers_among(self.classes, as_tags(y, corpus))
        return float(np.mean(right == found)) if len(found) else float("nan")

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """For a record."""
        return run_to_record(self, tensors)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """From a record."""
        assert classes is not None
        return cls(parameters, classes, **run_from_record(parameters.boundary, n_features, classes, parts))
