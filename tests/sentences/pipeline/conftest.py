"""A small pipeline that has learned from the treebank that ships."""

import pytest

from rosenblatt import TextPipeline
from rosenblatt.data.treebank import treebank_path


@pytest.fixture(scope="session")
def pipeline() -> TextPipeline:
    return TextPipeline(tree="lean", max_iter=3, folds=2).fit_file(treebank_path(), dev=treebank_path())
