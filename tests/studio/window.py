"""The studio in a window, as a test uses it: links, buttons, keys, and what is then to be read."""

import csv
import io
import time
from pathlib import Path
from typing import Any

TIMEOUT = 60_000  # milliseconds: the machine may be busy

MARKUP = """function markup(node) {
  if (node.nodeType !== 1) return node.textContent;
  const attributes = Array.from(node.attributes, (one) => ` ${one.name}="${one.value}"`).sort().join("");
  return `<${node.tagName}${attributes}>${Array.from(node.childNodes, markup).join("")}</${node.tagName}>\n`;
}"""  # attributes in order: they may have come and gone


class Studio:
    """A window with the page; `wrong` collects errors, warnings, and requests for anything but the page itself."""

    def __init__(self, chromium: Any, path: Path, **options: Any) -> None:
        self.address = path.as_uri()
        options = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        self.context = chromium.new_context(**options)
        self.context.set_default_timeout(TIMEOUT)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("request", self._asked)

    def _said(self, said: Any) -> None:
        if said.type in ("error", "warning"):
            self.wrong.append(f"console: {said.text}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(("data:", "blob:")) and request.url.partition("#")[0] != self.address:
            self.wrong.append(f"request: {request.url}")

    def close(self) -> None:
        self.context.close()

    def open(self, link: str = "") -> "Studio":
        """Go to a link, as if it had been clicked in an empty window."""
        self.page.goto("about:blank")
        self.page.goto(self.address + link)
        self.page.wait_for_selector("#studio[data-ready]")
        return self

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def panel(self, name: str) -> None:
        """Open one of the panels below the title, if it is not open."""
        door = self.page.get_by_role("button", name=name, exact=True)
        if door.get_attribute("aria-expanded") != "true":
            door.click()

    def copied(self, name: str) -> str:
        """What a button of "Share and export" gives."""
        self.panel("Share and export")
        self.click(name)
        return str(self.page.get_by_label(name, exact=True).input_value())

    def saved(self, name: str, path: Path) -> bytes:
        """What a button of "Share and export" saves."""
        self.panel("Share and export")
        with self.page.expect_download() as download:
            self.click(name)
        download.value.save_as(path)
        return path.read_bytes()

    def table(self) -> list[dict[str, str]]:
        """All visits, with all digits."""
        return list(csv.DictReader(io.StringIO(self.copied("Copy CSV"))))

    def weights(self) -> list[float]:
        """After the last visit of the run, the constant feature's first."""
        last = self.table()[-1]
        return [float(value) for name, value in last.items() if name.startswith(("w0", "w1", "w2"))]

    def alpha(self) -> list[float]:
        return [float(value) for name, value in self.table()[-1].items() if name.startswith("alpha")]

    def where(self) -> str:
        return str(self.page.inner_text(".where"))

    def link(self) -> str:
        """The hash that the address will have in a moment."""
        return str(self.page.get_attribute("#studio", "data-state"))

    def seen(self, *selectors: str) -> str:
        """What is to be seen, as markup: plot, player, sum and table, unless told otherwise."""
        return "\n".join(str(self.page.eval_on_selector(one, MARKUP)) for one in selectors or (".board", ".side"))

    def until(self, condition: str) -> None:
        """Wait for an expression to be true. (The page's policy forbids a browser to wait for one by itself.)"""
        end = time.monotonic() + TIMEOUT / 1000
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, condition
            self.page.wait_for_timeout(20)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))
