"""Which web pages may call a server without tokens: by its name, by what a browser says, by the type of a body."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.check_site import opened
from tests.browser.find_browser import needed_browser
from tests.serve.server import Server, running
from tests.serve.test_page import has

MODEL = {"kind": "Perceptron"}
LEARN = "/v1/models/m/learn"
EXAMPLE = b'{"examples": [{"x": [1, 0], "y": "evil"}]}'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("callers") / "models", "--host-name", "models.example") as found:
        found.ask("PUT", "/v1/models/m", MODEL)
        found.learn("m", [{"x": [1, 0], "y": "a"}, {"x": [0, 1], "y": "b"}])
        answer = found.ask("POST", "/v1/models/m/predict", {"rows": [[1, 0]], "ids": ["waits"]})
        assert answer.status == 200
        yield found


def seq(server: Server) -> int:
    found: int = server.ask("GET", "/v1/models/m").body["seq"]
    return found


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1", "[::1]x", "", "localhost.evil"])
@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/v1/models/m"), ("POST", LEARN), ("GET", "/"), ("GET", "/healthz")]
)
def test_a_foreign_name_is_refused(server: Server, method: str, path: str, host: str) -> None:
    reply = server.ask(method, path, {"examples": []}, host=host)
    assert (reply.status, reply.body["place"]) == (403, "host")
    assert reply.body["error"] == f"expected 127.0.0.1, localhost, ::1 or models.example, found {host!r} (--host-name)"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8750", "models.example:443"])
def test_its_own_names_are_served(server: Server, host: str) -> None:
    assert server.ask("GET", "/v1/models", host=host).status == 200
    assert server.ask("GET", "/v1/models", host=host, origin=f"http://{host}").status == 200
    assert server.ask("GET", "/v1/models", host=host, origin=f"https://{host}").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"},
    ],
)
def test_a_page_from_elsewhere_is_refused(server: Server, headers: dict[str, str]) -> None:
    before = seq(server)
    for method, path, body in (
        ("PUT", "/v1/models/new", MODEL),
        ("POST", LEARN, EXAMPLE),
        ("POST", "/v1/models/m/feedback", {"feedback": [{"id": "waits", "y": "a"}]}),
        ("POST", "/v1/models/m/rollback", {"seq": 0}),
        ("GET", "/v1/models/m/log", None),
    ):
        reply = server.ask(method, path, body, **headers)
        assert reply.status == 403, path
        assert reply.body["error"].startswith("expected a page of this server, found one ")
    assert seq(server) == before
    assert server.ask("GET", "/v1/models/new").status == 404
    site = {key: value for key, value in headers.items() if key != "origin"}
    assert server.ask("GET", "/", **site).status == 200, "a link to the page may be anywhere"


@pytest.mark.parametrize(
    "media", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_body_that_a_form_can_send_is_refused(server: Server, media: str) -> None:
    before = seq(server)
    for method, path, body in (
        ("PUT", "/v1/models/new", b'{"kind": "Perceptron"}'),
        ("POST", LEARN, EXAMPLE),
        ("POST", "/v1/models/m/predict", b'{"rows": [[1, 0]]}'),
        ("POST", "/v1/models/m/feedback", b'{"feedback": [{"id": "waits", "y": "a"}]}'),
        ("POST", "/v1/models/m/rollback", b'{"seq": 0}'),
    ):
        reply = server.ask(method, path, body, content_type=media)
        assert (reply.status, reply.body["place"]) == (415, "content-type"), path
        assert "application/json" in reply.body["error"]
    assert seq(server) == before


def test_with_tokens_any_name_unless_some_are_named(tmp_path: Path) -> None:
    token = "admin-token-0123456789"
    (tmp_path / "tokens").write_text(f"admin {token}\n")
    sent = {"authorization": f"Bearer {token}"}
    with running(tmp_path / "models", "--token-file", str(tmp_path / "tokens")) as server:
        assert server.ask("GET", "/v1/models", host="models.example", **sent).status == 200
        assert server.ask("GET", "/v1/models", sec_fetch_site="cross-site", **sent).status == 403
    named = ["--token-file", str(tmp_path / "tokens"), "--host-name", "models.example"]
    with running(tmp_path / "models", *named) as server:
        assert server.ask("GET", "/v1/models", host="models.example", **sent).status == 200
        assert server.ask("GET", "/v1/models", host="evil.example", **sent).status == 403


@pytest.fixture(scope="module")
def tab() -> Iterator[Any]:
    with opened(needed_browser()) as page:
        page.set_default_timeout(120_000)
        yield page


# What a page can send without being asked back; each `fetch` ends, whatever the browser or the server says.
ATTACK = """
async ([server, media]) => {
  const send = (path, body) => fetch(server + path, {
    method: "POST", mode: "no-cors", credentials: "include",
    body: media === null ? new Blob([body]) : body,
    headers: media === null ? {} : { "Content-Type": media },
  }).catch(() => null);
  await send("/v1/models/m/learn", '{"examples": [{"x": [1, 0], "y": "evil"}]}');
  await send("/v1/models/m/feedback", '{"feedback": [{"id": "waits", "y": "a"}]}');
  await send("/v1/models/m/rollback", '{"seq": 0}');
}
"""
# A form's only field: its name and its value with "=" between them are JSON.
FORM = """
([server, path, name, value, enctype]) => {
  const form = document.createElement("form");
  const field = Object.assign(document.createElement("input"), { type: "hidden", name, value });
  Object.assign(form, { method: "post", action: server + path, enctype });
  form.append(field);
  document.body.append(form);
  form.submit();
}
"""


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_of_another_origin_changes_nothing(tab: Any, server: Server, tmp_path: Path, name: str) -> None:
    before = server.log("m")
    with running(tmp_path / "elsewhere") as other:  # another port is another origin
        for media in (None, "text/plain", "application/x-www-form-urlencoded"):
            tab.goto(f"http://{name}:{other.port}/healthz")
            tab.evaluate(ATTACK, [server.address, media])
        for path, field, value in (
            ("/v1/models/m/learn", '{"examples": [{"x": [1, 0], "y": "evil', '"}]}'),
            ("/v1/models/m/rollback", '{"seq": 0, "more', '": 1}'),
        ):
            for enctype in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
                tab.goto(f"http://{name}:{other.port}/healthz")
                with tab.expect_navigation() as reply:
                    tab.evaluate(FORM, [server.address, path, field, value, enctype])
                assert reply.value.status in (403, 415)
    assert server.log("m") == before
    tab.goto(f"{server.address}/#m")  # its own page goes on: it predicts and learns
    tab.wait_for_selector("#state.ready")
    tab.fill("#x", "[1, 0]")
    tab.fill("#y", "a")
    tab.click("button[value=learn]")
    has(tab, "#said", "on disk")
    assert len(server.log("m")) == len(before) + 1
