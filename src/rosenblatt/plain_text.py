"""The features of a text in plain Python: the page to read first, and the oracle of the core's tests.

A text becomes words, words become n-grams, and an n-gram becomes a number. The numbers come from a hash, so no list of
words is needed, and two n-grams rarely share one. Then each feature gets a scale, and each text is a row of length one.
"""

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

BLANK, WORD, ALONE, SKIPPED = range(4)  # the kinds of characters

SEED, WORDS, PARTS = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F
BEFORE, AFTER = 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3
PART_SHARE = 0.6
LONGEST = 64  # characters of a word, with its two borders, that have n-grams of characters


def kind(character: str) -> int:
    """What a character does to words: ends them, belongs to one, is a token alone, or is passed over.

    >>> [kind(character) for character in " a!漢"]
    [0, 1, 2, 2]
    """
    while (category := unicodedata.category(character)) == "Cn":  # not assigned: as the character before it
        character = chr(ord(character) - 1)
    name = unicodedata.name(character, "")
    if category in ("Cc", "Cs", "Zs", "Zl", "Zp") or character == "\u200b":  # the last is the ZERO WIDTH SPACE
        return BLANK
    if category == "Cf" or "VARIATION SELECTOR" in name:
        return SKIPPED
    if category[0] in "LMN" or character == "_":
        # Chinese and Japanese have no blanks between words.
        return ALONE if any(script in name for script in ("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA")) else WORD
    return ALONE


