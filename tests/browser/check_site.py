"""Visits every page of a built site in a real browser: `python -m tests.browser.check_site build/docs/html`.

On each page: no error on the console, no request that fails or leaves the site, nothing that axe objects to, in light,
in dark and on a phone, where nothing may be wider than the screen. Search must find something, also without a server.
"""

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.browser.find_browser import NOT_CHECKED, Browser, find_browser

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
COLOURS = ["color-contrast", "link-in-text-block"]  # what may differ in the dark
MODES = (("light", "light", DESK, None), ("dark", "dark", DESK, COLOURS), ("phone", "light", PHONE, None))
WORD = "perceptron"
HUNG_UP = "net::ERR_ABORTED"  # dropped by the browser itself on its way to the next page; a file that is missing is not
AXE = """async (rules) => (
  await axe.run(document, { preload: false, resultTypes: ["violations"], ...(rules && { runOnly: rules }) })
).violations.map((one) => `${one.id}: ${one.help}: ` + one.nodes.slice(0, 3).map((node) => node.target).join(", "))"""


EMPTY_SIDE = """() => {
  const side = document.querySelector(".bd-sidebar-primary .bd-links");
  return side !== null && side.querySelector("li") === null;
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A browser asks for many files at once, and may hang up when it goes on to the next page."""

    request_queue_size = 128

    def handle_error(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder at an address of this machine."""
    with Server(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@contextmanager
def opened(browser: Browser) -> Iterator[Any]:
    """A page of the browser that has axe in it, and holds still."""
    import axe_playwright_python
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser.program, env=browser.environment, args=["--no-sandbox"]
        )
        context = chromium.new_context(reduced_motion="reduce")
        context.add_init_script(path=Path(axe_playwright_python.__file__).with_name("axe.min.js"))
        yield context.new_page()
        chromium.close()


def visit(page: Any, address: str, site: str) -> Iterator[str]:
    """What is wrong with a page."""
    wrong: list[str] = []
    listeners = {
        "console": lambda said: wrong.append(f"console: {said.text}") if said.type in ("error", "warning") else None,
        "pageerror": lambda error: wrong.append(f"error: {error}"),
        "requestfailed": lambda request: None if request.failure == HUNG_UP else wrong.append(f"failed: {request.url}"),
        "request": lambda request: None if request.url.startswith((site, "data:")) else wrong.append(request.url),
        "response": lambda answer: wrong.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None,
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    for mode, scheme, size, rules in MODES:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.goto(address, wait_until="load")
        wrong += [f"{mode}: {said}" for said in page.evaluate(AXE, rules)]
    if page.evaluate(EMPTY_SIDE):
        wrong.append("the column on the left is empty")
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > PHONE["width"]:
        wrong.append(f"on a phone the page is {width} px wide")
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    yield from wrong


def search(page: Any, site: str, patience: float) -> Iterator[str]:
    """Whether a word of every page is found."""
    page.goto(f"{site}search.html?q={WORD}")
    try:
        page.wait_for_selector("#search-results li a", timeout=1000 * patience)
    except Exception:  # playwright's, which is imported only where it is used
        yield f"{site}search.html: {WORD!r} is not found"


def visited(browser: Browser, site: str, names: list[str]) -> list[str]:
    """What is wrong with some of the pages."""
    with opened(browser) as page:
        return [f"{name}: {said}" for name in names for said in visit(page, site + name, site)]


def searched(browser: Browser, folder: Path, site: str, patience: float) -> list[str]:
    """What is wrong with the search, from a server and from the file itself."""
    with opened(browser) as page:
        return [said for start in (site, f"{folder.resolve().as_uri()}/") for said in search(page, start, patience)]


def main(folder: Path, patience: float = 20) -> int:
    """Visit all pages; 1 if something is wrong, or there is no browser where there must be one.

    `patience` is how many seconds a search may take.
    """
    try:
        browser = find_browser()
    except RuntimeError as error:
        print(f"{NOT_CHECKED}: {error}", file=sys.stderr)
        return int(os.environ.get("CI") == "true")
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html") if "_static" not in path.parts)
    n_cores = os.cpu_count() or 1
    with served(folder) as site, ProcessPoolExecutor(n_cores, mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(visited, browser, site, names[core::n_cores]) for core in range(n_cores)]
        wrong = [said for part in parts for said in part.result()] + searched(browser, folder, site, patience)
    print(*sorted(wrong), f"{len(names)} pages visited in a browser, {len(wrong)} defects", sep="\n")
    return int(len(wrong) > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *map(float, sys.argv[2:])))
