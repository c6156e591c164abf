"""From a file on disk to a model on disk: ours, Vowpal Wabbit and scikit-learn, each run a process of its own.

The file is RCV1-like svmlight text with values of six digits; Vowpal Wabbit gets the same rows in its own format. Wall
time counts here: reading and learning go on at the same time, on all cores, with ours and with Vowpal Wabbit. Runs
take turns, and of each the least is kept. A pass from a cache is what further passes add.
"""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from benchmarks.data import ROOT, Split
from benchmarks.file_runs import PASSES
from benchmarks.table import Table, Target
from rosenblatt import load, write_svmlight

WAYS = {
    "the bytes alone": "read_bytes",
    "reader: parse and check": "ours_reader",
    "ours, averaged perceptron": "ours_stream",
    "ours, AROW": "ours_arow",
    "ours, and write the cache": "ours_writes_cache",
    "ours, from the cache": "ours_cached",
    f"ours, {1 + PASSES} passes from the cache": "ours_cached_passes",
    "Vowpal Wabbit, adaptive hinge": "vw_stream",
    "Vowpal Wabbit, and write its cache": "vw_writes_cache",
    "Vowpal Wabbit, from its cache": "vw_cached",
    f"Vowpal Wabbit, {1 + PASSES} passes from its cache": "vw_cached_passes",
    "scikit-learn's loader, SGDClassifier(average=True)": "sklearn_stream",
}
ONCE = {"sklearn_stream"}  # it takes a minute, and is far behind


@dataclass(frozen=True)
class Took:
    """The least of some runs; megabytes at the most, and before the work."""

    cpu: float
    wall: float
    peak: float
    before: float


def run(split: Split, folder: Path, repeats: int) -> tuple[Table, list[Target]]:
    """The table, and what is aimed at."""
    folder.mkdir(parents=True, exist_ok=True)
    size = _write(split, folder)
    took: dict[str, list[Took]] = {way: [] for way in WAYS.values()}
    for turn in range(repeats):
        for way in WAYS.values():
            if turn == 0 or way not in ONCE:
                took[way].append(_run(way, folder))
    least = {
        way: Took(*(min(getattr(one, name) for one in ones) for name in Took.__dataclass_fields__))
        for way, ones in took.items()
    }
    errors = _errors(split, folder)
    columns = {
        "": "",
        "wall": ".3f",
        "CPU": ".3f",
        "GB/s": ".2f",
        "peak MB": ".0f",
        "imports MB": ".0f",
        "error": ".4f",
    }
    table = Table(f"file to model: {split}, {size / 1e6:.0f} MB of text", columns)
    for name, way in WAYS.items():
        one = least[way]
        table.add(name, one.wall, one.cpu, size / 1e9 / one.wall, one.peak, one.before, errors.get(way))
    return table, _targets(least, errors, size)


def _targets(least: dict[str, Took], errors: dict[str, float], size: int) -> list[Target]:
    ours, vw = least["ours_stream"], least["vw_stream"]
    added = (least["ours_cached_passes"].wall - least["ours_cached"].wall) / PASSES
    vw_added = (least["vw_cached_passes"].wall - least["vw_cached"].wall) / PASSES
    best = min(errors["ours_stream"], errors["ours_arow"])
    return [
        Target("file to model, Vowpal Wabbit / ours, wall", vw.wall / ours.wall, ">=", 5),
        Target("the same with AROW", vw.wall / least["ours_arow"].wall, ">=", 5),
        Target("file to model, scikit-learn / ours, wall", least["sklearn_stream"].wall / ours.wall, ">=", 25),
        Target("reader, GB a CPU second", size / 1e9 / least["ours_reader"].cpu, ">=", 0.6),
        Target("peak MB, streaming", ours.peak, "<=", 150, f"{ours.before:.0f} of them imports"),
        Target("a further pass, Vowpal Wabbit / ours, wall", vw_added / added, ">=", 10),
        Target("test error / Vowpal Wabbit's, one pass", best / errors["vw_stream"], "<=", 1, "the better of ours"),
    ]


def _run(way: str, folder: Path) -> Took:
    print(f"  {way}", file=sys.stderr)
    args = [sys.executable, "-m", "benchmarks.file_runs", way, str(folder)]
    ended = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=True)
    return Took(**json.loads(ended.stdout.splitlines()[-1]))


def _write(split: Split, folder: Path) -> int:
    """The text files, if they are not there yet; the size of the one to learn from."""
    for part, X, y in (("train", split.X, split.y), ("test", split.X_test, split.y_test)):
        path = folder / f"{part}.svm"
        if not path.is_file():
            X = X.copy()
            X.data = _six_digits(X.data)
            write_svmlight(X, y, path, zero_based=False)
        if not (folder / f"{part}.vw").is_file():
            unfinished = folder / f"{part}.vw.part"
            with path.open("rb") as text, unfinished.open("wb") as out:
                while lines := text.readlines(1 << 24):
                    out.write(re.sub(rb"(?m)^(\S+) ", rb"\1 | ", b"".join(lines)))
            unfinished.replace(folder / f"{part}.vw")
    return (folder / "train.svm").stat().st_size


def _six_digits(values: Any) -> Any:
    """As %.6g would write them."""
    scale = 10.0 ** (5 - np.floor(np.log10(np.abs(values.astype(np.float64)))))
    return (np.round(values * scale) / scale).astype(np.float32)


def _errors(split: Split, folder: Path) -> dict[str, float]:
    """Of the models that the runs left, on rows that none of them has seen."""
    _run("vw_stream", folder)
    _run("vw_test", folder)
    answers = np.loadtxt(folder / "vw.answers")
    found = {"vw_stream": float(np.mean(np.sign(answers) != split.y_test))}
    for way, name in (("ours_stream", "average.safetensors"), ("ours_arow", "arow.safetensors")):
        found[way] = float(np.mean(load(folder / name).predict(split.X_test) != split.y_test))
    found["sklearn_stream"] = float(
        np.mean(joblib.load(folder / "sklearn.joblib").predict(split.X_test) != split.y_test)
    )
    return found
