"""Raw texts to a model: ours as it comes beside scikit-learn's pipelines, Vowpal Wabbit and fastText.

The sets are NAME.train.csv.xz and NAME.test.csv.xz in the folder `text` of the data, with the columns text and label.
Each run is a whole process, from the file to the model on disk, start-up included; what Vowpal Wabbit and fastText read
is made ready beforehand and not counted. Every one has one configuration for all sets, which nobody has tuned on them.
Peers that are not installed are left out.
"""

import csv
import importlib.util
import lzma
import math
import subprocess
import sys
from pathlib import Path
from random import Random

from benchmarks.data import ROOT
from benchmarks.processes import ROSENBLATT, Cost, least
from benchmarks.table import Table, Target
from benchmarks.text_runs import WAYS, prepare, rows

OURS = "rosenblatt train --text"
MODULES = {"vowpal": "vowpalwabbit", "fasttext": "fasttext", "fasttext25": "fasttext"}
LINEAR = ("LinearSVC", "LogisticRegression", "ComplementNB", "vowpal")
LONGEST = 131_072  # characters that our reader of CSV takes in a cell; longer texts are cut for all
TIMES, OF_LARGE = 15, 1e6  # less CPU than LinearSVC; bytes of a set whose seconds are compared


def run(data: Path | None, cache: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """A table for each set, and what is aimed at."""
    source = (data or ROOT.parent / "shared" / "data") / "text"
    names = sorted({path.name.split(".")[0] for path in source.glob("*.train.csv.xz")}) if not quick else []
    sets = [_unpack(source, name, cache) for name in names if name != "reuters"] or [_made(cache)]
    found = [_of_set(folder, repeats) for folder in sets]
    return [table for table, _ in found], [target for _, targets in found for target in targets]


def _of_set(folder: Path, repeats: int) -> tuple[Table, list[Target]]:
    prepare(folder)
    ways = [way for way in WAYS if importlib.util.find_spec(MODULES.get(way, "sklearn"))]
    train: dict[str, list[str | Path]] = {
        OURS: [*ROSENBLATT, "train", folder / "train.csv", "--text", "text", "--label", "label"]
    }
    train[OURS] += ["--model", folder / "ours.model"]
    module = [sys.executable, "-m", "benchmarks.text_runs"]
    train |= {way: [*module, way, folder, "train"] for way in ways}
    took = least(train, repeats)
    _, labels = rows(folder / "test.csv")
    with (folder / "ours.labels").open("w") as out:
        predict = [*ROSENBLATT, "predict", folder / "ours.model", folder / "test.csv"]
        subprocess.run(list(map(str, predict)), stdout=out, cwd=ROOT, check=True)
    for way in ways:
        subprocess.run(list(map(str, [*module, way, folder, "answer"])), cwd=ROOT, check=True)
    right = {name: _right(folder / f"{'ours' if name == OURS else name}.labels", labels) for name in took}
    size = (folder / "train.csv").stat().st_size
    columns = {"": "", "accuracy": ".4f", "CPU": ".2f", "peak MB": ".0f", "model MB": ".1f"}
    error = math.sqrt(right[OURS] * (1 - right[OURS]) / len(labels))
    title = f"{folder.name}: {size / 1e6:.1f} MB, {len(labels)} texts to test on, standard error {error:.4f}"
    table = Table(title, columns)
    for name, cost in took.items():
        model = (folder / ("ours.model" if name == OURS else f"{name}.model")).stat().st_size / 1e6
        table.add(name, right[name], cost.cpu, cost.peak, model)
    return table, _targets(folder.name, size, took, right, error)


def _targets(name: str, size: int, took: dict[str, Cost], right: dict[str, float], error: float) -> list[Target]:
    best = max(accuracy for way, accuracy in right.items() if way in LINEAR)
    targets = [Target(f"{name}: accuracy - that of the best linear peer", right[OURS] - best, ">=", round(-error, 4))]
    targets += [
        Target(f"{name}: accuracy - that of {way}", right[OURS] - right[way], ">=", round(-error, 4))
        for way in ("fasttext", "fasttext25")
        if way in right
    ]
    bounds = {"LinearSVC": TIMES, "vowpal": 3, "fasttext": 10, "fasttext25": 30}
    if size > OF_LARGE:
        targets += [
            Target(f"{name}: CPU of {way} / ours", took[way].cpu / took[OURS].cpu, ">=", bound)
            for way, bound in bounds.items()
            if way in took
        ]
    return targets


def _right(path: Path, labels: list[str]) -> float:
    answers = path.read_text(encoding="utf-8").splitlines()
    return sum(map(str.__eq__, answers, labels)) / len(labels)


def _unpack(source: Path, name: str, cache: Path) -> Path:
    folder = cache / "text" / name
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("train", "test"):
        path = folder / f"{part}.csv"
        if not path.exists():
            with lzma.open(source / f"{name}.{part}.csv.xz", "rt", encoding="utf-8", newline="") as packed:
                pairs = [(row["text"][:LONGEST], row["label"]) for row in csv.DictReader(packed)]
            with path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([("text", "label"), *pairs])
    return folder


def _made(cache: Path) -> Path:
    """A small set, to see that all of it runs."""
    folder, lot = cache / "text-small" / "made", Random(0)
    folder.mkdir(parents=True, exist_ok=True)
    words = {"a": ["apple", "pear"], "b": ["wave", "sail"], "c": ["stone", "hill"]}
    fillers = ["the", "of", "to", "in", "it", "was", "we", "then", "all", "very"]
    for part, n in (("train", 300), ("test", 100)):
        with (folder / f"{part}.csv").open("w", newline="", encoding="utf-8") as file:
            labels = lot.choices(list(words), k=n)
            texts = [" ".join([*lot.choices(fillers, k=5), lot.choice(words[label])]) for label in labels]
            csv.writer(file).writerows([("text", "label"), *zip(texts, labels, strict=True)])
    return folder
