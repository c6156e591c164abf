"""A trained tagger: the chain of its weights, how it answers, and both as a record.

If label sequences have equal scores, the lowest last label wins, then the lowest label before it, and so on.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors, pack, unpack
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, numbers_among
from rosenblatt.members.sentences.model import (
    SentenceModel,
    check_columns,
    lines_from_record,
    passes_from_record,
    passes_to_record,
)
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.templates import FileColumns, Template

NAMES = ("keys", "before", "counts", "cell_labels", "w", "sums")  # names of the arrays of a chain


@dataclass(eq=False)
class TaggerModel(SentenceModel):
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
    compiled: _core.Templates
    mistakes: Array  # wrong tokens of each pass
    sentence_mistakes: Array
    mixed_mistakes: Array  # wrong sentences, with the factors that mix shards
    validation_scores: Array | None = None
    file_columns: FileColumns | None = None
    answers: dict[str, _core.ChainTagger] = field(default_factory=dict)  # of the last readout that was used

    def size(self) -> dict[str, Any]:
        """How large it is."""
        return {"n_weight_rows": int(self.chain.n_weight_rows)}

    def answering(self) -> _core.ChainTagger:
        """The weights that answer, built once for a readout."""
        readout = self.parameters.readout
        if readout not in self.answers:
            self.answers = {readout: _core.ChainTagger(self.chain, readout)}
        return self.answers[readout]

    def transitions(self) -> list[tuple[str, str, float]] | None:
        """A tag, the tag after it, and the weight of the pair; None if other attributes weigh pairs of tags too.

        Other attributes have no names, because their texts are hashed.
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
        """Turn sentences into a corpus."""
        return as_corpus(X, self.n_features)

    def tags(self, corpus: _core.Corpus) -> Array:
        """The number of the label of each token. Long work is done on all cores."""
        return self.answering().tag(self.compiled, corpus)

    def best(self, corpus: _core.Corpus, n: int) -> list[list[tuple[Array, float]]]:
        """The n best sequences of label numbers of each sentence, with their scores."""
        return self.answering().best(self.compiled, corpus, n)

    def predict(self, X: Any) -> list[list[str]]:
        corpus = self.corpus(X)
        labels = self.classes[self.tags(corpus)].tolist()
        return [labels[first:last] for first, last in pairwise(corpus.starts.tolist())]

    def predict_nbest(self, X: Any, n: int) -> list[list[tuple[list[str], float]]]:
        """The n best label sequences of each sentence with their scores."""
        best = self.best(self.corpus(X), n)
        return [[(self.classes[labels].tolist(), score) for labels, score in sentence] for sentence in best]

    def score(self, X: Any, y: Any) -> float:
        corpus = self.corpus(X)
        tags = self.tags(corpus)
        right = numbers_among(self.classes, as_tags(y, corpus))
        return float(np.mean(right == tags)) if len(tags) else float("nan")

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        columns, of_chain = self.file_columns, chain_to_record(self.chain, tensors)
        if (self.mixed_mistakes != self.sentence_mistakes).any():
            tensors["mixed_mistakes_"] = self.mixed_mistakes
        lines = [templates.line(template) for template in self.templates]
        of_file = None if columns is None else [columns.universal, list(columns.seen), _tag_to_record(columns)]
        return {**of_chain, **passes_to_record(self, lines, of_file, tensors)}

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """Read a model from its record. The core checks the weights at the end."""
        assert classes is not None
        template_list = templates.parse(lines_from_record(parts), "template_lines")
        compiled = templates.build_templates(template_list, parameters.boundary)
        check_columns(compiled, n_features)
        columns = parts.value("file_columns", "columns of a file", _are_columns)
        passes, chain = passes_from_record(parts), chain_from_record(len(classes), parts)
        if chain.attributes != len(compiled):
            raise ValueError(f"attributes: expected {len(compiled)}, one for each template, found {chain.attributes}")
        return cls(
            parameters,
            classes,
            chain,
            template_list,
            compiled,
            **passes,
            mixed_mistakes=_mixed_from_record(passes["sentence_mistakes"], parts),
            file_columns=None if columns is None else _columns_from_record(*columns),
        )


def parts_of(classes: Array, share: str | None) -> Array:
    """For each label the number of its part, from 0 on in sorted order; an empty array if labels share nothing.

    With `share="|"`, labels with the same text before their first `|` belong to one part. Each attribute has a weight
    for the part in addition to those of its labels, so `NOUN|Number=Plur` profits from examples of `NOUN|Number=Sing`.

    Examples
    --------
    >>> parts_of(np.array(["ADJ", "NOUN|Plur", "NOUN|Sing", "X"]), "|").tolist()
    [0, 1, 1, 2]
    """
    TaggerParameters.declarations()["share"].check(share)
    if share is None:
        return np.empty(0, dtype=np.int32)
    parts = [label.partition(share)[0] for label in classes.tolist()]
    return np.unique(np.array(parts, dtype=str), return_inverse=True)[1].astype(np.int32)


