"""What a tagger has learned as a record and tensors, and back, for pickles and model files.

Of the chain all but the keys are packed: rows that one mistake made are alike, and follow each other. All is checked,
at last by the core, before a chain is built from it.
"""

from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.record.packed import pack, unpack
from rosenblatt.base.record.parts import Parts, Tensors, texts
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.columns import FileColumns, are_columns
from rosenblatt.members.sentences.tagger.labels import NAMES, chain_of


def chain_to_record(chain: _core.Chain, tensors: Tensors, prefix: str = "") -> dict[str, Any]:
    """A chain: what goes into the record; arrays join the tensors. Names begin with the prefix."""
    arrays: Any = chain.arrays()
    for name, array in zip(NAMES, arrays, strict=True):
        tensors[prefix + name] = array if name == "keys" else pack(array)
    if len(chain.parts):
        tensors[prefix + "parts"] = pack(chain.parts)
    record = {"visits": chain.visits, "attributes": chain.attributes}
    if chain.units > 1:
        record["units"] = chain.units
    return {prefix + name: value for name, value in record.items()}


def run_to_record(model: Any, tensors: Tensors) -> dict[str, Any]:
    """The run of a trained tagger: what goes into the record; arrays join the tensors."""
    columns, of_chain = model.file_columns, chain_to_record(model.chain, tensors)
    tensors["mistakes_"], tensors["sentence_mistakes_"] = model.mistakes, model.sentence_mistakes
    if (model.mixed_mistakes != model.sentence_mistakes).any():
        tensors["mixed_mistakes_"] = model.mixed_mistakes
    if model.validation_scores is not None:
        tensors["validation_scores_"] = model.validation_scores
    return {
        **of_chain,
        "template_lines": [templates.line(one) for one in model.templates],
        "file_columns": None if columns is None else [columns.universal, list(columns.seen), columns.tag],
    }


def run_from_record(boundary: str, n_columns: int, classes: Array, parts: Parts) -> dict[str, Any]:
    """What `taken_run` took, as the fields of a `TaggerModel`."""
    lines = texts("template_lines", parts.value("template_lines", "the templates", lambda value: value))
    template_list = templates.parse(lines, "template_lines")
    compiled = templates.compiled(template_list, boundary)
    if compiled.n_columns != n_columns:
        raise ValueError(f"n_features: expected {compiled.n_columns}, which the templates look at, found {n_columns}")
    columns = parts.value("file_columns", "columns of a file", are_columns)
    sentence_mistakes = parts.tensor("sentence_mistakes_", (None,), "int64")
    chain = chain_from_record(len(classes), parts)
    if chain.attributes != len(compiled):
        raise ValueError(f"attributes: expected {len(compiled)}, one for each template, found {chain.attributes}")
    return {
        "templates": template_list,
        "compiled": compiled,
        "file_columns": None if columns is None else FileColumns(columns[0], tuple(columns[1]), columns[2]),
        "chain": chain,
        "mistakes": parts.tensor("mistakes_", (None,), "int64"),
        "sentence_mistakes": sentence_mistakes,
        "mixed_mistakes": _mixed(sentence_mistakes, parts),
        "validation_scores": (
            parts.tensor("validation_scores_", (None,), "float64") if parts.has("validation_scores_") else None
        ),
    }


def _mixed(mistakes: Array, parts: Parts) -> Array:
    """The mistakes of each pass as shards were mixed; simply those of a run without."""
    if not parts.has("mixed_mistakes_"):
        return mistakes.astype(np.float64)
    mixed = parts.tensor("mixed_mistakes_", (len(mistakes),), "float64")
    if (mixed < 0).any() or (mixed > mistakes).any():
        raise ValueError("tensor 'mixed_mistakes_': expected numbers from 0 to those of sentence_mistakes_")
    return mixed


def chain_from_record(n_labels: int, parts: Parts, prefix: str = "") -> _core.Chain:
    """What `taken_chain` took."""
    n_shared = n_labels if parts.has(prefix + "parts") else 0
    of_labels = unpack(parts, prefix + "parts", n_shared) if n_shared else np.empty(0)
    keys = parts.tensor(prefix + "keys", (None,), "uint64")
    before, counts = (unpack(parts, prefix + name, len(keys)).astype(np.int32) for name in ("before", "counts"))
    if not ((counts >= 0) & (counts <= n_labels + n_shared)).all():
        raise ValueError(f"tensor '{prefix}counts': expected 0 to {n_labels + n_shared} cells a row")
    size = int(counts.sum(dtype=np.int64))
    labels = unpack(parts, prefix + "cell_labels", size).astype(np.int32)
    w, sums = (unpack(parts, prefix + name, size, "if") for name in ("w", "sums"))
    kind = np.float64 if "f" in (w.dtype.kind, sums.dtype.kind) else np.int64
    arrays = (keys, before, counts, labels, w.astype(kind), sums.astype(kind))
    units = parts.count(prefix + "units", 1, left_out=1)
    attributes, visits = parts.count(prefix + "attributes"), parts.count(prefix + "visits")
    return chain_of(n_labels, attributes, units, visits, of_labels.astype(np.int32), *arrays)
