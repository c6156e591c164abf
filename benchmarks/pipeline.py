"""From raw text to trees: a pipeline on UD treebanks, beside the published scores of UDPipe 1.2.

Each treebank is trained with its dev part, and its test part is read from its text, from its tokens, and from these and
its tags. The commands are those of the shell, a process each; seconds are CPU seconds, of one thread. The scores are
those of the CoNLL 2018 shared task. UDPipe's are published for its models of UD 2.5, with tuned parameters; our English
EWT is of another release. Treebanks and published scores lie in the folder given or in ../shared/data; without them,
and if it is to be quick, the shipped sentences stand in, and nothing is beside them.
"""

import csv
import gzip
import json
import lzma
import subprocess
import sys
from pathlib import Path

from benchmarks import parser
from benchmarks.data import ROOT
from benchmarks.processes import ROSENBLATT, Cost, cost
from benchmarks.table import Table, Target

TREEBANKS = {
    "en_ewt": "English-EWT",
    "en_partut": "English-ParTUT",
    "hu_szeged": "Hungarian-Szeged",
    "vi_vtb": "Vietnamese-VTB",
}
MODES = {"text": "Raw text", "tokens": "Gold tok", "tags": "Gold tok+mor"}
SCORES = {
    "Words": "words",
    "Sentences": "sents",
    "UPOS": "upos",
    "XPOS": "xpos",
    "UFeats": "ufeats",
    "AllTags": "alltags",
    "Lemmas": "lemma",
    "UAS": "uas",
    "LAS": "las",
    "MLAS": "mlas",
    "BLEX": "blex",
}  # ours, with the names of the published ones
NOT_FROM_TAGS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "BLEX")  # UDPipe was also told the lemmas
MORE = 20  # copies of the test part whose text is read to measure speed
COLUMNS = {"": "", "from": "", "whose": "", **dict.fromkeys(SCORES, ".1f")}
COSTS = {"": "", "train CPU s": ".0f", "train MB": ".0f", "words/s": ",.0f", "run MB": ".0f", "model MB": ".1f"}

Shares = dict[str, float | None]


def run(data: Path | None, folder: Path, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The scores and the costs, and what was aimed at."""
    data = data or ROOT.parent / "shared" / "data"
    names = prepare(data, folder, quick=quick)
    scores, costs = Table("Pipelines: scores of the shared task, test parts", COLUMNS), Table("their costs", COSTS)
    targets: list[Target] = []
    ahead: dict[str, list[float]] = {}
    for name, published_name in names.items():
        print(f"  {name}", file=sys.stderr)
        model = folder / f"{name}.safetensors"
        train, words_a_second, read = _costs(folder, name, model)
        costs.add(name, train.cpu, train.peak, words_a_second, read.peak, model.stat().st_size / 1e6)
        for mode, published_mode in MODES.items():
            ours = _evaluate(model, folder / f"{name}-test.conllu", mode)
            theirs = _published(data, published_name, published_mode)
            scores.add(name, mode, "ours", *ours.values())
            if theirs is None:
                continue
            scores.add(name, mode, "UDPipe 1.2", *theirs.values())
            for score in SCORES:
                mine, other = ours[score], theirs[score]
                if mine is not None and other is not None and (mode != "tags" or score not in NOT_FROM_TAGS):
                    ahead.setdefault(f"{score}, from {mode}", []).append(round(mine, 1) - other)
        if name == "en_ewt":
            targets += [
                Target("EWT: CPU seconds of training", train.cpu, "<=", 180),
                Target("EWT: words a CPU second from raw text", words_a_second, ">=", 50_000),
                Target("EWT: MB at run time", read.peak, "<=", 300),
                Target("EWT: MB of the model", model.stat().st_size / 1e6, "<=", 12),
            ]
    aims = {f"least lead in {name}": min(leads) for name, leads in ahead.items()}
    targets += [Target(name, lead, ">=", 0) for name, lead in aims.items()]
    return [scores, costs], targets


def prepare(data: Path, folder: Path, *, quick: bool) -> dict[str, str | None]:
    """Put the three parts of each treebank into the folder; the names with those of the published scores."""
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, str | None] = {}
    for name, published in TREEBANKS.items():
        sources = {
            part: path
            for part in parser.PARTS
            for path in (data / f"{name}-ud-{part}.conllu.gz", data / "ud25" / f"{name}-ud-{part}.conllu.xz")
            if path.is_file()
        }
        if quick or len(sources) < len(parser.PARTS):
            continue
        for part, path in sources.items():
            open_packed = gzip.open if path.suffix == ".gz" else lzma.open
            with open_packed(path, "rb") as packed:
                (folder / f"{name}-{part}.conllu").write_bytes(packed.read())
        names[name] = published
    if not names:
        parser.stand_in(folder)
        for part in parser.PARTS:
            (folder / f"{part}.conllu").replace(folder / f"shipped-{part}.conllu")
        names["shipped"] = None
    return names


def _costs(folder: Path, name: str, model: Path) -> tuple[Cost, float, Cost]:
    """What it takes to train a pipeline; words a CPU second that it reads, start-up not counted; and that reading."""
    parts = {part: folder / f"{name}-{part}.conllu" for part in parser.PARTS}
    command: list[str | Path] = [
        *ROSENBLATT,
        "text",
        "train",
        parts["train"],
        "--dev",
        parts["dev"],
        "--n-jobs",
        "1",
        "--model",
        model,
    ]
    train = cost(command)
    text = folder / f"{name}.txt"
    once = raw_text(parts["test"])
    reads = []
    for copies in (1, 1 + MORE):
        text.write_text(once * copies, encoding="utf-8")
        reads.append(cost([*ROSENBLATT, "text", "run", model, text, "-o", folder / f"{name}.out.conllu"]))
    lines = (folder / f"{name}.out.conllu").read_bytes().split(b"\n")
    n_words = sum(line.split(b"\t")[0].isdigit() for line in lines) * MORE / (1 + MORE)
    return train, n_words / max(reads[1].cpu - reads[0].cpu, 1e-9), reads[1]


def raw_text(path: Path) -> str:
    """The text of a treebank, a sentence a line: `# text`, or the forms with blanks between where it has none."""
    sentences = path.read_text(encoding="utf-8").strip().split("\n\n")
    lines = []
    for sentence in sentences:
        rows = sentence.split("\n")
        texts = [row.removeprefix("# text = ") for row in rows if row.startswith("# text = ")]
        lines.append(texts[0] if texts else " ".join(row.split("\t")[1] for row in rows if row[:1].isdigit()))
    return "\n\n".join([*lines, ""])


def _evaluate(model: Path, test: Path, mode: str) -> Shares:
    command = [*ROSENBLATT, "text", "eval", str(model), str(test), "--from", mode, "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{test.name}, from {mode}: {ended.stderr}")
    table = json.loads(ended.stdout)["table"]
    return {score: 100 * table[score]["f1"] if score in table else None for score in SCORES}


def _published(data: Path, treebank: str | None, mode: str) -> Shares | None:
    """The published scores of a treebank, in percent; None if they are not at hand."""
    path = data / "published" / "udpipe_ud25_models.csv"
    if treebank is None or not path.is_file():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        row = next(row for row in csv.DictReader(file) if (row["treebank"], row["mode"]) == (treebank, mode))
    return {score: None if row[name] == "-" else float(row[name].rstrip("%")) for score, name in SCORES.items()}
