"""Small treebanks for properties, projective and not."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from rosenblatt import _core
from rosenblatt.members.sentences.parser.templates import parse

LINES = [
    *("%x[s0,0]", "%x[b0,0]/%x[s0,1]", "%lower[s1,0]/%label[s0.l]", "%lefts[s0]/%rights[s1]", "%gap[s1,s0]"),
    *("%leftlabels[b0]", "%rightlabels[s0]/%x[b1,1]", "%suffix2[s0,0]/%gap[s0,b0]", "%label[s1.r2]", "%x[b0.l2,0]"),
]
TEMPLATES = parse(LINES)


@st.composite
def trees(draw: Any, most: int = 6, least: int = 1) -> list[int]:
    """The heads of a sentence: each word joins what is already a tree, in any order of words."""
    n = draw(st.integers(least, most))
    order = draw(st.permutations(range(1, n + 1)))
    head = [0] * n
    for k, word in enumerate(order[1:], start=1):
        head[word - 1] = order[draw(st.integers(0, k - 1))]
    return head


@st.composite
def treebanks(draw: Any, sentences: int = 4) -> tuple[list[Any], list[list[int]], list[list[str]]]:
    """Sentences of two columns, heads, labels."""
    words = st.tuples(st.sampled_from(["Ab", "ab", "b", "Cab"]), st.sampled_from(["X", "Y"]))
    heads = draw(st.lists(trees(), min_size=1, max_size=sentences))
    X = [draw(st.lists(words, min_size=len(head), max_size=len(head))) for head in heads]
    labels = [[draw(st.sampled_from(["root", "dep"] if h == 0 else ["mod", "obj"])) for h in head] for head in heads]
    return X, heads, labels


def is_tree(head: list[int]) -> bool:
    """As the core sees it."""
    return _core.tree_problem(np.array([0, len(head)]), np.array(head, dtype=np.int32)) is None
