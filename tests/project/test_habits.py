"""What contributors read and run says what is so: the hooks check what `make style` checks, and named files exist."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import rosenblatt

ROOT = Path(__file__).resolve().parents[2]
TOOL = re.compile(r"\.venv/bin/([a-z-]+(?: (?:check|format))?)")


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_hooks_call_the_tools_of_make_style_and_make_types() -> None:
    recipes = re.findall(r"^(?:style|types):.*\n((?:\t.*\n)+)", page("Makefile"), re.MULTILINE)
    tools = {name.replace(" ", "-") for name in TOOL.findall("".join(recipes))}
    assert tools == {"ruff-check", "ruff-format", "clang-format", "codespell", "zizmor", "mypy"}
    assert tools <= set(re.findall(r"^ +- id: (.*)$", page(".pre-commit-config.yaml"), re.MULTILINE))


def test_the_repository_has_the_habits_of_others_or_contributing_says_why_not() -> None:
    command = [sys.executable, "-m", "repo_review", str(ROOT), "--format", "json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    checks = json.loads(answer.stdout)["checks"]
    assert len(checks) > 50
    without = {name for name, check in checks.items() if not check["result"]}
    assert without == set(re.findall(r"^- `([A-Z]+\d+)`", page("CONTRIBUTING.md"), re.MULTILINE))


def test_actions_are_named_by_hash() -> None:
    uses = re.findall(r"uses: (\S+)", "".join(path.read_text("utf-8") for path in (ROOT / ".github").rglob("*.yml")))
    assert len(uses) >= 8
    assert [name for name in uses if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name)] == []


def test_files_that_contributing_names_exist() -> None:
    # In code, a folder or a file: from the root of the tree, or from the package. Patterns with * are not looked for.
    named = set(re.findall(r"`([\w./-]+(?:/|\.(?:py|hpp|cpp|txt|json)))`", page("CONTRIBUTING.md")))
    assert len(named) > 40
    inside = {"state.py", "online.py", "model.py", "parameters.py"}  # of a member's room
    bases = (ROOT, ROOT / "src" / "rosenblatt")
    assert {name for name in named - inside if not any((base / name).exists() for base in bases)} == set()
    assert {
        name for name in inside if not (ROOT / "src" / "rosenblatt" / "members" / "linear" / name).exists()
    } == set()


def test_one_version() -> None:
    version = tomllib.loads(page("pyproject.toml"))["project"]["version"]
    assert version == rosenblatt.__version__
    assert f"\nversion: {version}\n" in page("CITATION.cff")
    assert re.search(r"^## \[(.*?)\]", page("CHANGELOG.md"), re.MULTILINE)[1] == version  # type: ignore[index]
