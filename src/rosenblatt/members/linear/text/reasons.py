"""Why a text has its label: each word with its share of the score, and how a page shows them.

A word for the label is blue with a line under it, a word against it orange with a dotted line: the sign does not depend
on seeing colours. The stronger the colour, the larger the share. Colours are transparent, so that they suit a light
page and a dark one.
"""

from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

FAINT = 0.1  # of the largest share: a word with less is not coloured
BLUE, ORANGE, STRONGEST = "37 99 235", "217 119 6", 0.45  # the page of a model has the same, see services/export/page


class Reason(NamedTuple):
    """A word of a text and what it adds to the score: `begin` and `end` are places in the text, as Python counts."""

    word: str
    share: float
    begin: int
    end: int


class Reasons(list[Reason]):
    """The words of a text in their order. A notebook shows the text with its words coloured.

    Attributes
    ----------
    text : the whole text
    label : the label that the shares are for

    Examples
    --------
    >>> reasons = Reasons("a red rose", "red", [Reason("a", 0.0, 0, 1), Reason("red", 0.5, 2, 5)])
    >>> [reason.word for reason in reasons.heaviest(1)]
    ['red']
    >>> list(reasons.pieces())
    [('a ', 0.0), ('red', 1.0), (' rose', 0.0)]
    """

    def __init__(self, text: str, label: Any, reasons: list[Reason]) -> None:
        super().__init__(reasons)
        self.text, self.label = text, label

    def heaviest(self, most: int) -> list[Reason]:
        """The words with the largest shares, for the label or against it, sorted by size."""
        return sorted(self, key=lambda reason: -abs(reason.share))[:most]

    def pieces(self) -> Iterator[tuple[str, float]]:
        """The whole text in pieces, each with its share divided by the largest one; 0 for what hardly decides."""
        largest = max((abs(reason.share) for reason in self), default=0.0) or 1.0
        at = 0
        for _, share, begin, end in self:
            if abs(share) < FAINT * largest:
                continue
            if at < begin:
                yield self.text[at:begin], 0.0
            yield self.text[begin:end], share / largest
            at = end
        if at < len(self.text):
            yield self.text[at:], 0.0

    def marked_text(self) -> str:
        """The text as HTML with its words coloured."""
        return "".join(_mark(piece, share) if share else escape(piece) for piece, share in self.pieces())

    def _repr_html_(self) -> str:
        return f'<p style="white-space: pre-wrap"><b>{escape(str(self.label))}</b>: {self.marked_text()}</p>'


def _mark(piece: str, share: float) -> str:
    colour, line = (BLUE, "solid") if share > 0 else (ORANGE, "dotted")
    style = (
        f"color: inherit; background: rgb({colour} / {STRONGEST * abs(share):.2f}); "
        f"border-bottom: 2px {line} rgb({colour})"
    )
    word = "adds" if share > 0 else "takes"
    return f'<mark style="{style}" title="{word} {abs(share):.0%} of the largest share">{escape(piece)}</mark>'
