"""How fast texts become features, and how fast a model answers a million short texts."""

from pathlib import Path

from benchmarks.processes import ROSENBLATT, cost
from benchmarks.table import Table, Target
from benchmarks.text_runs import rows
from benchmarks.text_sets import write_rows
from benchmarks.timing import interleaved
from rosenblatt import TextClassifier
from rosenblatt.members.linear.text.encoding import CountedTexts, Shape

MILLION, FEW = 1_000_000, 3_000
ENCODED, ANSWERED = 150, 500_000  # MB, and short texts, in a CPU second


def run(long: Path, short: Path, repeats: int, *, quick: bool) -> tuple[Table, list[Target]]:
    """Texts of one folder are encoded; those of the other, where ours.model was learned, are repeated and answered."""
    texts, (some, labels) = rows(long / "train.csv")[0], rows(short / "train.csv")
    n = FEW if quick else MILLION
    many = (some * (n // len(some) + 1))[:n]
    file, model = short / "many.csv", TextClassifier().fit(some, labels)
    write_rows(file, zip(many, (labels * (n // len(some) + 1))[:n], strict=True))
    shape = Shape(22, 2, 0)
    runs = {"encode": lambda: CountedTexts(shape, texts), "answer": lambda: model.predict(many)}
    seconds = interleaved(runs, repeats)
    shell = cost([*ROSENBLATT, "predict", short / "ours.model", file, "-o", short / "many.labels"])
    file.unlink()
    size = sum(len(text.encode()) for text in texts) / 1e6
    table = Table(f"speed, one core: {long.name} encoded, {n:,} texts answered", {"": "", "a CPU second": ",.0f"})
    table.add("encoder, words and pairs, MB", size / seconds["encode"].cpu)
    table.add("TextClassifier.predict, texts", n / seconds["answer"].cpu)
    table.add("rosenblatt predict, texts", n / shell.cpu)
    return table, [
        Target("encoder, MB a CPU second", size / seconds["encode"].cpu, ">=", ENCODED),
        Target("texts answered a CPU second, in Python", n / seconds["answer"].cpu, ">=", ANSWERED),
        Target("texts answered a CPU second, from the shell", n / shell.cpu, ">=", ANSWERED),
    ]
