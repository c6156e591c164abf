"""The studio: see a perceptron learn, step by step, in a page or in a notebook.

The page is one file that needs nothing but a browser: the core is inside, as WebAssembly. In a notebook, `show` gives
the same view; it needs anywidget, `pip install 'rosenblatt[notebook]'`.
"""

from os import PathLike
from typing import Any

from rosenblatt.doors.studio.opening import opening

__all__ = ["page", "show", "write"]


def page(*what: Any, **words: Any) -> str:
    """The page as HTML, complete in itself; what it opens with is said as for `show`.

    >>> from rosenblatt import studio
    >>> from rosenblatt.data.lectures import XOR
    >>> text = studio.page(*XOR, tie="positive", max_iter=5)
    >>> text.startswith("<!doctype html>"), "https://" in text.partition("<body")[0]
    (True, False)
    """
    from rosenblatt.doors.studio.one_file import page as assembled

    begin = opening(*what, **words)
    return assembled(run=begin.run, state=begin.state, fallback=begin.fallback)


def write(path: str | PathLike[str], *what: Any, **words: Any) -> None:
    """Write the page to a file, whole or not at all; what it opens with is said as for `show`.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rosenblatt import studio
    >>> with TemporaryDirectory() as folder:
    ...     studio.write(Path(folder) / "xor.html", preset="xor", visit=7)
    ...     Path(folder, "xor.html").stat().st_size < 300_000
    True
    """
    from rosenblatt.services.lessons.trace.table import save

    save(path, page(*what, **words))


def show(*what: Any, **words: Any) -> Any:
    """The studio in a notebook.

    Parameters
    ----------
    *what
        What it opens with: points and labels, `show(X, y)`; a trace, `show(run)`; a proof or a fitted model with its
        data, `show(proof, X, y)`, `show(model, X, y)`; or nothing, for the lectures' examples.
    **words
        `preset` and `visit`: one of the examples by name, and how many visits are made. `answers`: a student's table,
        as for `rosenblatt.check`, whose cells are marked. `features`: names of the coordinates. Or the parameters of
        `rosenblatt.trace`.

    Runs of two features are made by the page itself, so that points can be moved and conventions changed; other runs,
    as exact ones, are recorded here and played there. At most 200 rows are shown, and 4000 visits.

    Examples
    --------
    >>> from rosenblatt import studio, trace
    >>> from rosenblatt.data.lectures import AND
    >>> widget = studio.show(trace(*AND))
    >>> widget.state
    '#points=0,0,0;0,1,0;1,0,0;1,1,1&max_iter=1000'
    """
    begin = opening(*what, **words)
    from rosenblatt.doors.studio.widget import Studio

    return Studio(run=begin.run, state=begin.state or "")
