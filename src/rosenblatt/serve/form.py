"""What the examples of a model look like, and the check of each before it is logged: what is logged can be learned.

Requests are checked in the order in which they will be learned, so that the first of them tells the others how wide
rows are, and whether labels are texts or numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from rosenblatt.learning.online_run import OnlineRun
from rosenblatt.rows import Matrix
from rosenblatt.serve.configuration import Configuration, Label
from rosenblatt.serve.limits import Limits
from rosenblatt.serve.refusal import wrong
from rosenblatt.serve.rows import NumberRows, said

_LABEL = msgspec.json.Decoder(Label)
_ENCODE = msgspec.json.Encoder().encode
LONGEST_LABEL = 256


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


@dataclass
class Form:
    """The form of a model's examples."""

    configuration: Configuration
    limits: Limits
    rows: NumberRows
    known: set[Any]

    @classmethod
    def of(cls, configuration: Configuration, limits: Limits, run: OnlineRun, first: str | None) -> "Form":
        """After a restart; `first` is the first x of the log."""
        rows = NumberRows(limits, configuration.n_features)
        rows.begin(first, run.n_features)
        known = set() if run.classes is None else set(run.classes.tolist())
        return cls(configuration, limits, rows, known)

    def examples(self, asked: Sequence[Asked], place: str = "examples") -> Batch:
        """Those of a request, if all of them can be learned."""
        labels = [self._label(one.y, f"{place}[{k}].y") for k, one in enumerate(asked)]
        known = self._with(labels, place)
        before = self.rows.width, self.rows.grows
        X = self.rows.read([one.x for one in asked], place)
        if (width := self.rows.width or 0) * len(known) > self.limits.weights:
            self.rows.width, self.rows.grows = before
            most = f"expected at most {self.limits.weights:,} weights in all"
            raise wrong(f"{most}, found {width:,} features and {len(known):,} labels", place)
        self.known = known
        texts = [(one.id, one.x.decode(), as_text(label)) for one, label in zip(asked, labels, strict=True)]
        return Batch(texts, X, labels)

    @property
    def label_column(self) -> str | None:
        """The column of a table that has the labels, if the model reads tables by name."""
        return None

    def asked(self, rows: Sequence[bytes], place: str) -> Any:
        """Rows to be answered, as members take them."""
        return self.rows.asked(rows, place)

    def replayed(self, entries: Sequence[Any]) -> tuple[Matrix, list[Any]]:
        """Entries of the log, which were checked when they came."""
        X = self.rows.read([entry.x.encode() for entry in entries], "examples")
        labels = [_LABEL.decode(entry.y) for entry in entries]
        self.known.update(labels)
        return X, labels

    def _with(self, labels: list[Any], place: str) -> set[Any]:
        known = self.known
        for k, label in enumerate(labels):
            if label in known:
                continue
            if self.configuration.labels == "refuse":
                raise wrong(f"expected one of the {len(known)} labels of the model, found {label!r}", f"{place}[{k}].y")
            if known and isinstance(label, str) != isinstance(next(iter(known)), str):
                kind = "a text" if isinstance(next(iter(known)), str) else "a whole number"
                raise wrong(f"expected {kind}, as the labels before, found {label!r}", f"{place}[{k}].y")
            known = {*known, label}
        return known

    def _label(self, text: bytes, where: str) -> Any:
        try:
            label = _LABEL.decode(text)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise wrong(f"expected a text or a whole number: {said(error)}", where) from None
        if isinstance(label, int) and abs(label) >= 2**53:
            raise wrong(f"expected a whole number within 2^53, found {label}", where)
        if isinstance(label, str) and ("\0" in label or not 0 < len(label) <= LONGEST_LABEL):
            raise wrong(f"expected a text of 1 to {LONGEST_LABEL} characters other than \\0", where)
        return label


def as_text(label: Any) -> str:
    """A label as the log has it."""
    return _ENCODE(label).decode()