def chain_of(labels: int, attributes: int, units: int, visits: int, parts: Array, *arrays: Array) -> _core.Chain:
    """The chain with these arrays, in the form of `Chain.arrays`."""
    named = dict(zip(NAMES, arrays, strict=True))
    return _core.chain_of(labels=labels, attributes=attributes, units=units, visits=visits, parts=parts, **named)


def relabel(chain: _core.Chain, new: Array, parts: Array, n_labels: int) -> _core.Chain:
    """The chain with more labels: old label k becomes new[k]. Labels and their parts keep their order."""
    keys, before, counts, cells, w, sums = chain.arrays()
    n_parts = int(chain.parts.max()) + 1 if len(chain.parts) else 0
    of_parts = np.empty(n_parts, dtype=np.int64)
    of_parts[chain.parts] = parts[new] if n_parts else 0
    places = np.concatenate([new, n_labels + of_parts, [-1]]).astype(np.int32)  # -1 stays -1
    arrays = (keys, places[before], counts, places[cells], w, sums)
    return chain_of(n_labels, chain.attributes, chain.units, chain.visits, parts, *arrays)


def chain_to_record(chain: _core.Chain, tensors: Tensors, prefix: str = "") -> dict[str, Any]:
    """Write a chain into a record; arrays join the tensors. Their names begin with the prefix."""
    arrays: Any = chain.arrays()
    for name, array in zip(NAMES, arrays, strict=True):
        tensors[prefix + name] = array if name == "keys" else pack(array)
    if len(chain.parts):
        tensors[prefix + "parts"] = pack(chain.parts)
    record = {"visits": chain.visits, "attributes": chain.attributes}
    if chain.units > 1:
        record["units"] = chain.units
    return {prefix + name: value for name, value in record.items()}


def chain_from_record(n_labels: int, parts: Parts, prefix: str = "") -> _core.Chain:
    """Read the chain of a record, and check all of it, at the end in the core."""
    n_shared = n_labels if parts.has(prefix + "parts") else 0
    of_labels = unpack(parts, prefix + "parts", n_shared) if n_shared else np.empty(0)
    keys = parts.tensor(prefix + "keys", (None,), "uint64")
    before, counts = (unpack(parts, prefix + name, len(keys)).astype(np.int32) for name in ("before", "counts"))
    if not ((counts >= 0) & (counts <= n_labels + n_shared)).all():
        raise ValueError(f"tensor '{prefix}counts': expected 0 to {n_labels + n_shared} cells a row")
    size = int(counts.sum(dtype=np.int64))
    labels = unpack(parts, prefix + "cell_labels", size).astype(np.int32)
    w, sums = (unpack(parts, prefix + name, size, "if") for name in ("w", "sums"))
    kind = np.float64 if "f" in (w.dtype.kind, sums.dtype.kind) else np.int64
    arrays = (keys, before, counts, labels, w.astype(kind), sums.astype(kind))
    units = parts.count(prefix + "units", 1, left_out=1)
    attributes, visits = parts.count(prefix + "attributes"), parts.count(prefix + "visits")
    return chain_of(n_labels, attributes, units, visits, of_labels.astype(np.int32), *arrays)


def _mixed_from_record(mistakes: Array, parts: Parts) -> Array:
    """The mixed mistakes of each pass; without shards, they are the mistakes."""
    if not parts.has("mixed_mistakes_"):
        return mistakes.astype(np.float64)
    mixed = parts.tensor("mixed_mistakes_", (len(mistakes),), "float64")
    if (mixed < 0).any() or (mixed > mistakes).any():
        raise ValueError("tensor 'mixed_mistakes_': expected numbers from 0 to those of sentence_mistakes_")
    return mixed


def _tag_to_record(columns: FileColumns) -> Any:
    return list(columns.tag) if isinstance(columns.tag, tuple) else columns.tag


def _columns_from_record(universal: bool, seen: Any, tag: Any) -> FileColumns:
    return FileColumns(universal, tuple(seen), tuple(tag) if isinstance(tag, list) else tag)


def _are_columns(value: Any) -> bool:
    if value is None:
        return True
    if not (isinstance(value, list | tuple) and len(value) == 3 and isinstance(value[1], list | tuple) and value[1]):
        return False
    tags = value[2] if isinstance(value[2], list | tuple) and len(value[2]) > 1 else [value[2]]
    texts_or_numbers = all(type(column) in (int, str) for column in (*value[1], *tags))
    return isinstance(value[0], bool) and texts_or_numbers
