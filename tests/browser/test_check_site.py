"""The check of the site finds what is wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.check_site import main
from tests.browser.find_browser import ROOT, find_browser, needed_browser

PAGE = """<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><style>@media (prefers-color-scheme: dark) {{ p {{ color: #eee }} }}</style>{head}</head>
<body><main><h1>A page</h1><p>Words about a perceptron.</p>{body}</main></body></html>"""
FOUND = PAGE.format(head="", body='<div id="search-results"><ul><li><a href="good.html">a page</a></li></ul></div>')


@pytest.fixture(autouse=True)
def needs_a_browser() -> None:
    needed_browser()


def checked(folder: Path, *patience: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "tests.browser.check_site", str(folder), *patience]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return ended.returncode, ended.stdout


def test_defects_are_found(tmp_path: Path) -> None:
    body = '<img src="none.png"><script>nothing()</script><div style="width: 500px">wide</div>'
    head = '<script src="https://example.org/script.js"></script>'
    (tmp_path / "bad.html").write_text(PAGE.format(head=head, body=body), encoding="utf-8")
    (tmp_path / "search.html").write_text(PAGE.format(head="", body=""), encoding="utf-8")
    code, said = checked(tmp_path, "1")
    assert code == 1
    for defect in (
        "bad.html: 404: http://127.0.0.1",
        "bad.html: error: nothing is not defined",
        "bad.html: https://example.org/script.js",
        "bad.html: light: image-alt",
        "bad.html: dark: color-contrast",
        "bad.html: on a phone the page is 5",
        "search.html: 'perceptron' is not found",
    ):
        assert defect in said


def test_a_good_site_passes(tmp_path: Path) -> None:
    for name in ("good.html", "search.html"):
        text = FOUND.replace("@media (prefers-color-scheme: dark) { p { color: #eee } }", "")
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert checked(tmp_path) == (0, "2 pages visited in a browser, 0 defects\n")


def test_without_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("tests.browser.check_site.find_browser", lambda: find_browser(tmp_path / "none"))
    monkeypatch.setattr("platform.machine", lambda: "another")
    for ci, code in (("true", 1), ("", 0)):
        monkeypatch.setenv("CI", ci)
        assert main(tmp_path) == code
        assert capfd.readouterr().err.startswith("NOT CHECKED IN A BROWSER: no browser: expected one of chromium, ")
