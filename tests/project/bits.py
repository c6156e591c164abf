"""Members of the family on random data, in every way of running, and the bits that each learns.

They are the same for every compiler, machine, number of threads and engine. `python -m tests.project.bits` prints a
digest of each, so that two builds, or two versions, can be compared.
"""

import hashlib
import itertools
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

import rosenblatt
from rosenblatt import DependencyParser, KernelPerceptron, LinearUnit, Perceptron, SequenceTagger, StructuredPerceptron
from rosenblatt.data.sentences import load_sentences
from rosenblatt.data.treebank import load_treebank

LINEAR: dict[str, Any] = {
    "average": Perceptron(readout="average", max_iter=3),
    "pa1": Perceptron(step="pa1", C=0.1, max_iter=3),
    "arow": Perceptron(step="arow", readout="average", max_iter=3),
    "vote": Perceptron(readout="vote", max_iter=2),
    "pocket": Perceptron(readout="pocket", max_iter=2),
    "batches": Perceptron(batch_size=7, max_iter=3),
    "one-vs-rest": Perceptron(multiclass="one-vs-rest", max_iter=3),
    "listed": Perceptron(shuffle=False, margin=0.5, tie="positive", max_iter=3),
    "balanced": Perceptron(class_weight="balanced", init="random", eta0=0.3, max_iter=3),
    "held out": Perceptron(early_stopping=True, validation_fraction=0.2, n_iter_no_change=2),
    "as many passes as do best": Perceptron(max_iter="validate", readout="average"),
    "two shards, a thread": Perceptron(shards=2, n_jobs=1, readout="average", max_iter=3),
    "two shards, two threads": Perceptron(shards=2, n_jobs=2, readout="average", max_iter=3),
    "shards of AROW": Perceptron(shards=3, rounds=2, step="arow", readout="average", max_iter=3),
    "linear unit": LinearUnit(max_iter=5),
    "stochastic": LinearUnit(method="stochastic", max_iter=2),
    "least squares": rosenblatt.LinearUnitClassifier(max_iter=3),
    "random": rosenblatt.RandomHypotheses(k=20),
    "passive-aggressive": rosenblatt.PassiveAggressiveClassifier(max_iter=3, random_state=0),
    "regressor": rosenblatt.PassiveAggressiveRegressor(max_iter=3, random_state=0),
}
KERNEL: dict[str, Any] = {
    "kernel": KernelPerceptron(max_iter=2),
    "polynomial": KernelPerceptron(kernel="poly", degree=2, readout="vote", max_iter=2),
    "budget": KernelPerceptron(budget=50, max_iter=2, readout="average"),
}
TAGGERS: dict[str, Any] = {
    "tagger": SequenceTagger(max_iter=3),
    "tagger, last": SequenceTagger(readout="last", step="pa1", max_iter=3),
    "tagger, two shards, a thread": SequenceTagger(shards=2, n_jobs=1, max_iter=3),
    "tagger, two shards, two threads": SequenceTagger(shards=2, n_jobs=2, max_iter=3),
}
FROM_FILES: dict[str, dict[str, Any]] = {
    "file": {},
    "file, by a cache": {"cache": "c.arrow"},
    "file, with a checkpoint": {"checkpoint": "c.part"},
}


def data(kind: str, dtype: str, n_classes: int) -> tuple[Any, Any]:
    """Rows with classes that no plane separates."""
    random = np.random.default_rng(7)
    X = random.normal(size=(600, 37)).astype(dtype)
    y = (X @ random.normal(size=(37, n_classes)) + random.normal(size=(600, n_classes))).argmax(axis=1)
    return (X, y) if kind == "dense" else (sp.csr_array(np.where(np.abs(X) > 0.7, X, 0)), y)


def bits(model: Any, X: Any) -> bytes:
    """The bits of what a model answers, of its weights, and of the mistakes of each pass."""
    answer = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    facts = [getattr(model, name) for name in ("coef_", "intercept_", "mistakes_", "n_iter_") if hasattr(model, name)]
    return b"".join(np.asarray(array).tobytes() for array in [answer, *facts])


def of_rows() -> Iterator[tuple[str, bytes]]:
    """Everything that learns from rows in memory, at once and more and more."""
    for kind, dtype, n_classes in itertools.product(["dense", "sparse"], ["float32", "float64"], [2, 5, 40]):
        X, y = data(kind, dtype, n_classes)
        for name, model in (LINEAR | KERNEL).items():
            if name == "random" and n_classes > 2:
                continue
            words = f"{name} {kind} {dtype} {n_classes}"
            yield words, bits(model.fit(X, y), X)
            if hasattr(model, "partial_fit") and hasattr(model, "mistakes_") and name != "balanced":
                yield f"{words} and more", bits(model.partial_fit(X[:99], y[:99]), X)
        answers = rosenblatt.online(Perceptron(), zip(X[:20], y[:20], strict=True))
        yield f"one by one {kind} {dtype} {n_classes}", repr([(*turn,) for turn in answers]).encode()


