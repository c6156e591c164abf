"""The state of a tagger as arrays: for pickles, for labels that come late, and for model files.

In a file all but the keys are packed: rows that one mistake made are alike, and follow each other. All is checked, at
last by the core, before a chain is built from it.
"""

from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.record.packed import packed, unpacked
from rosenblatt.record.parts import Parts, texts
from rosenblatt.record.safetensors import Array, Tensors
from rosenblatt.tagger import templates
from rosenblatt.tagger.files import FileColumns, are_columns

NAMES = ("keys", "before", "counts", "cell_labels", "w", "sums")


def chain_of(labels: int, attributes: int, visits: int, *arrays: Array) -> _core.Chain:
    """The chain that has these arrays, which are those of `Chain.arrays`."""
    return _core.chain_of(labels=labels, attributes=attributes, visits=visits, **dict(zip(NAMES, arrays, strict=True)))


def relabelled(chain: _core.Chain, n_labels: int, new: Array) -> _core.Chain:
    """The chain with more labels, of which old label k is new[k]; they keep their order."""
    keys, before, counts, labels, w, sums = chain.arrays()
    new = np.append(new, -1).astype(np.int32)  # -1 stays -1
    return chain_of(n_labels, chain.attributes, chain.visits, keys, new[before], counts, new[labels], w, sums)


def take_chain(model: Any, tensors: Tensors) -> dict[str, Any]:
    """The run of a fitted `SequenceTagger`: what goes into the record; arrays join the tensors."""
    chain = model._chain
    tensors |= {
        name: array if name == "keys" else packed(array) for name, array in zip(NAMES, chain.arrays(), strict=True)
    }
    for name in ("mistakes_", "sentence_mistakes_", "validation_scores_"):
        if hasattr(model, name):
            tensors[name] = getattr(model, name)
    return {
        "visits": chain.visits,
        "attributes": chain.attributes,
        "template_lines": [templates.line(one) for one in model._template_list],
        "file_columns": getattr(model, "file_columns_", None),
    }


def restore_chain(model: Any, classes: Array, parts: Parts) -> None:
    """Puts the run back."""
    lines = texts("template_lines", parts.value("template_lines", "the templates", lambda value: value))
    model._template_list = templates.parse(lines, "template_lines")
    model._templates = templates.compiled(model._template_list, model.boundary)
    columns = parts.value("file_columns", "columns of a file", are_columns)
    if columns is not None:
        model.file_columns_ = FileColumns(columns[0], tuple(columns[1]), columns[2])
    keys = parts.tensor("keys", (None,), "uint64")
    before, counts = (unpacked(parts, name, len(keys)).astype(np.int32) for name in ("before", "counts"))
    if not ((counts >= 0) & (counts <= len(classes))).all():
        raise ValueError(f"tensor 'counts': expected 0 to {len(classes)} cells a row")
    size = int(counts.sum(dtype=np.int64))
    labels = unpacked(parts, "cell_labels", size).astype(np.int32)
    w, sums = (unpacked(parts, name, size, "if") for name in ("w", "sums"))
    kind = np.float64 if "f" in (w.dtype.kind, sums.dtype.kind) else np.int64
    arrays = (keys, before, counts, labels, w.astype(kind), sums.astype(kind))
    model._chain = chain_of(len(classes), parts.count("attributes"), parts.count("visits"), *arrays)
    model.classes_, model.n_rows_ = classes, model._chain.n_rows
    model.mistakes_, model.sentence_mistakes_ = (
        parts.tensor(name, (None,), "int64") for name in ("mistakes_", "sentence_mistakes_")
    )
    model.n_iter_ = len(model.mistakes_)
    model.converged_ = bool(len(model.mistakes_)) and int(model.mistakes_[-1]) == 0
    if parts.has("validation_scores_"):
        model.validation_scores_ = parts.tensor("validation_scores_", (None,), "float64")
