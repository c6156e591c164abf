"""A server that learns online and loses nothing: an acknowledged example is on the disk, and so is all before it.

The model after any crash is the one that a replay of its log gives, to the bit. `rosenblatt serve FOLDER` starts it;
`Client` talks to it, and needs only the standard library.

>>> from rosenblatt import serve
>>> serve.__all__
['Client', 'RefusedError', 'UnavailableError']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.serve.client import Client as Client
    from rosenblatt.serve.client_errors import RefusedError as RefusedError
    from rosenblatt.serve.client_errors import UnavailableError as UnavailableError

_HOME = {
    "Client": "rosenblatt.serve.client",
    "RefusedError": "rosenblatt.serve.client_errors",
    "UnavailableError": "rosenblatt.serve.client_errors",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rosenblatt.serve' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
