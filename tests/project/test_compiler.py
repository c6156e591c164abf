"""Without a compiler, or with an old one, the build says so in a sentence, and looks again the next time."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sysconfig.get_path("scripts"))

# A compiler that knows C++17 at most, whatever it is asked for.
OLD = """#!/bin/sh
for word do
  shift
  case "$word" in -std=*2[0a]) word=-std=c++17 ;; esac
  set -- "$@" "$word"
done
exec {compiler} "$@"
"""


@pytest.fixture
def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    assert found, "these tests compile"
    return found


def configure(folder: Path, **environment: str) -> str:
    """What CMake says, its lines joined; it ends in an error, if only because nobody says where nanobind is."""
    command: list[str | Path] = [TOOLS / "cmake", "-S", ROOT, "-B", folder]
    command += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=300)
    assert run.returncode != 0
    return " ".join(f"{run.stdout} {run.stderr}".split())


def test_no_compiler(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "empty").mkdir()
    said = configure(tmp_path / "build", PATH=str(tmp_path / "empty"))
    assert "Rosenblatt needs a C++20 compiler (gcc 11, clang 14 or newer), and none was found that works:" in said
    assert "CMAKE_CXX_COMPILER" not in said  # CMake's own words
    assert "needs a C++20 compiler" not in configure(tmp_path / "build", PATH=os.environ["PATH"], CXX=compiler)


def test_an_old_compiler(tmp_path: Path, compiler: str) -> None:
    old = tmp_path / "old++"
    old.write_text(OLD.format(compiler=compiler), encoding="utf-8")
    old.chmod(0o755)
    said = configure(tmp_path / "build", PATH=os.environ["PATH"], CXX=str(old))
    assert "Rosenblatt needs a C++20 compiler (gcc 11, clang 14 or newer), and" in said
    assert "is none: install a newer one, and name it by the variable CXX." in said
    old.write_text(f'#!/bin/sh\nexec {compiler} "$@"\n', encoding="utf-8")
    assert "needs a C++20 compiler" not in configure(tmp_path / "build", PATH=os.environ["PATH"], CXX=str(old))
