"""Writes generated pages into a folder of their own: one that is as it was is left untouched, and not read again."""

from pathlib import Path


def write_pages(folder: Path, pages: dict[str, str]) -> None:
    """The texts by the names of their files; what else is in the folder goes."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
