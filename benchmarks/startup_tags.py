"""Tagging and training on whole files from the shell, start-up included: ours beside a script with CRFsuite.

The files are CoNLL-2000 and UD English EWT, packed with gzip in the folder given or in ../shared/data, and unpacked
before; if it is to be quick, the sentences that the package ships stand in. Both have the attributes of CRFsuite's own
tutorial on chunking, make the same number of passes, and tag with the models that the training left; ours with the
templates `chunk`, which make more attributes and fewer mistakes, is shown beside. Ratios are of CPU seconds; the clock
is shown too.
"""

import gzip
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.data import ROOT
from benchmarks.processes import ROSENBLATT, Cost, least
from benchmarks.structured import SOURCES, stand_in
from benchmarks.table import Table, Target
from benchmarks.tag_runs import TUTORIAL

PASSES = 10
FILES = ["train.txt", "test.txt", "train.conllu"]
COLUMNS = {
    "": "",
    "CPU": ".3f",
    "wall": ".3f",
    "peak MB": ".1f",
    "CPU, CRFsuite / ours": ".1f",
    "wall, CRFsuite / ours": ".1f",
}
Commands = dict[str, list[str | Path]]


def run(data: Path | None, folder: Path, repeats: int, *, quick: bool) -> tuple[list[Table], list[Target]]:
    """The table and what is aimed at; neither if there are no files."""
    data = data or ROOT.parent / "shared" / "data"
    missing = [SOURCES[name] for name in FILES if not (data / SOURCES[name]).is_file()]
    if missing and not quick:
        print(f"left out, for want of {', '.join(missing)} in {data}: name their folder by --data", file=sys.stderr)
        return [], []
    train, test, universal = (_unpacked(name, data, folder, quick=quick) for name in FILES)
    peers = ["ours", "CRFsuite"] if find_spec("pycrfsuite") else ["ours"]
    if len(peers) < 2:
        print("CRFsuite is left out: pip install python-crfsuite", file=sys.stderr)
    took = _took(folder, train, test, universal, peers, min(repeats, 3))

    stands = ": the shipped sentences stand in" if quick else ""
    title = f"from the shell, CoNLL-2000 and EWT{stands}, start-up included: seconds of a whole process"
    table = Table(title, COLUMNS)
    works = {
        "tag": "tag the test file",
        "train": f"train, {PASSES} passes",
        "xpos": f"EWT, XPOS: train, {PASSES} passes",
    }
    for work, said in works.items():
        theirs = took.get(f"{work}, CRFsuite")
        for name in ("ours", "ours, `chunk`"):
            if ours := took.get(f"{work}, {name}"):
                ratios = (theirs.cpu / ours.cpu, theirs.wall / ours.wall) if theirs else ()
                table.add(f"{said}: {name}", ours.cpu, ours.wall, ours.peak, *ratios)
        if theirs:
            table.add(f"{said}: CRFsuite", theirs.cpu, theirs.wall, theirs.peak)
    return [table], _targets(took)


def _took(folder: Path, train: Path, test: Path, universal: Path, peers: list[str], repeats: int) -> dict[str, Cost]:
    """First the training, whose models the tagging needs."""
    model, chunk, theirs = folder / "tutorial.safetensors", folder / "chunk.safetensors", folder / "chunks.crfsuite"
    templates = folder / "tutorial.txt"
    templates.write_text("\n".join(TUTORIAL) + "\n", encoding="utf-8")
    rosenblatt: list[str | Path] = [*ROSENBLATT, "tag"]
    crfsuite: list[str | Path] = [sys.executable, "-m", "benchmarks.crfsuite"]
    passes = ["--max-iter", str(PASSES)]
    training: Commands = {
        "train, ours": [*rosenblatt, "train", train, "--templates", templates, *passes, "--model", model],
        "train, ours, `chunk`": [*rosenblatt, "train", train, "--templates", "chunk", *passes, "--model", chunk],
        "train, CRFsuite": [*crfsuite, "train", train, theirs, str(PASSES)],
        "xpos, ours": [
            *rosenblatt,
            "train",
            universal,
            "--tag",
            "xpos",
            *passes,
            "--model",
            folder / "xpos.safetensors",
        ],
    }
    tagging: Commands = {
        "tag, ours": [*rosenblatt, "run", model, test, "-o", folder / "ours.txt"],
        "tag, ours, `chunk`": [*rosenblatt, "run", chunk, test, "-o", folder / "ours.txt"],
        "tag, CRFsuite": [*crfsuite, "tag", theirs, test, folder / "crfsuite.txt"],
    }
    took = {}
    for commands in (training, tagging):
        chosen = {name: command for name, command in commands.items() if name.split(", ")[1] in peers}
        took.update(least(chosen, repeats))
    return took


def _targets(took: dict[str, Cost]) -> list[Target]:
    targets = []
    for work, name, bound in (("tag", "file to file", 2), ("train", f"file to model, {PASSES} passes", 10)):
        ours, theirs = took[f"{work}, ours"], took.get(f"{work}, CRFsuite")
        if theirs:
            note = f"{theirs.cpu:.3f} s / {ours.cpu:.3f} s"
            targets.append(Target(f"shell, {name}, CRFsuite / ours, CPU", theirs.cpu / ours.cpu, ">=", bound, note))
    return [
        *targets,
        Target(
            "shell, file to model: peak MB", max(took[f"train, ours{s}"].peak for s in ("", ", `chunk`")), "<=", 140
        ),
        Target("shell, EWT, XPOS: peak MB", took["xpos, ours"].peak, "<=", 160),
    ]


def _unpacked(name: str, data: Path, folder: Path, *, quick: bool) -> Path:
    path = folder / SOURCES[name].removesuffix(".gz")
    path.write_bytes(stand_in(name) if quick else gzip.decompress((data / SOURCES[name]).read_bytes()))
    return path
