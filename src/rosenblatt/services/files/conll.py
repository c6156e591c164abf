"""CoNLL files: sentences of tokens, a token a line of columns, an empty line after a sentence; and CoNLL-U.

`Sentences` are what goes from stage to stage: a reader makes them of a file or of a block of it, each tagger and parser
takes the columns that it looks at and gives the sentences with columns of its own, and they are written once. What is
no token (comments, ranges of words, empty nodes, lines between documents) stays in the text, so that what is written
differs from what was read in nothing but the columns that the stages have made.
"""

import io
import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple, TypeAlias, overload

import numpy as np

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.members.sentences.corpus import BETWEEN, UNIVERSAL_COLUMNS, Format, TagColumns, column_number
from rosenblatt.services.files.blocks import BLOCK_BYTES, LineBlocks, error_in
from rosenblatt.services.files.compressed import FileLike, OpenFile, open_file, replace_file

Sentence: TypeAlias = list[tuple[str, ...]]


class Layout(NamedTuple):
    """Whether it is CoNLL-U, how many columns the file has, and which of them were read."""

    universal: bool
    width: int
    columns: tuple[int, ...]


class NewColumn(NamedTuple):
    """What a stage has made: token t has texts[numbers[t]]."""

    texts: list[str]
    numbers: Any


