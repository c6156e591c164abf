"""The tree itself: small files, one result on every machine, one door with known names, a light import."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt import _core

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "bindings", "src", "tests", "benchmarks", "docs", "examples", "models")
SOURCES = sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in {".hpp", ".cpp", ".py"}
)
MODULES = [path for path in SOURCES if path.suffix == ".py" and path.is_relative_to(ROOT / "src")]
BUILD_FILES = [ROOT / "CMakeLists.txt", ROOT / "Makefile", ROOT / "pyproject.toml"]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def in_python(code: str) -> str:
    """What a fresh interpreter prints, away from the source tree."""
    command = [sys.executable, "-W", "error", "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "tests", check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_files_are_small() -> None:
    assert len(SOURCES) > 20
    large = {str(path.relative_to(ROOT)): len(lines(path)) for path in SOURCES if len(lines(path)) > 600}
    assert large == {}


def test_plain_is_under_200_lines() -> None:
    assert len(lines(ROOT / "src" / "rosenblatt" / "plain.py")) < 200


def test_one_result_on_every_machine() -> None:
    # What lets a compiler reorder sums, or use what only this machine has. Comments may name it.
    flag = re.compile(r"fast-math|unsafe-math|associative-math|-Ofast|-m(arch|tune|cpu)=native")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in [*SOURCES, *BUILD_FILES]
        if path != Path(__file__).resolve()
        for number, line in enumerate(lines(path), start=1)
        if flag.search(re.split(r"//|#(?!pragma)", line)[0])
    ]
    assert found == []
    assert "-ffp-contract=off" in (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_modules_open_with_a_docstring(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_core_knows_nothing_of_python() -> None:
    core = ROOT / "core"
    headers = {str(path.relative_to(core)) for path in core.glob("*/*.hpp")}
    assert len(headers) > 30
    for path in map(core.joinpath, headers):
        own = set(re.findall(r'^#include "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE))
        system = set(re.findall(r"^#include <(.*)>", path.read_text(encoding="utf-8"), re.MULTILINE))
        assert own <= headers, path.name
        assert all(re.fullmatch(r"[a-z_]+", name) for name in system), path.name  # the standard library's have no ".h"


def test_one_header_knows_of_threads() -> None:
    # The algorithms run where there are no threads too, as in WebAssembly: threads are the caller's.
    of_threads = re.compile(
        r'^#include (<(atomic|condition_variable|future|mutex|thread)>|"base/in_parts.hpp")', re.MULTILINE
    )
    header = ROOT / "core" / "base" / "in_parts.hpp"
    headers = [path for path in (ROOT / "core").rglob("*.hpp") if path != header]
    assert [str(path) for path in headers if of_threads.search(path.read_text(encoding="utf-8"))] == []
    assert of_threads.search(header.read_text(encoding="utf-8"))


def test_headers_and_native_tests_are_in_rooms() -> None:
    core = ROOT / "core"
    assert [*core.glob("*.[ch]pp"), *core.glob("tests/test_*.cpp")] == []
    rooms = {path.parent.name for path in core.glob("*/*.hpp")} - {"tests"}
    assert {path.parent.name for path in core.glob("tests/*/test_*.cpp")} <= rooms


def test_the_stub_of_the_core_has_all_its_names() -> None:
    stub = Path(_core.__file__).with_name("_core.pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {ast.unparse(node.target) for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert names == {name for name in dir(_core) if not name.startswith("_")}


def test_plain_needs_only_the_standard_library() -> None:
    tree = ast.parse((ROOT / "src" / "rosenblatt" / "plain.py").read_text(encoding="utf-8"))
    imported = {node.module or "." for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_the_checker_of_proofs_shares_nothing_with_the_solver() -> None:
    package = ROOT / "src" / "rosenblatt"
    for path in [*(package / "services" / "proofs" / "verify").glob("*.py"), package / "base" / "data_hash.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        own = [f"{node.module}.{name.name}" for node in froms for name in node.names]
        allowed: tuple[str, ...] = (
            "rosenblatt.base.data_hash",
            "rosenblatt.services.proofs.verify",
            "rosenblatt.base.record.json",
        )
        allowed += (
            "rosenblatt.base.arrays.check_labels",
            "rosenblatt.base.arrays.refuse_masked",
        )  # which give nothing back
        assert [name for name in own if name.startswith("rosenblatt") and not name.startswith(allowed)] == []


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_exported_names_exist(name: str) -> None:
    assert getattr(rosenblatt, name).__doc__
    assert name in dir(rosenblatt)


def test_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="Perceptorn"):
        rosenblatt.Perceptorn  # noqa: B018


def test_import_is_light() -> None:
    loaded = in_python("import sys, rosenblatt; print(*{name.partition('.')[0] for name in sys.modules})").split()
    assert not {"sklearn", "scipy", "pandas", "pyarrow", "matplotlib"} & set(loaded)
    assert "rosenblatt" in loaded


def test_estimator_is_imported_when_asked_for() -> None:
    assert in_python("from rosenblatt import Perceptron; print(Perceptron.__name__)") == "Perceptron"
