"""Several labels a text: ours beside a LinearSVC for each label over TfidfVectorizer, of words or pairs too."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.data import ROOT
from benchmarks.processes import ROSENBLATT, least
from benchmarks.table import Table, Target
from benchmarks.text_runs import SEVERAL, rows

OURS = "rosenblatt train --label-separator"


def run(folder: Path, repeats: int) -> tuple[Table, list[Target]]:
    """F1 of each on the test part of a folder, and what its training costs."""
    module = [sys.executable, "-m", "benchmarks.text_runs"]
    ours = [*ROSENBLATT, "train", str(folder / "train.csv"), "--text", "text", "--label", "label"]
    commands: dict[str, list[str | Path]] = {OURS: [*ours, "--label-separator", " ", "--model", folder / "ours.model"]}
    commands |= {way: [*module, way, folder, "train"] for way in SEVERAL}
    took = least(commands, repeats)
    evaluate = [*ROSENBLATT, "evaluate", str(folder / "ours.model"), str(folder / "test.csv"), "--json"]
    score = json.loads(subprocess.run(evaluate, capture_output=True, text=True, cwd=ROOT, check=True).stdout)
    f1 = {OURS: (score["micro_f1"], score["macro_f1"])}
    for way in SEVERAL:
        subprocess.run([*map(str, [*module, way, folder, "answer"])], cwd=ROOT, check=True)
        f1[way] = _f1(folder / f"{way}.labels", rows(folder / "test.csv")[1])
    columns = {"": "", "micro F1": ".4f", "macro F1": ".4f", "CPU": ".2f", "peak MB": ".0f", "model MB": ".1f"}
    table = Table(f"{folder.name}: several labels a text", columns)
    for name, cost in took.items():
        model = folder / ("ours.model" if name == OURS else f"{name}.model")
        table.add(name, *f1[name], cost.cpu, cost.peak, model.stat().st_size / 1e6)
    best = max(f1[way][0] for way in SEVERAL)
    return table, [Target(f"{folder.name}: micro F1 - that of LinearSVC at its best", f1[OURS][0] - best, ">=", 0)]


def _f1(path: Path, labels: list[str]) -> tuple[float, float]:
    """Over all labels together, and the mean of that of each."""
    from sklearn.metrics import f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    truth = [label.split(" ") for label in labels]
    answers = [line.split() for line in path.read_text(encoding="utf-8").split("\n")]
    encoder = MultiLabelBinarizer().fit(truth + answers)
    sets = encoder.transform(truth), encoder.transform(answers)
    micro, macro = (f1_score(*sets, average=mean, zero_division=0) for mean in ("micro", "macro"))
    return float(micro), float(macro)
