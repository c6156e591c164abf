"""Before scipy is imported: let scikit-learn's checks also look at input of the array API, which they skip without.

Where CI is set, hypothesis tries the same examples each time; elsewhere it looks for new ones. How long one takes says
nothing on a machine that others use too.

Ctrl-C is heard, here and in the processes that tests start, also where it is ignored by who started us, as a shell
does for `make test &` and nohup.
"""

import os
import signal
from typing import Any

from hypothesis import settings

from tests.browser.find_browser import NOT_CHECKED

os.environ.setdefault("SCIPY_ARRAY_API", "1")
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, signal.SIG_DFL):
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tests that found no browser are named, once, also where pytest is quiet."""
    skipped = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])]
    for said in {said for said in skipped if NOT_CHECKED in said}:
        terminalreporter.write_line(said.removeprefix("Skipped: "))