class Sentences(Sequence[Sentence]):
    r"""Sentences as they were read, and the columns that were made since; each is a list of tokens.

    A token is a tuple of the texts of the columns that were read. Nothing changes them: `with_column` gives others, of
    the same text.

    Examples
    --------
    >>> import io
    >>> sentences = read_conll(io.BytesIO(b"She PRP B-NP\nsleeps VBZ B-VP\n\nWhy WRB B-ADVP\n"))
    >>> len(sentences), sentences[0], sentences.column(1)
    (2, [('She', 'PRP', 'B-NP'), ('sleeps', 'VBZ', 'B-VP')], [['PRP', 'VBZ'], ['WRB']])
    >>> sentences.with_column(["N", "V"], [0, 1, 1], column=1).text
    b'She N B-NP\nsleeps V B-VP\n\nWhy V B-ADVP\n'
    """

    def __init__(self, core: _core.Corpus, texts: list[bytes], layout: Layout) -> None:
        self.layout, self._read, self._texts = layout, core, texts
        self._starts: list[int] = core.starts.tolist()
        self._new: dict[int, NewColumn] = {}  # by its number in the file; added ones are numbered from its width on

    @cached_property
    def core(self) -> _core.Corpus:
        """The columns that were read, as the core has them."""
        return self.corpus(self.layout.columns)

    @property
    def columns_made(self) -> list[str]:
        """The names of the columns of CoNLL-U that were made since."""
        return [UNIVERSAL_COLUMNS[number] for number in self._new if number < self.layout.width]

    @property
    def text(self) -> bytes:
        """The bytes of the file with the columns that were made since; every other byte is as it was."""
        if len(self._texts) != 1:
            self._texts[:] = [b"".join(self._texts)]
        if not self._new:
            return self._texts[0]
        universal, width, _ = self.layout
        columns = [(None if number >= width else number, *column) for number, column in self._new.items()]
        return _core.write_conll(self._texts[0], universal=universal, columns=columns)

    def corpus(self, columns: Iterable[TagColumns]) -> _core.Corpus:
        """These columns of the file, by number or name: as they were read, or made since.

        A tuple of columns is one column, with a tab between their texts.
        """
        wanted = [self._number(column) if isinstance(column, int | str) else tuple(column) for column in columns]
        if not self._new and tuple(wanted) == self.layout.columns:
            return self._read
        return self._read.choose([self._join(k) if isinstance(k, tuple) else self._there(k) for k in wanted])

    def _there(self, number: int) -> int | NewColumn:
        """A column of the file as the core takes it: its place among those that were read, or what was made since."""
        if number in self._new:
            return self._new[number]
        if number not in self.layout.columns:
            raise ValueError(f"expected columns that were read, {self.layout.columns}, found {number}")
        return self.layout.columns.index(number)

    def _join(self, columns: tuple[int | str, ...]) -> NewColumn:
        """One column with the texts of several, each different one once."""
        parts = [self.corpus([column]) for column in columns]
        ids = np.zeros(self._read.n_tokens, dtype=np.int64)
        for part in parts:  # numbers of few different texts, so that they cannot overflow
            _, ids = np.unique(ids * len(part.texts(0)) + part.tokens(0), return_inverse=True)
        _, example = np.unique(ids, return_index=True)
        texts = [[part.texts(0)[k] for k in part.tokens(0)[example].tolist()] for part in parts]
        return NewColumn(list(map(BETWEEN.join, zip(*texts, strict=True))), ids.astype(np.int32))

    def with_columns(self, texts: Iterable[str], numbers: Any, columns: Sequence[int | str | None]) -> "Sentences":
        """These sentences with the columns of tags that are made of several columns: see `corpus`, `with_column`."""
        sentences, parts = self, zip(*(text.split(BETWEEN) for text in texts), strict=True)
        for column, part in zip(columns, parts, strict=True):
            sentences = sentences.with_column(part, numbers, column=column)
        return sentences

    def with_column(self, texts: Iterable[str], numbers: Any, *, column: int | str | None = None) -> "Sentences":
        """These sentences, where token t has `texts[numbers[t]]` in a column of the file, or in one that is added."""
        if self.layout.universal and (column is None or self._number(column) == 0):
            raise ValueError(
                "CoNLL-U has ten columns and numbered tokens: column must be one of them, but not the first"
            )
        number = self.layout.width + sum(k >= self.layout.width for k in self._new)
        sentences = Sentences(self._read, self._texts, self.layout)
        added = NewColumn(list(texts), np.ascontiguousarray(numbers, dtype=np.int32))
        sentences._new = {**self._new, number if column is None else self._number(column): added}
        return sentences

    def _number(self, column: int | str) -> int:
        return range(self.layout.width)[column_number(column, universal=self.layout.universal)]

    def __repr__(self) -> str:
        return f"<{len(self)} sentences, {self._read.n_tokens} tokens, {self._read.n_columns} columns>"

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sentence]: ...
    def __getitem__(self, index: int | slice) -> Sentence | list[Sentence]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = range(len(self))[index]
        tokens = slice(self._starts[k], self._starts[k + 1])
        columns = [[texts[number] for number in numbers[tokens].tolist()] for texts, numbers in self._columns]
        return list(zip(*columns, strict=True))

    def column(self, which: int | str) -> list[list[str]]:
        """One column, a list for each sentence: by its place among those that were read, or its name in CoNLL-U."""
        texts, numbers = self._columns[self._place(which)]
        values = [texts[number] for number in numbers.tolist()]
        return [values[start:end] for start, end in pairwise(self._starts)]

    @property
    def columns(self) -> set[str]:
        """The names of the columns of CoNLL-U that were read, or made since."""
        return {UNIVERSAL_COLUMNS[k] for k in (*self.layout.columns, *self._new)}

    @property
    def n_tokens(self) -> int:
        """How many tokens they have."""
        return int(self._read.n_tokens)

    @cached_property
    def _columns(self) -> list[tuple[list[str], Any]]:
        return [(self.core.texts(k), self.core.tokens(k)) for k in range(self.core.n_columns)]

    def _place(self, which: int | str) -> int:
        if not isinstance(which, str):
            return range(len(self._columns))[which]
        names = [UNIVERSAL_COLUMNS[k] for k in self.layout.columns] if self.layout.universal else []
        if which not in names:
            raise ValueError(f"expected one of the columns' names {names}, or a number, found {which!r}")
        return names.index(which)


