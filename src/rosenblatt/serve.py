"""A server that learns online and loses nothing: an acknowledged example is on the disk, and so is all before it.

The model after any crash is the one that a replay of its log gives, to the bit. `rosenblatt serve FOLDER` starts it;
`Client` talks to it, and needs only the standard library.

>>> from rosenblatt import serve
>>> serve.__all__
['Client', 'RefusedError', 'UnavailableError']
"""

from typing import TYPE_CHECKING

from rosenblatt.base.lazy import lazy

if TYPE_CHECKING:
    from rosenblatt.doors.serve.client import Client as Client
    from rosenblatt.doors.serve.client import RefusedError as RefusedError
    from rosenblatt.doors.serve.client import UnavailableError as UnavailableError

_HOMES = {
    "Client": "rosenblatt.doors.serve.client",
    "RefusedError": "rosenblatt.doors.serve.client",
    "UnavailableError": "rosenblatt.doors.serve.client",
}

__all__ = sorted(_HOMES)

__getattr__, __dir__ = lazy(__name__, _HOMES)
