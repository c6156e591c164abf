"""The page's sources: small, typed, without what could run foreign code; and the page in one file within its budget."""

import json
import os
import re
import sys
from collections.abc import Callable

import pytest

from rosenblatt.doors.studio import one_file
from tests.browser import npm
from tests.browser.find_browser import needed_browser
from tests.studio import javascript

PAGE = npm.ROOT / "src" / "rosenblatt" / "doors" / "studio" / "page"
MODULES = sorted(PAGE.glob("*.js"))


def test_the_page_in_one_file_is_small() -> None:
    page = one_file.page()
    assert len(page.encode()) <= 300_000
    assert len(re.findall(r"<script\b", page)) == len(re.findall(r"</script>", page)) == 5
    assert not re.search(r"""(?:src|href)=["'](?!data:,)""", page)


def test_modules_are_small_and_say_what_they_are_for() -> None:
    assert len(MODULES) > 25
    for path in MODULES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("// "), path.name
        assert len(lines) <= 400 or path.name == "strings.js", path.name  # words alone
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) > 200 for path in MODULES) <= 4


def test_nothing_is_parsed_as_code_or_markup() -> None:
    script = one_file.widget() + one_file.page()
    banned = (
        r"\beval\(|\bFunction\(|innerHTML|insertAdjacentHTML|document\.write|import\(|https?://(?!www\.w3\.org)|<!--"
    )
    assert re.findall(banned, script) == []
    for path in MODULES:  # the one-file page takes out indents
        text = re.sub(r"`[^`\n]*`", "", path.read_text(encoding="utf-8"))
        assert "`" not in re.sub(r"/\*\*.*?\*/|//.*", "", text, flags=re.DOTALL), path.name


@pytest.mark.parametrize("tool", [javascript.types, javascript.style], ids=["types", "style"])
def test_types_and_style(tool: Callable[[], str]) -> None:
    try:
        javascript.fetch()
    except RuntimeError as error:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"NOT CHECKED IN A BROWSER: {error}")
    tool()


def test_the_benchmark_runs() -> None:
    needed_browser()
    printed = npm.run(sys.executable, "-m", "benchmarks", "studio", "--quick", "--json", cwd=npm.ROOT)
    (table,) = json.loads(printed)["tables"]
    assert table["rows"][0][""] == "800 visits and the nearest point"
    assert all(row["ms"] > 0 for row in table["rows"])
