"""From tables to features and labels: the encoding is learned with the model, and is part of it.

`Encoding` is imported when it is first used: the declaration of its parameters needs no numpy.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding.encoding import Encoding as Encoding

__all__ = ["Encoding"]


def __getattr__(name: str) -> Any:
    if name != "Encoding":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rosenblatt.services.files.encoding.encoding import Encoding

    return Encoding
