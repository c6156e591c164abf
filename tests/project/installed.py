"""A wheel, and the package as it was installed from it: `python installed.py WHEEL`, with the environment's Python.

For `make wheel-test`, in an environment that has the package, its extras cli, exact and plot, and nothing else: no
compiler, no pytest.
"""

import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

SOURCES = Path(__file__).resolve().parents[2] / "src"
COMPILERS = ("c++", "g++", "gcc", "cc", "clang", "clang++")


def check_contents(wheel: Path) -> None:
    """The wheel has each file of the source tree, the core with its stub, and nothing else."""
    names = {PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    about = {name for name in names if name.parts[0].endswith(".dist-info")}
    core = {name for name in names if name.match("rosenblatt/_core*.so")}
    sources = {PurePosixPath(path.relative_to(SOURCES).as_posix()) for path in SOURCES.rglob("*") if path.is_file()}
    sources = {name for name in sources if "__pycache__" not in name.parts}
    expected = sources | {PurePosixPath("rosenblatt/_core.pyi")}
    assert len(core) == 1, core
    assert names - about - core == expected, (names - about - core) ^ expected
    assert {"METADATA", "WHEEL", "LICENSE", "entry_points.txt"} <= {name.name for name in about}
    assert PurePosixPath("rosenblatt/py.typed") in names


def check_installed() -> None:
    """Every public name can be imported, and the perceptron learns AND as the lecture does."""
    assert not [name for name in COMPILERS if shutil.which(name)], "this is to be tried without a compiler"
    import rosenblatt

    assert Path(rosenblatt.__file__).is_relative_to(sys.prefix), rosenblatt.__file__
    assert rosenblatt.__version__ == importlib.metadata.version("rosenblatt")
    for name in rosenblatt.__all__:
        getattr(rosenblatt, name)
    from rosenblatt.data.lectures import AND

    model = rosenblatt.Perceptron(shuffle=False).fit(*AND)
    assert (model.converged_, model.mistakes_.tolist()) == (True, [2, 3, 3, 2, 2, 3, 2, 1, 0])
    assert rosenblatt.certify(*AND).separable


def check_demo() -> None:
    """The demo runs from the command line, away from the sources."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("rosenblatt")), "demo", "tour"]
        shown = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        assert "What to try next" in shown


if __name__ == "__main__":
    check_contents(Path(sys.argv[1]))
    check_installed()
    check_demo()
    print(f"{Path(sys.argv[1]).name} on Python {sys.version.split()[0]}: contents, imports, a fit, the demo: fine")
