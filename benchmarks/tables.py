"""From a table on disk to a model on disk: ours beside pandas and scikit-learn, each run a whole process.

The table is made: twelve numbers of four decimals, a category of fifty values, a label of a noisy line. The work is
the same for all: read, an indicator a category, numbers as they are, one pass of an averaged perceptron, and write the
model. Seconds are those of the CPU for the whole process, start-up included; megabytes are those of the CSV file, also
where the same rows come from Parquet.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.data import ROOT, Array
from benchmarks.processes import ROSENBLATT, Cost, least
from benchmarks.table import Table, Target

ROWS, TEST_ROWS, NUMBERS, STATES, SEEDS = 3_000_000, 100_000, 12, 50, 8
LEARN = ["--label", "label", "--no-standardise", "--readout", "average", "--max-iter", "1", "--model"]
OURS, STREAMED, PARQUET = "train", "train --stream", "train, Parquet"
PYTHON = "in Python: TableEncoding, Perceptron"
PANDAS = "pandas, ColumnTransformer, SGDClassifier"
PANDAS_ARROW = "the same, pandas with pyarrow's reader"


def run(folder: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The table, and what is aimed at."""
    folder.mkdir(parents=True, exist_ok=True)
    make(folder, ROWS // 1000 if quick else ROWS, TEST_ROWS // 100 if quick else TEST_ROWS)
    size = (folder / "train.csv").stat().st_size / 1e6
    took = least(commands(folder), repeats)
    errors = _errors(folder)
    columns = {"": "", "CPU": ".2f", "wall": ".2f", "MB a CPU second": ".0f", "peak MB": ".0f", "error": ".4f"}
    table = Table(f"table to model, start-up included: {size:.0f} MB of CSV", columns)
    for name, one in took.items():
        table.add(name, one.cpu, one.wall, size / one.cpu, one.peak, errors.get(name))
    return [table], _targets(took, _of_seeds(folder), size)


def _targets(took: dict[str, Cost], errors: list[Array], size: float) -> list[Target]:
    ours, streamed, theirs = took[OURS], took[STREAMED], took[PANDAS]
    parquet = ours.cpu / took[PARQUET].cpu
    worse = float(errors[0].mean() - errors[1].mean())
    luck = 2 * float(np.sqrt(sum(of.var(ddof=1) for of in errors) / SEEDS))
    return [
        Target("train, MB a CPU second", size / ours.cpu, ">=", 150),
        Target("train --stream, MB a CPU second", size / streamed.cpu, ">=", 150),
        Target("CPU of pandas and scikit-learn / ours", theirs.cpu / ours.cpu, ">=", 5),
        Target("the same, --stream", theirs.cpu / streamed.cpu, ">=", 5),
        Target(f"error - that of SGDClassifier, means of {SEEDS} seeds", worse, "<=", luck, "two standard errors"),
        Target("peak MB, --stream", streamed.peak, "<=", 150),
        Target("CPU, CSV / Parquet", parquet, ">=", 2),
    ]


def commands(folder: Path) -> dict[str, list[str | Path]]:
    """What is run, by name."""
    csv, parquet, model = folder / "train.csv", folder / "train.parquet", folder / "ours.safetensors"
    runs: list[str | Path] = [sys.executable, "-m", "benchmarks.table_runs"]
    return {
        OURS: [*ROSENBLATT, "train", csv, *LEARN, model],
        STREAMED: [*ROSENBLATT, "train", csv, "--stream", *LEARN, folder / "streamed.safetensors"],
        PARQUET: [*ROSENBLATT, "train", parquet, *LEARN, folder / "parquet.safetensors"],
        "train --stream, Parquet": [*ROSENBLATT, "train", parquet, "--stream", *LEARN, folder / "p.safetensors"],
        "evaluate": [*ROSENBLATT, "evaluate", model, csv],
        "predict": [*ROSENBLATT, "predict", model, csv, "-o", folder / "answers.txt"],
        PYTHON: [*runs, "ours", folder],
        PANDAS: [*runs, "pandas", folder],
        PANDAS_ARROW: [*runs, "pandas_arrow", folder],
    }


def make(folder: Path, n_rows: int, n_test: int) -> None:
    """The files, if they are not there yet."""
    draw = np.random.default_rng(0)
    weights, of_state = draw.standard_normal(NUMBERS), 10 * draw.standard_normal(STATES)
    states = pa.array([f"state{number:02}" for number in range(STATES)])
    for name, rows in (("test", n_test), ("train", n_rows)):
        X = np.round(10 * draw.standard_normal((rows, NUMBERS)), 4)
        state = draw.integers(STATES, size=rows)
        score = X @ weights + of_state[state] + 10 * draw.standard_normal(rows)
        columns = {f"x{number}": pa.array(X[:, number]) for number in range(NUMBERS)}
        columns |= {"state": states.take(pa.array(state)), "label": pa.array(np.where(score > 0, "yes", "no"))}
        if not (folder / f"{name}.csv").is_file():
            table = pa.table(columns)
            pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
            options = pyarrow.csv.WriteOptions(quoting_style="none")
            pyarrow.csv.write_csv(table, folder / f"{name}.part", options)
            (folder / f"{name}.part").replace(folder / f"{name}.csv")


def _of_seeds(folder: Path) -> list[Array]:
    """The errors of ours and of scikit-learn's after one pass, which depend a little on the order of the rows."""
    words = [sys.executable, "-m", "benchmarks.table_runs", "seeds", str(folder), str(SEEDS)]
    said = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [np.array(line.split(), dtype=float) for line in said.splitlines()]


def _errors(folder: Path) -> dict[str, float]:
    """Of the models that the runs left, on rows that none of them has seen."""
    test = folder / "test.csv"
    found = {}
    for name, model in ((OURS, "ours"), (STREAMED, "streamed"), (PARQUET, "parquet"), (PYTHON, "python")):
        said = [*ROSENBLATT, "evaluate", str(folder / f"{model}.safetensors"), str(test), "--json"]
        found[name] = float(json.loads(subprocess.run(said, capture_output=True, check=True).stdout)["error"])
    for name, way in ((PANDAS, "pandas"), (PANDAS_ARROW, "pandas_arrow")):
        words = [sys.executable, "-m", "benchmarks.table_runs", "error_of", str(folder), way]
        found[name] = float(subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout)
    return found
