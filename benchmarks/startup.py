"""What a person at the shell meets, start-up included: each command on small files, beside its least imports.

Nearly all of such a command is start-up, so the measure is `python -c "import numpy, click"`, which none of them can do
without, in the same rounds. `python -c pass` stands there to show that nothing of the process that measures is in the
figures. The files are made in a temporary folder, the models and the proof by the same command line before. The part on
whole files is in startup_tags.py.
"""

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import startup_tags
from benchmarks.processes import ROSENBLATT, Cost, cost, least
from benchmarks.structured import stand_in
from benchmarks.table import Table, Target

BASELINE = "python -c 'import numpy, click'"
TIMES = {  # of the baseline's CPU seconds, at most
    "predict (svmlight)": 2.0,
    "predict (CSV)": 2.0,
    "inspect (model)": 2.0,
    "tag run": 2.0,
    "trace": 2.0,
    "certify": 2.5,
    "train": 2.5,
}
MEGABYTES = 60  # at most, for the commands that only read
READERS = [name for name, times in TIMES.items() if times == 2]
ROWS, FEATURES = 200, 30


def run(data: Path | None, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The tables, and what is aimed at."""
    with TemporaryDirectory(prefix="rosenblatt-startup-") as name:
        table, targets = small(Path(name), repeats)
        tags, more = startup_tags.run(data, Path(name), repeats, quick=quick)
    return [table, *tags], targets + more


def small(folder: Path, repeats: int) -> tuple[Table, list[Target]]:
    """Each verb on small files."""
    prepare(folder)
    took = least(commands(folder), repeats)
    base = took[BASELINE]
    columns = {"": "", "CPU": ".3f", "wall": ".3f", "peak MB": ".1f", "CPU / baseline": ".2f", "MB / baseline": ".2f"}
    table = Table("from the shell, small files, start-up included: seconds of a whole process", columns)
    for name, one in took.items():
        table.add(name, one.cpu, one.wall, one.peak, one.cpu / base.cpu, one.peak / base.peak)
    return table, _targets(took, base)


def _targets(took: dict[str, Cost], base: Cost) -> list[Target]:
    times = [
        Target(f"{name}: CPU / baseline", took[name].cpu / base.cpu, "<=", bound, f"{took[name].cpu:.3f} s")
        for name, bound in TIMES.items()
    ]
    note = f"baseline: {base.peak:.0f}"
    return times + [Target(f"{name}: peak MB", took[name].peak, "<=", MEGABYTES, note) for name in READERS]


def prepare(folder: Path) -> None:
    """Rows of two classes a margin apart, as svmlight text and as a table; sentences; what is learnt from them."""
    draw = random.Random(0)
    rows: list[str] = []
    while len(rows) < ROWS:
        x = {k: draw.randint(1, 9) for k in sorted(draw.sample(range(1, FEATURES + 1), 8))}
        score = sum(value if k % 2 else -value for k, value in x.items())
        if abs(score) > 5:
            rows.append(("+1" if score > 0 else "-1") + "".join(f" {k}:{value}" for k, value in x.items()))
    (folder / "rows.svm").write_text("\n".join(rows) + "\n", encoding="ascii")
    lines = ["length,width,height,kind"]
    for k in range(ROWS // 4):
        near, far, height = draw.randint(0, 9), draw.randint(15, 30), draw.randint(0, 9)
        lines.append(f"{near},{far},{height},long" if k % 2 else f"{far},{near},{height},wide")
    (folder / "rows.csv").write_text("\n".join(lines) + "\n", encoding="ascii")
    for name in ("train.txt", "test.txt"):
        (folder / f"small-{name}").write_bytes(stand_in(name))
    made: list[list[str | Path]] = [
        ["train", folder / "rows.svm", "--model", folder / "rows.safetensors"],
        ["train", folder / "rows.csv", "--model", folder / "table.safetensors"],
        ["certify", folder / "rows.csv", "-o", folder / "proof.json"],
        ["tag", "train", folder / "small-train.txt", "--templates", "chunk", "--model", folder / "tags.safetensors"],
    ]
    for words in made:
        cost([*ROSENBLATT, *words])


def commands(folder: Path) -> dict[str, list[str | Path]]:
    """What takes turns; what is trained here takes the place of no model that another command reads."""
    rows, table, new = folder / "rows.svm", folder / "rows.csv", folder / "new.safetensors"
    model, tagger, tokens = folder / "rows.safetensors", folder / "tags.safetensors", folder / "small-test.txt"
    words: dict[str, list[str | Path]] = {
        "predict (svmlight)": ["predict", model, rows],
        "predict (CSV)": ["predict", folder / "table.safetensors", table],
        "evaluate": ["evaluate", model, rows],
        "inspect (model)": ["inspect", model],
        "tag run": ["tag", "run", tagger, tokens, "-o", folder / "small-tagged.txt"],
        "tag eval": ["tag", "eval", tagger, tokens],
        "tag train": ["tag", "train", folder / "small-train.txt", "--templates", "chunk", "--model", new],
        "trace": ["trace", table],
        "certify": ["certify", table],
        "verify": ["verify", folder / "proof.json", table],
        "train": ["train", rows, "--model", new],
        "train --stream": ["train", rows, "--stream", "--model", new],
        "--help": ["--help"],
    }
    beside: dict[str, list[str | Path]] = {
        "python -c pass": [sys.executable, "-c", "pass"],
        BASELINE: [sys.executable, "-c", "import numpy, click"],
    }
    return beside | {name: [*ROSENBLATT, *args] for name, args in words.items()}
