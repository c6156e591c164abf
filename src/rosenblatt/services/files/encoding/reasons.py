"""Why a model of texts answers a row as it does: words, and cells of other columns, those that decide most first."""

from typing import Any, TypedDict

from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.model import TextModel
from rosenblatt.members.linear.text.reasons import Reasons
from rosenblatt.services.files.encoding.encoding import Encoding


class RowReason(TypedDict):
    """A word with its place in the text of its column, or a cell of another column; and what it adds to the score."""

    word: str | None  # None: it is a cell, whose column and value are in `column`
    share: float
    begin: int | None
    end: int | None
    column: str


def reasons_of(
    model: TextModel, encoding: Encoding | None, row: TextRows, label: Any, most: int
) -> tuple[dict[str, Reasons], list[RowReason]]:
    """The texts of a row by their columns, with all their words, and the reasons that decide most about a label."""
    of_texts, of_others = model.explain_row(row, label)
    texts = dict(zip(model.given_texts, of_texts, strict=True))
    reasons = [
        RowReason(word=r.word, share=r.share, begin=r.begin, end=r.end, column=name)
        for name, of_text in texts.items()
        for r in of_text
    ]
    if encoding is not None and of_others:
        cells = encoding.cells_of([feature for feature, _ in of_others], row.others)
        reasons += [
            RowReason(word=None, share=share, begin=None, end=None, column=cell)
            for cell, (_, share) in zip(cells, of_others, strict=True)
        ]
    return texts, sorted(reasons, key=lambda reason: -abs(reason["share"]))[:most]
