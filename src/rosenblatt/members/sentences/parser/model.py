"""A trained parser: its labels and weights, how it answers with trees, and its record.

The weights that answer are the averages, rounded to whole numbers of 16 bits in a unit of their own, so that every
machine gives the same tree. If actions have equal scores, the first wins: shift, left, right, root, each with its
labels in sorted order, swap.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import n_threads
from rosenblatt.base.record.parts import Parts, Tensors, pack, unpack
from rosenblatt.members.sentences.corpus import UNIVERSAL_COLUMNS, as_corpus, list_beside
from rosenblatt.members.sentences.model import (
    SentenceModel,
    check_columns,
    lines_from_record,
    passes_from_record,
    passes_to_record,
)
from rosenblatt.members.sentences.parser import templates
from rosenblatt.members.sentences.parser.parameters import ParserParameters
from rosenblatt.members.sentences.parser.templates import Template

NAMES = ("keys", "counts", "cell_actions", "w", "sums")  # names of the arrays of weights
MOST_LABELS = 1000  # treebanks have tens of labels, or with subtypes a few hundred
NOTHING = "_"  # in a column of CoNLL-U that has nothing
WORDS = ("form", "lemma")  # columns of words: `_` is one
TAGS = ("form", "upos", "xpos", "feats")  # the columns of tokens that come from no file
LIKE_CASE = ("Case", "VerbForm", "Mood", "PronType", "Number[psor]")  # features that tell most about a tree
UNLIKELY = 1e-6  # sentences like those of the training are never so strange
COLUMNS = 4  # word, universal and language-specific part of speech, features


class Trees(NamedTuple):
    """The heads and the labels of sentences, each a list of lists."""

    heads: list[list[int]]
    labels: list[list[str]]


@dataclass(eq=False)
class Labels:
    """The sorted labels: which of them arcs between words have (`arcs`), and which arcs from the root (`root`)."""

    classes: Array
    arcs: Array
    root: Array

    @classmethod
    def of(cls, heads: Array, labels: Array, known: "Labels | None" = None) -> "Labels":
        """The labels of a treebank, for each token, together with those known before."""
        arcs, root = np.unique(labels[heads != 0]), np.unique(labels[heads == 0])
        if known is not None:
            arcs = np.union1d(arcs, known.classes[known.arcs])
            root = np.union1d(root, known.classes[known.root])
        classes = np.union1d(arcs, root)
        if not len(classes):
            raise ValueError("DependencyParser needs at least one word to learn from, found none")
        if len(classes) > MOST_LABELS:
            raise ValueError(
                f"labels: expected at most {MOST_LABELS:,} different ones, since each step takes time by their number; "
                f"found {len(classes):,}: are they in another column?"
            )
        # Sentences of one word have no arcs between words, but longer ones may come.
        has_arcs = np.isin(classes, arcs) if len(arcs) else np.ones(len(classes), dtype=bool)
        return cls(classes, np.flatnonzero(has_arcs), np.flatnonzero(np.isin(classes, root)))

    @cached_property
    def actions(self) -> _core.Actions:
        """The actions of the core: shift, left and right with each label, root with each label, swap."""
        return _core.Actions(len(self.classes), self.arcs.tolist(), self.root.tolist())

    def action_numbers(self, of: "Labels") -> Array:
        """The numbers that the actions of a smaller set of labels have in this one."""
        arcs = np.searchsorted(self.classes[self.arcs], of.classes[of.arcs])
        root = np.searchsorted(self.classes[self.root], of.classes[of.root])
        n_arcs, n_root = len(self.arcs), len(self.root)
        swap = 1 + 2 * n_arcs + n_root
        return np.concatenate([[0], 1 + arcs, 1 + n_arcs + arcs, 1 + 2 * n_arcs + root, [swap]]).astype(np.int32)


@dataclass(eq=False)
class ParserModel(SentenceModel):
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
    compiled: _core.TreeTemplates
    mistakes: Array  # updates of each pass
    sentence_mistakes: Array
    pruned: float = 0.0  # weights up to this absolute value were removed
    validation_scores: Array | None = None
    file_columns: tuple[str, ...] | None = None
    sees_case: bool = False  # instead of a second column with the universal parts of speech: see `with_case`
    empty_shares: Array | None = None  # of each column that it has learned from: the share of words with nothing there
    answers: dict[Any, _core.TreeParser] = field(default_factory=dict)  # of the last readout that was used

    @property
    def classes(self) -> Array:
        return self.known.classes

    def size(self) -> dict[str, Any]:
        """How large it is, and what was left out."""
        return {"pruned": self.pruned, "n_weight_rows": int(self.weights.n_weight_rows)}

    def answering(self) -> _core.TreeParser:
        """The weights that answer, built once for a readout and a beam."""
        wanted = (self.parameters.readout, int(self.parameters.beam))
        if wanted not in self.answers:
            self.answers = {wanted: _core.TreeParser(self.weights, self.known.actions, *wanted)}
        return self.answers[wanted]

    def parse(self, corpus: _core.Corpus, *, tagged: Collection[str] = ()) -> tuple[Array, Array]:
        """For each token its head, and the number of its label.

        A ValueError names columns that were learned from and have nothing here, because the answer would be worthless.
        Those that a tagger has made, `tagged`, may have nothing: a line of dashes has no features.
        """
        self._check_filled(corpus, tagged)
        corpus = with_case(corpus) if self.sees_case else corpus
        return self.answering().parse(self.compiled, corpus, n_threads(self.parameters.n_jobs))

    def _check_filled(self, corpus: _core.Corpus, tagged: Collection[str]) -> None:
        """Check the columns that must have something, if sentences like those of the training are to be expected."""
        if self.empty_shares is None or not corpus.n_tokens:
            return
        names = self.file_columns or TAGS
        empty = [
            name
            for k, (name, share) in enumerate(zip(names, self.empty_shares.tolist(), strict=False))
            if name not in (*WORDS, *tagged) and share**corpus.n_tokens < UNLIKELY and empty_share(corpus, k) == 1
        ]
        if empty:
            columns = " and ".join(dict.fromkeys(empty))
            raise ValueError(
                f"expected {columns}, from which the parser has learned too, found {NOTHING!r} in all "
                f"{corpus.n_tokens} words: tag them first, with the taggers that came before the parser in its training"
            )

    def predict(self, X: Any) -> Trees:
        corpus = as_sentences(X)
        heads, labels = self.parse(corpus)
        return Trees(by_sentence(heads, corpus), by_sentence(self.classes[labels], corpus))

    def share_right(self, corpus: _core.Corpus, heads: Array, labels: Array) -> float:
        """The share of words with the right head and label."""
        answer, numbers = self.parse(corpus)
        right = (answer == heads) & (self.classes[numbers] == labels)
        return float(right.mean()) if len(right) else float("nan")

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        weights, columns = self.weights, self.file_columns
        arrays: Any = weights.arrays()
        for name, array in zip(NAMES, arrays, strict=True):
            tensors[name] = array if name == "keys" else pack(array)
        lines = [templates.line(template) for template in self.templates]
        if self.empty_shares is not None:
            tensors["empty_shares"] = self.empty_shares
        return {
            "visits": weights.visits,
            "n_templates": weights.templates,
            "arc_labels": self.known.arcs.tolist(),
            "root_labels": self.known.root.tolist(),
            "pruned": float(self.pruned),
            **({"sees_case": True} if self.sees_case else {}),
            **passes_to_record(self, lines, None if columns is None else list(columns), tensors),
        }

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """Read a model from its record. The core checks the weights at the end."""
        assert classes is not None
        template_list = templates.parse(lines_from_record(parts), "template_lines")
        compiled = templates.build_templates(template_list)
        check_columns(compiled, n_features)
        arcs, root = (parts.value(name, "numbers of labels", _are_numbers) for name in ("arc_labels", "root_labels"))
        known = Labels(classes, np.array(arcs, dtype=np.int64), np.array(root, dtype=np.int64))
        columns = parts.value("file_columns", "columns of CoNLL-U", _are_columns)
        passes, weights = passes_from_record(parts), _weights_from_record(len(known.actions), parts)
        if weights.templates != len(compiled):
            raise ValueError(f"n_templates: expected {len(compiled)}, as many as there are, found {weights.templates}")
        shares = parts.tensor("empty_shares", (None,), "float64") if parts.has("empty_shares") else None
        return cls(
            parameters,
            known,
            weights,
            template_list,
            compiled,
            **passes,
            pruned=parts.number("pruned"),
            file_columns=None if columns is None else tuple(columns),
            sees_case=parts.has_entry("sees_case") and parts.flag("sees_case"),
            empty_shares=shares,
        )


def weights_of(actions: int, n_templates: int, visits: int, *arrays: Array) -> _core.ParseWeights:
    """The weights with these arrays, in the form of `ParseWeights.arrays`."""
    named = dict(zip(NAMES, arrays, strict=True))
    return _core.parse_weights_of(actions=actions, templates=n_templates, visits=visits, **named)


def bytes_of(weights: _core.ParseWeights) -> int:
    """How many bytes the weights take in a file."""
    arrays: Any = weights.arrays()
    packed = (array if name == "keys" else pack(array) for name, array in zip(NAMES, arrays, strict=True))
    return sum(array.nbytes for array in packed)


def relabel(weights: _core.ParseWeights, labels: Labels, before: Labels) -> _core.ParseWeights:
    """The weights for the same or more labels. Actions keep their order."""
    if len(labels.actions) == len(before.actions):
        return weights
    keys, counts, actions, w, sums = weights.arrays()
    arrays = (keys, counts, labels.action_numbers(before)[actions], w, sums)
    return weights_of(len(labels.actions), weights.templates, weights.visits, *arrays)


def _weights_from_record(n_actions: int, parts: Parts) -> _core.ParseWeights:
    keys = parts.tensor("keys", (None,), "uint64")
    counts = unpack(parts, "counts", len(keys)).astype(np.int32)
    if not ((counts >= 0) & (counts <= n_actions)).all():
        raise ValueError(f"tensor 'counts': expected 0 to {n_actions} cells a row")
    size = int(counts.sum(dtype=np.int64))
    actions, w = (_in_32_bits(name, unpack(parts, name, size)) for name in ("cell_actions", "w"))
    sums = unpack(parts, "sums", size).astype(np.int64)
    n_templates = parts.count("n_templates", 1)
    return weights_of(n_actions, n_templates, parts.count("visits"), keys, counts, actions, w, sums)


def _in_32_bits(name: str, numbers: Array) -> Array:
    if len(numbers) and not (int(numbers.min()) >= -(2**31) and int(numbers.max()) < 2**31):
        raise ValueError(f"tensor {name!r}: expected numbers of 32 bits")
    return numbers.astype(np.int32)


def _are_numbers(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(type(k) is int and 0 <= k < 2**31 for k in value)


def _are_columns(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(column in UNIVERSAL_COLUMNS for column in value))


def with_case(corpus: _core.Corpus) -> _core.Corpus:
    """Put the case and its like beside the universal part of speech, in place of the third column.

    Where a language has no parts of speech of its own, these few features tell most about the tree; all features
    together are too many to be seen often.

    >>> corpus = with_case(as_sentences([[("házat", "NOUN", "NOUN", "Case=Acc|Number=Sing")]]))
    >>> corpus.texts(2), corpus.texts(3)
    (['NOUN|Case=Acc'], ['Case=Acc|Number=Sing'])
    """
    parts, feats = corpus.texts(1), corpus.texts(3)
    both, numbers = np.unique(corpus.tokens(1).astype(np.int64) * len(feats) + corpus.tokens(3), return_inverse=True)
    texts = []
    for part, number in zip(*(each.tolist() for each in np.divmod(both, max(1, len(feats)))), strict=True):
        pairs = [pair for pair in feats[number].split("|") if pair.partition("=")[0] in LIKE_CASE]
        texts.append("|".join([parts[part], *(pair for pair in pairs if not pair.endswith("=None"))]))
    named = list(dict.fromkeys(texts))
    place = {text: k for k, text in enumerate(named)}
    of_both = np.array([place[text] for text in texts], dtype=np.int32)
    columns: list[Any] = list(range(corpus.n_columns))
    columns[2] = named, of_both[numbers]
    return corpus.choose(columns)


def has_parts_twice(corpus: _core.Corpus) -> bool:
    """Whether the third column repeats the second, as it does where a language has no parts of speech of its own."""
    parts = [np.array(corpus.texts(k), dtype=str)[corpus.tokens(k)] for k in (1, 2)]
    return bool((parts[0] == parts[1]).all())


def empty_share(corpus: _core.Corpus, column: int) -> float:
    """The share of words with nothing in a column; 0 if there are no words."""
    empty = np.array([text == NOTHING for text in corpus.texts(column)], dtype=bool)
    return float(empty[corpus.tokens(column)].mean()) if corpus.n_tokens else 0.0


def as_sentences(sentences: Any) -> _core.Corpus:
    """Turn sentences into a corpus with at least four columns.

    A token is a word, or a tuple of up to four columns. If the language-specific part of speech is missing, it is the
    universal one; other missing columns are `_`.

    >>> corpus = as_sentences([[("dogs", "NOUN"), ("bark", "VERB")]])
    >>> [corpus.texts(column) for column in range(corpus.n_columns)]
    [['dogs', 'bark'], ['NOUN', 'VERB'], ['NOUN', 'VERB'], ['_']]
    """
    return with_all_columns(as_corpus(sentences, COLUMNS))


def with_all_columns(corpus: _core.Corpus) -> _core.Corpus:
    """A corpus with at least four columns, from one that may have fewer. See `as_sentences`."""
    if corpus.n_columns >= COLUMNS:
        return corpus
    columns: list[Any] = list(range(corpus.n_columns))
    nothing = ["_"], np.zeros(corpus.n_tokens, dtype=np.int32)
    while len(columns) < COLUMNS:
        columns.append(columns[1] if len(columns) == 2 else nothing)
    return corpus.choose(columns)


def as_heads(heads: Any, corpus: _core.Corpus) -> Array:
    """The heads of all tokens. A ValueError names a sentence that is no tree.

    >>> as_heads([[2, 0]], as_sentences([["dogs", "bark"]])).tolist()
    [2, 0]
    >>> as_heads([[2, 1]], as_sentences([["dogs", "bark"]]))
    Traceback (most recent call last):
    ValueError: heads: word 1 of sentence 0: expected a tree, found a cycle through this word
    """
    listed = list(list_beside(heads, corpus, "heads", "heads"))
    flat = np.array(listed, dtype=None if listed else np.int64)
    if flat.dtype.kind not in "iu" or flat.ndim != 1 or (abs(flat) >= 2**31).any():
        raise TypeError(f"heads: expected whole numbers, found {flat.dtype if flat.ndim == 1 else 'lists of lists'}")
    flat = flat.astype(np.int32)
    if (problem := _core.tree_problem(corpus.starts, flat)) is not None:
        sentence, word, expected, instead = problem
        raise ValueError(f"heads: word {word} of sentence {sentence}: expected {expected}, found {instead}")
    return flat


def by_sentence(values: Array, corpus: _core.Corpus) -> list[list[Any]]:
    """A list for each sentence."""
    listed = values.tolist()
    return [listed[first:last] for first, last in pairwise(corpus.starts.tolist())]
