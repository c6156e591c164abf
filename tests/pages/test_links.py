"""Links: what checks those of the site finds what is broken, and those of the pages beside it lead to files."""

import re
from pathlib import Path

import links
import pytest

from tests.pages.page import ROOT

PAGE = """<a href="other.html#here">1</a><a href="other.html#there">2</a><a href="#top">3</a><h1 id="top">t</h1>
<img src="none.png"><a href="https://example.org/x">4</a><a href="http:/wrong">5</a><a href="sub/">6</a>"""


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "other.html").write_text('<p id="here"><a href="page.html#nowhere">back</a>', encoding="utf-8")
    assert links.broken(tmp_path) == [
        "other.html: page.html#nowhere",
        "page.html: http:/wrong",
        "page.html: none.png",
        "page.html: other.html#there",
        "page.html: sub/",
    ]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_beside_the_site(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [target for target in targets if target and not (ROOT / target).exists()] == []
