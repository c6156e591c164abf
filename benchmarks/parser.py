"""Parsers from a treebank to a model to trees: ours, UDPipe 1 and spaCy, trained on the same file.

The treebank is UD English EWT, packed with gzip in the folder given or in ../shared/data; without it, and if it is to
be quick, the shipped sentences stand in. Each run is a process of its own. Seconds are CPU seconds of one thread; the
dev part chooses our pass, and nothing is chosen by the test part. UAS, LAS and CLAS are those of the CoNLL 2018 shared
task, over given tokens. UDPipe is cut short, and so is spaCy: their rows say how.
"""

import gzip
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.data import ROOT
from benchmarks.parser_runs import Cost
from benchmarks.table import Table, Target
from rosenblatt.data.treebank import treebank_path
from rosenblatt.parser.files import read_words
from rosenblatt.parser.scores import ParseScores, scores_of

PARTS = ("train", "dev", "test")
ROWS = {
    "rich0": ("ours, rich, seed 0", "gold"),
    "rich1": ("ours, rich, seed 1", "gold"),
    "rich2": ("ours, rich, seed 2", "gold"),
    "small": ("ours, rich, weights up to 1.5 left out", "gold"),
    "lean": ("ours, lean", "gold"),
    "beam": ("ours, rich, beam of 4", "gold"),
    "udpipe": ("UDPipe 1", "gold"),
    "tagged0": ("ours, with our taggers, seed 0", "predicted"),
    "tagged1": ("ours, with our taggers, seed 1", "predicted"),
    "tagged2": ("ours, with our taggers, seed 2", "predicted"),
    "spacy": ("spaCy", "none"),
}
QUICK = ("rich0", "small", "tagged0")
PEERS = {"udpipe": "ufal.udpipe", "spacy": "spacy"}
COLUMNS = {
    "": "",
    "tags": "",
    "UAS": ".2f",
    "LAS": ".2f",
    "CLAS": ".2f",
    "train s": ".1f",
    "words/s": ",.0f",
    "model MB": ".1f",
    "note": "",
}


def prepare(data: Path | None, folder: Path, *, quick: bool) -> str:
    """The three parts, and what they are called."""
    folder.mkdir(parents=True, exist_ok=True)
    data = data or ROOT.parent / "shared" / "data"
    sources = {part: data / f"en_ewt-ud-{part}.conllu.gz" for part in PARTS}
    if not quick and all(source.is_file() for source in sources.values()):
        for part, source in sources.items():
            (folder / f"{part}.conllu").write_bytes(gzip.decompress(source.read_bytes()))
        return "UD English EWT"
    sentences = treebank_path().read_bytes().rstrip(b"\n").split(b"\n\n")
    for part, chosen in zip(PARTS, ((0, 1, 2), (3,), (3,)), strict=True):
        some = [one for k, one in enumerate(sentences) if k % 4 in chosen]
        (folder / f"{part}.conllu").write_bytes(b"\n\n".join(some) + b"\n\n")
    return "the shipped treebank, a stand-in"


def run(data: Path | None, folder: Path, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """One table, and what was aimed at."""
    title = prepare(data, folder, quick=quick)
    table = Table(f"Parsers, {title}: given tokens, one thread", COLUMNS)
    scores: dict[str, ParseScores] = {}
    costs: dict[str, Cost] = {}
    for way, (name, tags) in ROWS.items():
        missing = way in PEERS and not _is_there(PEERS[way])
        if (quick and way not in QUICK) or missing:
            if missing:
                print(f"  {PEERS[way]} is not installed: left out", file=sys.stderr)
            continue
        costs[way] = cost = _run(way, folder)
        scores[way] = found = scores_of(*read_words(folder / "test.conllu", folder / f"{way}.conllu"))
        shares = [100 * share for share in (found.uas, found.las, found.clas)]
        train = None if cost.train != cost.train else cost.train  # a model that was there has no seconds
        table.add(name, tags, *shares, train, found.n_words / cost.parse, cost.size, cost.note)
    return [table], [] if quick else _targets(scores, costs)


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _run(way: str, folder: Path) -> Cost:
    print(f"  {way}", file=sys.stderr)
    args = [sys.executable, "-m", "benchmarks.parser_runs", way, str(folder)]
    ended = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{way}: {ended.stderr}")
    return Cost(**json.loads(ended.stdout.splitlines()[-1]))


def _targets(scores: dict[str, ParseScores], costs: dict[str, Cost]) -> list[Target]:
    def mean(name: str) -> float:
        return sum(100 * scores[f"{name}{seed}"].las for seed in range(3)) / 3

    best = max(mean("rich"), 100 * scores["beam"].las)
    small = scores["small"]
    return [
        Target("LAS with gold tags, mean of three seeds", mean("rich"), ">=", 87.5),
        Target("LAS with predicted tags, mean of three seeds", mean("tagged"), ">=", 82.5),
        Target("seconds of training", max(costs[f"rich{seed}"].train for seed in range(3)), "<=", 120),
        Target("small model: words a second", small.n_words / costs["small"].parse, ">=", 100_000),
        Target("small model: MB", costs["small"].size, "<=", 10),
        Target("small model: LAS below the best", best - 100 * small.las, "<=", 0.7),
    ]
