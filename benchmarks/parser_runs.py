"""Parsers from file to file: one way a run, in a process of its own, which says what it took.

`python -m benchmarks.parser_runs WAY FOLDER` learns from train.conllu in the folder, with dev.conllu to choose by, and
parses test.conllu into WAY.conllu. Printed as JSON: CPU seconds of learning and of parsing, one thread, models loaded
before and the file's text included; megabytes of the model; and what is to be said of the run.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

# Before any library starts its threads.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[_name] = "1"

REPEATS = 3  # of parsing; the least counts
UDPIPE_ITERATIONS = 2  # of its 10, which take more than an hour
SPACY_SECONDS = 240  # after which no further pass is begun


class Cost(NamedTuple):
    """CPU seconds, megabytes, and what is to be said."""

    train: float
    parse: float
    size: float
    note: str = ""


def _least(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def ours(folder: Path, way: str, *, tagged: bool = False, **words: Any) -> Cost:
    """Ours, with the tags of the file, or with those of our taggers, jackknifed."""
    from rosenblatt.cli.parse_tags import tagged_blocks, text_of
    from rosenblatt.model_file import Stored, write
    from rosenblatt.parser.files import BLOCK_BYTES, fit_parser_file, parsed_blocks
    from rosenblatt.parser.parameters import ParserParameters
    from rosenblatt.tagger.files import fit_tagger_file
    from rosenblatt.tagger.parameters import TaggerParameters

    start = time.process_time()
    train: Any = folder / "train.conllu"
    dev: Any = folder / "dev.conllu"
    taggers = [str(folder / f"{column}.safetensors") for column in ("upos", "xpos", "feats")] if tagged else []
    for name in taggers:
        column = Path(name).stem
        write(Stored(fit_tagger_file(TaggerParameters(), train, dev=dev, tag=column)), name)
    if tagged:
        folds = 10 if (folder / "train.conllu").stat().st_size > 10**6 else 2
        train, dev = text_of(str(train), taggers, jackknife=folds), text_of(str(dev), taggers)
    parameters = ParserParameters(**{"max_iter": 20, "n_iter_no_change": 20, "n_jobs": 1, **words})
    model = fit_parser_file(parameters, train, dev=dev)
    seconds = time.process_time() - start
    path = folder / f"{way}.safetensors"
    write(Stored(model), path)
    model.answering()

    def parse() -> None:
        columns = model.file_columns or ()
        blocks = tagged_blocks(str(folder / "test.conllu"), columns, taggers, BLOCK_BYTES)
        (folder / f"{way}.conllu").write_bytes(b"".join(parsed_blocks(model, blocks)))

    note = f"pass {model.kept_pass} of {len(model.mistakes)}"
    return Cost(seconds, _least(parse), path.stat().st_size / 1e6, note)


def udpipe(folder: Path, way: str) -> Cost:
    """UDPipe 1 as it comes, but for fewer iterations. A model that is there is taken as it is."""
    from ufal.udpipe import InputFormat, Model, OutputFormat, ProcessingError, Sentence, Sentences, Trainer

    def sentences(name: str) -> Any:
        reader, found, error = InputFormat.newConlluInputFormat(), Sentences(), ProcessingError()
        reader.setText((folder / name).read_text(encoding="utf-8"))
        sentence = Sentence()
        while reader.nextSentence(sentence, error):
            found.append(sentence)
            sentence = Sentence()
        return found

    path, start, seconds = folder / f"{way}.model", time.process_time(), float("nan")
    if not path.is_file():
        words = ("morphodita_parsito", sentences("train.conllu"), Sentences(), Trainer.NONE, Trainer.NONE)
        error = ProcessingError()
        content = Trainer.train(*words, f"iterations={UDPIPE_ITERATIONS}", error)
        if error.occurred():
            raise RuntimeError(error.message)
        seconds = time.process_time() - start
        path.write_bytes(content)
    model, test, error = Model.load(str(path)), sentences("test.conllu"), ProcessingError()

    def parse() -> None:
        out = OutputFormat.newConlluOutputFormat()
        texts = []
        for sentence in test:
            model.parse(sentence, Model.DEFAULT, error)
            texts.append(out.writeSentence(sentence))
        (folder / f"{way}.conllu").write_text("".join(texts), encoding="utf-8")

    note = f"{UDPIPE_ITERATIONS} of its 10 iterations"
    return Cost(seconds, _least(parse), path.stat().st_size / 1e6, note)


def spacy(folder: Path, way: str) -> Cost:
    """SpaCy's parser as it comes (a small network over words, no tags), as many passes as fit into the time."""
    import random

    import spacy as library
    from spacy.tokens import Doc
    from spacy.training import Example

    from rosenblatt.parser.files import read_trees

    nlp = library.blank("en")
    nlp.add_pipe("parser")
    words, trees = read_trees(folder / "train.conllu")

    def doc(k: int) -> Any:
        heads = [k if head == 0 else head - 1 for k, head in enumerate(trees.heads[k])]
        return Doc(nlp.vocab, words=words[k], heads=heads, deps=trees.labels[k])

    examples = [Example(Doc(nlp.vocab, words=words[k]), doc(k)) for k in range(len(words))]
    start, began, passes = time.process_time(), time.perf_counter(), 0
    optimizer = nlp.initialize(lambda: examples)
    random.seed(0)
    while passes < 20 and time.perf_counter() - began < SPACY_SECONDS:
        random.shuffle(examples)
        for batch in library.util.minibatch(examples, 64):
            nlp.update(batch, sgd=optimizer, drop=0.1)
        passes += 1
    seconds = time.process_time() - start
    nlp.to_disk(folder / f"{way}.spacy")
    size = sum(path.stat().st_size for path in (folder / f"{way}.spacy").rglob("*") if path.is_file())
    test = read_trees(folder / "test.conllu")[0]

    def parse() -> list[Any]:
        return list(nlp.pipe([Doc(nlp.vocab, words=one) for one in test], batch_size=256))

    write_docs(folder / "test.conllu", parse(), folder / f"{way}.conllu")
    return Cost(seconds, _least(parse), size / 1e6, f"{passes} passes, no tags")