def read_conll(
    path: FileLike,
    *,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
) -> Sentences:
    r"""Read a CoNLL file: all columns, or some of them.

    In a column file blanks or tabs are between the columns, all tokens have the same number of them, and a line that
    begins with `-DOCSTART-` is no token but ends a sentence. There are no comments: `#` is a word. In CoNLL-U one tab
    is between the ten columns, tokens are numbered, and comments, ranges (`3-4`) and empty nodes (`5.1`) are no tokens.
    In both the text is UTF-8 and printable; CRLF, a byte order mark and a last line without its end are read.

    Parameters
    ----------
    path
        A name, `-` for standard input, a file opened in binary mode, or a descriptor. Names in .gz, .bz2, .xz and
        .zst are decompressed.
    columns
        Which to read, and in which order: numbers from 0, or from -1 for the last; in CoNLL-U names as well: id, form,
        lemma, upos, xpos, feats, head, deprel, deps, misc. Default: all.
    format
        "columns", "conllu", or "auto": CoNLL-U if the name ends in .conllu, before a compression's suffix.

    Raises
    ------
    DataFileError
        `path:line:column: expected ..., found ...`, for the first error in the file; columns count bytes. A sentence of
        more than 64 MiB is one too, and a file without tokens.

    See Also
    --------
    iter_conll : The same in blocks, for files larger than the memory.
    write_conll : With a column added or replaced.

    Examples
    --------
    >>> import io
    >>> from rosenblatt.services.files.conll import read_conll
    >>> read_conll(io.BytesIO(b"Dogs NNS B-NP\nbark VBP B-VP\n"), columns=[0, -1])[0]
    [('Dogs', 'B-NP'), ('bark', 'B-VP')]
    >>> read_conll(io.BytesIO(b"Dogs NNS B-NP\nbark VBP\n"))
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:2:9: expected 3 columns, as in line 1, found the end of the line
    """
    with open_file(path) as source:
        universal = is_universal(source.name, format)
        reader = _reader(universal, columns)
        texts = list(_read(source, reader, BLOCK_BYTES))
    return _sentences(universal, reader, texts)


