"""The page of the server in a real browser: it shows what happens, predicts and learns, and anyone can use it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.data.experts import game
from rosenblatt.serve import Client
from tests.browser.check_site import AXE, DESK, PHONE, opened
from tests.browser.find_browser import needed_browser
from tests.serve.server import Server, running

PAGE = Path(__file__).resolve().parents[2] / "src" / "rosenblatt" / "doors" / "serve" / "page"
MODES = (("light", DESK), ("dark", DESK), ("light", PHONE), ("dark", PHONE))
PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("page") / "served") as server, Client(server.address) as client:
        said, market = game(n=20, k=5, rounds=300)
        client.create("experts", fit_intercept=False, bound=100)
        client.learn("experts", said, [int(label) for label in market])
        client.create("empty")
        yield server


@pytest.fixture(scope="module")
def tab(server: Server) -> Iterator[Any]:
    with opened(needed_browser()) as page:
        page.set_default_timeout(PATIENCE)
        yield page


@pytest.fixture
def page(tab: Any, server: Server) -> Iterator[Any]:
    """The page with its first data; errors on its console fail the test."""
    wrong: list[str] = []
    listeners = {
        "console": lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None,
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda request: None if request.url.startswith(server.address) else wrong.append(request.url),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)
    tab.goto("about:blank")
    tab.goto(f"{server.address}/#experts")
    tab.wait_for_selector("#state.ready")
    tab.expected_errors = 0
    yield tab
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert len(wrong) == tab.expected_errors, wrong


def has(page: Any, selector: str, words: str) -> None:
    """Wait until an element has these words."""
    page.wait_for_function(
        "([selector, words]) => document.querySelector(selector).textContent.includes(words)", arg=[selector, words]
    )


@pytest.mark.parametrize(("scheme", "size"), MODES)
@pytest.mark.parametrize("model", ["experts", "empty"])
def test_anyone_can_use_it(page: Any, model: str, scheme: str, size: dict[str, int]) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)
    page.click(f"#models a[href='#{model}']")
    has(page, "#title", model)
    page.evaluate("document.getElementById('new').open = true")
    assert page.evaluate(AXE, None) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_it_shows_the_curve_and_its_bound(page: Any, server: Server) -> None:
    with Client(server.address) as client:
        about = client.model("experts")
    has(page, "#curve title", f"{about['mistakes']} mistakes in {about['examples']} examples")
    has(page, "#curve title", "The theorem allows at most 100.")
    has(page, "#lines", "bound 100")
    assert page.locator("#lines path.mistakes").count() == 1
    rounds = page.locator("#rounds tbody tr")
    assert rounds.count() == 12
    assert rounds.first.locator("td").first.inner_text() == "300"


def test_it_learns_and_predicts(page: Any, server: Server) -> None:
    with Client(server.address) as client:
        client.create("tried")
        client.learn("tried", [[1, 0], [0, 1]], ["ham", "spam"])
        page.click("#models a[href='#tried']")
        has(page, "#title", "tried")
        page.fill("#x", "[0, 2]")
        page.click("button[value=predict]")
        has(page, "#said", "spam, score")
        page.fill("#y", "ham")
        page.click("button[value=learn]")
        has(page, "#said", "Example 3 is on disk; before, the prediction was spam")
        has(page, "#rounds tbody", "[0,2]")
        assert [(entry.x, entry.y) for entry in client.log("tried", after=2)] == [([0, 2], "ham")]


def test_a_text_is_typed_as_it_is(page: Any, server: Server) -> None:
    with Client(server.address) as client:
        client.create("texts", "TextClassifier")
        client.learn("texts", ["a red rose", "the blue sea"], ["red", "blue"])
        page.click("#models a[href='#texts']")
        has(page, "#title", "texts")
        has(page, "#hint", "A text")
        page.fill("#x", '"red" roses')
        page.click("button[value=predict]")
        has(page, "#said", "red, score")
        page.fill("#y", "blue")
        page.click("button[value=learn]")
        has(page, "#said", "Example 3 is on disk; before, the prediction was red")
        assert [entry.x for entry in client.log("texts", after=2)] == ['"red" roses']


def test_it_is_live(page: Any, server: Server) -> None:
    with Client(server.address) as client:
        client.create("live")
        page.click("#models a[href='#live']")
        has(page, "#title", "live")
        client.learn("live", [[1, 0], [0, 1]] * 10, ["a", "b"] * 10)
        has(page, "#figures", "20")
        has(page, "#curve title", "in 20 examples")


def test_a_new_model(page: Any, server: Server) -> None:
    page.click("summary")
    page.fill("#name", "made-here")
    page.fill("#parameters", json.dumps({"step": "pa1"}))
    page.click("#create button")
    has(page, "#made", "made-here is there")
    has(page, "#title", "made-here")
    has(page, "#about", "step=pa1")
    with Client(server.address) as client:
        assert client.model("made-here")["parameters"]["step"] == "pa1"


def test_mistakes_are_said(page: Any) -> None:
    page.fill("#x", "1, 2")
    page.click("button[value=predict]")
    has(page, "#said", "expected JSON such as [1, 0, 2.5], found 1, 2")
    page.fill("#x", "[1, 2]")
    page.click("button[value=learn]")
    has(page, "#said", "To learn a row, its label is needed")
    page.expected_errors = 1  # the browser notes a status of 4xx
    page.click("button[value=predict]")
    has(page, "#said", "expected 20 numbers, found 2")


def test_what_a_label_contains_is_text(page: Any, server: Server) -> None:
    label = "<img src=x onerror=alert(1)>"
    with Client(server.address) as client:
        client.create("markup")
        client.learn("markup", [[1, 0], [0, 1]], [label, "b"])
    page.wait_for_selector("#models a[href='#markup']").click()
    has(page, "#rounds tbody", label)
    assert page.locator("main img").count() == 0


def test_a_token_is_asked_for(tab: Any, tmp_path: Path) -> None:
    reader, admin = "the-token-of-a-reader", "the-token-of-an-admin"
    (tmp_path / "tokens.txt").write_text(f"predict {reader}\nadmin {admin}\n", encoding="utf-8")
    with running(tmp_path / "served", "--token-file", str(tmp_path / "tokens.txt")) as server:
        with Client(server.address, token=admin) as client:
            client.create("guarded")
            client.learn("guarded", [[1, 0], [0, 1]], ["ham", "spam"])
        tab.goto(server.address)
        has(tab, "#state", "needs a token")
        assert tab.evaluate(AXE, None) == []
        tab.fill("#secret", reader)
        tab.click("#token button")
        has(tab, "#curve title", "in 2 examples")
        tab.fill("#x", "[0, 2]")
        tab.click("button[value=predict]")
        has(tab, "#said", "spam, score")
        has(tab, "#none", "none yet")  # the log is not for this token


def test_a_server_that_is_gone_is_said(tab: Any, tmp_path: Path) -> None:
    with running(tmp_path / "served") as server:
        tab.goto(server.address)
        tab.wait_for_selector("#state.ready")
        has(tab, "#empty", "There is no model yet")
        server.kill()
        tab.wait_for_selector("#state.away")
        has(tab, "#state", "no answer")


def test_a_model_that_cannot_be_opened_is_said(tab: Any, tmp_path: Path) -> None:
    (tmp_path / "served" / "broken").mkdir(parents=True)
    (tmp_path / "served" / "broken" / "log.sqlite").write_text("no log " * 100)
    with running(tmp_path / "served") as server:
        server.stopped("broken")
        tab.goto(server.address)
        has(tab, "#unavailable", "broken: the model cannot be opened: ")
        has(tab, "#unavailable", "expected a log of examples")
        assert tab.evaluate(AXE, None) == []
        assert tab.is_hidden("#empty")


def test_no_third_party_and_no_inline_code() -> None:
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    assert "style=" not in text
    assert "onclick" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert text.count("<script") == 1
    for path in PAGE.glob("*.js"):
        code = path.read_text(encoding="utf-8")
        assert "innerHTML" not in code
        assert len(code.splitlines()) < 200
