"""How a classifier of texts learns: the texts become rows once, and AROW learns from them.

This file chooses what the user does not choose. Measured on texts of a few words to some pages, with 2 to 77 classes:
rows of tf-idf with 2-grams (log-count ratios for two classes), and n-grams of characters for short texts, were the best
or equally good everywhere. The mean of the weights after each of three passes is level with five passes in which all
weights are averaged: at most .002 apart, also where a quarter of the labels are wrong; there, the last weights alone
lose up to .02. The strength r hardly matters if labels are right, and changes the accuracy by 4 to 8 points if a
quarter of them are wrong. So r is chosen on held-out texts, by the likelihood of their labels, because likelihood has
one maximum and finds a better r than the number of mistakes, which is small on few texts. The same run gives the
probabilities.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import Matrix, SparseRows, core_rows, score, zero_weights
from rosenblatt.members.calibration import ENOUGH as ENOUGH_LEFT_OUT
from rosenblatt.members.calibration import Calibration, left_out
from rosenblatt.members.fit import fit
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.linear.text.columns import CountedRows, TextColumns, TextRows
from rosenblatt.members.linear.text.encoding import Shape
from rosenblatt.members.linear.text.hapaxes import MergedRows
from rosenblatt.members.linear.text.model import SeveralLabels, TextModel
from rosenblatt.members.linear.text.packed import pack
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.members.linear.text.several import (
    EachLabel,
    LabelSets,
    best_threshold,
    choose_thresholds,
    f1_of,
    has_several,
)
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import random_state
from rosenblatt.members.rows import Order, Visits, WeightedRows
from rosenblatt.members.run import Watch
from rosenblatt.members.stopping import End

STRENGTHS = (0.5, 2.0, 8.0, 32.0)
ENOUGH = 6_000  # texts for the choice of a strength, if there are more than twice as many
LEFT_OUT = 50  # texts from which thresholds can be chosen; with fewer, they are 0
SLOPE = 4.0  # of probabilities, where nothing is known of it
NAMED = 20  # the heaviest features of each class, whose words the model keeps


@dataclass(frozen=True)
class TextMember(LinearMember):
    """The perceptron over rows of texts, where no row has a feature twice, because the core wrote them.

    Its answer is the mean of the weights after each pass, which takes a sum a pass. The mean after each visit, which
    is level, takes another number of twice the size beside each weight.
    """

    after_passes: list[Array] = field(default_factory=list)  # the sum of the weights after each pass

    def visit(self, state: LinearState, rows: WeightedRows, order: Order) -> Visits:
        """Make passes, and add the weights after each of them to the sum."""
        parts = list[Visits]()
        for number in range(order.passes):
            of_pass = order._replace(first_pass=order.first_pass + number, passes=1)
            parts.append(super().visit(state, rows, of_pass))
            if self.after_passes:
                self.after_passes[0] += state.w
            else:
                self.after_passes.append(state.w.copy())
            if not parts[-1].mistakes[-1]:
                break
        mistakes, losses, updates = zip(*parts, strict=True)
        return Visits(np.concatenate(mistakes), np.concatenate(losses), sum(updates))

    def take_mean(self, state: LinearState, n_passes: int) -> None:
        """Make the mean of the weights after each of these passes those of the state."""
        np.divide(self.after_passes.pop(), np.float32(n_passes), out=state.w)

    def take_rows(self, X: Matrix) -> Matrix:
        """Return the rows unchanged."""
        return X


def fit_text(
    parameters: TextParameters,
    X: Any,
    y: Any,
    *,
    names: Sequence[str] = ("",),
    watch: Watch | None = None,
) -> tuple[TextModel, End]:
    """Learn from all rows: texts, or `TextRows` with the names of their columns of text.

    Return the model, and why the run ended.
    """
    p, rows = parameters, TextRows.of(X)
    if p.label_separator is not None or has_several(y):
        return _fit_several(p, list(names), rows, LabelSets.of(y, p.label_separator))
    training = _Training.of(p, list(names), rows, y)
    r, calibration = training.choose()
    encoding, merged, linear, end = training.learn(r, watch)
    small, packed = pack(p.max_size, encoding, linear.state.w, linear.state.n_machines, NAMED, merged)
    model = TextModel.build(p, small, packed, linear, r, calibration)
    model.left_out = len(encoding) - len(small)
    del linear, merged, encoding  # of many classes its state is several times as large as the weights that answer
    if model.left_out and p.max_size != TextParameters.max_size:
        model.cost = training.cost(r)
    model.words = small.words_of(lambda: [rows], model.heaviest(NAMED))
    return model, end


def _fit_several(
    parameters: TextParameters, names: list[str], rows: TextRows, sets: LabelSets
) -> tuple[TextModel, End]:
    """Learn a binary perceptron for each label, over the same rows."""
    p = parameters
    if len(sets.has) != len(rows):
        raise ValueError(f"y: expected {len(rows)} lists of labels, one a text, found {len(sets.has)}")
    if len(sets.labels) < 2:
        raise ValueError(f"TextClassifier needs at least 2 labels, found {sets.labels.tolist()}")
    if p.class_weight is not None or p.weighting == "ratio":
        raise ParameterError("class_weight, weighting: expected neither weights nor 'ratio' with several labels a text")
    counted = CountedRows([Shape.of(p, texts) for texts in rows.texts], rows)
    tfidf = replace(p, weighting="tfidf") if p.weighting == "auto" else p
    training = _Training(tfidf, names, counted, np.append(sets.labels, ""), sets.rarest())
    r, scores, out = training.choose_for(sets)
    encoding, merged, w, passes = training.learn_labels(np.arange(len(rows)), sets, r)
    calibration = None
    if len(out) >= LEFT_OUT:
        thresholds = choose_thresholds(scores, sets.has[out])
        w[-1, : len(thresholds)] -= thresholds  # the constant feature is 1
        if p.probabilities:
            cells = Calibration.fit((scores - thresholds).ravel(), sets.has[out].ravel().astype(np.int32))
            calibration = EachLabel(cells.knots, cells.slopes)
    elif p.probabilities:
        calibration = EachLabel((), (SLOPE,))
    small, packed = pack(p.max_size, encoding, w, len(sets.labels), NAMED, merged)
    state = LinearState(packed.unpack(), len(sets.labels), 1.0)
    counts = len(small), len(rows), int(sum(passes)), passes
    learned: Any = {"encoding": small, "packed": packed, "r": r, "calibration": calibration}
    model = SeveralLabels(p, sets.labels, state, *counts, left_out=len(encoding) - len(small), **learned)
    model.words = small.words_of(lambda: [rows], model.heaviest(NAMED))
    return model, "clean" if passes[-1] == 0 else "limit"


def choose(parameters: TextParameters, rows: TextRows, y: Any) -> tuple[float, Calibration | None]:
    """The strength that is best for these rows and, if probabilities are asked for, what scores are worth."""
    check_offered(parameters, "stream")
    return _Training.of(parameters, [""] * len(rows.texts), rows, y).choose()


class _Learned(NamedTuple):
    encoding: TextColumns
    merged: MergedRows
    model: LinearModel
    end: End


class _Split(NamedTuple):
    X: SparseRows
    rows: Array
    X_out: SparseRows
    out: Array  # rows that the run leaves out, whose labels it learns


class _Judgement(NamedTuple):
    decision: Array  # of texts that were left out
    target: Array

    @property
    def loss(self) -> float:
        """Minus the log-likelihood of their labels."""
        p = Calibration.line(self.decision, self.target, SLOPE).probabilities(self.decision)
        return -float(np.log(np.maximum(p[np.arange(len(p)), self.target], 1e-300)).sum())


@dataclass(frozen=True)
class _Training:
    parameters: TextParameters
    names: list[str]  # of the columns of text
    counted: CountedRows
    classes: Array
    target: Array

    @classmethod
    def of(cls, parameters: TextParameters, names: list[str], rows: TextRows, y: Any) -> "_Training":
        """Count the features of the rows, and number their labels."""
        classes, target = encode(y)
        if len(target) != len(rows):
            raise ValueError(f"y: expected {len(rows)} labels, one a text, found {len(target)}")
        if len(classes) < 2:
            only = classes.tolist()
            raise ValueError(f"TextClassifier needs at least 2 classes, got samples of only one class: {only}")
        counted = CountedRows([Shape.of(parameters, texts) for texts in rows.texts], rows)
        return cls(parameters, names, counted, classes, target)

    def choose(self) -> tuple[float, Calibration | None]:
        """The strength and, if probabilities are asked for, what the scores of such a run are worth."""
        r, judged = self.choose_strength()
        return r, self.calibration(r, judged) if self.parameters.probabilities else None

    def encoding(self, rows: Array) -> TextColumns:
        """What these rows tell of their texts."""
        weighting = self.parameters.weighting
        encoding = TextColumns.learn(self.names, self.counted, rows, self.target[rows], len(self.classes), weighting)
        if len(encoding) == encoding.n_others:
            raise ValueError("X: expected a text with a word, found none")
        return encoding

    def prepare(self, rows: Array) -> tuple[TextColumns, MergedRows]:
        """What these rows tell, and the rows as they are learned from."""
        encoding = self.encoding(rows)
        return encoding, MergedRows.of(encoding.rows_of(self.counted, rows))

    def run(self, X: SparseRows, rows: Array, r: float, watch: Watch | None = None) -> tuple[LinearModel, End]:
        """Learn from these rows."""
        member = TextMember(self.parameters.perceptron(r))
        model, end = fit(member, X, self.classes[self.target[rows]], watch=watch)
        member.take_mean(model.state, len(model.passes))
        return model, end

    def learn(self, r: float, watch: Watch | None) -> _Learned:
        """From all texts."""
        everything = np.arange(len(self.target))
        encoding, merged = self.prepare(everything)
        return _Learned(encoding, merged, *self.run(merged.X, everything, r, watch))

    def choose_strength(self) -> tuple[float, "_Judgement | None"]:
        """Weaker steps as long as that makes labels of texts left out more likely; the judgement, if of all texts."""
        n, r = len(self.target), self.parameters.r
        rows = np.arange(n)
        if r != "auto":
            return float(r), None
        if n > 2 * ENOUGH:
            rows = np.sort(random_state(self.parameters.random_state).permutation(n)[:ENOUGH])
            rows = rows if len(np.unique(self.target[rows])) > 1 else np.arange(n)
        parts = next(self.splits(rows), None)
        if parts is None:
            return STRENGTHS[0], None
        split = self.split(*parts)
        best, judged = STRENGTHS[0], self.judge(split, STRENGTHS[0])
        for weaker in STRENGTHS[1:]:
            judgement = self.judge(split, weaker)
            if judgement.loss >= judged.loss:
                break
            best, judged = weaker, judgement
        return best, judged if len(rows) == n else None

    def calibration(self, r: float, judged: "_Judgement | None") -> Calibration:
        """By runs of this strength that leave out texts, until there are enough of them; the first may be judged."""
        judgements = list[_Judgement]()
        for parts in self.splits(np.arange(len(self.target))):
            judgements.append(judged if judged and not judgements else self.judge(self.split(*parts), r))
            if sum(len(judgement.target) for judgement in judgements) >= ENOUGH_LEFT_OUT:
                break
        if not judgements:
            return Calibration((), (SLOPE,))
        decisions, targets = zip(*((judgement.decision, judgement.target) for judgement in judgements), strict=True)
        return Calibration.fit(np.concatenate(decisions), np.concatenate(targets))

    def choose_for(self, sets: LabelSets) -> tuple[float, Array, Array]:
        """The strength with the largest F1 on texts that were left out; the scores of such texts, and their numbers."""
        splits, scores, rows = self.splits(np.arange(len(self.target))), list[Array](), list[Array]()
        best, highest = STRENGTHS[0] if self.parameters.r == "auto" else float(self.parameters.r), -1.0
        for learned, out in splits:
            if not scores:
                for r in STRENGTHS if self.parameters.r == "auto" else (best,):
                    judged = self._scores_without(learned, out, sets, r)
                    answers = judged > best_threshold(judged.ravel(), sets.has[out].ravel())
                    if (f1 := f1_of(answers, sets.has[out])[0]) <= highest:
                        break
                    best, highest, scores = r, f1, [judged]
            else:
                scores.append(self._scores_without(learned, out, sets, best))
            rows.append(out)
            if sum(map(len, rows)) >= ENOUGH_LEFT_OUT:
                break
        if not rows:
            return best, np.empty((0, len(sets.labels))), np.empty(0, dtype=np.int64)
        return best, np.concatenate(scores), np.concatenate(rows)

    def _scores_without(self, learned: Array, out: Array, sets: LabelSets, r: float) -> Array:
        encoding, merged, w, _ = self.learn_labels(learned, sets, r)
        X = core_rows(merged.rows(encoding.rows_of(self.counted, out)), check=False)
        return score(X, w, len(sets.labels), 1.0)

    def learn_labels(self, rows: Array, sets: LabelSets, r: float) -> tuple[TextColumns, MergedRows, Array, list[int]]:
        """A binary perceptron for each label, from these texts alone; its updates by passes are summed."""
        encoding = self.encoding(rows)
        merged = MergedRows.of(encoding.rows_of(self.counted, rows))
        w = zero_weights(merged.X.n_columns, len(sets.labels), np.float32)
        passes = list[int]()
        for k in range(len(sets.labels)):
            has = sets.has[rows, k]
            if has.all() or not has.any():
                w[-1, k] = 1.0 if has.all() else -1.0
                continue
            member = TextMember(self.parameters.perceptron(r))
            model, _ = fit(member, merged.X, has.astype(np.int8))
            member.take_mean(model.state, len(model.passes))
            w[:, k] = model.state.w[:, 0]
            passes += [0] * (len(model.passes) - len(passes))
            for number, updates in enumerate(model.passes):
                passes[number] += updates
        return encoding, merged, w, passes or [0]

    def cost(self, r: float) -> float | None:
        """By how much the accuracy falls because of the size of the model, for texts that a run leaves out."""
        parts = next(self.splits(np.arange(len(self.target))), None)
        if parts is None:
            return None
        encoding, merged = self.prepare(parts[0])
        full, _ = self.run(merged.X, parts[0], r)
        rows, target = encoding.rows_of(self.counted, parts[1]), self.classes[self.target[parts[1]]]
        small, packed = pack(self.parameters.max_size, encoding, full.state.w, full.state.n_machines, NAMED, merged)
        model = TextModel.build(self.parameters, small, packed, full, r, None)
        answers = model.labels_of(model.decision_of(small.rows_of(self.counted, parts[1])))
        return float(np.mean(full.predict(merged.rows(rows)) == target) - np.mean(answers == target))

    def splits(self, rows: Array) -> Iterator[tuple[Array, Array]]:
        """Texts to learn from, and texts to judge by, of these."""
        random = random_state(deepcopy(self.parameters.random_state))
        return ((rows[learned], rows[out]) for learned, out in left_out(self.target[rows], random))

    def split(self, rows: Array, out: Array) -> _Split:
        """Make the rows of texts that are learned and of those that judge."""
        encoding, merged = self.prepare(rows)
        return _Split(merged.X, rows, merged.rows(encoding.rows_of(self.counted, out)), out)

    def judge(self, split: _Split, r: float) -> "_Judgement":
        """Score texts that a run has not learned from."""
        model, _ = self.run(split.X, split.rows, r)
        target = np.searchsorted(model.classes, self.classes[self.target[split.out]])
        return _Judgement(model.decision(split.X_out), target)