def iter_conll(
    path: FileLike,
    *,
    columns: Sequence[int | str] | None = None,
    format: Format = "auto",  # noqa: A002
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[Sentences]:
    r"""Read a CoNLL file block by block, in little memory: some whole sentences at a time.

    The texts of the blocks together are the file. A block may have no sentence, if the file ends in empty lines.

    Parameters
    ----------
    path, columns, format
        As in `read_conll`.
    block_bytes
        About how much text is read at a time, whole sentences and at least one.

    Yields
    ------
    sentences
        With texts and numbers of their own.

    Examples
    --------
    >>> import io
    >>> from rosenblatt.services.files.conll import iter_conll
    >>> text = b"Dogs NNS\nbark VBP\n\nCats NNS\nsleep VBP\n\n"
    >>> [block.column(0) for block in iter_conll(io.BytesIO(text), block_bytes=20)]
    [[['Dogs', 'bark']], [['Cats', 'sleep']]]
    """
    if operator.index(block_bytes) < 1:
        raise ValueError(f"block_bytes must be at least 1, got {block_bytes}")
    return _iterate(path, columns, format, block_bytes)


def _iterate(
    path: FileLike, columns: Sequence[int | str] | None, form: Format, block_bytes: int
) -> Iterator[Sentences]:
    with open_file(path) as source:
        universal = is_universal(source.name, form)
        reader = _reader(universal, columns)
        for text in _read(source, reader, block_bytes):
            yield _sentences(universal, reader, [text])


def is_universal(name: str, form: Format) -> bool:
    """Whether a file is CoNLL-U: as told, or by its name.

    >>> is_universal("en.conllu.gz", "auto"), is_universal("en.conllu.gz", "columns")
    (True, False)
    """
    if form not in ("auto", "columns", "conllu"):
        raise ValueError(f"format must be 'auto', 'columns' or 'conllu', got {form!r}")
    named_so = re.search(r"\.conllu(\.(gz|bz2|xz|zst|zstd))?$", name) is not None
    return form == "conllu" or (form == "auto" and named_so)


def _reader(universal: bool, columns: Sequence[int | str] | None) -> _core.ConllReader:
    if columns is not None and (isinstance(columns, str) or not len(columns)):
        raise ValueError(f"columns must be a list of at least one column, got {columns!r}")
    numbers = [column_number(column, universal=universal) for column in columns or []]
    return _core.ConllReader(universal=universal, columns=numbers)


def _sentences(universal: bool, reader: _core.ConllReader, texts: list[bytes]) -> Sentences:
    return Sentences(reader.take(), texts, Layout(universal, reader.width, tuple(reader.columns)))


def _read(source: OpenFile, reader: _core.ConllReader, block_bytes: int) -> Iterator[bytes]:
    """Lets the core read some whole sentences, and gives their text; all before an error come first."""
    blocks = LineBlocks(source, block_bytes)
    begun: list[bytes] = []  # the pieces of a sentence that may go on
    size = 0
    any_tokens = False

    def read(text: bytes) -> Iterator[bytes]:
        nonlocal any_tokens
        n_read = reader.read(text)
        any_tokens = any_tokens or reader.n_tokens > 0
        if n_read:
            yield text[:n_read]
        if reader.error:
            raise error_in(source, reader.error)

    for block in blocks:
        with memoryview(block.buffer)[: block.size] as lines:
            cut = _core.whole_sentences(lines)
            if cut:
                yield from read(b"".join([*begun, lines[:cut]]))
                begun, size = [], 0
            begun.append(bytes(lines[cut:]))
        blocks.recycle(block)
        size += block.size - cut
        if size > _core.LONGEST_SENTENCE:
            break  # the core says that it is too long
        if block.problem:
            reader.read(b"".join(begun))
            if reader.error:
                raise error_in(source, reader.error)
            raise DataFileError(source.name, reader.lines + 1, block.rest + 1, *block.problem)
    yield from read(b"".join(begun))
    if not any_tokens:
        raise NoRowsError(source.name, reader.lines + 1, 1, "a token", "the end of the file")


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
    >>> from rosenblatt.services.files.conll import read_conll, write_conll
    >>> sentences = read_conll(io.BytesIO(b"Dogs NNS B-NP\nbark VBP B-VP\n"))
    >>> file = io.BytesIO()
    >>> write_conll(file, sentences, [["B-NP", "I-NP"]])
    >>> print(file.getvalue().decode(), end="")
    Dogs NNS B-NP B-NP
    bark VBP B-VP I-NP
    """
    if not isinstance(sentences, Sentences):
        sentences = _from_lists(sentences)
    if tags is not None:
        sentences = sentences.with_column(*_number_tags(sentences, tags), column=column)
    text = sentences.text
    with replace_file(path) as file:
        file.write(text)


def _number_tags(sentences: Sentences, tags: Sequence[Sequence[str]]) -> tuple[list[str], Any]:
    """The different tags, and the number of each token's."""
    wanted = np.diff(sentences.core.starts).tolist()
    lengths = [len(of_sentence) for of_sentence in tags]
    if lengths != wanted:
        raise ValueError(f"tags must have a text for each token of each sentence: {_first_difference(wanted, lengths)}")
    numbers = {tag: number for number, tag in enumerate(dict.fromkeys(chain.from_iterable(tags)))}
    return list(numbers), np.array([numbers[tag] for tag in chain.from_iterable(tags)], dtype=np.int32)


def _first_difference(wanted: list[int], lengths: list[int]) -> str:
    if len(wanted) != len(lengths):
        return f"expected {len(wanted)} sentences, found {len(lengths)}"
    k = next(k for k, pair in enumerate(zip(wanted, lengths, strict=True)) if pair[0] != pair[1])
    return f"expected {wanted[k]} in sentence {k}, found {lengths[k]}"


def _from_lists(lists: Sequence[Sentence]) -> Sentences:
    """Lists of tokens as a text that was read."""
    text = "".join("".join(" ".join(token) + "\n" for token in sentence) + "\n" for sentence in lists)
    rest = "; a token must be a tuple of texts without blanks, and all tokens must have as many"
    try:
        sentences = read_conll(io.BytesIO(text.encode()))
    except DataFileError as error:
        raise ValueError(f"sentences cannot be written as columns: {error}{rest}") from None
    for k, (wanted, sentence) in enumerate(zip(lists, sentences, strict=False)):
        if list(map(tuple, wanted)) != sentence:
            raise ValueError(f"sentences cannot be written as columns: sentence {k} would read as {sentence}{rest}")
    if len(lists) != len(sentences):
        raise ValueError(f"sentences cannot be written as columns: {len(lists)} would read as {len(sentences)}{rest}")
    return sentences
