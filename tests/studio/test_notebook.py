"""The same view in a notebook: marimo with a real kernel, and a real browser that looks at it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import studio
from rosenblatt.data.lectures import AND

NOTEBOOK = """\
import marimo

app = marimo.App()


@app.cell
def live():
    import marimo as mo
    from rosenblatt import studio, trace
    from rosenblatt.data.lectures import AND

    widget = mo.ui.anywidget(studio.show(*AND, visit=3))
    widget
    return AND, mo, studio, trace, widget


@app.cell
def told(mo, widget):
    mo.md(f"Python knows: {widget.state}")
    return


@app.cell
def exact(AND, mo, studio, trace):
    mo.ui.anywidget(studio.show(trace(*AND, eta0="1/3", exact=True), visit=4))
    return
"""
TIMEOUT = 120_000  # milliseconds: a kernel starts, on a machine that may be busy


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Of the notebook, whose server writes its files elsewhere."""
    notebook = tmp_path / "notebook.py"
    notebook.write_text(NOTEBOOK, encoding="utf-8")
    command = [sys.executable, str(Path(__file__).with_name("notebook_server.py")), str(notebook)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/"
        server.terminate()
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:
            server.kill()


def test_a_notebook_that_was_saved_without_its_widgets_says_what_to_do() -> None:
    shown: Any = studio.show(*AND)._repr_mimebundle_()
    said = "the perceptron studio: run this cell to see it, or write a page for the browser with studio.write"
    assert shown[0]["text/plain"] == said


def test_the_studio_runs_in_a_notebook(chromium: Any, address: str) -> None:
    context = chromium.new_context(viewport={"width": 1100, "height": 1400}, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT)
    page, elsewhere = context.new_page(), list[str]()
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((address, "data:", "blob:", "ws:")) else elsewhere.append(asked.url),
    )
    page.goto(address)
    live, recorded = page.locator(".rosenblatt[data-ready]").nth(0), page.locator(".rosenblatt[data-ready]").nth(1)
    live.wait_for()
    recorded.wait_for()

    assert "visit 3 of 36" in live.inner_text()
    assert live.locator("svg").count() > 0
    live.get_by_role("button", name="Step", exact=True).click()
    page.get_by_text(re.compile(r"Python knows: .*visit=4")).wait_for()  # what is done there, the kernel knows
    assert "wrong side" in live.locator("table tr").nth(4).inner_text()

    assert "1/3" in recorded.inner_text()
    assert "visit 4 of 36" in recorded.inner_text()
    assert elsewhere == []
    context.close()
