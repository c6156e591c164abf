"""CoNLL files: sentences of tokens, a token a line of columns, an empty line after a sentence; and CoNLL-U.

What is no token (comments, ranges of words, empty nodes, lines between documents) is kept with the text, so that what
is written differs from what was read in nothing but the column that was asked for.
"""

import operator
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, overload

from rosenblatt import _core
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.members.sentences.columns import UNIVERSAL_COLUMNS, Format, column_number
from rosenblatt.services.files.blocks import BLOCK_BYTES, LineBlocks, error_in
from rosenblatt.services.files.compressed import FileLike, Source, opened

Sentence: TypeAlias = list[tuple[str, ...]]


class Layout(NamedTuple):
    """Whether it is CoNLL-U, how many columns the file has, and which of them were read."""

    universal: bool
    width: int
    columns: tuple[int, ...]


class Sentences(Sequence[Sentence]):
    r"""Sentences as they were read, each a list of tokens, each a tuple of its columns' texts.

    `core` is the corpus as the core has it, `text` the bytes of the file, `layout` how they are in columns.

    >>> import io
    >>> sentences = read_conll(io.BytesIO(b"She PRP B-NP\nsleeps VBZ B-VP\n\nWhy WRB B-ADVP\n"))
    >>> len(sentences), sentences[0], sentences.column(1)
    (2, [('She', 'PRP', 'B-NP'), ('sleeps', 'VBZ', 'B-VP')], [['PRP', 'VBZ'], ['WRB']])
    """

    def __init__(self, core: _core.Corpus, texts: list[bytes], layout: Layout) -> None:
        self.core, self.layout = core, layout
        self._texts = texts
        self._starts: list[int] = core.starts.tolist()

    @property
    def text(self) -> bytes:
        """What was read, as it was; it is put together when it is asked for."""
        if len(self._texts) != 1:
            self._texts = [b"".join(self._texts)]
        return self._texts[0]

    def __repr__(self) -> str:
        return f"<{len(self)} sentences, {self.core.n_tokens} tokens, {self.core.n_columns} columns>"

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
    with opened(path) as source:
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
    with opened(path) as source:
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


def _read(source: Source, reader: _core.ConllReader, block_bytes: int) -> Iterator[bytes]:
    """Lets the core read some whole sentences, and gives their text; all before an error come first."""
    blocks = LineBlocks(source, block_bytes)
    begun: list[bytes] = []  # the pieces of a sentence that may go on
    size = 0
    any_tokens = False

    def read(text: bytes) -> Iterator[bytes]:
        nonlocal any_tokens
        taken = reader.read(text)
        any_tokens = any_tokens or reader.n_tokens > 0
        if taken:
            yield text[:taken]
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
