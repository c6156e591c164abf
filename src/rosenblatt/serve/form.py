"""What the examples of a model look like, and the check of each before it is logged: what is logged can be learned.

Requests are checked in the order in which they will be learned, so that the first of them tells the others how wide
rows are, and whether labels are texts or numbers.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, Protocol

import msgspec

from rosenblatt.data.notation import Notation
from rosenblatt.learning.online_run import OnlineRun
from rosenblatt.model_file import Stored
from rosenblatt.serve.configuration import Configuration, Label
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.many import Many
from rosenblatt.serve.refusal import wrong
from rosenblatt.serve.rows import NumberRows
from rosenblatt.serve.sentences import SentenceRows

_ENCODE = msgspec.json.Encoder().encode
LONGEST_LABEL = 256


class Rows(Protocol):
    """What a model takes for x, from JSON to what members learn."""

    @property
    def width(self) -> int | None:
        """How wide they are; None if nobody knows, or it does not matter."""
        ...

    def read(self, texts: Sequence[bytes], place: str) -> Any:
        """Rows that are to be learned from; from now on others are as wide."""
        ...

    def asked(self, texts: Sequence[bytes], place: str) -> Any:
        """Rows to be answered."""
        ...


class Asked(NamedTuple):
    """An example of a request: x and y as they came."""

    id: str | None
    x: bytes
    y: bytes


class Batch(NamedTuple):
    """The examples of a request, checked: as the log has them, and as members learn them."""

    texts: list[tuple[str | None, str, str]]  # id, x, y
    X: Any
    y: list[Any]


class Form:
    """The form of a model's examples, after a restart; `first` is the first x of the log."""

    def __init__(
        self, configuration: Configuration, limits: Limits, run: OnlineRun, beside: Stored | None, first: str | None
    ) -> None:
        self._limits, self._refuse = limits, configuration.labels == "refuse"
        self._sequences = configuration.kind == "SequenceTagger"
        self.rows = _rows(configuration, limits, run, beside, first)
        self.known: set[Any] = set() if run.classes is None else set(run.classes.tolist())
        self._labels = (
            Many(list[str], "a list of texts") if self._sequences else Many(Label, "a text or a whole number")
        )

    @property
    def label_column(self) -> str | None:
        """The column of a table that has the labels, if the model reads tables by name."""
        return getattr(self.rows, "label", None)

    @property
    def notation(self) -> Notation:
        """How the text of a table is written, which has a header and UTF-8 in any case."""
        notation: Notation = getattr(self.rows, "notation", Notation(header=True))
        return notation

    @property
    def has_texts(self) -> bool:
        """Whether its labels are texts."""
        return any(isinstance(label, str) for label in self.known)

    def asked(self, rows: Sequence[bytes], place: str) -> Any:
        """Rows to be answered, as members take them."""
        return self.rows.asked(rows, place)

    def examples(self, asked: Sequence[Asked], place: str = "examples") -> Batch:
        """Those of a request, if all of them can be learned."""
        labels = self._labels.decode([one.y for one in asked], lambda k: f"{place}[{k}].y")
        known = self._with(labels, place)
        before = dict(vars(self.rows))
        X = self.rows.read([one.x for one in asked], place)
        if (self.rows.width or 1) * len(known) > self._limits.weights:
            vars(self.rows).update(before)
            raise wrong(f"expected at most {self._limits.weights:,} weights, one a feature and label", place)
        if self._sequences:
            for k, (tokens, label) in enumerate(zip(X, labels, strict=True)):
                if len(tokens) != len(label):
                    raise wrong(f"expected {len(tokens)} labels, one a token, found {len(label)}", f"{place}[{k}].y")
        self.known = known
        texts = [(one.id, one.x.decode(), as_text(label)) for one, label in zip(asked, labels, strict=True)]
        return Batch(texts, X, labels)

    def replayed(self, entries: Sequence[Any]) -> tuple[Any, list[Any]]:
        """Entries of the log, which were checked when they came."""
        X = self.rows.read([entry.x.encode() for entry in entries], "examples")
        labels = self._labels.decode([entry.y.encode() for entry in entries], str)
        self.known.update(self._each(labels))
        return X, labels

    def _each(self, labels: list[Any]) -> Iterable[Any]:
        return chain.from_iterable(labels) if self._sequences else labels

    def _with(self, labels: list[Any], place: str) -> set[Any]:
        """The labels of the model and these, if it may have them."""
        known = self.known
        if known.issuperset(self._each(labels)):
            return known
        for k, label in enumerate(labels):
            for one in label if self._sequences else (label,):
                if one in known:
                    continue
                where = f"{place}[{k}].y"
                _check_label(one, where)
                if self._refuse:
                    raise wrong(f"expected one of the {len(known)} labels of the model, found {one!r}", where)
                if known and isinstance(one, str) != isinstance(next(iter(known)), str):
                    kind = "a text" if isinstance(next(iter(known)), str) else "a whole number"
                    raise wrong(f"expected {kind}, as the labels before, found {one!r}", where)
                known = {*known, one}
        return known


def _check_label(label: Any, where: str) -> None:
    if isinstance(label, int) and abs(label) >= 2**53:
        raise wrong(f"expected a whole number within 2^53, found {label}", where)
    if isinstance(label, str) and ("\0" in label or not 0 < len(label) <= LONGEST_LABEL):
        raise wrong(f"expected a text of 1 to {LONGEST_LABEL} characters other than \\0", where)


def _rows(
    configuration: Configuration, limits: Limits, run: OnlineRun, beside: Stored | None, first: str | None
) -> Rows:
    if configuration.kind == "SequenceTagger":
        return SentenceRows(run.n_features or 1)
    if beside is not None and beside.encoding is not None:
        from rosenblatt.serve.cells import CellRows

        return CellRows(beside.encoding)
    width = configuration.n_features if run.n_features is None else run.n_features
    fixed = configuration.n_features is not None or beside is not None or (first or "[").startswith("[")
    may_grow = configuration.kind == "Perceptron"
    return NumberRows(limits, width, grows=width is not None and not fixed, may_grow=may_grow)


def as_text(label: Any) -> str:
    """A label as the log has it."""
    return _ENCODE(label).decode() if isinstance(label, list) else _text(label)


@lru_cache(4096)
def _text(label: Any) -> str:
    return _ENCODE(label).decode()
