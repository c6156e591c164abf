"""Files of the project that a page names in code, such as `tests/project/test_claims.py`, exist."""

import re

from tests.pages.page import ROOT, pages

PATH = re.compile(r"`((?:benchmarks|core|docs|examples|src|tests)/[\w./-]*)`")


def test_files_that_pages_name() -> None:
    named = {path: page.name for page in pages() for path in PATH.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert {path: page for path, page in named.items() if not (ROOT / path).exists()} == {}
