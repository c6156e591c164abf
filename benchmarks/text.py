"""Raw texts to a model: ours as it comes beside scikit-learn's pipelines, Vowpal Wabbit and fastText.

Each run is a whole process, from the file to the model on disk, start-up included; what Vowpal Wabbit and fastText read
is made ready beforehand and not counted. Peers that are not installed are left out.

One configuration was tried for each on these test parts, the same on all sets: `rosenblatt train` without an option;
`TfidfVectorizer` of words and pairs, logarithms of counts, with LinearSVC as it comes, LogisticRegression(C=10) or
ComplementNB as it comes; Vowpal Wabbit with pairs, 2^22 weights, logistic loss and five passes; fastText with pairs and
its defaults, and once more with 25 epochs. On Chinese, peers that take words at blanks get n-grams of characters, or
characters apart, which is best for them: for Vowpal Wabbit and fastText both were tried. Several labels have LinearSVC
twice, with words and with pairs. The row `--max-size 2MB` is ours again, to see what that costs.
"""

import importlib.util
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import text_several, text_speed
from benchmarks.data import ROOT
from benchmarks.processes import ROSENBLATT, Cost, least
from benchmarks.table import Table, Target
from benchmarks.text_runs import WAYS, prepare, rows
from benchmarks.text_sets import make, unpack

OURS, SMALL = "rosenblatt train --text", "rosenblatt train --text --max-size 2MB"
MODELS = {OURS: "ours.model", SMALL: "small.model"}
MODULES = {"vowpal": "vowpalwabbit", "fasttext": "fasttext", "fasttext25": "fasttext"}
LINEAR = ("LinearSVC", "LogisticRegression", "ComplementNB", "vowpal")
TIMES, OF_LARGE = 15, 1e6  # less CPU than LinearSVC; bytes of a set whose seconds are compared
PEAK, SIZE, LOST = 100, 10, 0.004  # MB on small sets; MB of a model; accuracy that --max-size may cost
CALIBRATED, BINS = ("rt", "banking77", "news20"), 15


def run(data: Path | None, cache: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """A table for each set, for several labels and for speed, and what is aimed at."""
    source = (data or ROOT.parent / "shared" / "data") / "text"
    names = sorted({path.name.split(".")[0] for path in source.glob("*.train.csv.xz")}) if not quick else []
    folders = {name: unpack(source, name, cache) for name in names}
    several = folders.pop("reuters", None) or make(cache, several=True)
    sets = list(folders.values()) or [make(cache, several=False)]
    results = [_of_set(folder, repeats) for folder in sets] + [text_several.run(several, repeats)]
    long, short = folders.get("news20", sets[0]), folders.get("trec", sets[0])
    results.append(text_speed.run(long, short, repeats, quick=quick))
    return [table for table, _ in results], [target for _, targets in results for target in targets]


def _of_set(folder: Path, repeats: int) -> tuple[Table, list[Target]]:
    prepare(folder)
    ways = [way for way in WAYS if importlib.util.find_spec(MODULES.get(way, "sklearn"))]
    ours = [*ROSENBLATT, "train", str(folder / "train.csv"), "--text", "text", "--label", "label", "--model"]
    module = [sys.executable, "-m", "benchmarks.text_runs"]
    commands: dict[str, list[str | Path]] = {OURS: [*ours, folder / MODELS[OURS]]}
    commands[SMALL] = [*ours, folder / MODELS[SMALL], "--max-size", "2MB"]
    commands |= {way: [*module, way, folder, "train"] for way in ways}
    took = least(commands, repeats)
    _, labels = rows(folder / "test.csv")
    right: dict[str, float] = {}
    errors: dict[str, float] = {}
    for name, model in MODELS.items():
        right[name], errors[name] = _judge(folder / model, folder / "test.csv", labels)
    for way in ways:
        subprocess.run(list(map(str, [*module, way, folder, "answer"])), cwd=ROOT, check=True)
        right[way] = _right((folder / f"{way}.labels").read_text(encoding="utf-8").splitlines(), labels)
    size = (folder / "train.csv").stat().st_size
    columns = {"": "", "accuracy": ".4f", "ECE": ".4f", "CPU": ".2f", "peak MB": ".0f", "model MB": ".1f"}
    error = math.sqrt(right[OURS] * (1 - right[OURS]) / len(labels))
    title = f"{folder.name}: {size / 1e6:.1f} MB, {len(labels)} texts to test on, standard error {error:.4f}"
    table = Table(title, columns)
    sizes = {name: (folder / MODELS.get(name, f"{name}.model")).stat().st_size / 1e6 for name in took}
    for name, cost in took.items():
        table.add(name, right[name], errors.get(name), cost.cpu, cost.peak, sizes[name])
    targets = _targets(folder.name, size, took, right, error)
    targets.append(Target(f"{folder.name}: MB of the model", sizes[OURS], "<=", SIZE))
    if folder.name in CALIBRATED:
        targets.append(Target(f"{folder.name}: calibration error", errors[OURS], "<=", 0.02))
    return table, targets


def _targets(name: str, size: int, took: dict[str, Cost], right: dict[str, float], error: float) -> list[Target]:
    best = max(accuracy for way, accuracy in right.items() if way in LINEAR)
    targets = [Target(f"{name}: accuracy - that of the best linear peer", right[OURS] - best, ">=", round(-error, 4))]
    targets += [
        Target(f"{name}: accuracy - that of {way}", right[OURS] - right[way], ">=", round(-error, 4))
        for way in ("fasttext", "fasttext25")
        if way in right
    ]
    targets.append(Target(f"{name}: accuracy that --max-size 2MB costs", right[OURS] - right[SMALL], "<=", LOST))
    bounds = {"LinearSVC": TIMES, "vowpal": 3, "fasttext": 10, "fasttext25": 30}
    if size <= OF_LARGE:
        return [*targets, Target(f"{name}: peak MB", took[OURS].peak, "<=", PEAK)]
    if "vowpal" in took:
        limit = max(PEAK, took["vowpal"].peak)
        targets.append(Target(f"{name}: peak MB, at most Vowpal Wabbit's or {PEAK}", took[OURS].peak, "<=", limit))
    return targets + [
        Target(f"{name}: CPU of {way} / ours", took[way].cpu / took[OURS].cpu, ">=", bound)
        for way, bound in bounds.items()
        if way in took
    ]


def _judge(model: Path, test: Path, labels: list[str]) -> tuple[float, float]:
    """Accuracy, and expected calibration error: bins of equal width, by the probability of the label answered."""
    command = [*ROSENBLATT, "predict", str(model), str(test), "--probabilities"]
    out = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT, check=True).stdout
    answers = [line.split("\t") for line in out.splitlines()[1:]]
    probability = np.array([max(map(float, answer[1:])) for answer in answers])
    right = np.array([answer[0] == label for answer, label in zip(answers, labels, strict=True)])
    bins = np.minimum((probability * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, right - probability, BINS)
    return float(right.mean()), float(np.abs(gaps).sum() / len(labels))


def _right(answers: Sequence[str], labels: Sequence[str]) -> float:
    return sum(map(str.__eq__, answers, labels)) / len(labels)
