"""Checks the links of a built site: `python docs/links.py build/docs/html`.

A link within the site must lead to a file, and to a place in it if it names one; of other sites only the form of the
address is checked, since this must work without a network.
"""

import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

OUTSIDE = re.compile(r"(https://[\w.-]+\.[a-z]{2,}(/\S*)?|mailto:\S+@\S+)")


@dataclass
class Page(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    links: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of any element."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.add(value)
            elif value and (name == "id" or (tag == "a" and name == "name")):
                self.places.add(value)


def broken(folder: Path) -> list[str]:
    """The links that lead nowhere, with the pages that they are on."""
    pages = {path: read(path) for path in sorted(folder.resolve().rglob("*.html")) if "_static" not in path.parts}
    return [
        f"{path.relative_to(folder.resolve())}: {link}"
        for path, page in pages.items()
        for link in sorted(page.links)
        if not leads_somewhere(link, path, pages)
    ]


def read(path: Path) -> Page:
    """A page of the site."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def leads_somewhere(link: str, path: Path, pages: dict[Path, Page]) -> bool:
    """Whether a link on a page is right."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme == "data" or OUTSIDE.fullmatch(link) is not None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not parts.fragment or target not in pages:
        return target.is_file() and not parts.fragment
    return unquote(parts.fragment) in pages[target].places


if __name__ == "__main__":
    found = broken(Path(sys.argv[1]))
    print(*found, f"{len(found)} broken links", sep="\n")
    sys.exit(bool(found))
