"""The code on a page of the documentation, run as a reader would run it: from top to bottom, in one empty folder.

A block of ```python has examples with >>>, which share their names over the page. A block of ```console has commands
behind "$ ", lines that go on behind "> ", and what they print, on standard output and error together. In what is
expected, "..." stands for anything, and a line <BLANKLINE> for an empty one (Python only). A command that installs or
builds (`make`, `pip`) is not run here; what it names must exist.
"""

import doctest
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
RUN = {"python", "console"}
SHOWN = {"text", "json"}  # what programs print or read, and no code
SECONDS = 120  # one command


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `line` is that of its first line, from 1."""

    language: str
    code: str
    line: int


@dataclass(frozen=True)
class Command:
    """A line of a console with what it printed."""

    text: str
    expected: str
    line: int


def pages() -> list[Path]:
    """The pages whose code is run: the README and those of the site, but not what a build has made."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of code; directives of MyST, ```{note}, are prose."""
    for found in FENCE.finditer(page):
        language, indent = found["language"].strip(), len(found["indent"])
        if not language.startswith("{"):
            code = "".join(line[indent:] if line.strip() else "\n" for line in found["code"].splitlines(keepends=True))
            yield Block(language, code, page.count("\n", 0, found.start("code")) + 1)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console."""
    parts = re.split(r"^\$ ", block.code, flags=re.MULTILINE)
    line = block.line + parts[0].count("\n")
    assert not parts[0].strip(), f"line {block.line}: a console begins with '$ '"
    for part in parts[1:]:
        rows = part.splitlines(keepends=True)
        more = next((i for i, row in enumerate(rows[1:], 1) if not row.startswith("> ")), len(rows))
        text = rows[0] + "".join(row[2:] for row in rows[1:more])
        yield Command(text.rstrip("\n"), "".join(rows[more:]), line)
        line += len(rows)


def run_console(block: Block, folder: Path) -> list[str]:
    """What is wrong: a command that prints something else, with its line."""
    wrong = []
    bin_folder = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    checker = doctest.OutputChecker()
    for command in commands(block):
        if re.match(r"(make|pip|python3? -m (pip|venv|benchmarks))\b", command.text):
            wrong += [f"line {command.line}: {said}" for said in of_installing(command.text)]
            continue
        ended = subprocess.run(
            ["bash", "-c", command.text],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        printed = re.sub(r" +$", "", ended.stdout, flags=re.MULTILINE)
        if not checker.check_output(command.expected, printed, doctest.ELLIPSIS):
            wrong.append(f"line {command.line}: $ {command.text}\nexpected:\n{command.expected}\nfound:\n{printed}")
    return wrong


def of_installing(command: str) -> Iterator[str]:
    """What a command that installs, builds or measures names and the project does not have."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extras in re.findall(r"(?:rosenblatt|\.)\[([\w,-]+)\]", command):
        for extra in set(extras.split(",")) - set(project["optional-dependencies"]):
            yield f"there is no extra {extra}: {command}"
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    if (made := re.match(r"make ([\w-]+)", command)) and made[1] not in targets:
        yield f"there is no target {made[1]}: {command}"
    table = re.match(r"python3? -m benchmarks (\w+)", command)
    if table and not (ROOT / "benchmarks" / f"{table[1]}.py").exists():
        yield f"there is no table {table[1]}: {command}"


def run_python(block: Block, names: dict[str, Any], page: str) -> list[str]:
    """What is wrong: an example that answers something else, as doctest reports it. `names` are shared by a page."""
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest(block.code, names, page, page, block.line - 1)
    assert test.examples, f"line {block.line}: a block of python has examples with >>>"
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    return said


def run(page: Path, folder: Path) -> list[str]:
    """Run a page in `folder`, the current one; what is wrong with it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong: list[str] = []
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language == "python":
            wrong += run_python(block, names, page.name)
        elif block.language == "console":
            wrong += run_console(block, folder)
        elif block.language not in SHOWN:
            wrong.append(f"line {block.line}: a block of {block.language or 'no language'}; {sorted(RUN)} are run")
    return wrong
