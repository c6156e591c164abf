"""Docstrings and help are read as they are, not as reStructuredText.

|w| is the length of w, part-*.svm a pattern, and tcp://host:8786 an address that no browser opens.
"""

import re
from typing import Any


def escape(lines: list[str]) -> None:
    """Escapes bars, and stars within words, but not in examples, which end with an empty line."""
    in_example = False
    for number, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and bool(line.strip()))
        if not in_example:
            lines[number] = re.sub(r"\||(?<=[\w-])\*", r"\\\g<0>", line)


def escape_help(lines: list[str]) -> None:
    """Addresses, so that they are no links, and bars that begin a word. All else in the lines is sphinx-click's."""
    lines[:] = [re.sub(r"(?<=\s)\|(?=\S)", r"\\|", line.replace("tcp:", r"tcp\:")) for line in lines]


def setup(app: Any) -> dict[str, bool]:
    """For Sphinx. numpydoc comes later, at the usual 500."""
    app.connect("autodoc-process-docstring", lambda *args: escape(args[-1]), priority=100)
    app.connect("sphinx-click-process-description", lambda *args: escape(args[-1]))
    app.connect("sphinx-click-process-options", lambda *args: escape_help(args[-1]))
    return {"parallel_read_safe": True}
