"""Makes the pictures of our pages: `python -m tests.studio.pictures [folder]`, part of `make figures`.

Without a folder they go to docs/pictures. They are of what a user sees, taken in a real browser; fonts are those of the
machine, so their bytes are not always the same.
"""

import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rosenblatt.doors.studio import one_file
from tests.browser.find_browser import ROOT, find_browser
from tests.pages.page import run
from tests.studio.window import Studio

SIZE = {"width": 1180, "height": 784}
PICTURES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("studio", "#preset=and&visit=18&show=band,before", {"viewport": SIZE}),
    ("studio_dark", "#preset=rings&visit=20", {"viewport": SIZE, "color_scheme": "dark"}),
)
TEXT = (
    "The old anchor lay in the sand. Now chop the onion very fine, add salt and butter, and put the rose into the soil."
)


def main(folder: Path) -> None:
    """Take all of them."""
    from playwright.sync_api import sync_playwright

    browser = find_browser()
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        page = Path(temporary, "studio.html")
        page.write_text(one_file.page(), encoding="utf-8")
        chromium = playwright.chromium.launch(
            executable_path=browser.program, env=browser.environment, args=["--no-sandbox"]
        )
        for name, link, options in PICTURES:
            window = Studio(chromium, page, **options)
            window.open(link).page.screenshot(path=folder / f"{name}.png")
            window.close()
        with chdir(temporary):
            run(ROOT / "docs" / "howto" / "text.md", Path(temporary))  # it exports its model
        window = Studio(chromium, Path(temporary, "notes.html"), viewport={"width": 860, "height": 680})
        window.page.goto(window.address)
        window.page.get_by_label("Your text").fill(TEXT)
        window.page.screenshot(path=folder / "text_page.png")
        window.close()
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures")
