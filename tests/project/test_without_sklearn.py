"""Models are read, asked and trained where scikit-learn, pandas and scipy cannot be imported, to the same bytes."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import LinearUnit, LinearUnitClassifier, PassiveAggressiveClassifier, RandomHypotheses, save
from rosenblatt.data.lectures import AND
from rosenblatt.data.treebank import treebank_path

TESTS = Path(__file__).resolve().parents[1]
MODELS = (LinearUnit(), LinearUnitClassifier(), RandomHypotheses(k=3), PassiveAggressiveClassifier())  # of no command
HIDDEN = ("sklearn", "scipy", "pandas", "joblib")

# What each command is to be asked, one after the other in one folder, and the files that must be the same after it.
COMMANDS = {
    "train": ["train data.svm --readout average --max-iter 5 --model data.st --json", "inspect data.st --json"],
    "train with rows held out": [
        "train data.svm --early-stopping --model held.st --json",
        "train data.svm --holdout 0.3 --model part.st --json",
    ],
    "train a table": ["train walks.csv --label walk --missing mean --standardise --model walks.st"],
    "train with a kernel": [
        "train data.svm --kernel rbf --model kernel.st --json",
        "predict kernel.st test.svm --scores",
    ],
    "train with a budget": [
        "train data.svm --kernel rbf --budget 3 --model b.st --json",
        "predict b.st test.svm --scores",
    ],
    "stream": [
        "train data.svm --max-iter 3 --cache c.arrow --checkpoint c.part --model s.st --json",
        "train data.svm --max-iter 4 --cache c.arrow --checkpoint c.part --resume --model again.st --json",
        "train and.csv --stream --model and.st --json",
    ],
    "predict svmlight": [
        "train data.svm --model m.st --json",
        "predict m.st test.svm --scores",
        "predict m.st test.svm --json",
    ],
    "predict a table": [
        "train and.csv --model m.st --json",
        "predict m.st and.csv --scores",
        "evaluate m.st and.csv --json",
    ],
    "tag": [
        "tag train train.txt --templates chunk --model chunks.st --json",
        "tag train train.txt --early-stopping --tag 1 --model pos.st --json",
        "tag train train.conllu --dev train.conllu --model upos.st --json",
        "tag run chunks.st new.txt -o tagged.txt",
        "tag run chunks.st new.txt --nbest 2 --score",
        "tag eval chunks.st test.txt --json",
    ],
    "parse": [
        "parse train treebank.conllu --dev treebank.conllu --max-iter 3 --model p.st --json",
        "tag train treebank.conllu --tag xpos --model xpos.st --json",
        "parse train treebank.conllu --tagger xpos.st --jackknife 2 --columns form,xpos --model q.st --json",
        "parse run q.st treebank.conllu --tagger xpos.st -o parsed.conllu",
        "parse eval treebank.conllu parsed.conllu --json",
        "parse draw treebank.conllu parsed.conllu --sentence 2",
        "text train treebank.conllu --tree lean --max-iter 2 --model text.st --json",
        "text run text.st treebank.conllu --from tags -o parsed.conllu",
        "text eval text.st treebank.conllu --json",
    ],
    "trace": ["trace and.csv", "trace and.csv --exact --eta0 1/3 --format csv", "trace and.csv --format html"],
    "certify": [
        "certify and.csv -o proof.json",
        "certify xor.csv",
        "verify proof.json and.csv",
        "inspect proof.json --json",
    ],
    "inspect": ["inspect data.svm --json", "inspect and.csv --json", "convert and.csv new.svm"],
}
RUN = """
import contextlib, io, json, sys
hidden, commands = json.loads(sys.argv[1]), json.loads(sys.argv[2])
sys.modules.update(dict.fromkeys(hidden))  # an import of these raises
if not hidden:
    import pandas, sklearn.utils.validation, scipy.sparse
from rosenblatt.doors.cli.program import run
for command in commands:
    print(command)
    sys.stdout.flush()
    print(run(command.split()))
    sys.stdout.flush()
"""


def asked(folder: Path, commands: list[str], hidden: tuple[str, ...]) -> dict[str, bytes]:
    """What the commands print and write, in a process of their own."""
    shutil.copytree(TESTS / "cli" / "data", folder)
    shutil.copy(treebank_path(), folder)
    args = [sys.executable, "-c", RUN, json.dumps(hidden), json.dumps(commands)]
    ended = subprocess.run(args, cwd=folder, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    out = re.sub(rb'("seconds": |^seconds +)[0-9.]+', rb"\1?", ended.stdout, flags=re.MULTILINE)
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".arrow"}
    return {"stdout": out, "stderr": ended.stderr, **files}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_bytes(tmp_path: Path, name: str) -> None:
    there = asked(tmp_path / "there", COMMANDS[name], ())
    assert asked(tmp_path / "hidden", COMMANDS[name], HIDDEN) == there


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_model_files_that_no_command_writes(tmp_path: Path, model: Any) -> None:
    save(model.fit(*AND), tmp_path / "m.st")
    commands = [f"inspect {tmp_path / 'm.st'} --json"]
    there = asked(tmp_path / "there", commands, ())
    assert f'"class": "{type(model).__name__}"'.encode() in there["stdout"]
    assert asked(tmp_path / "hidden", commands, HIDDEN) == there
