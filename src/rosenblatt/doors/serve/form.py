"""The form of the examples of a model, and the check of each before it is logged: every logged example can be learned.

Requests are checked in the order in which they will be learned, because the first of them fixes the width of rows, and
whether labels are texts or numbers.
"""

import asyncio
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, Protocol

import msgspec

from rosenblatt.base.rows import SparseRows
from rosenblatt.doors.serve.answers import RefusalError, wrong
from rosenblatt.doors.serve.configuration import Configuration, Label, check_label
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.rows import CellRows, Many, NumberRows, SentenceRows, TextsOfRows, check_texts
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.online_run import OnlineRun
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.records.model_file import Stored

_ENCODE = msgspec.json.Encoder().encode
SCORE = 20  # about how many bytes a score has in an answer
TOKEN = 100  # steps for a word, even if there are few labels


class Rows(Protocol):
    """How x of a model gets from JSON to the rows that members learn."""

    @property
    def width(self) -> int | None:
        """The width of rows; None before the first row, or if rows have no width."""
        ...

    def to_learn(self, texts: Sequence[bytes], place: str) -> Any:
        """Check and decode rows to learn. From now on all rows have this width."""
        ...

    def to_answer(self, texts: Sequence[bytes], place: str) -> Any: ...


class Asked(NamedTuple):
    """An example of a request, with x and y as the client sent them."""

    id: str | None
    x: bytes
    y: bytes


class Batch(NamedTuple):
    """The checked examples of a request: as text for the log, and as arrays for the member."""

    texts: list[tuple[str | None, str, str]]  # id, x, y
    X: Any
    y: list[Any]
    steps: int  # about how many steps it takes to learn them
    before: tuple[set[Any], dict[str, Any]]  # the form without them


