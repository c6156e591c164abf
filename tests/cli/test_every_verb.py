"""Every verb as a process: it works in a pipe, wrong usage is 2, broken input is 1 and one line, JSON is as promised.

The table below has a line for each verb; one that lacks a line, or an option that lacks a case, is a failure.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from rosenblatt.doors.cli.program import VERBS, program


class Case(NamedTuple):
    """A command that reads a table from standard input, if its verb reads data, and what it prints."""

    works: str
    prints: str
    wrong: str  # usage, and what is said of it
    said: str
    json: str | None = None  # the name in the schema
    table: str = "and.csv"
    broken: str = "x1,x2,y\n0,0,-1\n0,a,1\n"
    error: str = "3:2: expected a number, found 'a' (column x2)"


CASES = {
    "train": Case(
        "train - --from csv --no-shuffle --model new", "updates                    18", "train", "--model", "train"
    ),
    "predict": Case("predict and.safetensors - --from csv", "-1\n-1\n-1\n1\n", "predict", "'MODEL'", "predict"),
    "evaluate": Case(
        "evaluate and.safetensors - --from csv", "error 0.0000: 0 of 4 rows", "evaluate", "'MODEL'", "evaluate"
    ),
    "explain": Case(
        "explain colours.safetensors - --from csv",
        "red\t",
        "explain",
        "'MODEL'",
        "explain",
        "colours.csv",
        "note,colour\na,red\nb\n",
        "3:2: expected 2 cells, as in the header, found 1",
    ),
    "compare": Case(
        "compare - --from csv --folds 2",
        "train the best: rosenblatt",
        "compare --folds x",
        "'--folds'",
        "compare",
        "xor.csv",
    ),
    "tune": Case(
        "tune - --from csv --folds 2 --try max_iter=1,9",
        "best: max_iter=",
        "tune --try x=1",
        "'--try'",
        "tune",
        "xor.csv",
    ),
    "certify": Case("certify - --from csv", "at most 51 mistakes", "certify --gap x", "expected a number", "certify"),
    "verify": Case("verify proof.json - --from csv", "verified: separable", "verify", "'PROOF'", "verify"),
    "trace": Case("trace - --from csv", "(-4, 3, 2)", "trace - --format xml", "'xml'"),
    "check": Case("check right.csv - --from csv", "all is right, 36 visits", "check", "'ANSWERS'"),
    "exercise": Case("exercise --seed 7", "Exercise 7. Run the perceptron", "exercise --count 0", "'--count'"),
    "grade": Case("grade sheets - --from csv", "100.0 %", "grade nothing", "'FOLDER'"),
    "plot": Case("plot squeeze - --from csv -o new.png", "", "plot squeeze -o new.txt", "ends in .png"),
    "studio": Case("studio - --from csv -o new.html", "", "studio --preset nix", "expected one of and, six-points"),
    "inspect": Case(
        "inspect - --from csv",
        "x1, x2",
        "inspect a b",
        "unexpected extra argument",
        "inspect_table",
        broken="x1,x2,y\n0,0,-1\n0,1\n",
        error="3:3: expected 3 cells, as in the header, found 2",
    ),
    "export": Case("export and.safetensors -o new.json", "", "export and.safetensors", "'-o' / '--output'"),
    "convert": Case("convert - - --from csv", "-1\n-1 2:1\n-1 1:1\n1 1:1 2:1\n", "convert -", "'OUT'"),
    "tag": Case(
        "tag train - --templates chunk --model new",
        "converged                      yes",
        "tag train",
        "--model",
        "tag_train",
        "train.txt",
        "A DT B-NP\ndog NN\n",
        "2:7: expected 3 columns, as in line 1, found the end of the line",
    ),
    "parse": Case(
        "parse train - --model new",
        "converged                       yes",
        "parse train",
        "--model",
        "parse_train",
        "treebank.conllu",
        "1\ta\t_\t_\t_\t_\t2\troot\t_\t_\n",
        "1:13: expected the number of a word of the sentence, or 0 for the root, found 2",
    ),
    "text": Case(
        "text train - --model new",
        "atoms, tags, lemmas, tree",
        "text train",
        "--model",
        "text_train",
        "treebank.conllu",
        "1\ta\t_\t_\t_\t_\t2\troot\t_\t_\n",
        "1:13: expected the number of a word of the sentence, or 0 for the root, found 2",
    ),
    "serve": Case("serve new --port 0", "serving new at http://127.0.0.1:", "serve", "'FOLDER'", "serve"),
    "demo": Case("demo new", "What to try next", "demo a b", "unexpected extra argument"),
    "completion": Case("completion bash", "_ROSENBLATT_COMPLETE", "completion cmd", "'cmd'"),
}


def params(verb: str) -> set[str]:
    """What it takes; of a verb with verbs of its own, what these take."""
    command = program.get_command(click.Context(program), verb)
    assert command is not None
    commands = command.commands.values() if isinstance(command, click.Group) else [command]
    return {param.name for one in commands for param in one.params}


def test_no_case_is_missing() -> None:
    assert set(CASES) == set(VERBS)
    for verb, case in CASES.items():
        assert case.works.split()[0] == case.wrong.split()[0] == verb
        assert ("-" in case.works.split()) == ("file" in params(verb)), f"{verb} reads data, or does not"
        assert (case.json is not None) == ("as_json" in params(verb)), f"{verb} prints JSON, or does not"


@pytest.fixture
def ready(rosenblatt: Any, folder: Path) -> Path:
    """A folder with a model and a proof."""
    assert rosenblatt("train", "and.csv", "--no-shuffle", "--model", "and.safetensors").code == 0
    assert rosenblatt("certify", "and.csv", "-o", "proof.json").code == 0
    assert rosenblatt("trace", "and.csv", "--format", "csv", "-o", "right.csv").code == 0
    (folder / "sheets").mkdir()
    shutil.copy(folder / "right.csv", folder / "sheets")
    assert rosenblatt("train", "colours.csv", "--text", "note", "--model", "colours.safetensors").code == 0
    return folder


def run(command: str, stdin: bytes = b"") -> tuple[int, str, str]:
    """The real program between two pipes."""
    args = [sys.executable, "-m", "rosenblatt", *command.split()]
    if command.startswith("serve new"):
        return until_told(args)
    ended = subprocess.run(args, input=stdin, capture_output=True, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


def until_told(args: list[str]) -> tuple[int, str, str]:
    """A program that ends when it is told to: once it has said something."""
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        first = program.stdout.readline()
        program.terminate()
        out, err = program.communicate()
    return program.returncode, (first + out).decode(), err.decode()


@pytest.mark.parametrize("verb", VERBS)
def test_it_works_in_a_pipe(ready: Path, verb: str) -> None:
    case, before = CASES[verb], set(ready.iterdir())
    code, out, err = run(case.works, (ready / case.table).read_bytes())
    assert (code, err) == (0, "")
    assert case.prints in out
    made = set(ready.iterdir()) - before
    assert [path.name[:3] for path in made] == (["new"] if "new" in case.works else [])


@pytest.mark.parametrize("verb", VERBS)
def test_wrong_usage(folder: Path, verb: str) -> None:
    before = sorted(folder.iterdir())
    for command, said in ((CASES[verb].wrong, CASES[verb].said), (f"{verb} --nonsense", "No such option")):
        code, out, err = run(command)
        assert (code, out) == (2, "")
        assert err.startswith(f"Usage: rosenblatt {verb} ")
        assert said in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("verb", [verb for verb in VERBS if "file" in params(verb)])
def test_broken_input(ready: Path, verb: str) -> None:
    before = sorted(ready.iterdir())
    ended = run(CASES[verb].works, CASES[verb].broken.encode())
    assert ended == (1, "", f"error: <stdin>:{CASES[verb].error}\n")
    assert sorted(ready.iterdir()) == before


@pytest.mark.parametrize("verb", [verb for verb in VERBS if CASES[verb].json])
def test_json(ready: Path, json_of: Any, verb: str) -> None:
    case = CASES[verb]
    code, out, _ = run(f"{case.works} --json", (ready / case.table).read_bytes())
    assert (code, out.count("\n")) == (0, 1)
    json_of(out, case.json)


@pytest.mark.parametrize(
    "command",
    ["certify xor.csv", "verify proof.json xor.csv", "trace and.csv --check answers.csv", "check answers.csv and.csv"],
)
def test_the_answer_is_no(ready: Path, command: str) -> None:
    right = (ready / "answers.csv").read_text(encoding="utf-8")
    (ready / "answers.csv").write_text(right.replace("-1", "5", 1), encoding="utf-8")
    code, out, err = run(command)
    assert (code, err) == (3, "")
    assert out
