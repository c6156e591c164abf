"""The same training on a Dask cluster: shards of the rows, held and learned from by its workers, and mixed here.

The result depends on the rows, on how many shards there are and on the seed, and never on the cluster: it equals
`Perceptron(shards=S)`, or `SequenceTagger(shards=S)`, on one machine, to the bit. A worker that
dies costs time and nothing else.

>>> from rosenblatt import dask
>>> dask.__all__
['Perceptron', 'SequenceTagger']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.dask.linear.estimator import Perceptron as Perceptron
    from rosenblatt.dask.tagger.estimator import SequenceTagger as SequenceTagger

_HOME = {"Perceptron": "rosenblatt.dask.linear.estimator", "SequenceTagger": "rosenblatt.dask.tagger.estimator"}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'rosenblatt.dask' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
