"""From tables to features and labels: the encoding is learned with the model, and is part of it.

`Encoding` is imported when it is first used, because the declaration of its parameters needs no numpy.
"""

from typing import TYPE_CHECKING

from rosenblatt.base.lazy import lazy

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding.encoding import Encoding as Encoding

__all__ = ["Encoding"]

__getattr__, __dir__ = lazy(__name__, {"Encoding": "rosenblatt.services.files.encoding.encoding"})
