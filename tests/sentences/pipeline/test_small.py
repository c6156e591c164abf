"""A pipeline keeps what answers, and of its parser as much as it has room for."""

from pathlib import Path

import numpy as np
import pytest

from rosenblatt import SequenceTagger, TextPipeline, load, save
from rosenblatt.data.treebank import treebank_path
from rosenblatt.services.text.small import UNITS, size_of, without_sums

TEXT = "The old dog sleeps in the garden. A small cat watches the birds."


def test_a_tagger_without_sums_answers_alike() -> None:
    tagger = SequenceTagger(share="\t").fit_file(treebank_path(), tag=["upos", "xpos"])
    small = without_sums(tagger._model)
    corpus = tagger._model.corpus([["The", "old", "dog", "sleeps", "."]])
    assert np.array_equal(small.tags(corpus), tagger._model.tags(corpus))
    assert size_of(small) < size_of(tagger._model)
    _, _, counts, _, w, sums = small.chain.arrays()
    assert not sums.any()
    assert (counts > 0).all()
    means = tagger._model.chain.arrays()
    mean = means[4] - means[5] / tagger._model.chain.visits
    assert len(w) == int((np.round(mean * UNITS) != 0).sum())


def test_the_file_is_as_small_as_it_has_to_be(tmp_path: Path) -> None:
    sizes = dict[int, int]()
    for kilobytes in (12_000, 180):
        pipeline = TextPipeline(tree="lean", max_iter=3, folds=2, max_size=f"{kilobytes}kB").fit(treebank_path())
        save(pipeline, tmp_path / "en.st")
        sizes[kilobytes] = (tmp_path / "en.st").stat().st_size
        assert sizes[kilobytes] <= kilobytes * 1000
        assert load(tmp_path / "en.st").annotate(TEXT).conllu == pipeline.annotate(TEXT).conllu
    assert sizes[180] < sizes[12_000]
    with pytest.raises(ValueError, match=r"max_size: expected a size such as '2MB' or '500kB', found 12"):
        TextPipeline(max_size=12).fit(treebank_path())
    with pytest.raises(ValueError, match=r"max_size: expected room for .* MB and a parser, found 0.05 MB"):
        TextPipeline(tree="lean", max_iter=3, folds=2, max_size="50kB").fit(treebank_path())
