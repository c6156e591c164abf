"""The same training on a Dask cluster: shards of the rows, held and learned from by its workers, and mixed here.

The result depends on the rows, on how many shards there are and on the seed, and never on the cluster: it equals
`Perceptron(shards=S)`, or `SequenceTagger(shards=S)`, on one machine, to the bit. A worker that
dies costs time and nothing else.

>>> from rosenblatt import dask
>>> dask.__all__
['Perceptron', 'SequenceTagger']
"""

from typing import TYPE_CHECKING

from rosenblatt.base.lazy import lazy

if TYPE_CHECKING:
    from rosenblatt.doors.dask.linear.estimator import Perceptron as Perceptron
    from rosenblatt.doors.dask.tagger.estimator import SequenceTagger as SequenceTagger

_HOMES = {
    "Perceptron": "rosenblatt.doors.dask.linear.estimator",
    "SequenceTagger": "rosenblatt.doors.dask.tagger.estimator",
}

__all__ = sorted(_HOMES)

__getattr__, __dir__ = lazy(__name__, _HOMES)
