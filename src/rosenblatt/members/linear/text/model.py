"""A trained classifier of texts: how texts become rows, the weights of their features, and how it answers."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.labels import count_machines
from rosenblatt.base.record.parts import MOST, Parts, Tensors, matrix, put_matrix
from rosenblatt.base.rows import SparseRows, core_rows, core_weights, score, sparse
from rosenblatt.members.advice import PYTHON, Voice, more_passes, still
from rosenblatt.members.calibration import (
    CALIBRATED,
    Calibration,
    calibration_from_record,
    calibration_to_record,
)
from rosenblatt.members.linear.model import LinearModel, restore_state, take_state
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.linear.text.columns import TextColumns, TextRows
from rosenblatt.members.linear.text.packed import PackedWeights
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.members.linear.text.reasons import Reasons
from rosenblatt.members.linear.text.several import EachLabel
from rosenblatt.members.model import Classifier


class TextRun(NamedTuple):
    """What a model that learns text by text goes on with: the state of its run, and in how many texts features are."""

    state: LinearState
    texts_with: list[Array]  # of each column of text


@dataclass
class TextModel(Classifier):
    """A trained classifier of texts. Its state has only the weights that answer, and nothing else of the run."""

    kind: ClassVar[str] = "TextClassifier"
    conventions: ClassVar[str] = (
        "rosenblatt.plain_text has how a text becomes features and a row; a row has the features of other columns, and "
        "for each column of texts those of texts.n.features: ascending numbers, of each how far it is from the number "
        "after the one before, seven bits a byte, the lowest first, the highest bit set if more follow; scales: "
        "texts.n.scales, by texts.n.scale_of if it is there; words are those of the columns words.columns of a row; "
        "weights of other columns and, last, of the constant feature: weights.others, of one row for two classes, "
        "positive for the second, else one a class; weights of texts: with one row weights.numbers; else where "
        "weights.marks has a bit, the lowest first, the next number of weights.numbers, two in a byte, the lower half "
        "first, less 8, times 2^(weights.units / 8 - 24); of a model that goes on text by text, all weights are one "
        "matrix, weights; score = x.w + weight of the constant feature; "
        f"{CALIBRATED}; several: one row of weights a class, each of which is an answer where its score is over 0, "
        "with the probability 1 / (1 + exp(-g(s)))"
    )
    n_classes: ClassVar[tuple[int, float]] = (1, float("inf"))
    state: LinearState
    encoding: TextColumns = field(kw_only=True)
    packed: PackedWeights | None = field(kw_only=True, default=None)  # the weights of the state, as a file has them
    left_out: int = field(kw_only=True, default=0)  # features, because the size of the model is limited, ...
    cost: float | None = field(kw_only=True, default=None)  # ... and by how much the accuracy fell, if it was asked for
    r: float = field(kw_only=True)
    counted: "TextRun | None" = field(kw_only=True, default=None)
    words: dict[int, str] = field(kw_only=True, default_factory=dict)  # of the columns that change scores most

    @classmethod
    def build(
        cls,
        parameters: TextParameters,
        encoding: TextColumns,
        weights: PackedWeights | Array,
        linear: LinearModel,
        r: float,
        calibration: Calibration | None,
    ) -> Self:
        """What a run over the rows of texts has left."""
        packed = weights if isinstance(weights, PackedWeights) else None
        w = weights.unpack() if isinstance(weights, PackedWeights) else weights
        state = LinearState(w, linear.state.n_machines, linear.state.bias)
        return cls(
            parameters,
            linear.classes,
            state,
            len(encoding),
            linear.n_seen,
            linear.n_updates,
            linear.passes,
            encoding=encoding,
            packed=packed,
            r=r,
            calibration=calibration,
        )

    @property
    def n_given(self) -> int:
        return self.encoding.n_others

    @property
    def given_texts(self) -> list[str]:
        return self.encoding.names

    def rows(self, X: Any) -> SparseRows:
        """Of `TextRows`, or of texts if the model knows nothing else."""
        return self.encoding.rows(TextRows.of(X))

    def decision(self, X: Any) -> Array:
        return self.decision_of(self.rows(X))

    def decision_of(self, rows: SparseRows) -> Array:
        """The scores of rows of features."""
        decision = score(core_rows(rows, check=False), self.state.w, self.state.n_machines, self.state.bias)
        return decision[:, 0] if self.state.n_machines == 1 else decision

    def top(self, X: Any, k: int) -> list[list[tuple[Any, float]]]:
        """The k best labels of each text, best first, with their probabilities, or their scores if there are none."""
        return self.best(self.decision(X), k)

    def explain(self, text: str, label: Any = None) -> Reasons:
        """What each word of a text adds to the score of a label. The default is the label of the answer.

        A feature of several words is shared among them, so all shares and the constant feature add up to the score.
        """
        return self.explain_row(TextRows.of([text]), label)[0][0]

    def explain_row(self, row: TextRows, label: Any = None) -> tuple[list[Reasons], list[tuple[int, float]]]:
        """The same for the texts of one row, with what the features of other columns add, by their numbers."""
        X, number, one_row = self.rows(row), self._number_of(row, label), self.state.n_machines == 1
        weights = self.state.w[X.indices, 0 if one_row else number] * (-1 if one_row and number == 0 else 1)
        added, answer = (X.data * weights).astype(np.float64), self.classes.tolist()[number]
        reasons = list[Reasons]()
        for texts, encoding, start in zip(row.texts, self.encoding.encodings, self.encoding.starts, strict=True):
            here = (X.indices >= start) & (X.indices < start + len(encoding.features))
            reasons.append(Reasons(texts[0], answer, encoding.reasons(texts[0], X.indices[here] - start, added[here])))
        others = X.indices < self.encoding.n_others
        return reasons, list(zip(X.indices[others].tolist(), added[others].tolist(), strict=True))

    def heaviest(self, most: int) -> Array:
        """The features of words that change the scores most, `most` for each row of weights, as columns of a row."""
        scales = self.encoding.scales.copy()
        scales[: self.encoding.n_others] = 0
        for start, encoding in zip(self.encoding.starts, self.encoding.encodings, strict=True):
            words = int(np.searchsorted(encoding.features, 1 << encoding.shape.bits))
            scales[start + words : start + len(encoding.features)] = 0  # parts of words
        features: Array = _core.heaviest(self.state.w, self.state.n_machines, scales, most)
        return features

    def _pulls(self, columns: Array, row: int) -> Array:
        """How much each feature changes a score, before the features of a text are scaled to length one."""
        return np.asarray(self.state.w[columns, row] * self.encoding.scales[columns])

    def largest_weights(
        self, top: int, names_of: Callable[[list[int]], list[str]] = lambda _: []
    ) -> list[tuple[Any, float, list[tuple[str, float]]]]:
        """For each row of weights its class, the constant, and what changes its score most, sorted by size.

        These are words and, by the names that `names_of` gives, features of other columns.
        """
        several = len(self.encoding.names) > 1
        others = list(range(self.encoding.n_others))
        words = {
            k: f"{self.encoding.column_of(k)}: {word}" if several else word for k, word in sorted(self.words.items())
        }
        names = dict(zip(others, names_of(others), strict=True)) | words
        columns = np.array(list(names), dtype=np.int64)
        constants = self.state.w[-1, : self.state.n_machines] * self.state.bias
        labels = self.classes.tolist()
        rows = list[tuple[Any, float, list[tuple[str, float]]]]()
        for row, (label, constant) in enumerate(zip(labels[-self.state.n_machines :], constants.tolist(), strict=True)):
            of_row = self._pulls(columns, row)
            order = np.argsort(-np.abs(of_row), kind="stable")[:top]
            rows.append((label, constant, [(names[int(columns[k])], float(of_row[k])) for k in order if of_row[k]]))
        return rows

    def _number_of(self, row: TextRows, label: Any) -> int:
        labels = self.classes.tolist()
        answer = self.predict(row)[0] if label is None else label
        if answer not in labels:
            raise ValueError(f"label: expected one of {', '.join(map(repr, labels))}, found {label!r}")
        return int(labels.index(answer))

    @property
    def weighting(self) -> str:
        return self.encoding.weighting

    @property
    def chars(self) -> int:
        """The maximum characters of n-grams from 3 on; 0: none."""
        return max(encoding.shape.chars for encoding in self.encoding.encodings)

    def facts(self) -> dict[str, Any]:
        ngrams = self.encoding.encodings[0].shape.ngrams
        chosen = {"ngrams": ngrams, "chars": self.chars, "weighting": self.weighting, "r": self.r}
        cost = {"left_out": self.left_out, "cost": self.cost} if self.left_out else {}
        return {**super().facts(), **chosen, **cost}

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """The advice for a run that ended with mistakes, which is normal for texts."""
        return f"{still(self.passes, 'updates')}: {more_passes(voice, self.passes)}"

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """Write the model into a record, without the zeros: with many classes most weights are 0."""
        if self.packed is not None:
            self.packed.to_record(tensors)
        else:
            weights = self.state.w[:, : self.state.n_machines]
            few = 2 * np.count_nonzero(weights) < weights.size
            X = _with_short_indices(sparse(weights)) if few else np.ascontiguousarray(weights)
            put_matrix(tensors, "weights", X)
        tensors["mistakes_"] = self.mistakes
        tensors["words.columns"] = np.array(list(self.words), dtype=np.int32)
        counts: dict[str, Any] = {"n_seen": int(self.n_seen), "n_updates": int(self.n_updates), "r": float(self.r)}
        counts |= {"words": list(self.words.values()), "left_out": self.left_out, "cost": self.cost}
        counts |= {} if self.counted is None else {"counted": _counted_to_record(self.counted, tensors)}
        return {"texts": self.encoding.to_record(tensors), **counts, **calibration_to_record(self)}

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        assert classes is not None
        several = parts.has_entry("several")
        if several:
            parts.value("several", "true", lambda value: value is True)
            cls = SeveralLabels  # type: ignore[assignment]
        n_machines = len(classes) if several else count_machines(len(classes))
        encoding = TextColumns.from_record(parts.value("texts", "columns", bool), None, parts, n_features)
        n_texts = n_features - encoding.n_others
        packed = None
        if parts.has("weights.others"):
            packed = PackedWeights.from_record(n_texts, encoding.n_others, n_machines, parts)
            w = packed.unpack()
        else:
            weights = matrix(parts, "weights", n_features + 1, n_machines, ("float32",))
            dense = weights.toarray() if isinstance(weights, SparseRows) else weights
            w = core_weights(dense[:-1].T, dense[-1], 1.0)
        passes = parts.integers("mistakes_", None, "int64", below=MOST).tolist()
        if not passes:
            raise ValueError("tensor 'mistakes_': expected those of at least one pass, found none")
        state = LinearState(w, n_machines, 1.0)
        seen, updates, r = parts.count("n_seen", least=1), parts.count("n_updates"), parts.number("r")
        calibration = calibration_from_record(parts)
        texts = parts.value("words", "a list of texts", _are_texts)
        columns = parts.integers("words.columns", len(texts), "int32", below=n_features)
        if len(set(columns.tolist())) < len(columns) or (columns < encoding.n_others).any():
            raise ValueError("tensor 'words.columns': expected columns of words, each once")
        words = dict(zip(columns.tolist(), texts, strict=True))
        if several and calibration is not None:
            calibration = EachLabel(calibration.knots, calibration.slopes)
        counted = _counted_from_record(encoding, n_machines, seen, parts) if parts.has_entry("counted") else None
        learned: Any = {"encoding": encoding, "packed": packed, "calibration": calibration, "words": words}
        learned |= {"r": r, "counted": counted, "left_out": parts.count("left_out")}
        learned["cost"] = parts.value("cost", "a share, or null", _is_share)
        return cls(parameters, classes, state, n_features, seen, updates, passes, **learned)


class SeveralLabels(TextModel):
    """A classifier that answers with any number of labels: those whose scores, less their thresholds, are over 0."""

    @property
    def separator(self) -> str:
        """What is between labels where they are written as one text."""
        return self.parameters.label_separator or " "

    def decision_of(self, rows: SparseRows) -> Array:
        return score(core_rows(rows, check=False), self.state.w, self.state.n_machines, self.state.bias)

    def labels_of(self, decision: Array) -> Array:
        """A list of labels for each row."""
        return self.lists_of(decision > 0)

    def lists_of(self, is_answer: Array) -> Array:
        """A list of those labels for each row."""
        labels = np.empty(len(is_answer), dtype=object)
        for row, answers in enumerate(is_answer):
            labels[row] = self.classes[answers].tolist()
        return labels

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        return {**super().to_record(tensors), "several": True}

    def _number_of(self, row: TextRows, label: Any) -> int:
        return int(self.decision(row)[0].argmax()) if label is None else super()._number_of(row, label)


def _counted_to_record(counted: TextRun, tensors: Tensors) -> dict[str, Any]:
    of_state = Tensors()
    record = take_state(counted.state, of_state)
    tensors |= {f"counted.{name}": tensor for name, tensor in of_state.items()}
    tensors |= {f"counted.texts_with.{k}": texts_with for k, texts_with in enumerate(counted.texts_with)}
    return record


def _counted_from_record(columns: TextColumns, n_machines: int, n_seen: int, parts: Parts) -> TextRun:
    record = parts.value("counted", "the state of a run", lambda value: isinstance(value, dict))
    of_state = parts.of(record, "counted.")
    texts_with = [
        of_state.integers(f"texts_with.{k}", len(encoding.features), "int32", below=n_seen + 1)
        for k, encoding in enumerate(columns.encodings)
    ]
    state = restore_state(len(columns), n_machines, n_seen, of_state)
    of_state.end()
    return TextRun(state, texts_with)


def _with_short_indices(X: SparseRows) -> SparseRows:
    return replace(X, indices=X.indices.astype(np.int32), indptr=X.indptr.astype(np.int32))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_share(value: Any) -> bool:
    return value is None or (isinstance(value, float) and -1 <= value <= 1)
