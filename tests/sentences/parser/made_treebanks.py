"""Pairs of annotations of one text, made at random: other sentences, tokens, words, tags, lemmas and trees."""

import random
from collections.abc import Iterator
from itertools import pairwise

LABELS = ["nsubj", "nsubj:pass", "obj", "det", "case", "punct", "cc", "cc:preconj", "advmod", "strange", "root"]
FEATS = ["_", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Number=Plur", "Style=Coll", "Number=Plur|Style=Coll"]


def pairs(count: int) -> Iterator[tuple[str, str]]:
    """The same pairs at each call."""
    for seed in range(count):
        lot = random.Random(seed)
        characters = [lot.choice("abABéßc") for _ in range(lot.randrange(1, 40))]
        gold = _tokens(lot, characters, lot.choice([0, 0.1, 0.4]))
        yield _write(lot, gold), _write(lot, _changed(lot, gold, characters))


def _tokens(lot: random.Random, characters: list[str], ranges: float) -> list[tuple[str, list[str]]]:
    """Tokens and their words: one, or several for a multiword token."""
    cuts = sorted({0, len(characters), *(k for k in range(len(characters)) if lot.random() < 0.5)})
    return [_token(lot, "".join(characters[first:last]), ranges) for first, last in pairwise(cuts)]


def _token(lot: random.Random, form: str, ranges: float) -> tuple[str, list[str]]:
    if lot.random() >= ranges:
        return form, [form]
    words = [lot.choice([form, form.upper(), *form, "le", "DE"]) for _ in range(lot.randrange(1, 4))]
    return form, ["", *words]  # the empty one says that it is a multiword token


def _changed(
    lot: random.Random, gold: list[tuple[str, list[str]]], characters: list[str]
) -> list[tuple[str, list[str]]]:
    """Other tokens in a part of the text."""
    if lot.random() < 0.2:
        return _tokens(lot, characters, 0.3)
    first, last = sorted((lot.randrange(len(gold) + 1), lot.randrange(len(gold) + 1)))
    between = [character for form, _ in gold[first:last] for character in form]
    return gold[:first] + (_tokens(lot, between, 0.3) if between else []) + gold[last:]


def _write(lot: random.Random, tokens: list[tuple[str, list[str]]]) -> str:
    """CoNLL-U of these tokens, with tags and trees of their own."""
    lines = ["# a comment"]
    while tokens:
        size = lot.randrange(1, len(tokens) + 1)
        lines += [*_sentence(lot, tokens[:size]), ""]
        tokens = tokens[size:]
    return "\n".join(lines) + "\n"


def _sentence(lot: random.Random, tokens: list[tuple[str, list[str]]]) -> list[str]:
    n_words = sum(len(words) - (not words[0]) for _, words in tokens)
    order = lot.sample(range(1, n_words + 1), n_words)  # each hangs on one before it in this order
    heads = {word: order[lot.randrange(k)] if k else 0 for k, word in enumerate(order)}
    lines, number = list[str](), 0
    for form, words in tokens:
        if not words[0]:
            lines.append("\t".join([f"{number + 1}-{number + len(words) - 1}", form, *"________"]))
        for word in words[not words[0] :]:
            number += 1
            with_blank = f"{word[:1]} {word[1:]}" if words[0] and len(word) > 1 and lot.random() < 0.1 else word
            tags = [lot.choice("xy_"), lot.choice("AB"), lot.choice("PQ"), lot.choice(FEATS)]
            label = lot.choice(LABELS)
            lines.append("\t".join([str(number), with_blank, *tags, str(heads[number]), label, "_", "_"]))
    return lines
