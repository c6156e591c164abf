"""The studio as a page of the site: the file that `rosenblatt studio` writes, beside the page that tells of it."""

from pathlib import Path
from typing import Any

from rosenblatt import studio


def setup(app: Any) -> dict[str, Any]:
    """For Sphinx: after the pages, so that what they link to is there."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write(app: Any, error: Exception | None) -> None:
    """To the folder of its page, where the links of printed traces lead too (link.py of traces)."""
    if error is None and app.builder.format == "html":
        studio.write(Path(app.outdir) / "studio" / "page.html")
