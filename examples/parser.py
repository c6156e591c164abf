"""Trees as structures: a dependency parser. Eisner's algorithm (1996) finds the best projective tree in O(n^3).

An output has the head of each word, 0 for the root. Its features are those of its arcs, so that the best spans add up.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

from rosenblatt import StructuredPerceptron

Sentence = list[str]  # of "word/tag"
Span = tuple[float, tuple[tuple[int, int], ...]]  # its score, and (child, head) of its arcs
TRAIN = """the/D dog/N barks/V: 2 3 0
the/D old/A man/N sleeps/V: 3 3 4 0
the/D cat/N on/I the/D mat/N sleeps/V: 2 6 2 5 3 0
she/P sleeps/V on/I the/D mat/N: 2 0 2 5 3
a/D man/N with/I a/D hat/N sees/V her/P: 2 6 2 5 3 0 6
he/P gave/V her/P a/D very/R old/A bone/N: 2 0 2 7 6 7 2
he/P often/R sees/V old/A friends/N: 3 3 0 5 3
the/D man/N thinks/V that/C she/P sleeps/V: 2 3 0 3 6 4"""
NEW = """the/D cat/N sees/V a/D very/R old/A bird/N: 2 3 0 7 6 7 3
a/D friend/N of/I the/D man/N gave/V her/P a/D small/A hat/N: 2 6 2 5 3 0 6 10 10 6
she/P thinks/V that/C the/D dog/N barks/V: 2 0 2 5 6 3"""


def read(text: str) -> tuple[list[Sentence], list[tuple[int, ...]]]:
    words, heads = zip(*(line.split(": ") for line in text.splitlines()), strict=True)
    return [line.split() for line in words], [tuple(map(int, line.split())) for line in heads]


def arc(x: Sentence, head: int, child: int) -> list[Any]:
    """The features of one arc: both tags, its side, whether it is short, what follows, and what it passes over."""
    tags = ["ROOT", *(token.split("/")[1] for token in x), "END"]
    both, side = (tags[head], tags[child]), "right" if head < child else "left"
    passed = sorted({*tags[min(head, child) + 1 : max(head, child)]})
    return [both, (both, side), (both, side, not passed), (both, side, tags[child + 1]), *((both, t) for t in passed)]


def features(x: Sentence, y: tuple[int, ...]) -> dict[Any, int]:
    return Counter(name for child, head in enumerate(y, start=1) for name in arc(x, head, child))


def best(pairs: Iterable[tuple[Span, Span]]) -> Span:
    return max(((a[0] + b[0], a[1] + b[1]) for a, b in pairs), key=lambda span: span[0])


def decode(w: Any, x: Sentence) -> tuple[int, ...]:
    @cache
    def tree(head: int, end: int) -> Span:
        """The best tree over all words from its head to `end`, on either side."""
        side = 1 if head < end else -1
        steps = ((link(head, child), tree(child, end)) for child in range(head + side, end + side, side))
        return best(steps) if head != end else (0, ())

    @cache
    def link(head: int, child: int) -> Span:
        """The best up to an arc from `head` to `child`, with no words beyond it yet."""
        side = 1 if head < child else -1
        score, arcs = best((tree(head, k), tree(child, k + side)) for k in range(head, child, side))
        return score + sum(w[name] for name in arc(x, head, child)), (*arcs, (child, head))

    return tuple(head for _, head in sorted(tree(0, len(x))[1]))


def main() -> None:
    X, y = read(TRAIN)
    model = StructuredPerceptron(features, decode).fit(X, y)
    print(f"{len(X)} sentences; mistakes of each pass:", *model.mistakes_)
    X, y = read(NEW)
    for x, right, found in zip(X, y, model.predict(X), strict=True):
        print(f"\na new one, {sum(a == b for a, b in zip(right, found, strict=True))} of {len(x)} heads right")
        print("word", *(f"{token.split('/')[0]:>6}" for token in x))
        print("head", *(f"{'-' if head == 0 else x[head - 1].split('/')[0]:>6}" for head in found))


if __name__ == "__main__":
    main()
