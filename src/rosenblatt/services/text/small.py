"""A pipeline as small as it may be: of each part the weights that answer, and of its parser not the smallest ones.

A model keeps weights and what averages them, so that it can learn more. A part of a pipeline keeps the averages alone,
in whole numbers of a unit: its file is half as large. Most weights of a parser are small, and most of its rows have
none else: without them it is faster, and hardly less accurate.
"""

import json
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.members.sentences.parser.model import ParserModel, weights_of
from rosenblatt.members.sentences.tagger.model import TaggerModel, chain_of

UNITS, PARSER_UNITS = 2, 4  # in a weight of 1
STEPS = tuple(k / 4 for k in range(41))  # the prunings that are tried
OF_A_TENSOR = 150  # bytes that name it in the file


def fit_into(parts: dict[str, Any], most: float) -> dict[str, Any]:
    """The parts without what does not answer, and the parser pruned until all take at most so many bytes."""
    small: dict[str, Any] = {name: without_sums(model) for name, model in parts.items() if name != "tree"}
    if "tree" in parts:
        others = sum(map(size_of, small.values()))
        pruned = (_prune(parts["tree"], least) for least in STEPS)
        tree = next((tree for tree in pruned if size_of(tree) <= most - others), None)
        if tree is None:
            raise ValueError(f"max_size: expected room for {others / 1e6:.2f} MB and a parser, found {most / 1e6:g} MB")
        small["tree"] = tree
    return small


def size_of(model: Any) -> int:
    """The bytes that a part takes in a model file, about."""
    from rosenblatt.services.records.model_file import Stored, record_of

    tensors: dict[str, Any] = {}
    record = json.dumps(record_of(Stored(model), tensors))
    return OF_A_TENSOR * len(tensors) + 2 * len(record) + sum(int(tensor.nbytes) for tensor in tensors.values())


def without_sums(model: TaggerModel) -> TaggerModel:
    """A tagger with the same answers that cannot learn more."""
    keys, before, counts, labels, w, sums = model.chain.arrays()
    visits = max(model.chain.visits, 1)
    mean = w.astype(np.float64) if model.parameters.readout == "last" else w - sums / visits
    whole = np.round(mean * (UNITS / model.chain.units)).astype(np.int64)
    there = whole != 0
    row = np.repeat(np.arange(len(keys)), counts)[there]
    left = np.bincount(row, minlength=len(keys)).astype(np.int32)
    rows = left > 0
    cells = labels[there], whole[there], np.zeros(int(there.sum()), dtype=np.int64)
    arrays = (keys[rows], before[rows], left[rows], *cells)
    parts = np.asarray(model.chain.parts)
    chain = chain_of(model.chain.labels, model.chain.attributes, UNITS, 1, parts, *arrays)
    return replace(model, chain=chain, answers={})


def _prune(model: ParserModel, least: float) -> ParserModel:
    """A parser with the same answers, but for the weights that are left out, that cannot learn more."""
    weights = model.weights.pruned(model.parameters.readout, max(least, model.pruned, 0.5 / PARSER_UNITS))
    keys, counts, actions, w, sums = weights.arrays()
    mean = w.astype(np.float64) if model.parameters.readout == "last" else w - sums / max(weights.visits, 1)
    whole = np.round(mean * PARSER_UNITS).astype(np.int32)
    arrays = (keys, counts, actions, whole, np.zeros(len(whole), dtype=np.int64))
    fixed = weights_of(weights.actions, weights.templates, 1, *arrays)
    return replace(model, weights=fixed, pruned=max(least, model.pruned), answers={})