class Form:
    """The form of a model's examples; `base` is the model file that it began as, `grows` comes from its snapshot."""

    def __init__(
        self, configuration: Configuration, limits: Limits, run: OnlineRun, base: Stored | None, *, grows: bool = False
    ) -> None:
        self.turn = asyncio.Lock()  # held while the examples of a request are checked and queued
        self._limits, self._refuse = limits, configuration.labels == "refuse"
        self._sequences = configuration.kind == "SequenceTagger"
        self._run = run
        self._budget = configuration.parameters.get("budget") or 0
        self.rows = _rows(configuration, limits, run, base, grows=grows)
        self.known: set[Any] = set() if run.classes is None else set(run.classes.tolist())
        self._labels = (
            Many(list[str], "a list of texts") if self._sequences else Many(Label, "a text or a whole number")
        )

    @property
    def encoding(self) -> Encoding | None:
        """How the cells of a row become features, if the model reads tables by name."""
        return getattr(self.rows, "encoding", None)

    @property
    def label_column(self) -> str | None:
        """The column of a table that has the labels, if the model reads tables by name."""
        return getattr(self.rows, "label", None)

    @property
    def grows(self) -> bool:
        """Whether rows may become wider."""
        return getattr(self.rows, "grows", False)

    @property
    def notation(self) -> Notation:
        """How the text of a table is written. It must have a header and be UTF-8."""
        notation: Notation = getattr(self.rows, "notation", Notation(header=True))
        return notation

    @property
    def has_texts(self) -> bool:
        return any(isinstance(label, str) for label in self.known)

    def to_answer(self, rows: Sequence[bytes], place: str) -> tuple[Any, int]:
        """Rows to answer, as members take them, and the steps for it; a 422 if these are too many."""
        X = self.rows.to_answer(rows, place)
        if (steps := self._steps(X, len(self.known))) > self._limits.steps:
            limit = f"at most {self._limits.steps:,} steps to answer a request (--steps)"
            raise wrong(f"expected {limit}, found about {steps:,}: send less at once", place)
        each = 1 if self._run.calibration is None else 2  # beside a score there is a probability
        scores, most = len(rows) * len(self.known) * each, self._limits.body // SCORE
        if not self._sequences and scores > most:
            limit = f"at most {most:,} scores of an answer, {'one' if each == 1 else 'two'} a row and label"
            raise wrong(f"expected {limit}, found {scores:,}: send less at once", place)
        return X, steps

    def examples(self, asked: Sequence[Asked], place: str = "examples") -> Batch:
        """The examples of a request, if all of them can be learned."""
        if self._sequences:
            check_texts([example.y for example in asked], 1, lambda k: f"{place}[{k}].y")
        labels = self._labels.decode([example.y for example in asked], lambda k: f"{place}[{k}].y")
        known = self._with(labels, place)
        before = self.known, dict(vars(self.rows))
        X = self.rows.to_learn([example.x for example in asked], place)
        try:
            steps = self._check_size(X, labels, known, place)
        except RefusalError:
            vars(self.rows).update(before[1])
            raise
        self.known = known
        pairs = zip(asked, labels, strict=True)
        texts = [(example.id, example.x.decode(), as_text(label)) for example, label in pairs]
        return Batch(texts, X, labels, steps, before)

    def forget(self, batch: Batch) -> None:
        """Undo the newest batch, because it will not be learned."""
        self.known, rows = batch.before
        vars(self.rows).update(rows)

    def _check_size(self, X: Any, labels: list[Any], known: set[Any], place: str) -> int:
        """The steps for learning these examples; a 422 if the steps or the weights are too many."""
        limits, width = self._limits, self.rows.width or 1
        if width * len(known) > limits.weights:
            raise wrong(f"expected at most {limits.weights:,} weights, one a feature and label", place)
        if self._sequences:
            for k, (tokens, label) in enumerate(zip(X, labels, strict=True)):
                if len(tokens) != len(label):
                    raise wrong(f"expected {len(tokens)} labels, one a token, found {len(label)}", f"{place}[{k}].y")
        steps = self._steps(X, len(known))
        if self._budget:
            steps += len(labels) * self._budget**2
        elif not self._sequences:  # each new label copies all weights
            steps += (len(known) - len(self.known)) * width * len(known)
        if steps > limits.steps:
            limit = f"at most {limits.steps:,} steps to learn a request (--steps)"
            raise wrong(f"expected {limit}, found about {steps:,}: send less at once", place)
        return steps

    def _steps(self, X: Any, n_labels: int) -> int:
        """About how many steps it takes to answer these rows."""
        if self._sequences:
            return sum(map(len, X)) * max(TOKEN, n_labels**2)
        if isinstance(X, TextRows):  # a text has about as many features as characters
            return sum(len(text) for texts in X.texts for text in texts) * max(1, n_labels)
        values: int = X.nnz if isinstance(X, SparseRows) else X.size
        return values * (self._budget or n_labels)

    def of_log(self, entries: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Decode entries of the log, which were checked before they were logged."""
        X = self.rows.to_learn([entry.x.encode() for entry in entries], "examples")
        labels = self._labels.decode([entry.y.encode() for entry in entries], str)
        self.known.update(self._each(labels))
        return X, labels

    def _each(self, labels: list[Any]) -> Iterable[Any]:
        return chain.from_iterable(labels) if self._sequences else labels

    def _with(self, labels: list[Any], place: str) -> set[Any]:
        """The labels of the model together with these, if the model may have them."""
        known = self.known
        if known.issuperset(self._each(labels)):
            return known
        known, most = set(known), max(self._limits.labels, len(known))
        kind = next((isinstance(label, str) for label in known), None)
        for k, y in enumerate(labels):
            for label in y if self._sequences else (y,):
                if label in known:
                    continue
                where = f"{place}[{k}].y"
                check_label(label, where)
                if self._refuse:
                    raise wrong(f"expected one of the {len(known)} labels of the model, found {label!r}", where)
                if kind not in (None, isinstance(label, str)):
                    expected = "a text" if kind else "a whole number"
                    raise wrong(f"expected {expected}, as the labels before, found {label!r}", where)
                if len(known) == most:
                    limit = f"at most {most:,} labels of a model (--labels)"
                    raise wrong(f"expected {limit}, found another one: {label!r}", where)
                kind = isinstance(label, str)
                known.add(label)
        return known


def _rows(configuration: Configuration, limits: Limits, run: OnlineRun, base: Stored | None, *, grows: bool) -> Rows:
    if configuration.kind == "SequenceTagger":
        return SentenceRows(run.n_features or 1)
    if base is not None and base.encoding is not None:
        return CellRows(base.encoding)
    if configuration.kind == "TextClassifier":
        return TextsOfRows()
    width = configuration.n_features if run.n_features is None else run.n_features
    return NumberRows(limits, width, grows=grows, may_grow=configuration.kind == "Perceptron")


def as_text(label: Any) -> str:
    """A label as the log stores it."""
    return _ENCODE(label).decode() if isinstance(label, list) else _text(label)


@lru_cache(4096)
def _text(label: Any) -> str:
    return _ENCODE(label).decode()