def of_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Perceptrons from a file that need not fit into memory."""
    X, y = data("sparse", "float64", 5)
    path = folder / "rows.svm"
    rosenblatt.write_svmlight(X, y, str(path))
    for (name, words), step in itertools.product(FROM_FILES.items(), ["perceptron", "arow"]):
        files = {word: folder / f"{step}.{file}" for word, file in words.items()}
        model = Perceptron(step=step, shuffle=False, readout="average", max_iter=3).fit_file(str(path), **files)
        yield f"{name} {step}", bits(model, X)


def of_sentences(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Taggers and parsers, and what they answer."""
    tagged = list(load_sentences())
    sentences = [[token[:2] for token in sentence] for sentence in tagged]
    for name, model in TAGGERS.items():
        tags = model.fit(sentences, [[token[2] for token in sentence] for sentence in tagged]).predict(sentences)
        yield name, json.dumps([[str(tag) for tag in sentence] for sentence in tags]).encode()
        rosenblatt.save(model, folder / "tagger.st")
        yield f"{name}, its file", (folder / "tagger.st").read_bytes()
    treebank = load_treebank()
    for beam, threads in ((1, 1), (1, 2), (4, 1)):
        model = DependencyParser(beam=beam, max_iter=4, n_jobs=threads).fit(*treebank)
        arrays = model._model.weights.arrays()
        yield f"parser, beam {beam}, threads {threads}", b"".join(array.tobytes() for array in arrays)


def of_structures() -> Iterator[tuple[str, bytes]]:
    """Structured perceptrons that learn where a word is cut."""
    words = ["bed|room", "sun|set", "foot|ball", "note|book", "rain|coat", "moon|light", "row|boat", "land|slide"]
    X, y = [word.replace("|", "") for word in words], [word.index("|") for word in words]

    def features(word: str, cut: int) -> dict[Any, float]:
        return {("ends", word[:cut][-1:]): 1, ("begins", word[cut:][:1]): 1}

    def decode(weights: Any, word: str) -> int:
        return max(range(1, len(word)), key=lambda cut: weights @ features(word, cut))

    for readout, step in itertools.product(["last", "average", "vote"], ["perceptron", "pa1"]):
        for early_stopping in (False, True):
            words_of: dict[str, Any] = {"readout": readout, "step": step, "early_stopping": early_stopping}
            model = StructuredPerceptron(features, decode, **words_of, max_iter=5, n_iter_no_change=2).fit(X, y)
            learned = [
                sorted((name, float(value)) for name, value in model.weights_for("last").items()),
                model.predict(X),
            ]
            yield f"structured {readout} {step} {early_stopping}", repr([learned, model.mistakes_.tolist()]).encode()


def of_clusters() -> Iterator[tuple[str, bytes]]:
    """Perceptrons and taggers that learn in shards on a cluster, in this process."""
    from distributed import Client

    from rosenblatt import dask

    X, y = data("dense", "float64", 5)
    tagged = list(load_sentences())[:60]
    sentences = [[token[:2] for token in sentence] for sentence in tagged]
    tags = [[token[2] for token in sentence] for sentence in tagged]
    with Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None):
        for shards, step in itertools.product([1, 3], ["perceptron", "arow"]):
            model = dask.Perceptron(shards=shards, rounds=2, step=step, readout="average", max_iter=3)
            yield f"cluster {shards} {step}", bits(model.fit(X, y), X)
        tagger = dask.SequenceTagger(shards=3, max_iter=3).fit(sentences, tags)
        yield "tagger on a cluster", repr([tagger.predict(sentences), tagger.mistakes_.tolist()]).encode()


def of_proofs() -> Iterator[tuple[str, bytes]]:
    """What is decided, and its proof."""
    for n_rows, n_classes in itertools.product([5, 60, 600], [2, 5]):
        X, y = data("dense", "float64", n_classes)
        if len(set(y[:n_rows].tolist())) > 1:
            proof = rosenblatt.certify(X[:n_rows], y[:n_rows])
            yield f"proof of {n_rows} rows, {n_classes} classes", proof.to_json().encode()


def main() -> None:
    """Print a digest of each."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.simplefilter("ignore", rosenblatt.ScaleWarning)
    with TemporaryDirectory() as folder:
        here = Path(folder)
        everything = [of_rows(), of_files(here), of_sentences(here), of_structures(), of_clusters(), of_proofs()]
        for name, learned in itertools.chain(*everything):
            print(name, hashlib.sha256(learned).hexdigest()[:32])


if __name__ == "__main__":
    main()
