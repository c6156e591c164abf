"""How a pipeline learns from a treebank: part after part, each from what it will see when it answers.

Atoms and words are learned from the text that the treebank comes from. The words are then tagged in folds, each
by a tagger that has not seen it, once: lemmas and trees are learned from these tags. `dev` chooses the number of passes
of each part, with the tags of the tagger itself.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.declare import SIZE
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.members.sentences.corpus import BETWEEN
from rosenblatt.members.sentences.parser.learn import Treebank, fit_parser
from rosenblatt.members.sentences.parser.parameters import ParserParameters
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.templates import FileColumns
from rosenblatt.services.files.compressed import FileLike, expand_names, name_of
from rosenblatt.services.files.conll import Sentences, read_conll
from rosenblatt.services.sentences.parsing import trees_of
from rosenblatt.services.sentences.tagging import jackknife, tag_sentences
from rosenblatt.services.text.edits import TAGGED, TAGS, fit_lemmas, fit_words, lemma_edits
from rosenblatt.services.text.learn_tags import fit_tags
from rosenblatt.services.text.model import PARTS, PipelineModel, check_parts
from rosenblatt.services.text.parameters import PipelineParameters
from rosenblatt.services.text.raw_text import RawText, raw_text_of
from rosenblatt.services.text.segments import fit_atoms
from rosenblatt.services.text.small import fit_into

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")
COLUMNS_OF = {"tags": TAGS, "lemmas": ("lemma",), "tree": ("head",)}  # what a part learns from a treebank
Tell = Callable[[str, float | None], object]  # is called with the name of each part that has learned, and its score


@dataclass
class _Data:
    """A treebank: its sentences, the text that they come from, and its name."""

    sentences: Sentences
    name: str
    text: RawText
    trees: tuple[Array, Array] | None  # heads and labels, if there are any


def fit_pipeline(
    parameters: PipelineParameters,
    path: FileLike | Sequence[FileLike],
    *,
    dev: FileLike | None = None,
    without: Collection[str] = (),
    tell: Tell | None = None,
) -> PipelineModel:
    """Learn from a treebank in CoNLL-U. See `TextPipeline.fit_file`."""
    if isinstance(without, str):
        raise TypeError(f"without: expected a list of names of parts, found {without!r}")
    if unknown := set(without) - set(PARTS):
        raise ValueError(f"without: expected some of {', '.join(PARTS)}, found {min(unknown)!r}")
    names = expand_names(path)
    if len(names) != 1:
        raise ValueError(f"path: expected one treebank, found {len(names)}")
    data = _read(names[0])
    held_out = None if dev is None else _read(dev)
    wanted = [name for name in PARTS if name not in without and _is_there(name, data)]
    check_parts(wanted)
    if "atoms" in wanted and not (data.text.begin[1:] == data.text.end[:-1]).any():
        expected = "SpaceAfter=No behind some token, so that tokens of a text can be learned"
        raise DataFileError(data.name, 1, 1, expected, "none: leave out the part atoms, and words")
    if held_out is not None:
        _check_dev(held_out, data, wanted)
    learner = _Learner(parameters, data, held_out)
    models, scores = {}, {}
    for name in wanted:
        models[name] = getattr(learner, name)()
        best = models[name].validation_scores
        if best is not None:
            scores[name] = float(best.max())
        if tell is not None:
            tell(name, scores.get(name))
    return PipelineModel(parameters, fit_into(models, SIZE.bytes_of(parameters.max_size)), scores)


def _read(path: FileLike) -> _Data:
    """A treebank, all of it checked."""
    sentences, name = read_conll(path, columns=COLUMNS, format="conllu"), name_of(path)
    if not _has(sentences, "form"):
        raise DataFileError(
            name, 1, 1, "words in the column form", "none, as in a treebank that comes without its text"
        )
    has_trees = _has(sentences, "head")
    return _Data(sentences, name, raw_text_of(sentences, name), trees_of(sentences, name) if has_trees else None)


def _has(sentences: Sentences, column: str) -> bool:
    """Whether a column has more than `_`."""
    return set(sentences.corpus([column]).texts(0)) != {"_"}


def _is_there(part: str, data: _Data) -> bool:
    """Whether the treebank has what the part learns."""
    if part == "words":
        return bool(data.text.words)
    if part == "tags":
        if not any(_has(data.sentences, column) for column in TAGS):
            raise DataFileError(data.name, 1, 1, "tags in upos, xpos or feats", "none: leave out tags, lemmas and tree")
        return True
    return _has(data.sentences, *COLUMNS_OF.get(part, ("form",)))


def _check_dev(dev: _Data, data: _Data, parts: Collection[str]) -> None:
    """Refuse sentences held out without a column that is learned: the scores of its part would be worthless."""
    learned = [column for part in parts for column in COLUMNS_OF.get(part, ())]
    missing = [column for column in learned if _has(data.sentences, column) and not _has(dev.sentences, column)]
    if missing:
        raise DataFileError(dev.name, 1, 1, f"{' and '.join(missing)}, as in {data.name}", "none")


class _Learner:
    """What the parts learn from; what several of them need is made once."""

    def __init__(self, parameters: PipelineParameters, data: _Data, dev: _Data | None) -> None:
        self.parameters, self.data, self.dev = parameters, data, dev
        self.text, self.dev_text = data.text, None if dev is None else dev.text
        self.tagged, self.dev_tagged = data.sentences, None if dev is None else dev.sentences
        self.passes, self.seed = parameters.max_iter, parameters.random_state

    def atoms(self) -> Any:
        return fit_atoms(self.text, self.dev_text, self.passes, self.seed)

    def words(self) -> Any:
        return fit_words(self.text, self.dev_text, self.passes, self.seed)

    def tags(self) -> Any:
        """The tagger; the sentences are then those that later parts learn from."""
        files = FileColumns(universal=True, seen=("form",), tag=TAGS)
        parameters = TaggerParameters.of(share=BETWEEN, max_iter=self.passes, random_state=self.seed)

        def corpus(data: _Data) -> Any:
            tags = data.sentences.corpus([TAGS])
            return data.sentences.corpus(["form"]), np.array(tags.texts(0), dtype=str)[tags.tokens(0)]

        words, wanted = corpus(self.data)
        model = fit_tags(parameters, words, wanted, None if self.dev is None else corpus(self.dev))
        model.file_columns = files
        folds = min(self.parameters.folds, len(self.data.sentences))
        if folds > 1:
            self.tagged = jackknife(model, self.data.sentences, files, folds)
        if self.dev is not None:
            self.dev_tagged = tag_sentences(model, self.dev.sentences, files)
        return model

    def lemmas(self) -> Any:
        dev = None
        if self.dev is not None and self.dev_tagged is not None:
            dev = self.dev_tagged, lemma_edits(self.dev.sentences)
        return fit_lemmas(self.tagged, lemma_edits(self.data.sentences), dev, self.passes, self.seed)

    def tree(self) -> Any:
        seen = TAGGED if _has(self.data.sentences, "xpos") else ("form", "upos", "upos", "feats")
        p = self.parameters
        parameters = ParserParameters.of(
            templates=p.tree, max_iter=p.max_iter, n_jobs=p.n_jobs, random_state=p.random_state
        )

        def treebank(data: _Data, tagged: Sentences) -> Treebank:
            return Treebank(tagged.corpus(seen), *(data.trees or trees_of(data.sentences, data.name)))

        dev = None
        if self.dev is not None and self.dev_tagged is not None:
            dev = treebank(self.dev, self.dev_tagged)
        model = fit_parser(parameters, treebank(self.data, self.tagged), dev=dev)
        model.file_columns = tuple(seen)
        return model
