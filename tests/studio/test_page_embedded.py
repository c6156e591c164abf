"""The page as a part of another page: of another origin, with the plot, the sum and the player alone."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.studio.window import Studio


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing of what it serves."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the standard library's word
        pass


@pytest.fixture
def servers(tmp_path: Path, page_file: Path) -> Iterator[list[str]]:
    """Two origins: one has the studio, the other a page that embeds it."""
    folders = [tmp_path / "studio", tmp_path / "course"]
    for folder in folders:
        folder.mkdir()
    (folders[0] / "studio.html").write_bytes(page_file.read_bytes())
    running = [
        ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) for folder in folders
    ]
    for server in running:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield [f"http://127.0.0.1:{server.server_port}" for server in running]
    for server in running:
        server.shutdown()
        server.server_close()


def test_a_course_page_embeds_the_studio(chromium: Any, page_file: Path, tmp_path: Path, servers: list[str]) -> None:
    home, course = servers
    window = Studio(chromium, page_file)
    page = window.page
    page.goto(f"{home}/studio.html#preset=and&tie=positive&visit=3")
    page.wait_for_selector("#studio[data-ready]")
    frame = window.copied("Copy embed code")
    assert frame.startswith(f'<iframe src="{home}/studio.html?embed#preset=and&amp;')
    assert window.page.locator(".output .lead").count() == 0  # a page on a server works anywhere
    (tmp_path / "course" / "index.html").write_text(
        f"<!doctype html><link rel=icon href=data:,><title>Course</title>{frame}", encoding="utf-8"
    )
    page.goto(f"{course}/index.html")
    inside = page.frame_locator("iframe")
    inside.locator("#studio[data-ready]").wait_for()
    assert inside.locator(".sum").count() == inside.locator(".plot-svg").count() == 1
    for absent in (".tools", ".top", ".card.table", ".conventions", ".squeeze"):
        assert inside.locator(absent).count() == 0, absent
    before = inside.locator(".where").inner_text()
    inside.get_by_role("button", name="Step", exact=True).click()
    assert inside.locator(".where").inner_text() != before
    assert "tie=positive" in str(inside.locator(".whole a").get_attribute("href"))
    page.wait_for_timeout(400)
    assert page.evaluate("history.length") <= 4  # Back belongs to the course
    window.close()
    assert [line for line in window.wrong if not line.startswith("request:")] == []


def test_the_embed_code_of_a_file_says_where_it_works(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.copied("Copy embed code")
    assert "this computer only" in studio.text(".output")
