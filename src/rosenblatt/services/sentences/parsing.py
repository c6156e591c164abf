"""A parser and its files: CoNLL-U, learned without a Python object a token, parsed block by block."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.members.sentences.columns import column_number
from rosenblatt.members.sentences.parser.model import ParserModel
from rosenblatt.members.sentences.parser.scores import Words
from rosenblatt.members.sentences.parser.trees import Trees, as_sentences, by_sentence
from rosenblatt.services.files.compressed import FileLike, name_of, replaced
from rosenblatt.services.files.conll import Sentences, iter_conll, read_conll
from rosenblatt.services.files.conll_writer import with_column

if TYPE_CHECKING:
    from rosenblatt.members.sentences.parser.learn import Treebank, Watch
    from rosenblatt.members.sentences.parser.parameters import ParserParameters

BLOCK_BYTES = 1 << 22  # of a file to parse
COLUMNS = ("form", "upos", "xpos", "feats")
HEAD, LABEL = 6, 7  # columns of CoNLL-U


def fit_parser_file(
    parameters: "ParserParameters",
    path: FileLike | Sequence[FileLike],
    *,
    columns: Sequence[str] | None = None,
    dev: FileLike | None = None,
    watch: "Watch | None" = None,
) -> ParserModel:
    """Learn from CoNLL-U files. See `DependencyParser.fit_file`."""
    from rosenblatt.members.sentences.parser.learn import Treebank, fit_parser
    from rosenblatt.services.files.file_names import expanded  # not to be waited for where a file is parsed

    files = expanded(path)
    seen = tuple(columns) if columns is not None else file_columns(files[0])
    parts = [read_treebank(one, seen) for one in files]
    corpus = _core.joined_corpus([part.corpus for part in parts]) if len(parts) > 1 else parts[0].corpus
    together = Treebank(corpus, *(np.concatenate([part[k] for part in parts]) for k in (1, 2)))
    held_out = None if dev is None else read_treebank(dev, seen)
    model = fit_parser(parameters, together, dev=held_out, watch=watch)
    model.file_columns = seen
    return model


def file_columns(path: FileLike) -> tuple[str, ...]:
    """What to look at: word, parts of speech and features; without parts of speech of the language the universal ones.

    A file that can be read once is taken to have all.
    """
    if hasattr(path, "read") or path == "-":
        return COLUMNS
    blocks: Any = iter_conll(path, columns=["xpos"], format="conllu", block_bytes=BLOCK_BYTES)
    with closing(blocks), suppress(NoRowsError, DataFileError):  # whatever is wrong is said when it is read
        if set(next(iter(blocks)).core.texts(0)) == {"_"}:
            return ("form", "upos", "upos", "feats")
    return COLUMNS


def read_treebank(path: FileLike, columns: Sequence[str] = COLUMNS) -> "Treebank":
    """The sentences of a CoNLL-U file and their trees; a `DataFileError` names the line where there is none."""
    from rosenblatt.members.sentences.parser.learn import Treebank

    sentences = read_conll(path, columns=[*columns, "head", "deprel"], format="conllu")
    return Treebank(as_seen(sentences, len(columns)), *trees_of(sentences, name_of(path)))


def as_seen(sentences: Sentences, n_columns: int) -> _core.Corpus:
    """As templates look at them: where too few columns are chosen, the others are as `as_sentences` has them."""
    if n_columns >= len(COLUMNS):
        return sentences.core
    return as_sentences([[token[:n_columns] for token in sentence] for sentence in sentences])


def read_trees(path: FileLike) -> tuple[list[list[str]], Trees]:
    """The words of the sentences of a CoNLL-U file, and their trees."""
    sentences = read_conll(path, columns=["form", "head", "deprel"], format="conllu")
    heads, labels = trees_of(sentences, name_of(path))
    return sentences.column("form"), Trees(*(by_sentence(one, sentences.core) for one in (heads, labels)))


def read_words(gold: FileLike, found: FileLike) -> tuple[Words, Words]:
    """The words of two CoNLL-U files, which must be the same, with what is to be compared of them."""
    columns = ["form", "upos", "feats", "head", "deprel"]
    both = [read_conll(path, columns=columns, format="conllu") for path in (gold, found)]
    names = [name_of(path) for path in (gold, found)]
    forms = [_column(sentences.core, 0) for sentences in both]
    if not np.array_equal(both[0].core.starts, both[1].core.starts) or not np.array_equal(forms[0], forms[1]):
        raise ValueError(f"{names[1]}: expected the sentences and words of {names[0]}, found others")
    right, other = (
        Words(one.core.starts, *trees_of(one, name), _column(one.core, 1), _column(one.core, 2))
        for one, name in zip(both, names, strict=True)
    )
    return right, other


def _column(corpus: _core.Corpus, column: int) -> Array:
    return np.array(corpus.texts(column), dtype=str)[corpus.tokens(column)]


def trees_of(sentences: Sentences, name: str) -> tuple[Array, Array]:
    """The heads, and the labels as texts, of all tokens, which are the last two columns that were read."""
    corpus = sentences.core
    head, label = corpus.n_columns - 2, corpus.n_columns - 1
    texts = corpus.texts(head)
    numbers = [int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1 for text in texts]
    tokens, starts = corpus.tokens(head), corpus.starts
    heads = np.array(numbers, dtype=np.int32)[tokens]
    wrong = np.flatnonzero(heads < 0)
    if len(wrong):
        said = ("the number of a word of the sentence, or 0 for the root", repr(texts[tokens[wrong[0]]]))
        raise DataFileError(name, *place_of(sentences.text, int(wrong[0]), HEAD), *said)
    if (problem := _core.tree_problem(starts, heads)) is not None:
        sentence, word, expected, found = problem
        place = place_of(sentences.text, int(starts[sentence]) + word - 1, HEAD)
        raise DataFileError(name, *place, expected, found)
    return heads, text_array(corpus.texts(label), "labels")[corpus.tokens(label)]


def place_of(text: bytes, token: int, column: int) -> tuple[int, int]:
    """The line of a token of a CoNLL-U text, and where in it a column begins, both from 1 on."""
    count = -1
    for number, line in enumerate(text.split(b"\n"), start=1):
        fields = line.split(b"\t")
        count += line[:1] not in (b"", b"#", b"\r") and fields[0].removeprefix(b"\xef\xbb\xbf").isdigit()
        if count == token:
            return number, sum(len(field) + 1 for field in fields[:column]) + 1
    raise IndexError(token)


def parse_file(model: ParserModel, path: FileLike, out: FileLike) -> None:
    """Parse a CoNLL-U file of any size, block by block. See `DependencyParser.parse_file`."""
    columns = model.file_columns or COLUMNS
    blocks: Any = iter_conll(path, columns=list(columns), format="conllu", block_bytes=BLOCK_BYTES)
    with closing(blocks), replaced(out) as file, suppress(NoRowsError):  # no sentences, no trees
        for text in parsed_blocks(model, blocks):
            file.write(text)


def parsed_blocks(model: ParserModel, blocks: Iterator[Sentences]) -> Iterator[bytes]:
    """The text of each block with its trees."""
    for block in blocks:
        heads, labels = model.parse(as_seen(block, block.core.n_columns))
        texts = [str(number) for number in range(int(heads.max(initial=0)) + 1)]
        with_heads = Sentences(block.core, [with_column(block, texts, heads, column=HEAD)], block.layout)
        yield with_column(with_heads, model.classes.tolist(), labels, column=LABEL)


def check_columns(columns: Sequence[str]) -> None:
    """Names of CoNLL-U, but not those that a parser is to find."""
    for column in columns:
        if column_number(column, universal=True) in (HEAD, LABEL):
            raise ValueError(f"columns: {column!r} has what is to be learned")
