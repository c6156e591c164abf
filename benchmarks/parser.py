"""Parsers from a treebank to a model to trees: ours, UDPipe 1 and spaCy, trained on the same file.

The treebank is UD English EWT, packed with gzip in the folder given or in ../shared/data; without it, and if it is to
be quick, the shipped sentences stand in, with changed words. Each run is a process of its own. Seconds are CPU seconds
of one thread. The dev part chooses the pass of all parsers, and nothing is chosen by the test part; the small model
leaves out as many weights as its size asks for. UAS, LAS and CLAS are those of the CoNLL 2018 shared task, over given
tokens. Where a peer is cut short, its row says how.
"""

import gzip
import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path

from benchmarks.data import ROOT
from benchmarks.parser_cost import Cost
from benchmarks.table import Table, Target
from rosenblatt.data.treebank import treebank_path
from rosenblatt.services.sentences.parsing import score_trees
from rosenblatt.services.sentences.treebank_scores import ParseScores

PARTS = ("train", "dev", "test")
ROWS = {
    "rich0": ("ours, rich, seed 0", "gold"),
    "rich1": ("ours, rich, seed 1", "gold"),
    "rich2": ("ours, rich, seed 2", "gold"),
    "auto": ("ours, rich, the dev part chooses the pruning", "gold"),
    "small": ("ours, rich, pruned to 10 MB", "gold"),
    "lean": ("ours, lean, the dev part chooses the pruning", "gold"),
    "beam": ("ours, rich, beam of 4", "gold"),
    "tagged0": ("ours, with our taggers, seed 0", "predicted"),
    "tagged1": ("ours, with our taggers, seed 1", "predicted"),
    "tagged2": ("ours, with our taggers, seed 2", "predicted"),
    "udpipe": ("UDPipe 1", "gold"),
    "udpipe_tagged": ("UDPipe 1, with our taggers", "predicted"),
    "spacy": ("spaCy", "none"),
}
QUICK = ("rich0", "lean", "tagged0")
PEERS = {"udpipe": "ufal.udpipe", "udpipe_tagged": "ufal.udpipe", "spacy": "spacy"}
COPIES = 20  # of each shipped sentence
FORM, UPOS, XPOS, FEATS = 1, 3, 4, 5  # columns of CoNLL-U
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
    stand_in(folder)
    return "the shipped treebank with changed words, a stand-in"


def stand_in(folder: Path) -> None:
    """Trees of the shipped treebank, each with words drawn from all that have the same part of speech.

    The sentences themselves are too few: a tagger that has seen 40 of them gets a quarter of the tags of others wrong,
    and what a parser learns after it is chance.
    """
    draw = random.Random(0)
    blocks = treebank_path().read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    trees = [[line.split("\t") for line in block.split("\n") if not line.startswith("#")] for block in blocks]
    words: dict[str, list[str]] = {}
    for row in (row for tree in trees for row in tree):
        words.setdefault(row[XPOS], []).append(row[FORM])
    for part, chosen in zip(PARTS, ((0, 1, 2, 3, 4, 5), (6,), (7,)), strict=True):
        copies = [tree for k, tree in enumerate(trees) if k % 8 in chosen for _ in range(COPIES)]
        lines = [["\t".join(_changed(row, draw.choice(words[row[XPOS]]))) for row in tree] for tree in copies]
        (folder / f"{part}.conllu").write_text("".join("\n".join([*tree, "", ""]) for tree in lines), encoding="utf-8")


def _changed(row: list[str], word: str) -> list[str]:
    """A line of the treebank with another word, and with features, which the shipped sentences do not have."""
    return [row[0], word, *row[2:FEATS], f"Pos={row[UPOS]}", *row[FEATS + 1 :]]


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
        scores[way] = found = score_trees(folder / "test.conllu", folder / f"{way}.conllu")
        shares = [100 * share for share in (found.uas, found.las, found.clas)]
        table.add(name, tags, *shares, cost.train, found.n_words / cost.parse, cost.size, cost.note)
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
