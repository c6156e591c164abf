"""Mends what Sphinx writes and a screen reader stumbles over.

A long signature has a parameter a line, for which Sphinx takes a list of definitions that has no terms. The empty
corner of a table is no heading.
"""

import re
from typing import Any

SIGNATURE = re.compile(
    r'(<span class="sig-paren">\(</span>\s*)<dl>(.*?)</dl>(\s*<span class="sig-paren">\))', re.DOTALL
)
CORNER = re.compile(r'<th class="head[^"]*">(<p>\s*</p>)?</th>')


def as_lines(found: re.Match[str]) -> str:
    """The parameters of a signature, a line each."""
    lines = found[2].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")
    return f"{found[1]}{lines}{found[3]}"


def mend(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:  # noqa: ARG001 - Sphinx's
    """The body of a page, before it is written."""
    if "body" in context:
        context["body"] = CORNER.sub("<td></td>", SIGNATURE.sub(as_lines, context["body"]))


def setup(app: Any) -> dict[str, bool]:
    """For Sphinx."""
    app.connect("html-page-context", mend)
    return {"parallel_read_safe": True}
