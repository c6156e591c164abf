"""Tags for what comes after a tagger: put into CoNLL-U text, as the tagger finds them.

A parser that is trained on the tags of the same sentences that its tagger has learned would trust them too much. So the
sentences are cut into folds, and each is tagged by a tagger like the given one that has learned from all others.
"""

import io
from dataclasses import replace

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.corpus import numbered
from rosenblatt.members.sentences.tagger.columns import FileColumns
from rosenblatt.members.sentences.tagger.learn import run_over
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.services.files.conll import read_conll
from rosenblatt.services.files.conll_writer import with_column
from rosenblatt.services.sentences.tagging import file_columns


def tagged_text(model: TaggerModel, text: bytes) -> bytes:
    """CoNLL-U text with the tags of a tagger in its column; every other byte as it was."""
    columns = _columns(model)
    sentences = read_conll(io.BytesIO(text), columns=columns.seen, format="conllu")
    return with_column(sentences, model.classes.tolist(), model.tags(sentences.core), column=columns.tag)


def jackknifed_text(model: TaggerModel, text: bytes, folds: int) -> bytes:
    """The same with the tags of `folds` taggers: sentence s is tagged by one that has not seen fold s mod `folds`.

    They learn from the tags of the text, with the parameters of the model and as many passes as it has made.
    """
    columns = _columns(model)
    sentences = read_conll(io.BytesIO(text), columns=[*columns.seen, columns.tag], format="conllu")
    corpus, last = sentences.core, len(columns.seen)
    if not 2 <= folds <= len(corpus):
        raise ValueError(f"jackknife: expected 2 to {len(corpus)} folds, one sentence each at least, found {folds}")
    classes, target = numbered(corpus, last)
    found = np.empty(corpus.n_tokens, dtype=np.int32)
    fold = np.arange(len(corpus)) % folds
    of_token = np.repeat(fold, np.diff(corpus.starts))
    parameters = replace(model.parameters, max_iter=max(model.kept_pass, 1), early_stopping=False)
    for k in range(folds):
        learned = _part(corpus, np.flatnonzero(fold != k))
        run = run_over(parameters, model.templates, learned, classes, target[of_token != k])
        found[of_token == k] = run.fit().tags(_part(corpus, np.flatnonzero(fold == k)))
    return with_column(sentences, classes.tolist(), found, column=columns.tag)


def _part(corpus: _core.Corpus, sentences: Array) -> _core.Corpus:
    return corpus.part(sentences.astype(np.int64))


def _columns(model: TaggerModel) -> FileColumns:
    return file_columns(model, "text.conllu")