def write_docs(source: Path, docs: list[Any], out: Path) -> None:
    """SpaCy's trees in CoNLL-U; where it finds two sentences in one, the further roots hang on the first."""
    from rosenblatt.data.conll import Sentences, read_conll
    from rosenblatt.data.conll_writer import with_column

    read = read_conll(source, columns=["form"])
    heads, labels = [], []
    for doc in docs:
        root = next(token.i for token in doc if token.head.i == token.i)
        for token in doc:
            own = token.head.i == token.i
            heads.append((0 if token.i == root else root + 1) if own else token.head.i + 1)
            labels.append("root" if token.i == root else "parataxis" if own else token.dep_.lower() or "dep")
    names = sorted(set(labels))
    text = with_column(read, [str(k) for k in range(max(heads) + 1)], heads, column="head")
    numbers = [names.index(label) for label in labels]
    out.write_bytes(with_column(Sentences(read.core, [text], read.layout), names, numbers, column="deprel"))


WAYS: dict[str, Callable[[Path, str], Cost]] = {
    "rich0": lambda folder, way: ours(folder, way, prune=0.0, random_state=0),
    "rich1": lambda folder, way: ours(folder, way, prune=0.0, random_state=1),
    "rich2": lambda folder, way: ours(folder, way, prune=0.0, random_state=2),
    "small": lambda folder, way: ours(folder, way, prune=1.5),
    "lean": lambda folder, way: ours(folder, way, templates="lean", prune=0.5),
    "beam": lambda folder, way: ours(folder, way, beam=4, prune=0.0, n_iter_no_change=2),
    "tagged0": lambda folder, way: ours(folder, way, tagged=True, prune=0.0, random_state=0),
    "tagged1": lambda folder, way: ours(folder, way, tagged=True, prune=0.0, random_state=1),
    "tagged2": lambda folder, way: ours(folder, way, tagged=True, prune=0.0, random_state=2),
    "udpipe": udpipe,
    "spacy": spacy,
}


def main() -> None:
    way, folder = sys.argv[1], Path(sys.argv[2])
    print(json.dumps(WAYS[way](folder, way)._asdict()))


if __name__ == "__main__":
    main()
