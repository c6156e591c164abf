"""Short English sentences with parts of speech (those of the Penn Treebank) and chunks (those of CoNLL-2000, IOB2)."""

from importlib.resources import files

from rosenblatt.services.files.conll import Sentences, read_conll


def load_sentences() -> Sentences:
    """Some 60 sentences, written for this package: the columns are the word, its part of speech, its chunk.

    >>> sentences = load_sentences()
    >>> len(sentences), sentences[1]  # doctest: +NORMALIZE_WHITESPACE
    (57, [('A', 'DT', 'B-NP'), ('small', 'JJ', 'I-NP'), ('cat', 'NN', 'I-NP'), ('watches', 'VBZ', 'B-VP'),
          ('the', 'DT', 'B-NP'), ('birds', 'NNS', 'I-NP'), ('.', '.', 'O')])
    """
    with files("rosenblatt.data").joinpath("sentences.conll").open("rb") as file:
        return read_conll(file)
