"""A tagger and its files: CoNLL columns and CoNLL-U, learned without a Python object a token, tagged block by block.

Templates number the columns of a token from 0. In a file of columns these are the columns of the file; in CoNLL-U it is
the form alone, or the columns that are named. The column with the tags is not for templates.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils.validation import check_is_fitted

from rosenblatt import _core
from rosenblatt.data.compressed import FileLike, replaced
from rosenblatt.data.conll import Format, Sentences, column_number, is_universal, iter_conll, read_conll
from rosenblatt.data.conll_writer import with_column
from rosenblatt.data.number import written
from rosenblatt.exceptions import all_or_nothing
from rosenblatt.tagger.corpus import numbered
from rosenblatt.tagger.templates import Template, line

BLOCK_BYTES = 1 << 20  # of a file to tag: what templates make of it takes many times the room
NONE = "_"  # in the place of a tag, where a sentence has fewer sequences than were asked for


class Pass(NamedTuple):
    """A pass that is over: its number from 1 on, wrong sentences and tokens, the score of sentences held out."""

    number: int
    sentence_mistakes: int
    mistakes: int
    score: float | None


class FileColumns(NamedTuple):
    """Whether it is CoNLL-U, which columns templates look at as 0, 1, ..., and which one has the tags."""

    universal: bool
    seen: tuple[int | str, ...]
    tag: int | str

    def read(self, path: FileLike, templates: list[Template]) -> _core.Corpus:
        """The columns that templates look at, and the tags as the last one."""
        sentences = read_conll(path, columns=[*self.seen, self.tag], format=self.format)
        numbers = sentences.layout.columns
        for template in templates:
            for _, column, *_ in template.pieces:
                if numbers[column] == numbers[-1]:
                    said = f"looks at column {self.seen[column]!r}, which has the tags to learn"
                    raise ValueError(f"templates: {line(template)!r} {said}")
        return sentences.core

    @property
    def format(self) -> Format:
        """As the readers of files have it."""
        return "conllu" if self.universal else "columns"


def columns_of(
    templates: list[Template], universal: bool, columns: Sequence[int | str] | None, tag: int | str | None
) -> FileColumns:
    """The columns as told; else the form and UPOS of CoNLL-U, or all that templates look at and the last one."""
    needed = 1 + max((column for template in templates for _, column, *_ in template.pieces), default=0)
    seen = tuple(columns) if columns is not None else ("form",) if universal else tuple(range(needed))
    tag = tag if tag is not None else "upos" if universal else -1
    for column in (*seen, tag):
        column_number(column, universal=universal)
    for template in templates:
        for _, column, *_ in template.pieces:
            if column >= len(seen):
                said = f"looks at column {column}, but columns are {list(seen)}"
                raise ValueError(f"templates: {line(template)!r} {said}")
    return FileColumns(universal, seen, tag)


def are_columns(found: Any) -> bool:
    """Whether a model file may have them."""
    if found is None:
        return True
    if not (isinstance(found, list | tuple) and len(found) == 3 and isinstance(found[1], list | tuple) and found[1]):
        return False
    texts_or_numbers = all(type(column) in (int, str) for column in (*found[1], found[2]))
    return isinstance(found[0], bool) and texts_or_numbers


class TagsFiles:
    """For a tagger: `fit_file` and `tag_file`."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_file(
        self,
        path: FileLike,
        *,
        tag: int | str | None = None,
        columns: Sequence[int | str] | None = None,
        dev: FileLike | None = None,
        format: Format = "auto",  # noqa: A002
        watch: Callable[[Pass], None] | None = None,
    ) -> Self:
        r"""Learn from a CoNLL file: the model of `fit` with its sentences and tags, many times faster.

        Parameters
        ----------
        path, format
            As in `read_conll`.
        tag
            The column with the tags: a number from 0, or from -1 for the last, or a name of CoNLL-U. No template may
            look at it. Default: the last; in CoNLL-U upos.
        columns
            Which columns of the file templates see as columns 0, 1, ... Default: those with these numbers; in CoNLL-U
            the form alone.
        dev
            A further file of the same columns, which chooses how many passes to make: the tagger is as after the first
            pass with the most of its tokens right. It takes the place of `early_stopping`.
        watch
            Is called after each pass.

        Examples
        --------
        >>> import io
        >>> from rosenblatt import SequenceTagger
        >>> text = b"the DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\ndogs NNS B-NP\nbark VBP B-VP\n"
        >>> model = SequenceTagger(templates="chunk").fit_file(io.BytesIO(text))
        >>> model.predict([[("cats", "NNS"), ("sleep", "VBP")]])
        [['B-NP', 'B-VP']]
        >>> SequenceTagger(templates=["U:%x[0,2]"]).fit_file(io.BytesIO(text))
        Traceback (most recent call last):
        ValueError: templates: 'U:%x[0,2]' looks at column 2, which has the tags to learn
        """
        model: Any = self
        with all_or_nothing(model):
            compiled = model._compile()
            files = columns_of(model._template_list, _universal(path, format), columns, tag)
            corpus = files.read(path, model._template_list)
            held_out = None if dev is None else files.read(dev, model._template_list)
            model._fit(compiled, corpus, *numbered(corpus, len(files.seen)), held_out, watch)
            model.file_columns_ = files
        return self

    def tag_file(
        self,
        path: FileLike,
        out: FileLike,
        *,
        n_best: int = 1,
        scores: bool = False,
        tag: int | str | None = None,
        columns: Sequence[int | str] | None = None,
        format: Format = "auto",  # noqa: A002
    ) -> None:
        r"""Tag a CoNLL file of any size: its tags become the last column, in CoNLL-U they take the place of a column.

        All else is written as it was read. A file that is there keeps its place until all of the new one is written.

        Parameters
        ----------
        path, format
            As in `read_conll`.
        out
            As in `write_conll`.
        n_best
            How many sequences, best first, a column each; `_` where a sentence has no more. Not in CoNLL-U.
        scores
            Whether each column of tags has one after it with the score of the sequence. Not in CoNLL-U.
        tag, columns
            As in `fit_file`. Default: as they were there, if that file had the same format.

        Examples
        --------
        >>> import io, sys
        >>> from rosenblatt import SequenceTagger
        >>> model = SequenceTagger().fit([["the", "dog", "barks"], ["dogs", "bark"]], [["D", "N", "V"], ["N", "V"]])
        >>> out = io.BytesIO()
        >>> model.tag_file(io.BytesIO(b"the\ncat\n"), out, n_best=2)
        >>> print(out.getvalue().decode(), end="")
        the D D
        cat N V
        """
        model: Any = self
        files = self.file_columns(path, tag=tag, columns=columns, format=format)
        if files.universal and (n_best != 1 or scores):
            raise ValueError("CoNLL-U has a place for one tag and none for scores: n_best must be 1, scores False")
        if n_best < 1:
            raise ValueError(f"n_best must be at least 1, got {n_best}")
        place = files.tag if files.universal else None
        blocks: Any = iter_conll(path, columns=files.seen, format=files.format, block_bytes=BLOCK_BYTES)
        with closing(blocks), replaced(out) as file:
            for block in blocks:
                if n_best == 1 and not scores:
                    file.write(with_column(block, model.classes_.tolist(), model._tags(block.core), column=place))
                else:
                    file.write(_with_best(model, block, n_best, scores=scores))

    def file_columns(
        self,
        path: FileLike,
        *,
        tag: int | str | None = None,
        columns: Sequence[int | str] | None = None,
        format: Format = "auto",  # noqa: A002
    ) -> FileColumns:
        """What the columns of a file are to this tagger: as told, else as they were in `fit_file`."""
        check_is_fitted(self)
        model: Any = self
        universal, known = _universal(path, format), getattr(model, "file_columns_", None)
        if known is not None and known.universal == universal:
            columns = known.seen if columns is None else columns
            tag = known.tag if tag is None else tag
        return columns_of(model._template_list, universal, columns, tag)


def _with_best(model: Any, block: Sentences, n_best: int, *, scores: bool) -> bytes:
    """The text of a block with a column for each of the best sequences, and one for its score."""
    found = model._answering().best(model._templates, block.core, n_best)
    tags, none = [*model.classes_.tolist(), NONE], len(model.classes_)
    lengths = np.diff(block.core.starts)
    for k in range(n_best):
        there = [best[k] if k < len(best) else None for best in found]
        numbers = [np.full(n, none) if one is None else one[0] for one, n in zip(there, lengths, strict=True)]
        block = _with_one_more(block, tags, np.concatenate([*numbers, np.empty(0)]))
        if scores:
            texts = [NONE if one is None else written(one[1]) for one in there]
            block = _with_one_more(block, texts, np.repeat(np.arange(len(there)), lengths))
    return block.text


def _with_one_more(block: Sentences, texts: Sequence[str], numbers: Any) -> Sentences:
    layout = block.layout._replace(width=block.layout.width + 1)
    return Sentences(block.core, [with_column(block, texts, numbers)], layout)


def _universal(path: FileLike, form: Format) -> bool:
    return is_universal(str(getattr(path, "name", path)), form)
