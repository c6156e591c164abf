"""Before scipy is imported: let scikit-learn's checks also look at input of the array API, which they skip without.

Where CI is set, hypothesis tries the same examples each time; elsewhere it looks for new ones. How long one takes says
nothing on a machine that others use too.

What was not looked at for want of a browser is said in a line of its own at the end.

Ctrl-C is heard, here and in the processes that tests start, also where it is ignored by who started us, as a shell
does for `make test &` and nohup.
"""

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests.browser.find_browser import NOT_CHECKED, needed_browser

os.environ.setdefault("SCIPY_ARRAY_API", "1")
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, signal.SIG_DFL):
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = (str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    lines = [line for line in skipped if NOT_CHECKED in line]
    if lines:
        terminalreporter.write_line(f"{len(lines)} tests skipped: {lines[0]}", red=True, bold=True)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser for the tests of a file. It must end with them: while it is open, no other loop of asyncio can run."""
    browser = needed_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=browser.program, env=browser.environment, args=["--no-sandbox"]
        )
        yield opened
        opened.close()
