"""Who imports whom: every import of the package, also those inside functions, but not those for type checkers."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "rosenblatt"


def modules() -> dict[str, Path]:
    """All modules by name; a package is its __init__."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """What a module imports: modules of ours by their names, others by the name of their package."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {name for node in _nodes(tree) for name in _names(node, known)}


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All that can run: what is under `if TYPE_CHECKING:` cannot."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _nodes(child)


def _names(node: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (_ours(name.name, known) for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        for name in node.names:
            inner = f"{node.module}.{name.name}"
            public = node.module == "rosenblatt" and name.name not in ("__version__", "_core") and inner not in known
            yield "a public name" if public else _ours(inner if inner in known else str(node.module), known)


def _ours(name: str, known: dict[str, Path]) -> str:
    if name in known:
        return name
    assert not name.startswith("rosenblatt.") or name == "rosenblatt._core", name
    return name.partition(".")[0] if not name.startswith("rosenblatt") else name
