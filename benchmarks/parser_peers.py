"""The peers of the parser: UDPipe 1 and spaCy, trained on train.conllu of a folder, with dev.conllu to choose by.

They take long to train: a model stays in the folder, with its seconds and what is to be said of it, and a later run
takes it from there. Parsing is measured anew each time.
"""

import json
import random
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.parser_cost import Cost, least

SPACY_SECONDS = 300  # of CPU, after which no further pass is begun
SPACY_PATIENCE = 3  # passes that its score on the dev part may stand still


def trained(path: Path, train: Callable[[], str]) -> tuple[float, str]:
    """CPU seconds of training, and what is to be said; `train` writes the model, if it is not there from before."""
    told, mark = path.with_suffix(".json"), zlib.crc32((path.parent / "train.conllu").read_bytes())
    if not told.is_file() or json.loads(told.read_text(encoding="utf-8"))["train.conllu"] != mark:
        start = time.process_time()
        note = train()
        cost = {"train.conllu": mark, "seconds": time.process_time() - start, "note": note}
        told.write_text(json.dumps(cost), encoding="utf-8")
    found = json.loads(told.read_text(encoding="utf-8"))
    return found["seconds"], found["note"]


def _sentences(path: Path) -> Any:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader, found, error = InputFormat.newConlluInputFormat(), Sentences(), ProcessingError()
    reader.setText(path.read_text(encoding="utf-8"))
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = Sentence()
    return found


def udpipe(folder: Path, way: str, *, tagged: Path | None = None) -> Cost:
    """UDPipe 1 as it comes: a parser that has learned from the tags of the file. It parses test.conllu, or `tagged`."""
    from ufal.udpipe import Model, OutputFormat, ProcessingError, Trainer

    path = folder / "udpipe.model"

    def train() -> str:
        error, parts = ProcessingError(), [_sentences(folder / f"{part}.conllu") for part in ("train", "dev")]
        content = Trainer.train("morphodita_parsito", *parts, Trainer.NONE, Trainer.NONE, Trainer.DEFAULT, error)
        if error.occurred():
            raise RuntimeError(error.message)
        path.write_bytes(content)
        return "its defaults, gold tags in training"

    seconds, note = trained(path, train)
    model = Model.load(str(path))

    def parse() -> None:
        out, error, texts = OutputFormat.newConlluOutputFormat(), ProcessingError(), []
        for sentence in _sentences(tagged or folder / "test.conllu"):
            model.parse(sentence, Model.DEFAULT, error)
            texts.append(out.writeSentence(sentence))
        (folder / f"{way}.conllu").write_text("".join(texts), encoding="utf-8")

    note += "; tagging not counted" if tagged else ""
    return Cost(seconds, least(parse), path.stat().st_size / 1e6, note)


def spacy(folder: Path, way: str) -> Cost:
    """SpaCy's parser as it comes, a small network over words that looks at no tags: the pass that is best on dev."""
    import spacy as library
    from spacy.tokens import Doc
    from spacy.training import Example

    from rosenblatt.services.sentences.parsing import read_trees

    nlp = library.blank("en")
    path = folder / f"{way}.spacy"

    def bare(words: list[str], vocab: Any) -> Any:
        """One sentence, as it knows."""
        return Doc(vocab, words=words, sent_starts=[k == 0 for k in range(len(words))])

    def examples(part: str) -> list[Any]:
        found = []
        for words, heads, labels in zip(*_three(read_trees(folder / f"{part}.conllu")), strict=True):
            own = [k if head == 0 else head - 1 for k, head in enumerate(heads)]
            found.append(Example(bare(words, nlp.vocab), Doc(nlp.vocab, words=words, heads=own, deps=labels)))
        return found

    def train() -> str:
        nlp.add_pipe("parser")
        learned, dev = examples("train"), examples("dev")
        start, scores = time.process_time(), [0.0]
        optimizer = nlp.initialize(lambda: learned)
        random.seed(0)
        while len(scores) - 1 - scores.index(max(scores)) < SPACY_PATIENCE:
            random.shuffle(learned)
            for batch in library.util.minibatch(learned, 64):
                nlp.update(batch, sgd=optimizer, drop=0.1)
            scores.append(nlp.evaluate(dev)["dep_las"])
            if scores[-1] > max(scores[:-1]):
                nlp.to_disk(path)
            if time.process_time() - start > SPACY_SECONDS:
                break
        return f"pass {scores.index(max(scores))} of {len(scores) - 1}, no tags"

    seconds, note = trained(path, train)
    size = sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    best, test = library.load(path), read_trees(folder / "test.conllu")[0]

    def parse() -> list[Any]:
        return list(best.pipe([bare(words, best.vocab) for words in test], batch_size=256))

    write_docs(folder / "test.conllu", parse(), folder / f"{way}.conllu")
    return Cost(seconds, least(parse), size / 1e6, note)


def _three(read: tuple[list[list[str]], Any]) -> tuple[Any, Any, Any]:
    words, trees = read
    return words, trees.heads, trees.labels


def write_docs(source: Path, docs: list[Any], out: Path) -> None:
    """SpaCy's trees in CoNLL-U; where a sentence has several roots, the further ones hang on the first."""
    from rosenblatt.services.files.conll import read_conll

    read = read_conll(source, columns=["form"])
    heads, labels = [], []
    for doc in docs:
        root = next(token.i for token in doc if token.head.i == token.i)
        for token in doc:
            own = token.head.i == token.i
            heads.append((0 if token.i == root else root + 1) if own else token.head.i + 1)
            labels.append("root" if token.i == root else "parataxis" if own else token.dep_.lower() or "dep")
    names = sorted(set(labels))
    parsed = read.with_column(map(str, range(max(heads) + 1)), heads, column="head")
    out.write_bytes(parsed.with_column(names, [names.index(label) for label in labels], column="deprel").text)
