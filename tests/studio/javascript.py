"""The types and the style of the pages' modules: `python -m tests.studio.javascript` makes the style right.

The tools come from npm's registry, once, into build/.
"""

from pathlib import Path

from tests.browser import npm

PACKAGE = npm.ROOT / "src" / "rosenblatt"
PAGES = (PACKAGE / "doors" / "studio" / "page", PACKAGE / "services" / "export" / "page")
TOOLS = {"typescript@5.9.3": npm.ROOT / "build" / "typescript", "prettier@3.6.2": npm.ROOT / "build" / "prettier"}
WIDTH = 120


def fetch() -> None:
    """The tools, where they are not there yet; a RuntimeError says what is missing."""
    for package, folder in TOOLS.items():
        if not folder.exists():
            npm.fetch(package, folder)


def types() -> str:
    """A RuntimeError names what is not typed."""
    return _node("typescript", "bin/tsc", "--project", str(Path(__file__).with_name("tsconfig.json")))


def style(how: str = "--check") -> str:
    """A RuntimeError names the files whose style is another."""
    paths = [path for page in PAGES for path in sorted(page.iterdir())]
    files = [str(path) for path in paths if path.suffix in (".js", ".css", ".ts")]
    return _node("prettier", "bin/prettier.cjs", f"--print-width={WIDTH}", how, *files)


def _node(tool: str, program: str, *words: str) -> str:
    return npm.run(npm.tool("node", tool), str(npm.ROOT / "build" / tool / program), *words, cwd=npm.ROOT)


if __name__ == "__main__":
    fetch()
    style("--write")
    types()
