"""CRFsuite from file to model and from file to file: `python -m benchmarks.crfsuite train|tag`.

It gets the attributes of the templates that ours has, made by Python as its users make them. Only the standard library
and CRFsuite itself are imported: where start-up is measured, nothing else may be on its bill.
"""

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

Attributes = list[list[str]]


def chunk_attributes(words: list[str], tags: list[str]) -> Attributes:
    """The attributes of the templates of CRFsuite's tutorial, for each token."""
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


def attributes(columns: list[list[str]]) -> Attributes:
    """Of a sentence: of words and parts of speech, or of words alone."""
    return chunk_attributes(*columns) if len(columns) > 1 else word_attributes(*columns)


def with_attributes(path: Path) -> Iterator[tuple[Attributes, list[str]]]:
    """What CRFsuite learns from."""
    for *columns, tags in sentences(path):
        yield attributes(columns), tags


def trainer(algorithm: str, **words: Any) -> Any:
    import pycrfsuite

    made = pycrfsuite.Trainer(algorithm, verbose=False)
    made.set_params(words)
    return made


def tagger(model: Path) -> Any:
    import pycrfsuite

    made = pycrfsuite.Tagger()
    made.open(str(model))
    return made


def train_file(learner: Any, path: Path, model: Path) -> None:
    """From a file to a model."""
    for seen, tags in with_attributes(path):
        learner.append(seen, tags)
    learner.train(str(model))


def tag_file(answerer: Any, path: Path, output: Path) -> None:
    """From a file to the same with a further column."""
    with output.open("w", encoding="utf-8") as out:
        for columns in sentences(path):
            found = answerer.tag(attributes(columns[:-1]))
            out.write("\n".join(map(" ".join, zip(*columns, found, strict=True))) + "\n\n")


def main() -> None:
    """`train FILE MODEL PASSES`: the averaged perceptron, all of the passes; `tag MODEL FILE OUTPUT`."""
    verb, first, second, third = sys.argv[1:]
    if verb == "train":
        train_file(trainer("ap", max_iterations=int(third), epsilon=0), Path(first), Path(second))
    else:
        tag_file(tagger(Path(first)), Path(second), Path(third))


if __name__ == "__main__":
    main()