def fold(character: str) -> str:
    """A character without its case: Unicode's simple case folding, one character for one.

    >>> fold("A"), fold("É"), fold("ß"), fold("ẞ")
    ('a', 'é', 'ß', 'ß')
    """
    return next(folded for folded in (character.casefold(), character.lower(), character) if len(folded) == 1)


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a text, folded, and the kind of each: words, and characters that stand alone.

    >>> [token for token, _ in tokens("It's 漢字: NAÏVE_1!")]
    ['it', "'", 's', '漢', '字', ':', 'naïve_1', '!']
    """
    word = ""
    for character in [*text, " "]:
        what = kind(character)
        if what == WORD:
            word += fold(character)
        elif what != SKIPPED:
            if word:
                yield word, WORD
            word = ""
            if what == ALONE:
                yield fold(character), ALONE


def mix(a: int, b: int) -> int:
    """The two halves of a product of 64-bit numbers, one over the other: every bit depends on all bits of both."""
    product = a * b
    return (product ^ product >> 64) & 0xFFFFFFFFFFFFFFFF


def hash_of(text: str, seed: int) -> int:
    """The hash of a text: its UTF-8 in pieces of eight bytes, the last one filled up with zeros."""
    data, value = text.encode(), SEED
    for start in range(0, len(data), 8):
        value = mix(value ^ int.from_bytes(data[start : start + 8], "little"), seed)
    return value


def features(text: str, *, bits: int = 22, ngrams: int = 2, chars: tuple[int, int] | None = None) -> dict[int, int]:
    """The features of a text with their counts, in the order in which they occur first.

    Of words the n-grams of 1 to `ngrams` words that follow each other, with numbers below 2^bits; then of each word
    with its borders, such as `<word>`, the n-grams of `chars` characters, least and most, with 2^bits numbers more.

    >>> list(features("no, no").values())
    [2, 1, 1, 1]
    """
    every = list[int]()
    words = list(tokens(text))
    hashes = [hash_of(word, WORDS) for word, _ in words]
    for first, value in enumerate(hashes):
        every.append(value >> 64 - bits)
        for following in hashes[first + 1 : first + ngrams]:
            value = mix(value ^ BEFORE, following ^ AFTER)
            every.append(value >> 64 - bits)
    least, most = chars or (1, 0)
    for word in (word for word, what in words if what == WORD):
        bordered = f"<{word}>"[:LONGEST]
        for first in range(len(bordered)):
            for size in range(least, min(most, len(bordered) - first) + 1):
                value = hash_of(bordered[first : first + size], PARTS)
                every.append((value >> 64 - bits) + (1 << bits))
    counts = dict[int, int]()
    for feature in every:
        counts[feature] = counts.get(feature, 0) + 1
    return counts


def scales(texts: Sequence[Mapping[int, int]], y: Sequence[int], weighting: str, *, bits: int = 22) -> dict[int, float]:
    """How much each feature of these texts tells, with their classes y.

    "tfidf": the rarer the more. "ratio": the more, the more often one class has it than the others (Wang and Manning
    2012). "log" and "binary": all the same.

    >>> scales([{5: 1}, {5: 2, 6: 1}, {6: 1}], [0, 0, 1], "tfidf")
    {5: 1.2876820724517808, 6: 1.2876820724517808}
    """
    every = sorted({feature for text in texts for feature in text})
    having = {feature: [texts_of(c, feature, texts, y) for c in range(max(y) + 1)] for feature in every}
    if weighting == "tfidf":
        return {feature: 1 + math.log((1 + len(texts)) / (1 + sum(n))) for feature, n in having.items()}
    if weighting in ("log", "binary"):
        return dict.fromkeys(every, 1.0)
    ratios = dict[int, float]()
    for feature, n in having.items():
        alike = [having[f] for f in every if f >> bits == feature >> bits]  # features of words, or of parts of words
        shares = [
            (n[c] + 1)
            / (sum(of[c] for of in alike) + len(alike))
            / ((sum(n) - n[c] + 1) / (sum(sum(of) - of[c] for of in alike) + len(alike)))
            for c in range(max(y) + 1)
        ]
        ratios[feature] = max(abs(math.log(share)) for share in shares)
    return ratios


def texts_of(c: int, feature: int, texts: Sequence[Mapping[int, int]], y: Sequence[int]) -> int:
    """How many texts of class c have a feature."""
    return sum(feature in text for text, cls in zip(texts, y, strict=True) if cls == c)


def row(text: Mapping[int, int], scale: Mapping[int, float], weighting: str, *, bits: int = 22) -> dict[int, float]:
    """The row of a text: of length one, in which parts of words count PART_SHARE as much as words.

    >>> row({5: 1, 6: 1, 7: 9}, {5: 3.0, 6: 4.0}, "tfidf")
    {5: 0.6, 6: 0.8}
    """
    groups = list[dict[int, float]]()
    for part in (0, 1):
        known = {f: count for f, count in text.items() if f in scale and f >> bits == part}
        values = {f: (1 if weighting == "binary" else 1 + math.log(count)) * scale[f] for f, count in known.items()}
        length = math.hypot(*values.values())
        groups.append({f: value / length if length else 0.0 for f, value in values.items()})
    words, parts = groups
    if any(words.values()) and any(parts.values()):
        words = {f: value / math.hypot(1, PART_SHARE) for f, value in words.items()}
        parts = {f: value * PART_SHARE / math.hypot(1, PART_SHARE) for f, value in parts.items()}
    return words | parts


def merge_hapaxes(rows: Sequence[Mapping[int, float]]) -> tuple[list[dict[int, float]], dict[int, tuple[int, float]]]:
    """Rows as they are learned from: what one row alone has becomes one feature, which is as long as all of that.

    The features are numbered anew: first those that several rows have, by how many, then those of single rows. Of each
    feature before, its new number, and its share of the weight that is learned there.

    >>> merge_hapaxes([{5: 3.0, 7: 1.0, 8: 4.0}, {7: 1.0}])
    ([{0: 1.0, 1: 5.0}, {0: 1.0}], {7: (0, 1.0), 5: (1, 0.6), 8: (1, 0.8)})
    """
    having = {feature: sum(feature in row for row in rows) for row in rows for feature in row}
    shared = sorted((feature for feature in having if having[feature] > 1), key=lambda f: (-having[f], f))
    place = {feature: (number, 1.0) for number, feature in enumerate(shared)}
    size, merged = len(shared), list[dict[int, float]]()
    for row in rows:
        alone = {feature: value for feature, value in row.items() if having[feature] == 1}
        merged.append({place[feature][0]: value for feature, value in row.items() if having[feature] > 1})
        if length := math.hypot(*alone.values()):
            merged[-1][size] = length
            place |= {feature: (size, value / length) for feature, value in alone.items()}
            size += 1
    return merged, place
