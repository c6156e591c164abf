"""The labels of a chain: which of them share weights, and how a chain goes on with more of them.

With `share="|"`, labels that agree up to their first `|` are of one part, and each attribute has a weight for the part
beside those of its labels: what is learned of `NOUN|Number=Sing` is half known of `NOUN|Number=Plur`.
"""

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters

NAMES = ("keys", "before", "counts", "cell_labels", "w", "sums")


def parts_of(classes: Array, share: str | None) -> Array:
    """For each label the number of its part, from 0 on in sorted order; nothing, if labels share nothing.

    Examples
    --------
    >>> parts_of(np.array(["ADJ", "NOUN|Plur", "NOUN|Sing", "X"]), "|").tolist()
    [0, 1, 1, 2]
    """
    TaggerParameters.declarations()["share"].check(share)
    if share is None:
        return np.empty(0, dtype=np.int32)
    parts = [label.partition(share)[0] for label in classes.tolist()]
    return np.unique(np.array(parts, dtype=str), return_inverse=True)[1].astype(np.int32)


def chain_of(labels: int, attributes: int, units: int, visits: int, parts: Array, *arrays: Array) -> _core.Chain:
    """The chain that has these arrays, which are those of `Chain.arrays`."""
    named = dict(zip(NAMES, arrays, strict=True))
    return _core.chain_of(labels=labels, attributes=attributes, units=units, visits=visits, parts=parts, **named)


def relabelled(chain: _core.Chain, new: Array, parts: Array, n_labels: int) -> _core.Chain:
    """The chain with more labels, of which old label k is new[k]; they keep their order, and so do their parts."""
    keys, before, counts, cells, w, sums = chain.arrays()
    n_parts = int(chain.parts.max()) + 1 if len(chain.parts) else 0
    of_parts = np.empty(n_parts, dtype=np.int64)
    of_parts[chain.parts] = parts[new] if n_parts else 0
    places = np.concatenate([new, n_labels + of_parts, [-1]]).astype(np.int32)  # -1 stays -1
    arrays = (keys, places[before], counts, places[cells], w, sums)
    return chain_of(n_labels, chain.attributes, chain.units, chain.visits, parts, *arrays)
