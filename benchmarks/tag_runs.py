"""Taggers from file to file: one way a run, in a process of its own, which says what it took.

`python -m benchmarks.tag_runs WAY FOLDER`, as in `file_runs`. CRFsuite gets the attributes of the same templates, made
by Python as its users make them; reading the file, making them and handing them over is part of its work.
Where files are tagged, models are loaded before.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

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
Attributes = list[list[str]]


def chunk_attributes(words: list[str], tags: list[str]) -> Attributes:
    """The attributes of these templates for each token."""
    w = ["_B-2", "_B-1", *words, "_B+1", "_B+2"]
    p = ["_B-2", "_B-1", *tags, "_B+1", "_B+2"]
    ww, pp = (["/".join(pair) for pair in pairwise(column)] for column in (w, p))
    ppp = [f"{pair}/{tag}" for pair, tag in zip(pp, p[2:], strict=False)]
    columns = [
        *(w[k : len(w) - 4 + k] for k in range(5)),
        *(ww[k:] for k in (1, 2)),
        *(p[k : len(p) - 4 + k] for k in range(5)),
        *(pp[k:] for k in range(4)),
        *(ppp[k:] for k in range(3)),
    ]
    named = [[f"{n}:{text}" for text in column] for n, column in enumerate(columns)]
    return [list(token) for token in zip(*named, strict=False)]


def word_attributes(words: list[str]) -> Attributes:
    """For parts of speech: words, how they begin and end, and how they are written."""
    lower = ["_B-2", "_B-1", *(word.lower() for word in words), "_B+1", "_B+2"]
    found = []
    for t, word in enumerate(words):
        before2, before, this, after, after2 = lower[t : t + 5]
        token = [f"w:{word}", f"-2:{before2}", f"-1:{before}", f"0:{this}", f"1:{after}", f"2:{after2}"]
        token += [f"-1/0:{before}/{this}", f"0/1:{this}/{after}", f"-1:{before[-3:]}", f"1:{after[-3:]}"]
        token += [f"p{k}:{word[:k]}" for k in (1, 2, 3)] + [f"s{k}:{word[-k:]}" for k in (1, 2, 3, 4)]
        token += [f"upper:{word[0].isupper()}", f"all:{word.isupper()}", f"hyphen:{'-' in word}"]
        token += [f"digit:{any(map(str.isdigit, word))}"]
        found.append(token)
    return found


def sentences(path: Path) -> Iterator[list[list[str]]]:
    """The columns of each sentence; of CoNLL-U form and UPOS."""
    universal = path.suffix == ".conllu"
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        if universal:
            rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
            tokens = [row[1:4:2] for row in rows if row[0].isdecimal()]
        else:
            tokens = [line.split(" ") for line in lines if line]
        if tokens:
            yield [list(column) for column in zip(*tokens, strict=True)]


def with_attributes(path: Path) -> Iterator[tuple[Attributes, list[str]]]:
    """What CRFsuite learns from."""
    for *columns, tags in sentences(path):
        yield (chunk_attributes(*columns) if len(columns) > 1 else word_attributes(*columns)), tags


def crfsuite(algorithm: str, **words: Any) -> Any:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm, verbose=False)
    trainer.set_params(words)
    return trainer


def _crfsuite(folder: Path, name: str, train: str, algorithm: str, **words: Any) -> Callable[[], object]:
    trainer = crfsuite(algorithm, **words)

    def run() -> None:
        for attributes, tags in with_attributes(folder / train):
            trainer.append(attributes, tags)
        trainer.train(str(folder / f"{name}.model"))

    return run


def _crfsuite_tags(folder: Path, name: str, test: str) -> Callable[[], object]:
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / f"{name}.model"))

    def run() -> None:
        with (folder / f"{name}.txt").open("w", encoding="utf-8") as out:
            for (attributes, tags), columns in zip(
                with_attributes(folder / test), sentences(folder / test), strict=True
            ):
                found = tagger.tag(attributes)
                rows = zip(*columns[:-1], tags, found, strict=True)
                out.write("\n".join(map(" ".join, rows)) + "\n\n")

    return run


def _ours(folder: Path, name: str, train: str, *, tag: str | None = None, **words: Any) -> Callable[[], object]:
    sys.modules["pandas"] = None  # type: ignore[assignment]
    from rosenblatt.model_file import save
    from rosenblatt.tagger.estimator import SequenceTagger

    SequenceTagger().fit([["a"]], [["A"]])  # scikit-learn has imports that come with the first fit
    model = SequenceTagger(**words)
    return lambda: save(model.fit_file(folder / train, tag=tag), folder / f"{name}.safetensors")


def _ours_tags(folder: Path, name: str, test: str) -> Callable[[], object]:
    sys.modules["pandas"] = None  # type: ignore[assignment]
    from rosenblatt.model_file import load

    model = load(folder / f"{name}.safetensors")
    return lambda: model.tag_file(folder / test, folder / f"{name}{Path(test).suffix}")


def nltk(folder: Path) -> Callable[[], object]:
    """NLTK's greedy averaged perceptron with its own features; it keeps no file, and tags here."""
    from nltk.tag.perceptron import PerceptronTagger

    def run() -> None:
        tagger = PerceptronTagger(load=False)
        tagger.train([list(zip(*columns, strict=True)) for columns in sentences(folder / "train.conllu")], nr_iter=5)
        with (folder / "nltk.txt").open("w", encoding="utf-8") as out:
            for words, tags in sentences(folder / "test.conllu"):
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
    "ap_upos": lambda folder: _crfsuite(folder, "ap_upos", "train.conllu", "ap", max_iterations=PASSES),
    "ap_upos_tags": lambda folder: _crfsuite_tags(folder, "ap_upos", "test.conllu"),
    "nltk": nltk,
}


if __name__ == "__main__":
    print_cost(WAYS[sys.argv[1]](Path(sys.argv[2])))
