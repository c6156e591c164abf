"""What a parser has learned as a record and tensors, and back, for pickles and model files.

Of the weights all but the keys are packed. All is checked, at last by the core, before weights are built from it.
"""

from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.packed import pack, unpack
from rosenblatt.base.record.parts import Parts, Tensors, texts
from rosenblatt.members.sentences.columns import UNIVERSAL_COLUMNS
from rosenblatt.members.sentences.parser import templates
from rosenblatt.members.sentences.parser.state import Labels

NAMES = ("keys", "counts", "cell_actions", "w", "sums")


def weights_of(actions: int, n_templates: int, visits: int, *arrays: Array) -> _core.ParseWeights:
    """The weights that have these arrays, which are those of `ParseWeights.arrays`."""
    named = dict(zip(NAMES, arrays, strict=True))
    return _core.parse_weights_of(actions=actions, templates=n_templates, visits=visits, **named)


def relabelled(weights: _core.ParseWeights, labels: Labels, before: Labels) -> _core.ParseWeights:
    """The weights for more labels, or the same; actions keep their order."""
    if len(labels.actions) == len(before.actions):
        return weights
    keys, counts, actions, w, sums = weights.arrays()
    arrays = (keys, counts, labels.action_numbers(before)[actions], w, sums)
    return weights_of(len(labels.actions), weights.templates, weights.visits, *arrays)


def run_to_record(model: Any, tensors: Tensors) -> dict[str, Any]:
    """The run of a trained parser: what goes into the record; arrays join the tensors."""
    weights, columns = model.weights, model.file_columns
    for name, array in zip(NAMES, weights.arrays(), strict=True):
        tensors[name] = array if name == "keys" else pack(array)
    tensors["mistakes_"], tensors["sentence_mistakes_"] = model.mistakes, model.sentence_mistakes
    if model.validation_scores is not None:
        tensors["validation_scores_"] = model.validation_scores
    return {
        "visits": weights.visits,
        "n_templates": weights.templates,
        "arc_labels": model.known.arcs.tolist(),
        "root_labels": model.known.root.tolist(),
        "template_lines": [templates.line(one) for one in model.templates],
        "file_columns": None if columns is None else list(columns),
        "pruned": float(model.pruned),
    }


def run_from_record(n_columns: int, classes: Array, parts: Parts) -> dict[str, Any]:
    """What `taken_run` took, as the fields of a `ParserModel`."""
    lines = texts("template_lines", parts.value("template_lines", "the templates", lambda value: value))
    template_list = templates.parse(lines, "template_lines")
    compiled = templates.compiled(template_list)
    if compiled.n_columns != n_columns:
        raise ValueError(f"n_features: expected {compiled.n_columns}, which the templates look at, found {n_columns}")
    arcs, root = (parts.value(name, "numbers of labels", _are_numbers) for name in ("arc_labels", "root_labels"))
    known = Labels(classes, np.array(arcs, dtype=np.int64), np.array(root, dtype=np.int64))
    columns = parts.value("file_columns", "columns of CoNLL-U", _are_columns)
    mistakes = parts.tensor("mistakes_", (None,), "int64")
    scores = parts.tensor("validation_scores_", (None,), "float64") if parts.has("validation_scores_") else None
    weights = _restored_weights(len(known.actions), parts)
    if weights.templates != len(compiled):
        raise ValueError(f"n_templates: expected {len(compiled)}, as many as there are, found {weights.templates}")
    return {
        "known": known,
        "weights": weights,
        "templates": template_list,
        "compiled": compiled,
        "mistakes": mistakes,
        "sentence_mistakes": parts.tensor("sentence_mistakes_", (len(mistakes),), "int64"),
        "pruned": parts.number("pruned"),
        "validation_scores": scores,
        "file_columns": None if columns is None else tuple(columns),
    }


def _restored_weights(n_actions: int, parts: Parts) -> _core.ParseWeights:
    keys = parts.tensor("keys", (None,), "uint64")
    counts = unpack(parts, "counts", len(keys)).astype(np.int32)
    if not ((counts >= 0) & (counts <= n_actions)).all():
        raise ValueError(f"tensor 'counts': expected 0 to {n_actions} cells a row")
    size = int(counts.sum(dtype=np.int64))
    actions, w = (_in_32_bits(name, unpack(parts, name, size)) for name in ("cell_actions", "w"))
    sums = unpack(parts, "sums", size).astype(np.int64)
    n_templates = parts.count("n_templates", 1)
    return weights_of(n_actions, n_templates, parts.count("visits"), keys, counts, actions, w, sums)


def _in_32_bits(name: str, numbers: Array) -> Array:
    if len(numbers) and not (int(numbers.min()) >= -(2**31) and int(numbers.max()) < 2**31):
        raise ValueError(f"tensor {name!r}: expected numbers of 32 bits")
    return numbers.astype(np.int32)


def _are_numbers(found: Any) -> bool:
    return isinstance(found, list) and len(found) > 0 and all(type(k) is int and 0 <= k < 2**31 for k in found)


def _are_columns(found: Any) -> bool:
    return found is None or (isinstance(found, list) and all(column in UNIVERSAL_COLUMNS for column in found))
