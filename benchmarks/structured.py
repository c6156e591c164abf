"""Taggers from a file to a model, and from a file to a tagged file: ours, CRFsuite and NLTK.

Chunks are those of CoNLL-2000, parts of speech those of UD English EWT, packed with gzip in the folder given or in
../shared/data; without them, and if it is to be quick, the sentences that the package ships stand in. Each run is a
process of its own. Seconds are CPU seconds, of all threads, imports left out. What is chosen, the number of passes, is
chosen by a part of the training sentences; nothing is chosen by the test part. An epoch is a tenth of what eleven
passes take longer than one.
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.crfsuite import trainer, with_attributes
from benchmarks.data import ROOT
from benchmarks.files import Took
from benchmarks.table import Table, Target
from benchmarks.tag_runs import PASSES, TUTORIAL
from benchmarks.timing import Seconds, interleaved
from rosenblatt import SequenceTagger, conlleval, load, read_conll
from rosenblatt.data.sentences import load_sentences

COPIES = 20  # of the test file, to see how fast it is tagged
SOURCES = {
    "train.txt": "conll2000-train.txt.gz",
    "test.txt": "conll2000-test.txt.gz",
    "train.conllu": "en_ewt-ud-train.conllu.gz",
    "test.conllu": "en_ewt-ud-test.conllu.gz",
}
COLUMNS = {
    "": "",
    "passes": ".0f",
    "score": ".2f",
    "file to model": ".2f",
    "file to file": ".3f",
    "tokens/s": ",.0f",
    "peak MB": ".0f",
    "model MB": ".2f",
}


class Runs:
    """What each way took, the least of its runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.took: dict[str, Took] = {}

    def run(self, *ways: str, repeats: int = 1) -> None:
        for way in ways * repeats:
            print(f"  {way}", file=sys.stderr)
            args = [sys.executable, "-m", "benchmarks.tag_runs", way, str(self.folder)]
            ended = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=False)
            if ended.returncode:
                raise RuntimeError(f"{way}: {ended.stderr}")
            one = Took(**json.loads(ended.stdout.splitlines()[-1]))
            before = self.took.get(way, one)
            names = Took.__dataclass_fields__
            self.took[way] = Took(*(min(getattr(one, name), getattr(before, name)) for name in names))

    def row(self, table: Table, title: str, way: str, passes: float | None, score: float) -> None:
        """A line of the table; tokens a second are those of many copies of the test file, where that is a run."""
        tags, many = self.took.get(f"{way}_tags"), self.took.get(f"{way}_tags_many")
        speed = self.tokens(f"many{'.conllu' if way == 'upos' else '.txt'}") / many.cpu if many else None
        peak = max(one.peak for name, one in self.took.items() if name.partition("_tags")[0] == way)
        model = [path for path in self.folder.glob(f"{way}.*") if path.suffix in (".safetensors", ".model")]
        size = model[0].stat().st_size / 1e6 if model else None
        table.add(title, passes, 100 * score, self.took[way].cpu, tags.cpu if tags else None, speed, peak, size)

    def tokens(self, name: str) -> int:
        return read_conll(self.folder / name, columns=[1]).core.n_tokens

    def peak(self, *ways: str) -> float:
        return max(self.took[way].peak for way in ways)


def prepare(data: Path | None, folder: Path, *, quick: bool) -> str:
    """The text files, if they are not there yet, and what they are called."""
    folder.mkdir(parents=True, exist_ok=True)
    data = data or ROOT.parent / "shared" / "data"
    there = not quick and all((data / name).is_file() for name in SOURCES.values())
    if not there and not quick:
        print(f"{data / SOURCES['train.txt']} not found: the shipped sentences stand in", file=sys.stderr)
    for name, source in SOURCES.items():
        text = gzip.decompress((data / source).read_bytes()) if there else stand_in(name)
        (folder / name).write_bytes(text)
        if name.startswith("test"):
            (folder / name.replace("test", "many")).write_bytes(text * COPIES)
        if name.endswith("u"):
            read = read_conll(folder / name, columns=["form", "upos", "feats"])
            joined = ("".join(f"{form} {upos}|{feats}\n" for form, upos, feats in one) + "\n" for one in read)
            feats = "".join(joined)
            (folder / f"feats-{name.partition('.')[0]}.txt").write_text(feats, encoding="utf-8")
            if name.startswith("test"):
                (folder / "feats-many.txt").write_text(feats * COPIES, encoding="utf-8")
    return "" if there else " (stand-in: the shipped sentences)"


def stand_in(name: str) -> bytes:
    """The shipped sentences: three of four to learn from, each fourth to test on."""
    chosen = [one for k, one in enumerate(load_sentences()) if (k % 4 == 3) == name.startswith("test")]
    if name.endswith(".txt"):
        return "".join("".join(" ".join(token) + "\n" for token in one) + "\n" for one in chosen).encode()
    line = "{}\t{}\t_\t{}\t{}\t_\t0\t_\t_\t_\n"
    texts = ("".join(line.format(k, *token) for k, token in enumerate(one, start=1)) + "\n" for one in chosen)
    return "".join(texts).encode()


