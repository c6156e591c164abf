"""Compiles core.wasm, the core for the page, and puts a hash of its sources into it: `make wasm`.

The compiler is ziglang from a package registry, one version of it, so that the same sources give the same bytes on
every machine. core.wasm is kept in git: to install the package, no compiler for it is needed. A test compares the hash.
"""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "rosenblatt" / "doors" / "studio" / "page" / "core.wasm"
PROGRAM = sorted(Path(__file__).parent.glob("*.cpp"))
FOLDERS = [ROOT / "core", Path(__file__).parent]  # of what they include
FLAGS = [
    "--target=wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-Oz", "-flto", "-s", "-ffp-contract=off",
    "-fno-rtti", "-fexceptions", "-Wall", "-Wextra", "-Werror",
]  # fmt: skip
SECTION = b"sources"


def sources() -> list[Path]:
    """The program, and of ours all that it includes."""
    found, waiting = set[Path](), list(PROGRAM)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        names = re.findall(r'^#include "(.+)"$', path.read_text(), re.MULTILINE)
        waiting += [next(folder / name for folder in FOLDERS if (folder / name).exists()) for name in names]
    return sorted(found)


def source_hash() -> str:
    """Of the flags and the sources; what stands in comments, and how lines are broken, does not count."""
    texts = [re.sub(r"//.*", "", path.read_text()) for path in sources()]
    return hashlib.sha256("\n".join([*FLAGS, *("".join(text.split()) for text in texts)]).encode()).hexdigest()


def stored_hash(wasm: bytes) -> str:
    """What `main` has put at the end."""
    return wasm.rpartition(bytes([len(SECTION)]) + SECTION)[2].decode("ascii")


def main() -> None:
    """Compile, with a custom section at the end that has the hash."""
    made = ROOT / "build" / "core.wasm"
    made.parent.mkdir(exist_ok=True)
    include = [f"-I{folder}" for folder in FOLDERS]
    command = [sys.executable, "-m", "ziglang", "c++", *FLAGS, *include, *map(str, PROGRAM), "-o", str(made)]
    subprocess.run(command, check=True)
    content = bytes([len(SECTION)]) + SECTION + source_hash().encode()
    PAGE.write_bytes(made.read_bytes() + bytes([0, len(content)]) + content)
    print(f"{PAGE.relative_to(ROOT)}: {PAGE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
