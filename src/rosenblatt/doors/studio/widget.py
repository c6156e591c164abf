"""The studio in a notebook: anywidget brings the page's own module there; nothing is fetched."""

import json
from typing import Any

from rosenblatt.doors.studio import one_file

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the studio in a notebook needs anywidget: pip install 'rosenblatt[notebook]'; "
        "without it, studio.write('page.html', ...) writes a page for the browser",
        name=error.name,
    ) from None


class Studio(anywidget.AnyWidget):
    """The view, and its state: a hash as in a link to the page, which changes with what is done there."""

    _esm = one_file.widget()
    core = traitlets.Bytes(one_file.core_bytes()).tag(sync=True)
    css = traitlets.Unicode(one_file.style()).tag(sync=True)
    presets = traitlets.List(json.loads(one_file.source("presets.json"))).tag(sync=True)
    run: Any = traitlets.Dict(None, allow_none=True).tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)
    page = traitlets.Unicode("").tag(sync=True)

    def __repr__(self) -> str:
        """What a notebook shows that was saved without its widgets; anywidget cuts it after 110 characters."""
        return "the perceptron studio: run this cell to see it, or write a page for the browser with studio.write"
