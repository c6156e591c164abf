"""The page in one file, and a new window for each test."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.doors.studio import one_file
from tests.studio.window import Studio


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page in one file, as users have it: opened from the disk it cannot reach anything else."""
    path = tmp_path_factory.mktemp("studio") / "studio.html"
    path.write_text(one_file.page(), encoding="utf-8")
    return path


@pytest.fixture
def studio(chromium: Any, page_file: Path) -> Iterator[Studio]:
    """The page in a window of its own. At the end nothing may have gone wrong in it, and no request have left it."""
    window = Studio(chromium, page_file)
    yield window
    window.close()
    assert window.wrong == []