def epochs(folder: Path, repeats: int) -> tuple[Seconds, Seconds]:
    """A pass over the chunks with the same attributes: ours, and CRFsuite's averaged perceptron."""
    trainers = {n: trainer("ap", max_iterations=n, epsilon=0) for n in (1, 11)}
    for attributes, tags in with_attributes(folder / "train.txt"):
        for one in trainers.values():
            one.append(attributes, tags)
    models = {n: SequenceTagger(templates=TUTORIAL, max_iter=n) for n in (1, 11)}
    sentences = read_conll(folder / "train.txt")
    X, y = [[token[:2] for token in one] for one in sentences], sentences.column(2)
    made: dict[tuple[str, int], object] = {}
    runs = {("ours", n): (lambda n=n: made.update({("ours", n): models[n].fit(X, y)})) for n in (1, 11)} | {
        ("ap", n): (lambda n=n: trainers[n].train(str(folder / "epochs.model"))) for n in (1, 11)
    }
    took = interleaved(runs, repeats)
    ours = (took["ours", 11] - took["ours", 1]) / max(1, models[11].n_iter_ - 1)
    return ours, (took["ap", 11] - took["ap", 1]) / 10


def f1(path: Path) -> float:
    """Of the last column, held against the one before."""
    found = read_conll(path, columns=[-2, -1], format="columns")
    return conlleval(found.column(0), found.column(1)).f1


def right(path: Path) -> float:
    """The share of tokens whose last column is as the one before."""
    found = read_conll(path, columns=[-2, -1], format="columns")
    return conlleval(found.column(0), found.column(1), raw=True).accuracy


def right_in(folder: Path, name: str) -> float:
    """Of a column of CoNLL-U that was replaced."""
    gold, found = (read_conll(folder / file, columns=[name]).column(0) for file in ("test.conllu", f"{name}.conllu"))
    return conlleval(gold, found, raw=True).accuracy


def run(data: Path | None, folder: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The tables, and what is aimed at."""
    title, runs = prepare(data, folder, quick=quick), Runs(folder)
    runs.run("ours", "ours_tags_many", "ours_tags", "ap", "ap_tags", repeats=min(repeats, 3))
    runs.run("chunk", "chunk_tags_many", "chunk_tags", "upos", "upos_tags_many", "upos_tags", "xpos", "xpos_tags")
    runs.run("feats", "feats_tags", "ap_upos", "ap_upos_tags", "nltk", *([] if quick else ["lbfgs", "lbfgs_tags"]))
    ours, theirs = epochs(folder, min(repeats, 3))

    chunks = Table(f"CoNLL-2000 chunks{title}: F1 of the test part, CPU seconds", COLUMNS)
    passes = {name: load(folder / f"{name}.safetensors").n_iter_ for name in ("chunk", "upos", "xpos", "feats")}
    runs.row(chunks, "ours, templates of CRFsuite's tutorial", "ours", PASSES, f1(folder / "ours.txt"))
    chunk_f1 = f1(folder / "chunk.txt")
    runs.row(chunks, "ours, templates 'chunk'", "chunk", passes["chunk"], chunk_f1)
    runs.row(chunks, "CRFsuite, averaged perceptron", "ap", PASSES, f1(folder / "ap.txt"))
    if not quick:
        runs.row(chunks, "CRFsuite, L-BFGS (a CRF)", "lbfgs", None, f1(folder / "lbfgs.txt"))

    pos = Table(f"UD English EWT{title}: right tokens of the test part, CPU seconds", COLUMNS)
    upos, xpos = right_in(folder, "upos"), right_in(folder, "xpos")
    runs.row(pos, "ours, UPOS", "upos", passes["upos"], upos)
    runs.row(pos, "ours, XPOS", "xpos", passes["xpos"], xpos)
    runs.row(pos, "ours, UPOS and FEATS", "feats", passes["feats"], right(folder / "feats.txt"))
    runs.row(pos, "CRFsuite, averaged perceptron, UPOS", "ap_upos", PASSES, right(folder / "ap_upos.txt"))
    runs.row(pos, "NLTK's PerceptronTagger, UPOS, with tagging", "nltk", 5, right(folder / "nltk.txt"))

    took = runs.took
    many = runs.tokens("many.txt")
    largest = runs.peak("ours", "ours_tags_many", "chunk", "chunk_tags_many", "upos", "upos_tags_many", "xpos")
    sizes = [(folder / f"{name}.safetensors").stat().st_size / 1e6 for name in ("ours", "chunk", "upos", "xpos")]
    per_second = f"{theirs.cpu:.3f} s / {ours.cpu:.4f} s"
    return [chunks, pos], [
        Target("CoNLL-2000: F1, passes chosen on a part of train", 100 * chunk_f1, ">=", 93.5, "templates 'chunk'"),
        Target("an epoch, CRFsuite's ap / ours", theirs.cpu / ours.cpu, ">=", 10, per_second),
        Target("file to model, CRFsuite's ap / ours, 10 passes", took["ap"].cpu / took["ours"].cpu, ">=", 20),
        Target("file to file, CRFsuite's ap / ours", took["ap_tags"].cpu / took["ours_tags"].cpu, ">=", 10),
        Target("EWT: UPOS, % right", 100 * upos, ">=", 95.0),
        Target("EWT: XPOS, % right", 100 * xpos, ">=", 94.5),
        Target("tokens a CPU second, file to file", many / took["ours_tags_many"].cpu, ">=", 1e6, "the tutorial's"),
        Target("peak MB", largest, "<=", 200, f"{took['ours'].before:.0f} of them imports"),
        Target("model MB, the largest of four", max(sizes), "<=", 4),
        Target("UPOS and FEATS: seconds of training", took["feats"].cpu, "<=", 60, f"{passes['feats']} passes"),
    ]
