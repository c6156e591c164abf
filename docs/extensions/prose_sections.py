"""The sections of a docstring on attributes and on what is returned, as they are written: in prose.

numpydoc would take what is behind the colon of an attribute for a type, and put the docstring of a property in the
place of the rest; of what is returned it would make a type as well. So these sections are taken out before numpydoc
comes, and put back after it, in the form that it gives to parameters.
"""

import re
from collections.abc import Iterator
from typing import Any

SECTION = r"^{name}\n-+\n(?P<body>.*?)(?=^\w[\w ]*\n-{{3,}}$|\Z)"
SECTIONS = {name: re.compile(SECTION.format(name=name), re.MULTILINE | re.DOTALL) for name in ("Attributes", "Returns")}
ENTRY = re.compile(r"^(?P<names>\S.*?) : (?P<text>.*(?:\n +.*)*)", re.MULTILINE)


def take(app: Any, _: str, name: str, __: Any, ___: Any, lines: list[str]) -> None:
    """Before numpydoc, at its usual 500."""
    text = "\n".join(lines)
    for title, section in SECTIONS.items():
        found = section.search(text)
        if found and (
            title == "Attributes" or "\n " not in found["body"]
        ):  # not where each value has a name and a text
            app.env.temp_data[title, name] = found["body"]
            text = text[: found.start()] + text[found.end() :]
    lines[:] = text.split("\n")


def put(app: Any, _: str, name: str, __: Any, ___: Any, lines: list[str]) -> None:
    """After it: behind the parameters, before the examples."""
    made: list[str] = []
    for title in SECTIONS:
        if body := app.env.temp_data.pop((title, name), None):
            made += ["", f":{title}:", "", *(attributes(body) if ENTRY.match(body) else [f"    {plain(body)}"]), ""]
    place = lines.index(".. rubric:: Examples") if ".. rubric:: Examples" in lines else len(lines)
    lines[place:place] = made


def attributes(body: str) -> Iterator[str]:
    """Names, and what they are."""
    for names, text in ENTRY.findall(body):
        yield f"    {', '.join(f'**{one.strip()}**' for one in names.split(','))}"
        yield f"        {plain(text)}"


def plain(text: str) -> str:
    """In one line, in which coef_ is a name and no reference, unless it is in backticks."""
    parts = " ".join(text.split()).split("`")
    return "`".join(re.sub(r"(?<=\w)_(?!\w)", r"\\_", part) if i % 2 == 0 else part for i, part in enumerate(parts))


def setup(app: Any) -> dict[str, bool]:
    """For Sphinx."""
    app.connect("autodoc-process-docstring", take, priority=200)
    app.connect("autodoc-process-docstring", put, priority=900)
    return {"parallel_read_safe": True}
