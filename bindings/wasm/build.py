"""Compiles the core for pages, each program with a hash of its sources: `make wasm`.

core.wasm is for the studio, text.wasm for a classifier of texts. The compiler is ziglang from a package registry, one
version of it, so that the same sources give the same bytes on every machine. The programs are kept in git: to install
the package, no compiler for them is needed. A test compares the hash.
"""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
FOLDERS = [ROOT / "core", HERE]  # of what they include
PACKAGE = ROOT / "src" / "rosenblatt"
PROGRAMS = {
    PACKAGE / "doors" / "studio" / "page" / "core.wasm": ("kernel.cpp", "linear.cpp", "memory.cpp", "proofs.cpp"),
    PACKAGE / "services" / "export" / "page" / "text.wasm": ("memory.cpp", "text.cpp"),
}
FLAGS = [
    "--target=wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-Oz", "-flto", "-s", "-ffp-contract=off",
    "-fno-rtti", "-fexceptions", "-Wall", "-Wextra", "-Werror",
]  # fmt: skip
SECTION = b"sources"


def sources(program: Path) -> list[Path]:
    """The files of a program, and of ours all that they include."""
    found, waiting = set[Path](), [HERE / name for name in PROGRAMS[program]]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        names = re.findall(r'^#include "(.+)"$', path.read_text(), re.MULTILINE)
        waiting += [next(folder / name for folder in FOLDERS if (folder / name).exists()) for name in names]
    return sorted(found)


def source_hash(program: Path) -> str:
    """Of the flags and the sources; what stands in comments, and how lines are broken, does not count."""
    texts = [re.sub(r"//.*", "", path.read_text()) for path in sources(program)]
    return hashlib.sha256("\n".join([*FLAGS, *("".join(text.split()) for text in texts)]).encode()).hexdigest()


def stored_hash(wasm: bytes) -> str:
    """What `main` has put at the end."""
    return wasm.rpartition(bytes([len(SECTION)]) + SECTION)[2].decode("ascii")


def main() -> None:
    """Compile each program, with a custom section at the end that has the hash; those that have it already stay."""
    for program, names in PROGRAMS.items():
        if program.exists() and stored_hash(program.read_bytes()) == source_hash(program):
            print(f"{program.relative_to(ROOT)}: made of these sources already")
            continue
        made = ROOT / "build" / program.name
        made.parent.mkdir(exist_ok=True)
        include = [f"-I{folder}" for folder in FOLDERS]
        files = [str(HERE / name) for name in names]
        subprocess.run([sys.executable, "-m", "ziglang", "c++", *FLAGS, *include, *files, "-o", str(made)], check=True)
        content = bytes([len(SECTION)]) + SECTION + source_hash(program).encode()
        program.write_bytes(made.read_bytes() + bytes([0, len(content)]) + content)
        print(f"{program.relative_to(ROOT)}: {program.stat().st_size} bytes")


if __name__ == "__main__":
    main()
