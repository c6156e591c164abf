"""Pictures of a tree: as text for a terminal, a line a word, and as SVG with arcs over the words.

Arcs of the text run in columns at the left, the short ones nearest to the words; where two would meet, one goes further
out. Of two trees the arcs that only the first has are marked -, those that only the second has +.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

__all__ = ["TreePicture", "draw_tree"]

GAP, RISE, CHARACTER = 18, 22, 8.2  # of the SVG: between words, between levels, the width of a letter
COLOURS = {"": "#333333", "-": "#c0392b", "+": "#1e8449"}
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
LINES = {
    0: " ",
    UP | DOWN: "│",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "┌",
    UP | RIGHT: "└",
    UP | DOWN | RIGHT: "├",
    DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}


class Arc(NamedTuple):
    """From a head to a word, 0 for the root; `mark` says which of two trees has it."""

    head: int
    word: int
    label: str
    mark: str = ""


@dataclass(frozen=True)
class TreePicture:
    """A tree, or two: prints as text, shows as SVG in a notebook."""

    words: tuple[str, ...]
    arcs: tuple[Arc, ...]

    def __str__(self) -> str:
        return text_of(self)

    def svg(self) -> str:
        return svg_of(self)

    def _repr_svg_(self) -> str:
        return self.svg()


def draw_tree(
    words: Sequence[str],
    heads: Sequence[int],
    labels: Sequence[str] | None = None,
    *,
    against: tuple[Sequence[int], Sequence[str]] | None = None,
) -> TreePicture:
    """Draw the tree of a sentence.

    Parameters
    ----------
    words, heads, labels
        The words, the head of each, 0 for the root, and the labels of the arcs. Default: no labels.
    against
        The heads and labels of another tree, such as the one that a parser found: what only the first has is marked -,
        what only this one has is marked +. Default: none.

    Examples
    --------
    >>> from rosenblatt import draw_tree
    >>> print(draw_tree(["the", "dog", "barks"], [2, 3, 0], ["det", "nsubj", "root"]))
      ┌─> the    det
    ┌─┴─> dog    nsubj
    └──── barks  root
    >>> draw_tree(["the", "dog"], [2, 0]).svg()[:4]
    '<svg'
    """
    labels = [""] * len(words) if labels is None else labels
    first = _arcs(words, heads, labels)
    if against is None:
        return TreePicture(tuple(words), tuple(first))
    second = _arcs(words, *against)
    arcs: list[Arc] = []
    for right, wrong in zip(first, second, strict=True):
        arcs += [right] if right == wrong else [right._replace(mark="-"), wrong._replace(mark="+")]
    return TreePicture(tuple(words), tuple(arcs))


def _arcs(words: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> list[Arc]:
    if not len(words) == len(heads) == len(labels):
        sizes = f"{len(heads)} heads and {len(labels)} labels"
        raise ValueError(f"expected a head and a label for each of {len(words)} words, found {sizes}")
    for word, head in enumerate(heads, start=1):
        if not 0 <= head <= len(words) or head == word:
            raise ValueError(f"heads: word {word}: expected another word or 0, found {head}")
    return [Arc(int(h), k, str(label)) for k, (h, label) in enumerate(zip(heads, labels, strict=True), start=1)]


def levels(arcs: Sequence[Arc]) -> dict[Arc, int]:
    """How far out each arc runs, from 1 on: short ones first, each beyond those that it would meet."""
    level_of: dict[Arc, int] = {}
    for arc in sorted(arcs, key=lambda arc: (abs(arc.head - arc.word), min(arc[:2]), arc)):
        low, high = sorted(arc[:2])
        met = [level for below, level in level_of.items() if min(below[:2]) <= high and low <= max(below[:2])]
        level_of[arc] = 1 + max(met, default=0)
    return level_of


def text_of(picture: TreePicture) -> str:
    """A line a word: the arcs, the word, its label or labels."""
    between = [arc for arc in picture.arcs if arc.head != 0]
    level = levels(between)
    width = 2 * max(level.values(), default=0) + 1
    grid = [[0] * width for _ in range(len(picture.words) + 1)]  # the directions of each cell's lines
    for arc in between:
        column = width - 1 - 2 * level[arc]
        low, high = sorted(arc[:2])
        for row in range(low, high + 1):
            grid[row][column] |= (UP if row > low else 0) | (DOWN if row < high else 0)
        for row in (low, high):
            grid[row][column] |= RIGHT
            for k in range(column + 1, width):
                grid[row][k] |= LEFT | RIGHT
    names = max(map(_width, picture.words), default=0)
    lines = []
    for word, (text, cells) in enumerate(zip(picture.words, grid[1:], strict=True), start=1):
        arcs = [arc for arc in picture.arcs if arc.word == word]
        end = ">" if any(arc.head for arc in arcs) else LINES[cells[-1]]
        drawn = "".join(LINES[cell] for cell in cells[:-1]) + end
        labels = "  ".join(f"{arc.mark}{arc.label}{_of_head(arc, picture)}" for arc in arcs)
        lines.append(f"{drawn} {text}{' ' * (names - _width(text))}  {labels}".rstrip())
    return "\n".join(lines)


def _of_head(arc: Arc, picture: TreePicture) -> str:
    """Where two trees differ, the head is named: their lines may lie over each other."""
    if not arc.mark:
        return ""
    return f" < {picture.words[arc.head - 1] if arc.head else 'root'}"


def _width(text: str) -> int:
    """The columns of a terminal: letters of East Asia take two, marks over letters none."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def svg_of(picture: TreePicture) -> str:
    """Words in a row, arcs above them with their labels; of two trees in two colours."""
    widths = [max(CHARACTER * _width(word), 24.0) for word in picture.words]
    labelled = {arc.word: CHARACTER * 0.8 * len(arc.label) for arc in picture.arcs}
    middle, at = [], 12.0
    for number, width in enumerate(widths, start=1):
        width = max(width, labelled.get(number, 0) * 0.7)
        middle.append(at + width / 2)
        at += width + GAP
    level = levels([arc for arc in picture.arcs if arc.head != 0])
    top = max(level.values(), default=0) + 1
    base = RISE * top + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {at:.0f} {base + 30:.0f}" width="{at:.0f}" '
        f'height="{base + 30:.0f}" font-family="sans-serif" font-size="14">'
    ]
    for arc in picture.arcs:
        parts += _arc(arc, middle, base, top if arc.head == 0 else level[arc])
    for x, word in zip(middle, picture.words, strict=True):
        parts.append(f'<text x="{x:.1f}" y="{base + 18:.1f}" text-anchor="middle">{escape(word)}</text>')
    return "\n".join([*parts, "</svg>"])


