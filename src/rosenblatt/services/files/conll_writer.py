"""Sentences back to a CoNLL file, with a column added or replaced and every other byte as it was read."""

import io
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.members.sentences.columns import column_number
from rosenblatt.services.files.compressed import FileLike, replaced
from rosenblatt.services.files.conll import Sentence, Sentences, read_conll


def write_conll(
    path: FileLike,
    sentences: Sentences | Sequence[Sentence],
    tags: Sequence[Sequence[str]] | None = None,
    *,
    column: int | str | None = None,
) -> None:
    r"""Write sentences to a CoNLL file, with tags as a column that is added or takes the place of another.

    What was read is written as it was, byte for byte: blanks, comments, line ends. conlleval and its like want the
    predicted tags last and the true ones before them, which is what adding them to a file with its tags last gives; a
    `-DOCSTART-` line then has its last column twice. The file takes its place once all of it is on the disk.

    Parameters
    ----------
    path
        A name, `-` for standard output, or a file opened in binary mode. Names in .gz, .bz2, .xz and .zst are
        compressed.
    sentences
        What `read_conll` or `iter_conll` gives; or lists of tokens, each a tuple of texts without blanks.
    tags
        A text for each token, in a list for each sentence. Default: none.
    column
        The column of the file that they replace: a number from 0, or from -1 for the last, or a name of CoNLL-U, where
        it has to be given, since there is no place for another. Default: they are added as the last.

    See Also
    --------
    read_conll : The other way.

    Examples
    --------
    >>> import io
    >>> from rosenblatt.services.files.conll import read_conll
    >>> from rosenblatt.services.files.conll_writer import write_conll
    >>> sentences = read_conll(io.BytesIO(b"Dogs NNS B-NP\nbark VBP B-VP\n"))
    >>> file = io.BytesIO()
    >>> write_conll(file, sentences, [["B-NP", "I-NP"]])
    >>> print(file.getvalue().decode(), end="")
    Dogs NNS B-NP B-NP
    bark VBP B-VP I-NP
    """
    if not isinstance(sentences, Sentences):
        sentences = _sentences(sentences)
    text = sentences.text if tags is None else with_column(sentences, *_numbered(sentences, tags), column=column)
    with replaced(path) as file:
        file.write(text)


def with_column(sentences: Sentences, texts: Sequence[str], numbers: Any, *, column: int | str | None = None) -> bytes:
    r"""The sentences' text with `texts[numbers[t]]` for token t, added or in place of a column: what taggers answer.

    >>> import io
    >>> sentences = read_conll(io.BytesIO(b"Dogs\nbark\n"))
    >>> with_column(sentences, ["NNS", "VBP"], np.array([0, 1], dtype=np.int32))
    b'Dogs NNS\nbark VBP\n'
    """
    universal, width, _ = sentences.layout
    if column is not None:
        column = range(width)[column_number(column, universal=universal)]
    if universal and not column:
        raise ValueError("CoNLL-U has ten columns and numbered tokens: column must be one of them, but not the first")
    numbers = np.ascontiguousarray(numbers, dtype=np.int32)
    return _core.write_conll(sentences.text, universal=universal, column=column, texts=list(texts), numbers=numbers)


def _numbered(sentences: Sentences, tags: Sequence[Sequence[str]]) -> tuple[list[str], Any]:
    """The different tags, and the number of each token's."""
    wanted = np.diff(sentences.core.starts).tolist()
    found = [len(of_sentence) for of_sentence in tags]
    if found != wanted:
        raise ValueError(f"tags must have a text for each token of each sentence: {_first_difference(wanted, found)}")
    numbers = {tag: number for number, tag in enumerate(dict.fromkeys(chain.from_iterable(tags)))}
    return list(numbers), np.array([numbers[tag] for tag in chain.from_iterable(tags)], dtype=np.int32)


def _first_difference(wanted: list[int], found: list[int]) -> str:
    if len(wanted) != len(found):
        return f"expected {len(wanted)} sentences, found {len(found)}"
    k = next(k for k, pair in enumerate(zip(wanted, found, strict=True)) if pair[0] != pair[1])
    return f"expected {wanted[k]} in sentence {k}, found {found[k]}"


def _sentences(given: Sequence[Sentence]) -> Sentences:
    """Lists of tokens as a text that was read."""
    text = "".join("".join(" ".join(token) + "\n" for token in sentence) + "\n" for sentence in given)
    rest = "; a token must be a tuple of texts without blanks, and all tokens must have as many"
    try:
        sentences = read_conll(io.BytesIO(text.encode()))
    except DataFileError as error:
        raise ValueError(f"sentences cannot be written as columns: {error}{rest}") from None
    for k, (one, other) in enumerate(zip(given, sentences, strict=False)):
        if list(map(tuple, one)) != other:
            raise ValueError(f"sentences cannot be written as columns: sentence {k} would read as {other}{rest}")
    if len(given) != len(sentences):
        raise ValueError(f"sentences cannot be written as columns: {len(given)} would read as {len(sentences)}{rest}")
    return sentences
