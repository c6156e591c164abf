"""Taggers from file to file: one way a run, in a process of its own, which says what it took.

`python -m benchmarks.tag_runs WAY FOLDER`, as in `file_runs`. CRFsuite gets the attributes of the same templates, made
by Python as its users make them; reading the file, making them and handing them over is part of its work.
Where files are tagged, models are loaded before.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import crfsuite
from benchmarks.file_runs import print_cost

PASSES = 10
# The templates of CRFsuite's tutorial on chunking: words and parts of speech, two to each side.
OFFSETS = [
    *([(k, 0)] for k in range(-2, 3)),
    *([(k, 0), (k + 1, 0)] for k in (-1, 0)),
    *([(k, 1)] for k in range(-2, 3)),
    *([(k, 1), (k + 1, 1)] for k in range(-2, 2)),
    *([(k, 1), (k + 1, 1), (k + 2, 1)] for k in (-2, -1, 0)),
]
TUTORIAL = [f"U{n}:" + "/".join(f"%x[{k},{c}]" for k, c in piece) for n, piece in enumerate(OFFSETS)] + ["B"]


def _crfsuite(folder: Path, name: str, train: str, algorithm: str, **words: Any) -> Callable[[], object]:
    learner = crfsuite.trainer(algorithm, **words)
    return lambda: crfsuite.train_file(learner, folder / train, folder / f"{name}.model")


def _crfsuite_tags(folder: Path, name: str, test: str) -> Callable[[], object]:
    tagger = crfsuite.tagger(folder / f"{name}.model")
    return lambda: crfsuite.tag_file(tagger, folder / test, folder / f"{name}.txt")


def _ours(folder: Path, name: str, train: str, *, tag: str | None = None, **words: Any) -> Callable[[], object]:
    sys.modules["pandas"] = None  # type: ignore[assignment]
    from rosenblatt.doors.sklearn.model_file import save
    from rosenblatt.doors.sklearn.sequence_tagger import SequenceTagger

    SequenceTagger().fit([["a"]], [["A"]])  # scikit-learn has imports that come with the first fit
    model = SequenceTagger(**words)
    return lambda: save(model.fit_file(folder / train, tag=tag), folder / f"{name}.safetensors")


def _ours_tags(folder: Path, name: str, test: str) -> Callable[[], object]:
    sys.modules["pandas"] = None  # type: ignore[assignment]
    from rosenblatt.doors.sklearn.model_file import load

    model = load(folder / f"{name}.safetensors")
    return lambda: model.tag_file(folder / test, folder / f"{name}{Path(test).suffix}")


def nltk(folder: Path) -> Callable[[], object]:
    """NLTK's greedy averaged perceptron with its own features; it keeps no file, and tags here."""
    from nltk.tag.perceptron import PerceptronTagger

    def run() -> None:
        tagger = PerceptronTagger(load=False)
        tagger.train(
            [list(zip(*columns, strict=True)) for columns in crfsuite.sentences(folder / "train.conllu")], nr_iter=5
        )
        with (folder / "nltk.txt").open("w", encoding="utf-8") as out:
            for words, tags in crfsuite.sentences(folder / "test.conllu"):
                found = [tag for _, tag in tagger.tag(words)]
                out.write("\n".join(map(" ".join, zip(words, tags, found, strict=True))) + "\n\n")

    return run


CHOSEN: Any = {"early_stopping": True, "max_iter": 30}  # a part of the training sentences chooses the passes
WAYS: dict[str, Callable[[Path], Callable[[], object]]] = {
    "ours": lambda folder: _ours(folder, "ours", "train.txt", templates=TUTORIAL, max_iter=PASSES),
    "ours_tags": lambda folder: _ours_tags(folder, "ours", "test.txt"),
    "ours_tags_many": lambda folder: _ours_tags(folder, "ours", "many.txt"),
    "chunk": lambda folder: _ours(folder, "chunk", "train.txt", templates="chunk", **CHOSEN),
    "chunk_tags": lambda folder: _ours_tags(folder, "chunk", "test.txt"),
    "chunk_tags_many": lambda folder: _ours_tags(folder, "chunk", "many.txt"),
    "ap": lambda folder: _crfsuite(folder, "ap", "train.txt", "ap", max_iterations=PASSES),
    "ap_tags": lambda folder: _crfsuite_tags(folder, "ap", "test.txt"),
    "lbfgs": lambda folder: _crfsuite(folder, "lbfgs", "train.txt", "lbfgs"),
    "lbfgs_tags": lambda folder: _crfsuite_tags(folder, "lbfgs", "test.txt"),
    "upos": lambda folder: _ours(folder, "upos", "train.conllu", **CHOSEN),
    "upos_tags": lambda folder: _ours_tags(folder, "upos", "test.conllu"),
    "upos_tags_many": lambda folder: _ours_tags(folder, "upos", "many.conllu"),
    "xpos": lambda folder: _ours(folder, "xpos", "train.conllu", tag="xpos", **CHOSEN),
    "xpos_tags": lambda folder: _ours_tags(folder, "xpos", "test.conllu"),
    "feats": lambda folder: _ours(folder, "feats", "feats-train.txt", max_iter=PASSES),
    "feats_tags": lambda folder: _ours_tags(folder, "feats", "feats-test.txt"),
    "feats_tags_many": lambda folder: _ours_tags(folder, "feats", "feats-many.txt"),
    "shared": lambda folder: _ours(folder, "shared", "feats-train.txt", max_iter=PASSES, share="|"),
    "shared_tags": lambda folder: _ours_tags(folder, "shared", "feats-test.txt"),
    "shared_tags_many": lambda folder: _ours_tags(folder, "shared", "feats-many.txt"),
    "ap_upos": lambda folder: _crfsuite(folder, "ap_upos", "train.conllu", "ap", max_iterations=PASSES),
    "ap_upos_tags": lambda folder: _crfsuite_tags(folder, "ap_upos", "test.conllu"),
    "nltk": nltk,
}


def with_dense_rows(work: Callable[[], object]) -> Callable[[], object]:
    """As it is done where tags are few: each row has a weight for each tag, each tag is gone on from."""
    from rosenblatt import _core

    def run() -> None:
        for name in ("ChainTraining", "ChainTagger"):
            setattr(_core, name, partial(getattr(_core, name), most_dense_labels=2**15))
        work()

    return run


def way(name: str, folder: Path) -> Callable[[], object]:
    """One of WAYS; dense-... the same with dense rows; made-... a made-up set of tags, tagged by made-..._tags."""
    if name.startswith("dense-"):
        return with_dense_rows(way(name.removeprefix("dense-"), folder))
    if name.startswith("made-"):
        stem, tags, _ = name.partition("_tags")
        return _ours_tags(folder, stem, f"{stem}.test") if tags else _ours(folder, stem, f"{stem}.train", max_iter=5)
    return WAYS[name](folder)


if __name__ == "__main__":
    print_cost(way(sys.argv[1], Path(sys.argv[2])))
