"""Tools from the registry of npm, for tests alone: unpacked into build/, once, and complete or not at all.

npm and node come from the dependency group `test`, where they are not on the machine.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def fetch(package: str, folder: Path, make: Callable[[Path, Path], None] | None = None) -> None:
    """Unpack a package into `folder`, or what `make(unpacked, made)` makes of it; a RuntimeError says why it fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        run(tool("npm", package), "pack", "--silent", package, cwd=temporary)
        with tarfile.open(next(Path(temporary).glob("*.tgz"))) as packed:
            packed.extractall(temporary, filter="data")
        made = Path(temporary, "package")
        if make is not None:
            unpacked, made = made, Path(temporary, "made")
            made.mkdir()
            make(unpacked, made)
        try:
            made.rename(folder)
        except OSError:
            if not folder.exists():  # else another process was faster
                raise


def tool(name: str, package: str) -> str:
    """A program of this environment, or of the machine."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise RuntimeError(f"{package} needs {name}; pip install --group test")
    return found


def run(*command: str, cwd: str | Path) -> str:
    """What a command prints; a RuntimeError with the end of its errors."""
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed: {(ended.stderr or ended.stdout).strip()[-300:]}")
    return ended.stdout
