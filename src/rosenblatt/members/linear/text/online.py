"""A classifier of texts that learns text by text, without end: what words tell is counted as texts come.

The scale of a feature is that of tf-idf over the texts so far, the one to be learned among them. So its weight is
learned on values that change, ever less. Features get their columns in the order in which they come, and weights have
room for further ones. A model that was fitted goes on with its average as the weights, and with variances as small as
its texts have made them: a feature that df of n texts have, with the mean square m of its values there, has
1 / (1 + m df / r).

The log-count ratios of a fitted model (`ratio`) need all texts of each class, which it does not keep. So its scales
stay as they are, and a new feature has the scale of one that a single text has, in classes of equal size.

Its probabilities stay as they were fitted, until a new label comes, since scores hardly change in size. Measured on
texts of 2, 6 and 77 classes, the expected calibration error is .013, .041 and .012 after the fit of half of the texts,
at most .008 larger on the way, and .018, .044 and .013 when the other half has been learned.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import Matrix, SparseRows, as_rows, as_type, side_by_side, sparse
from rosenblatt.members.calibration import Calibration
from rosenblatt.members.linear.model import LinearModel
from rosenblatt.members.linear.online import LinearOnline
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.linear.text.columns import TextColumns, TextRows
from rosenblatt.members.linear.text.encoding import USUAL_CHARS, CountedTexts, Shape, TextEncoding
from rosenblatt.members.linear.text.model import SeveralLabels, TextModel, TextRun
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.members.offered import check_offered

USUAL_R = 1.0  # the strength if none is chosen
PART_SHARE = 0.6  # see core/text/scales.hpp
NEW_RATIO = np.log(2)  # the scale of a new feature where those of the others stay as they are
ROOM = 1024  # for so many features at first


class SeenTexts:
    """The texts of a column so far: how many have each feature, and its column in a row."""

    def __init__(self, shape: Shape) -> None:
        size = shape.core().size
        self.shape, self.n = shape, 0
        self._place, self.texts_with = np.full(size, -1, np.int32), np.zeros(size, np.int32)
        self._ratios = np.empty(0, np.float32)  # of each feature, where a model has learned them

    @classmethod
    def of(cls, encoding: TextEncoding, texts_with: Array, n: int, first: int) -> "SeenTexts":
        """Those that an encoding knows, whose features begin at a column of a row."""
        seen = cls(encoding.shape)
        seen.n = n
        seen._place[encoding.features] = first + np.arange(len(encoding.features))
        seen.texts_with[encoding.features] = texts_with
        if encoding.weighting == "ratio":
            seen._ratios = np.full(len(seen._place), NEW_RATIO, np.float32)
            seen._ratios[encoding.features] = encoding.scales.scales
        return seen

    @property
    def features(self) -> Array:
        """Those that texts had, in ascending order."""
        return np.flatnonzero(self._place >= 0).astype(np.int32)

    def columns(self, features: Array) -> Array:
        return self._place[features].astype(np.int64)

    def scales(self, features: Array, weighting: str) -> Array:
        """The scales of features as they are now."""
        if weighting == "ratio":
            return self._ratios[features].astype(np.float64)
        if weighting != "tfidf":
            return np.ones(len(features))
        return 1 + np.log((1 + self.n) / (1 + self.texts_with[features]))

    def add(self, features: Array, first: int) -> int:
        """A further text, which has each of these features; how many are new, and get the columns from `first` on."""
        self.n += 1
        self.texts_with[features] += 1
        new = features[self._place[features] < 0]
        self._place[new] = first + np.arange(len(new))
        return len(new)

    def row(self, features: Array, counts: Array, weighting: str) -> tuple[Array, Array]:
        """The features of a text that are known, and their values: words, and parts of words, of length one each."""
        known = self._place[features] >= 0
        features, counts = features[known], counts[known]
        values = (1.0 if weighting == "binary" else 1 + np.log(counts)) * self.scales(features, weighting)
        is_part = features >> self.shape.bits != 0
        lengths = [float(np.sqrt((values[part] ** 2).sum())) for part in (~is_part, is_part)]
        share = PART_SHARE if all(lengths) else 1.0
        whole = np.hypot(1, share) if all(lengths) else 1.0
        for part, length, factor in zip((~is_part, is_part), lengths, (1.0, share), strict=True):
            values[part] *= factor / whole / (length or 1.0)
        return features, values


class TextOnline(LinearOnline):
    """A run without end of a classifier of texts, with the parameters of a `TextClassifier`.

    Examples
    --------
    >>> run = TextOnline(TextParameters())
    >>> [answered.label for answered in run.learn(["red rose", "blue sea", "a red one"], ["r", "b", "r"])]
    [None, 'r', 'r']
    >>> run.answer(["the sea"])[0]
    ['b']
    """

    def __init__(
        self,
        parameters: TextParameters,
        before: TextModel | None = None,
        *,
        same_pass: bool = False,
        classes: Any = None,
    ) -> None:
        r = parameters.r if parameters.r != "auto" else USUAL_R if before is None else before.r
        self.texts, self._r = parameters, float(r)
        chosen = "tfidf" if parameters.weighting == "auto" else parameters.weighting
        self._weighting = chosen if before is None else before.weighting
        check_offered(parameters, "endless")
        if isinstance(before, SeveralLabels):
            raise ValueError("expected a model of one label a text to learn text by text, found one of several labels")  # noqa: TRY004 - of a file
        if before is None and self._weighting == "ratio":
            raise ValueError(
                "weighting: expected tfidf, log or binary to learn text by text from nothing, found ratio, which needs "
                "all texts of each class: call fit first"
            )
        self._names = [""] if before is None else before.encoding.names
        self._seen = list[SeenTexts]()
        self._n_others, self._n_taken, self._room = 0, 0, 0
        perceptron = replace(parameters.perceptron(self._r), readout="average", max_iter=1)
        linear = None if before is None else self._linear(before, perceptron)
        super().__init__(perceptron, linear, same_pass=same_pass, classes=classes)
        self._fitted = before if parameters.probabilities else None

    @property
    def calibration(self) -> Calibration | None:
        """That of the fitted model, as long as no new label has come."""
        if self._fitted is None or len(self._fitted.classes) < len(self._classes):
            return None
        return self._fitted.calibration

    def _linear(self, before: TextModel, perceptron: Any) -> LinearModel:
        """The run that a model of texts has come from, or one that could have been."""
        counted, columns, n = before.counted, before.encoding, before.n_seen
        texts_with = [_texts_with(encoding, n) for encoding in columns.encodings]
        if counted is not None:
            texts_with = counted.texts_with
        self._seen = list(map(SeenTexts.of, columns.encodings, texts_with, [n] * len(texts_with), columns.starts))
        self._n_others, self._n_taken, self._room = columns.n_others, before.n_features, before.n_features
        state = counted.state if counted is not None else _state_of(before, texts_with, self._r)
        counts = before.n_features, before.n_seen, before.n_updates, before.passes
        return LinearModel(perceptron, before.classes, state, *counts)

    def _take(self, X: Any) -> Matrix:
        """Rows with what is new in them, so that they have columns, counted text by text."""
        rows = TextRows.of(X)
        if not self._seen:
            self._n_others = 0 if rows.others is None else rows.others.shape[1]
            self._n_taken = self._n_others
            self._names = self._names if len(rows.texts) == len(self._names) else [""] * len(rows.texts)
            chars = USUAL_CHARS if self.texts.chars == "auto" else self.texts.chars
            shape = Shape(self.texts.bits, self.texts.ngrams, chars)
            self._seen = [SeenTexts(shape) for _ in rows.texts]
        return super()._take(self._encode(rows, learn=True))

    def _encode(self, rows: TextRows, *, learn: bool) -> SparseRows:
        columns = list[tuple[SeenTexts, Array, Array, Array]]()
        for seen, texts in zip(self._seen, rows.texts, strict=True):
            reader = _core.TextFeatures(seen.shape.core())
            reader.add(texts)
            columns.append((seen, *reader.take()))
        values, indices, lengths = list[Array](), list[Array](), np.zeros(len(rows), np.int64)
        for k in range(len(rows)):
            for seen, counts, features, starts in columns:
                of_text = features[starts[k] : starts[k + 1]]
                if learn:
                    self._n_taken += seen.add(of_text, self._n_taken)
                known, of_row = seen.row(of_text, counts[starts[k] : starts[k + 1]].astype(np.float64), self._weighting)
                values.append(of_row)
                indices.append(seen.columns(known))
                lengths[k] += len(known)
        if self._n_taken > self._room:
            self._room = self._n_taken * 5 // 4 + ROOM
        starts = np.concatenate([[0], np.cumsum(lengths)])
        data = np.concatenate([*values, np.empty(0)]).astype(np.float32)
        X = SparseRows(data, np.concatenate([*indices, np.empty(0, np.int64)]).astype(np.int64), starts, self._room)
        if rows.others is None:
            return X
        others = as_type(as_rows(rows.others), np.float32)
        others = others if isinstance(others, SparseRows) else sparse(others)
        both = side_by_side([others, X])
        of_texts = both.indices >= self._n_others
        return replace(both, indices=both.indices - of_texts * self._n_others, n_columns=self._room)

    def decision(self, X: Any) -> Array:
        return super().decision(X if isinstance(X, SparseRows) else self._encode(TextRows.of(X), learn=False))

    def model(self) -> TextModel:  # type: ignore[override]
        """The model so far, which can learn on exactly."""
        return self._model_of([seen.features for seen in self._seen])

    def model_for(self, rows: TextRows) -> TextModel:
        """The model so far with the features of these rows alone: small, and these it answers as the whole one does."""
        parts = [CountedTexts(seen.shape, texts).parts for seen, texts in zip(self._seen, rows.texts, strict=True)]
        features = [np.unique(of_texts) for _, of_texts, _ in parts]
        return self._model_of([some[seen.columns(some) >= 0] for seen, some in zip(self._seen, features, strict=True)])

    def _model_of(self, of_columns: list[Array]) -> TextModel:
        """The model of these features of each column of text."""
        if self._state is None:
            raise ValueError("expected an example to learn from before there is a model, found none")
        encodings, order = list[TextEncoding](), [np.arange(self._n_others)]
        for seen, features in zip(self._seen, of_columns, strict=True):
            scales = seen.scales(features, self._weighting).astype(np.float32)
            encodings.append(TextEncoding.of_arrays(seen.shape, self._weighting, features, scales))
            order.append(seen.columns(features))
        rows = np.concatenate([*order, [len(self._state.w) - 1]]).astype(np.int64)
        arrays = {name: getattr(self._state, name) for name in ("w", "spread", "sums")}
        # plus 0, because a room for features that was there when a class came has zeros of another sign
        of_model: dict[str, Any] = {name: array[rows] + array.dtype.type(0) for name, array in arrays.items()}
        state = self._state.with_changes(**of_model)
        counts = len(rows) - 1, self._n_seen, self._n_updates, [*self._passes], None
        linear = self._member.model(state, self._classes, *counts)
        texts_with = [seen.texts_with[some] for seen, some in zip(self._seen, of_columns, strict=True)]
        columns = TextColumns(list(self._names), encodings, self._n_others)
        weights = np.asarray(linear.weights("average")) + np.float32(0)
        model = TextModel.build(self.texts, columns, weights.astype(np.float32), linear, self._r, self.calibration)
        model.counted = TextRun(state, texts_with)
        return model


def _texts_with(encoding: TextEncoding, n: int) -> Array:
    """How many of n texts have each feature, as its scale tells; any number where the scale does not depend on it."""
    if encoding.weighting != "tfidf":
        return np.ones(len(encoding.features), np.int32)
    scales = encoding.scales.scales.astype(np.float64)
    return np.maximum(np.rint((1 + n) / np.exp(scales - 1) - 1), 1).astype(np.int32)


def _state_of(model: TextModel, texts_with: Sequence[Array], r: float) -> LinearState:
    """A state that goes on from the weights of a model, with variances for the rows that it has seen."""
    w = np.array(model.state.w, np.float32)
    spread = np.ones_like(w)
    spread[: model.encoding.n_others] = 1 / (1 + model.n_seen / r)
    for encoding, df, start in zip(model.encoding.encodings, texts_with, model.encoding.starts, strict=True):
        squares = encoding.scales.scales.astype(np.float64) ** 2
        mean = squares * model.n_seen / max(float((df * squares).sum()), 1e-300)
        spread[start : start + len(df)] = (1 / (1 + mean * df / r))[:, np.newaxis]
    spread[-1] = 1 / (1 + model.n_seen / r)
    empty = LinearState.begin(
        w, model.state.n_machines, model.state.bias, 1.0, step="arow", readout="average", keep_mistakes=False
    )
    return empty.with_changes(spread=spread.astype(np.float32), start=None)