def _arc(arc: Arc, middle: list[float], base: float, level: int) -> list[str]:
    colour, dash = COLOURS[arc.mark], ' stroke-dasharray="4 3"' if arc.mark == "-" else ""
    end, height = middle[arc.word - 1], base - RISE * level
    stroke = f'fill="none" stroke="{colour}" stroke-width="1.4"{dash}'
    if arc.head == 0:
        path, x = f"M {end:.1f} {height:.1f} V {base - 4:.1f}", end
    else:
        start = middle[arc.head - 1]
        start += 4 if end > start else -4
        side = min(10.0, abs(end - start) / 2) * (1 if end > start else -1)
        path = (
            f"M {start:.1f} {base:.1f} V {height + 8:.1f} Q {start:.1f} {height:.1f} {start + side:.1f} {height:.1f} "
            f"H {end - side:.1f} Q {end:.1f} {height:.1f} {end:.1f} {height + 8:.1f} V {base - 4:.1f}"
        )
        x = (start + end) / 2
    return [
        f'<path d="{path}" {stroke}/>',
        f'<path d="M {end - 3.5:.1f} {base - 7:.1f} L {end:.1f} {base:.1f} L {end + 3.5:.1f} {base - 7:.1f} Z" '
        f'fill="{colour}"/>',
        f'<text x="{x:.1f}" y="{height - 3:.1f}" text-anchor="middle" font-size="11" fill="{colour}">'
        f"{escape(arc.label)}</text>",
    ]
