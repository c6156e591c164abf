"""A parser that has learned: its weights, labels and templates, how it answers, and its record.

Parsing is a way of actions from the words to a tree. The weights that answer are the averages, rounded to whole numbers
of 16 bits in a unit of their own, so that every machine finds the same tree. Of actions with equal scores the first
wins: shift, left, right, root, each with its labels in sorted order, swap.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.members.model import Model
from rosenblatt.members.sentences.parser.parameters import ParserParameters
from rosenblatt.members.sentences.parser.record import run_from_record, run_to_record
from rosenblatt.members.sentences.parser.state import Labels
from rosenblatt.members.sentences.parser.templates import Template
from rosenblatt.members.sentences.parser.trees import Trees, as_sentences, by_sentence


@dataclass(eq=False)
class ParserModel(Model):
    """A trained dependency parser."""

    kind: ClassVar[str] = "DependencyParser"
    conventions: ClassVar[str] = (
        "row k is of the attribute with the 64-bit key keys[k], and has the next counts[k] cells: cell_actions, w and "
        "sums; the average is (visits * w - sums) / visits; actions: 0 shift, then left and right with each of "
        "arc_labels, root with each of root_labels, swap; all but the keys are packed: two bytes with the type (i1, "
        "i2, i4, i8, little-endian), then zlib's"
    )
    parameters: ParserParameters
    known: Labels
    weights: _core.ParseWeights
    templates: list[Template]
    compiled: _core.TreeTemplates  # the same, as the core has them
    mistakes: Array  # updates of each pass
    sentence_mistakes: Array
    pruned: float = 0.0  # weights up to this were left out
    validation_scores: Array | None = None  # of the sentences held out, after each pass
    file_columns: tuple[str, ...] | None = None  # of the file that it has learned from
    answers: dict[Any, _core.TreeParser] = field(default_factory=dict)  # the last readout that was asked for

    @property
    def classes(self) -> Array:
        """The sorted labels."""
        return self.known.classes

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
        """The number of the pass whose weights it has: the best on what was held out, else the last."""
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
        """How large it is, and what was left out."""
        return {"pruned": self.pruned, "n_rows": int(self.weights.n_rows)}

    def answering(self) -> _core.TreeParser:
        """The weights that answer, made once for a readout and a beam."""
        wanted = (self.parameters.readout, int(self.parameters.beam))
        made = self.answers.get(wanted)
        if made is None:
            made = _core.TreeParser(self.weights, self.known.actions, *wanted)
            self.answers.clear()
            self.answers[wanted] = made
        return made

    def parse(self, corpus: _core.Corpus) -> tuple[Array, Array]:
        """For each token its head, and the number of the label."""
        return self.answering().parse(self.compiled, corpus, n_threads(self.parameters.n_jobs))

    def predict(self, X: Any) -> Trees:
        """The heads and the labels of each sentence."""
        corpus = as_sentences(X)
        heads, labels = self.parse(corpus)
        return Trees(by_sentence(heads, corpus), by_sentence(self.classes[labels], corpus))

    def share_right(self, corpus: _core.Corpus, heads: Array, labels: Array) -> float:
        """The share of words with the right head and label."""
        found, numbers = self.parse(corpus)
        right = (found == heads) & (self.classes[numbers] == labels)
        return float(right.mean()) if len(right) else float("nan")

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """For a record."""
        return run_to_record(self, tensors)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """From a record."""
        assert classes is not None
        return cls(parameters, **run_from_record(n_features, classes, parts))
