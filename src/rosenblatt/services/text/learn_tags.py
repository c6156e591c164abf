"""What the parts of a pipeline share: a tagger that learns tags which nobody wrote, such as the ends of tokens."""

from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters


def tagger_parameters(name: str, max_iter: int, seed: Any, **others: Any) -> TaggerParameters:
    """A tagger that looks at what the templates of this name say, and at nothing beyond the ends of what it reads."""
    return TaggerParameters.of(templates=name, boundary="drop", max_iter=max_iter, random_state=seed, **others)


def fit_tags(
    parameters: TaggerParameters, corpus: _core.Corpus, tags: Array, dev: tuple[_core.Corpus, Array] | None
) -> TaggerModel:
    """A tagger that has learned the tag of each token; those of `dev` choose the number of passes."""
    from rosenblatt.members.sentences.tagger.learn import run_over

    classes, target = np.unique(tags, return_inverse=True)
    run = run_over(parameters, templates.read(parameters.templates), corpus, classes, target.astype(np.int32))
    held_out = None
    if dev is not None:
        known, numbers = np.unique(dev[1], return_inverse=True)
        columns = [*range(dev[0].n_columns), (known.tolist(), numbers.astype(np.int32))]
        held_out = dev[0].choose(columns)
    model: TaggerModel = run.fit(held_out)
    return model


def without_rare(corpus: _core.Corpus, columns: list[int]) -> _core.Corpus:
    """The corpus without the texts of these columns that it has once: they would be learned by heart."""
    chosen: list[Any] = list(range(corpus.n_columns))
    for k in columns:
        numbers, texts = corpus.tokens(k), corpus.texts(k)
        counts = np.bincount(numbers, minlength=len(texts)).tolist()
        chosen[k] = ([text if count > 1 else "" for text, count in zip(texts, counts, strict=True)], numbers)
    return corpus.choose(chosen)
