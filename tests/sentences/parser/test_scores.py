"""The scores equal an independent count, word by word, of what the CoNLL 2018 shared task defines."""

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import DataFileError, attachment_scores
from rosenblatt.services.sentences.parsing import score_trees
from rosenblatt.services.sentences.treebank_scores import CONTENT, FEATURES, FUNCTION

from .strategies import trees

LABELS = ["nsubj", "nsubj:pass", "obj", "det", "case", "punct", "cc", "advmod", "root", "strange"]
FEATS = ["_", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Number=Plur", "Style=Coll", "Number=Plur|Style=Coll"]


def counted(gold: Any, found: Any, gold_tags: Any, tags: Any) -> dict[str, float]:
    """By the definition: a key for each word, compared."""
    correct = dict.fromkeys(("uas", "las", "clas", "mlas"), 0)
    words = content = 0
    for k in range(len(gold[0])):
        sides = []
        for (heads, labels), of_words in ((gold, gold_tags), (found, tags)):
            label = [one.split(":")[0] for one in labels[k]]
            feats = [
                "|".join(sorted(f for f in one[1].split("|") if f.split("=")[0] in FEATURES)) for one in of_words[k]
            ]
            upos = [one[0] for one in of_words[k]]
            keys = []
            for word, head in enumerate(heads[k], start=1):
                function = [
                    (c, label[c - 1], upos[c - 1], feats[c - 1])
                    for c, h in enumerate(heads[k], start=1)
                    if h == word and label[c - 1] in FUNCTION
                ]
                keys.append((head, label[word - 1], upos[word - 1], feats[word - 1], function))
            sides.append(keys)
        for right, other in zip(*sides, strict=True):
            words += 1
            content += (right[1] in CONTENT) + (other[1] in CONTENT)
            correct["uas"] += right[0] == other[0]
            correct["las"] += right[:2] == other[:2]
            if right[1] in CONTENT:
                correct["clas"] += right[:2] == other[:2]
                correct["mlas"] += right == other
    shares = {"uas": words, "las": words, "clas": max(1, content) / 2, "mlas": max(1, content) / 2}
    return {name: count / shares[name] for name, count in correct.items()}


@st.composite
def compared(draw: Any) -> Any:
    gold = draw(st.lists(trees(), min_size=1, max_size=4))
    found = [draw(st.one_of(st.just(head), trees(len(head), least=len(head)))) for head in gold]
    labels, tags = [], []
    for _ in range(2):
        labels.append([[draw(st.sampled_from(LABELS)) for _ in head] for head in gold])
        tags.append([[(draw(st.sampled_from("AB")), draw(st.sampled_from(FEATS))) for _ in head] for head in gold])
    return (gold, labels[0]), (found, labels[1] if draw(st.booleans()) else labels[0]), tags[0], tags[1]


@settings(max_examples=200, deadline=None)
@given(compared())
def test_scores_equal_a_count(given_: Any) -> None:
    gold, found, gold_tags, tags = given_
    scores = attachment_scores(gold, found, gold_tags=gold_tags, tags=tags)
    for name, share in counted(gold, found, gold_tags, tags).items():
        assert getattr(scores, name) == pytest.approx(share, abs=1e-12)
    assert sum(count.gold for count in scores.by_label.values()) == scores.n_words
    assert sum(count.correct for count in scores.by_label.values()) == round(scores.las * scores.n_words)
    assert sum(count.correct for count in scores.by_length.values()) == round(scores.las * scores.n_words)
    assert sum(count.predicted for count in scores.by_length.values()) == scores.n_words
    assert attachment_scores(gold, found).mlas is None
    perfect = attachment_scores(gold, gold, gold_tags=gold_tags, tags=gold_tags)
    assert (perfect.uas, perfect.las, perfect.sentences) == (1, 1, 1)


def test_by_hand() -> None:
    gold = [[2, 3, 0, 5, 3]], [["det", "nsubj", "root", "case", "obl:tmod"]]
    found = [[2, 3, 0, 5, 2]], [["det", "nsubj:pass", "root", "case", "obl"]]
    scores = attachment_scores(gold, found, gold_tags=[[("D", "_")] * 5], tags=[[("D", "_")] * 5])
    assert (scores.uas, scores.las) == (0.8, 0.8)
    assert scores.clas == scores.mlas == 2 / 3  # nsubj and root of three content words
    assert str(scores).splitlines()[:2] == ["5 words in 1 sentences, 0.00 % of them all right", _LINE]
    assert scores.by_length == {"root": (1, 1, 1), "1": (3, 3, 3), "2": (1, 0, 0), "3-6": (0, 1, 0), "7-": (0, 0, 0)}


_LINE = "UAS 80.00  LAS 80.00  CLAS 66.67  MLAS 66.67"


def test_a_function_word_spoils_its_head() -> None:
    gold = [[2, 0]], [["det", "root"]]
    right = attachment_scores(gold, gold, gold_tags=[[("D", "_"), ("N", "_")]], tags=[[("D", "_"), ("N", "_")]])
    wrong = attachment_scores(gold, gold, gold_tags=[[("D", "_"), ("N", "_")]], tags=[[("X", "_"), ("N", "_")]])
    assert (right.mlas, wrong.mlas, wrong.clas) == (1, 0, 1)


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="predicted: expected the sentences of gold"):
        attachment_scores(([[0]], [["root"]]), ([[2, 0]], [["a", "root"]]))
    with pytest.raises(ValueError, match="expected a head, a label and"):
        attachment_scores(([[0]], [["root", "a"]]), ([[0]], [["root"]]))


def conllu(*rows: str) -> io.BytesIO:
    return io.BytesIO("".join(row.replace(" ", "\t") + "\n" for row in rows).encode())


def test_files_must_have_the_same_text() -> None:
    one, other = "1 a _ X _ _ 0 root _ _", "1 b _ X _ _ 0 root _ _"
    scores = score_trees(conllu(one), conllu(one))
    assert (scores.n_words, scores.mlas) == (1, 1)
    assert score_trees(conllu(one), conllu(one.replace("X", "Y"))).mlas == 0
    with pytest.raises(
        ValueError, match="<file>, beside <file>: expected the same text, found 'b' in place of 'a' in sentence 1"
    ):
        score_trees(conllu(one), conllu(other))
    with pytest.raises(DataFileError, match="<file>:1:13: expected the number of a word"):
        score_trees(conllu(one), conllu(one.replace("0 root", "_ root")))
