"""Hundreds of tags: dense rows and the full search beside rows that are lists and the pruned search, which are exact.

Real: UPOS and FEATS of UD English EWT, 321 tags, with the templates `pos`; as they are, and with weights shared by the
part of speech. Made up: tags of which each word can have a few, so that it is seen what time grows with. Each run is a
process of its own, as in `structured`, and so are the files; seconds are CPU seconds, imports left out.
"""

from pathlib import Path

import numpy as np

from benchmarks.processes import ROSENBLATT, cost
from benchmarks.structured import Runs, prepare, right
from benchmarks.table import Table, Target
from rosenblatt import load

COLUMNS = {
    "": "",
    "tags": ".0f",
    "right": ".2f",
    "file to model": ".2f",
    "tokens/s": ",.0f",
    "peak MB": ".0f",
    "model MB": ".2f",
}
MADE = {"": "", "file to model": ".2f", "dense": ".2f", "tokens/s": ",.0f", "tokens/s, dense": ",.0f"}
WORDS, TOKENS = 2000, 20  # words there are; tokens of a sentence


def made_up(folder: Path, tags: int, choices: int, sentences: int) -> str:
    """Sentences whose words can have so many of the tags; which one it is, the tag before says. The name of the run."""
    name = f"made-{tags}-{choices}"
    random = np.random.default_rng(tags * 1000 + choices)
    of_word = [random.choice(tags, choices, replace=False) for _ in range(WORDS)]
    for part, count in (("train", sentences), ("test", sentences)):
        lines = []
        for _ in range(count):
            tag = 0
            for word in (random.random(TOKENS) ** 2 * WORDS).astype(int):
                tag = of_word[word][tag * 7919 % choices]
                lines.append(f"w{word} t{tag}")
            lines.append("")
        (folder / f"{name}.{part}").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return name


def same_model(folder: Path, one: str, other: str) -> bool:
    """Whether two models have the same mistakes of each pass and the same weights."""
    models = [load(folder / f"{name}.safetensors") for name in (one, other)]
    arrays = zip(*(model._model.chain.arrays() for model in models), strict=True)
    passes = [model.mistakes_.tolist() for model in models]
    return passes[0] == passes[1] and all(np.array_equal(a, b) for a, b in arrays)


def run(data: Path | None, folder: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The tables, and what is aimed at."""
    title, runs = prepare(data, folder, quick=quick), Runs(folder)
    model, tagged = folder / "feats.safetensors", folder / "feats.txt"
    runs.run("dense-feats", "dense-feats_tags_many", "dense-feats_tags")
    model.rename(folder / "dense.safetensors")
    answers = tagged.read_bytes()
    runs.run("feats", "feats_tags_many", "feats_tags", repeats=min(repeats, 3))
    runs.run("shared", "shared_tags_many", "shared_tags")
    same = same_model(folder, "dense", "feats") and tagged.read_bytes() == answers
    train, shell = folder / "feats-train.txt", folder / "shell.safetensors"
    at_the_shell = cost([*ROSENBLATT, "tag", "train", train, "--max-iter", "10", "--model", shell])

    real = Table(f"UPOS and FEATS of EWT{title}: right tokens of the test part, CPU seconds, 10 passes", COLUMNS)
    n_tags, many = len(load(model).classes_), runs.tokens("feats-many.txt")
    scores = {name: 100 * right(folder / f"{name}.txt") for name in ("feats", "shared")}
    for name, way, stem in (
        ("dense rows, full search", "dense-feats", "feats"),
        ("lists, pruned search", "feats", "feats"),
        ("the same, weights shared by the part of speech", "shared", "shared"),
    ):
        one, speed = runs.took[way], many / runs.took[f"{way}_tags_many"].cpu
        size = (folder / f"{stem}.safetensors").stat().st_size / 1e6
        real.add(name, n_tags, scores[stem], one.cpu, speed, runs.peak(way, f"{way}_tags"), size)

    made = Table(f"Made-up tags, {WORDS} words{title}: CPU seconds of 5 passes, and tokens a second", MADE)
    speeds: dict[tuple[int, int], float] = {}
    sentences = 100 if quick else 2000
    for tags, choices in ((100, 3), (300, 3), (1000, 3), (1000, 10), (1000, 30)):
        name = made_up(folder, tags, choices, sentences)
        ways = [name, f"{name}_tags", f"dense-{name}", f"dense-{name}_tags"]
        runs.run(*ways)
        learned, tagged_in, dense, dense_in = (runs.took[way].cpu for way in ways)
        speed, dense_speed = (sentences * TOKENS / seconds for seconds in (tagged_in, dense_in))
        speeds[tags, choices] = speed
        made.add(f"{tags} tags, a word has {choices}", learned, dense, speed, dense_speed)

    took = runs.took
    return [real, made], [
        Target("the same mistakes of each pass, weights and tags", float(same), ">=", 1, "dense and pruned"),
        Target("EWT, UPOS and FEATS: seconds of training", took["feats"].cpu, "<=", 6),
        Target("tokens a CPU second, file to file", many / took["feats_tags_many"].cpu, ">=", 200_000),
        Target("% right", scores["feats"], ">=", 93.15),
        Target("% right, shared weights", scores["shared"], ">=", 93.2),
        Target("peak MB", runs.peak("feats", "feats_tags"), "<=", 200, f"{took['feats'].before:.0f} of them imports"),
        Target("peak MB, from the shell", at_the_shell.peak, "<=", 200),
        Target("tokens/s of 1,000 tags / of 100, 3 a word", speeds[1000, 3] / speeds[100, 3], ">=", 0.2, "dense: .03"),
    ]
