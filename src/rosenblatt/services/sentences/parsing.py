"""A parser and its files: it learns CoNLL-U without a Python object for each token, and parses block by block.

A parser is a stage, like the taggers that come before it: each takes the columns of `Sentences` that it looks at, and
returns the sentences with columns of its own. A block is read once and written once, whatever the number of stages.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array, text_array
from rosenblatt.base.exceptions import DataFileError, NoRowsError
from rosenblatt.members.sentences.corpus import UNIVERSAL_COLUMNS, column_number
from rosenblatt.members.sentences.parser.model import ParserModel, Trees, by_sentence, with_all_columns
from rosenblatt.services.files.compressed import FileLike, expand_names, name_of, replace_file
from rosenblatt.services.files.conll import Sentences, iter_conll, read_conll

if TYPE_CHECKING:  # functions import what only they need, because parsing a small file takes less time than the import
    from rosenblatt.members.run import Watch
    from rosenblatt.members.sentences.parser.learn import Treebank
    from rosenblatt.members.sentences.parser.parameters import ParserParameters
    from rosenblatt.members.sentences.tagger.model import TaggerModel
    from rosenblatt.members.sentences.tagger.templates import FileColumns
    from rosenblatt.services.sentences.treebank_scores import ParseScores, Score, Spans, Words

BLOCK_BYTES = 1 << 22  # bytes of a file that are parsed at a time
COLUMNS = ("form", "upos", "xpos", "feats")
TREE = ("head", "deprel")
COMPARED = ("form", "lemma", "upos", "xpos", "feats", *TREE)


def fit_parser_file(
    parameters: "ParserParameters",
    path: FileLike | Sequence[FileLike],
    *,
    columns: Sequence[str] | None = None,
    dev: FileLike | None = None,
    taggers: Sequence["TaggerModel"] = (),
    folds: int = 0,
    watch: "Watch | None" = None,
) -> ParserModel:
    """Learn from CoNLL-U files. See `DependencyParser.fit_file`.

    The tags of `taggers` replace those of the files. With `folds`, the training sentences are tagged by similar taggers
    that have not seen them: see `jackknife`.
    """
    from rosenblatt.members.sentences.parser.learn import Treebank, fit_parser

    files = expand_names(path)
    seen = tuple(columns) if columns is not None else COLUMNS if taggers else file_columns(files[0])
    parts = [read_treebank(part, seen, taggers, folds=folds) for part in files]
    held_out = None if dev is None else read_treebank(dev, seen, taggers)
    model = fit_parser(parameters, Treebank.join(parts), dev=held_out, watch=watch)
    model.file_columns = seen
    return model


def file_columns(path: FileLike) -> tuple[str, ...]:
    """The columns to look at: word, parts of speech and features.

    If a file has no language-specific parts of speech, the universal ones are used. A file that can be read only once
    is assumed to have all columns.
    """
    if hasattr(path, "read") or path == "-":
        return COLUMNS
    blocks: Any = iter_conll(path, columns=["xpos"], format="conllu", block_bytes=BLOCK_BYTES)
    with closing(blocks), suppress(NoRowsError, DataFileError):  # errors are reported when the file is read
        if set(next(iter(blocks)).core.texts(0)) == {"_"}:
            return ("form", "upos", "upos", "feats")
    return COLUMNS


def read_treebank(
    path: FileLike, columns: Sequence[str] = COLUMNS, taggers: Sequence["TaggerModel"] = (), *, folds: int = 0
) -> "Treebank":
    """The sentences of a CoNLL-U file and their trees. A `DataFileError` names a line without a tree."""
    from rosenblatt.members.sentences.parser.learn import Treebank

    sentences = read_conll(path, columns=_columns(taggers, [*columns, *TREE]), format="conllu")
    trees = trees_of(sentences, name_of(path))
    return Treebank(_look(tag_all(sentences, taggers, folds=folds), columns), *trees)


def _columns(taggers: Iterable["TaggerModel"], columns: Iterable[str]) -> list[str]:
    """The columns of a file that the stages need, each once."""
    wanted = {column_number(column, universal=True) for column in columns}
    for tagger in taggers:
        files = _universal_columns(tagger)
        wanted |= {column_number(column, universal=True) for column in (*files.seen, *files.tags)}
    return [UNIVERSAL_COLUMNS[number] for number in sorted({number % len(UNIVERSAL_COLUMNS) for number in wanted})]


def _universal_columns(tagger: "TaggerModel") -> "FileColumns":
    from rosenblatt.services.sentences.tagging import file_columns

    return file_columns(tagger, "text.conllu")


def tag_all(sentences: Sentences, taggers: Iterable["TaggerModel"], *, folds: int = 0) -> Sentences:
    """The sentences with the tags of each tagger. A tagger sees the tags of those before it."""
    for tagger in taggers:
        from rosenblatt.services.sentences.tagging import jackknife, tag_sentences

        files = _universal_columns(tagger)
        sentences = jackknife(tagger, sentences, files, folds) if folds else tag_sentences(tagger, sentences, files)
    return sentences


def _look(sentences: Sentences, columns: Sequence[str]) -> _core.Corpus:
    """The columns that templates look at."""
    return with_all_columns(sentences.corpus(columns))


def read_trees(path: FileLike) -> tuple[list[list[str]], Trees]:
    """The words of the sentences of a CoNLL-U file, and their trees."""
    sentences = read_conll(path, columns=["form", *TREE], format="conllu")
    heads, labels = trees_of(sentences, name_of(path))
    return sentences.column("form"), Trees(*(by_sentence(values, sentences.core) for values in (heads, labels)))


def score_trees(gold: FileLike, parsed: FileLike) -> "ParseScores":
    """Compare the trees of two CoNLL-U files, which may cut the same text into other sentences, tokens and words."""
    from rosenblatt.services.sentences.treebank_scores import scores_of

    words = [read_words(path) for path in (gold, parsed)]
    with _naming(parsed, gold):
        return scores_of(words[0], words[1])


def score_files(gold: FileLike, answer: FileLike) -> "dict[str, Score]":
    """The table of the CoNLL 2018 shared task of two CoNLL-U files; without trees, if one of them has none."""
    from rosenblatt.services.sentences.treebank_scores import table_of

    words = [read_words(path, need_trees=False) for path in (gold, answer)]
    with _naming(answer, gold):
        return table_of(words[0], words[1])


@contextmanager
def _naming(answer: FileLike, gold: FileLike) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name_of(answer)}, beside {name_of(gold)}: {error}") from None


def score_parser(model: ParserModel, path: FileLike, taggers: Sequence["TaggerModel"] = ()) -> "ParseScores":
    """Parse the sentences of a CoNLL-U file, tagged by the taggers, and compare the trees with those of the file."""
    from rosenblatt.services.sentences.treebank_scores import scores_of

    columns = _columns(taggers, [*COMPARED, *(model.file_columns or COLUMNS)])
    sentences = read_conll(path, columns=columns, format="conllu")
    gold = words_of(sentences, name_of(path))
    parsed = parse_sentences(model, tag_all(sentences, taggers))
    return scores_of(gold, words_of(parsed, name_of(path), spans=gold.spans))


def read_words(path: FileLike, *, need_trees: bool = True) -> "Words":
    """The words of a CoNLL-U file, to be compared with those of another annotation."""
    sentences = read_conll(path, columns=COMPARED, format="conllu")
    return words_of(sentences, name_of(path), need_trees=need_trees)


def words_of(sentences: Sentences, name: str, *, spans: "Spans | None" = None, need_trees: bool = True) -> "Words":
    """The words of sentences, whose columns `COMPARED` were read or made since.

    Without `need_trees` the heads may all be `_`, which is no tree. `spans` of the same tokens need not be made again.
    """
    from rosenblatt.services.sentences.treebank_scores import Texts, Words, spans_of

    columns = {}
    for column in COMPARED:
        corpus = sentences.corpus([column])
        columns[column] = Texts(corpus.texts(0), corpus.tokens(0))
    without = not need_trees and columns["head"].texts == ["_"]
    heads = None if without else trees_of(sentences, name)[0]
    form, starts = columns["form"], sentences.core.starts
    if spans is None:
        spans = spans_of(form, starts, list(_ranges(sentences, name)))
        empty = np.flatnonzero(spans.tokens[:, 0] == spans.tokens[:, 1])
        if len(empty):
            raise ValueError(f"{name}: expected tokens that are more than blanks, found one that is not")
    deprel, upos, feats = (columns[column] for column in ("deprel", "upos", "feats"))
    return Words(starts, heads, deprel, upos, feats, columns["xpos"], columns["lemma"], form, spans)


def _ranges(sentences: Sentences, name: str) -> Iterator[tuple[int, int, str]]:
    """The multiword tokens: the first word of each among all words, how many words it has, and its form."""
    text = sentences.text
    if b"-" not in text:
        return
    starts, word, end = sentences.core.starts, 0, 0
    for line in re.finditer(rb"^(?:\xef\xbb\xbf)?(\d+)(-(\d+))?\t([^\t]*)", text, re.MULTILINE):
        first, to, last, form = line.groups()
        if to is None:
            word += 1
            continue
        sentence = int(np.searchsorted(starts, word, side="right")) - 1
        count = int(last) - int(first) + 1
        inside = sentence < len(starts) - 1 and int(first) == word - int(starts[sentence]) + 1
        if not inside or count < 1 or word < end or word + count > int(starts[sentence + 1]):
            written = (first + to).decode()
            place = text.count(b"\n", 0, line.start()) + 1
            raise DataFileError(name, place, 1, "the range of the words that follow in this sentence", repr(written))
        end = word + count
        yield word, count, form.decode()


def trees_of(sentences: Sentences, name: str) -> tuple[Array, Array]:
    """The heads and the labels (as texts) of all tokens."""
    corpus = sentences.corpus(TREE)
    texts = corpus.texts(0)
    numbers = [int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1 for text in texts]
    tokens, starts = corpus.tokens(0), corpus.starts
    heads = np.array(numbers, dtype=np.int32)[tokens]
    wrong = np.flatnonzero(heads < 0)
    if len(wrong):
        expected, text = "the number of a word of the sentence, or 0 for the root", repr(texts[tokens[wrong[0]]])
        raise DataFileError(name, *_place_of_head(sentences.text, int(wrong[0])), expected, text)
    if (problem := _core.tree_problem(corpus.starts, heads)) is not None:
        sentence, word, *messages = problem
        raise DataFileError(name, *_place_of_head(sentences.text, int(starts[sentence]) + word - 1), *messages)
    return heads, text_array(corpus.texts(1), "labels")[corpus.tokens(1)]


def _place_of_head(text: bytes, token: int) -> tuple[int, int]:
    """The line of a token in a CoNLL-U text, and the place of its head in this line, both counted from 1."""
    count = -1
    for number, line in enumerate(text.split(b"\n"), start=1):
        fields = line.split(b"\t")
        count += line[:1] not in (b"", b"#", b"\r") and fields[0].removeprefix(b"\xef\xbb\xbf").isdigit()
        if count == token:
            return number, sum(len(field) + 1 for field in fields[: UNIVERSAL_COLUMNS.index("head")]) + 1
    raise IndexError(token)


def parse_file(model: ParserModel, path: FileLike, out: FileLike, taggers: Sequence["TaggerModel"] = ()) -> None:
    """Tag and parse a CoNLL-U file of any size, block by block. See `DependencyParser.parse_file`."""
    columns = _columns(taggers, model.file_columns or COLUMNS)
    blocks: Any = iter_conll(path, columns=columns, format="conllu", block_bytes=BLOCK_BYTES)
    with (
        closing(blocks),
        replace_file(out) as file,
        suppress(NoRowsError),
    ):  # if there are no sentences, nothing is written
        for block in blocks:
            file.write(parse_sentences(model, tag_all(block, taggers)).text)
            if out == "-":
                file.flush()  # because the reader may wait for it


def parse_sentences(model: ParserModel, sentences: Sentences) -> Sentences:
    if not len(sentences):  # a block may be the empty lines at the end of a file
        return sentences
    columns = model.file_columns or COLUMNS
    heads, labels = model.parse(_look(sentences, columns), tagged=sentences.columns_made)
    numbers = [str(number) for number in range(int(heads.max(initial=0)) + 1)]
    with_heads = sentences.with_column(numbers, heads, column="head")
    return with_heads.with_column(model.classes.tolist(), labels, column="deprel")


def check_columns(columns: Sequence[str]) -> None:
    """Check that these are names of CoNLL-U columns, and not those that a parser writes."""
    for column in columns:
        if UNIVERSAL_COLUMNS[column_number(column, universal=True)] in TREE:
            raise ValueError(f"columns: {column!r} has what is to be learned")
