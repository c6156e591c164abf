"""Model files: all that a trained model is, in one safetensors file. Loading one runs no code and believes nothing.

The metadata has `rosenblatt_format`, a number; `model`, the record as JSON; `sha256`, of the record and all tensors.
A file of a newer format is refused. What cannot be read back is not written.
"""

import os
from dataclasses import dataclass
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import rosenblatt
from rosenblatt.base.arrays import Array
from rosenblatt.base.atomic_write import check_writable
from rosenblatt.base.labels import NumberedLabels
from rosenblatt.base.record.parts import (
    Parts,
    Tensors,
    labels_as_json,
    labels_from_json,
    parameters_as_json,
    parameters_from_json,
)
from rosenblatt.members import MEMBERS
from rosenblatt.members.model import Model
from rosenblatt.services.files.source_mark import SourceMark
from rosenblatt.services.records.safetensors import Sealed, errors_at

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding import Encoding

_FILE = Sealed("a model file", "rosenblatt_format", "model", format=1)
METADATA_KEYS = {"library", "conventions", "training", "encoding", "zero_based"}
OF_ENCODING = "encoding."  # how the names of its tensors begin
TRAINING_KEYS = {"rows", "passes", "mistakes", "data"}


@dataclass
class Stored:
    """What a model file holds: a model, the names of its features, and how its file or table became features."""

    model: Model
    feature_names: list[str] | None = None
    encoding: "Encoding | None" = None
    zero_based: bool | None = None


def write(stored: Stored, path: "str | os.PathLike[str]", *, data: Any = None) -> None:
    """Write a model file, whole or not at all. `data`: what it has learned from, (X, y) or the mark of a file."""
    check_writable(path)
    tensors: Tensors = {}
    record = record_of(stored, tensors)
    model_of(dict(record), tensors)
    if stored.encoding is not None:
        record["encoding"] = stored.encoding.as_record(tensors)
        _encoding(record, tensors, stored.model)
    elif stored.zero_based is not None:
        record["zero_based"] = bool(stored.zero_based)
    record["library"] = f"rosenblatt {rosenblatt.__version__}"
    record["conventions"] = stored.model.conventions
    record["training"] = _training(record, tensors, data)
    _FILE.write(path, record, tensors)


def read(path: "str | os.PathLike[str]") -> Stored:
    """What `write` wrote. Its arrays are mapped from the file and cannot be written to; learning goes on in a copy."""
    with errors_at(path):
        record, tensors = _open(path)
        of_model = {name: tensor for name, tensor in tensors.items() if not name.startswith(OF_ENCODING)}
        stored = model_of({name: value for name, value in record.items() if name not in METADATA_KEYS}, of_model)
        _check_training(record, tensors)
        if "encoding" in record:
            stored.encoding = _encoding(record, tensors, stored.model)
        elif len(of_model) < len(tensors):
            raise ValueError("expected no tensors of an encoding, because there is none")
        if "zero_based" in record:
            stored.zero_based = Parts(record, {}).flag("zero_based")
        return stored


def summary(path: "str | os.PathLike[str]") -> dict[str, Any]:
    """What a model file says of its model, without the tensors: class, parameters, labels, training, library.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import Perceptron, save
    >>> from rosenblatt.data.lectures import AND
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Perceptron(shuffle=False).fit(*AND), Path(folder, "and.safetensors"))
    ...     facts = summary(Path(folder, "and.safetensors"))
    >>> facts["class"], facts["classes"], facts["training"]
    ('Perceptron', {'labels': [-1, 1], 'type': 'int64'}, {'data': None, 'mistakes': 18, 'passes': 9, 'rows': 4})
    """
    with errors_at(path):
        return _open(path)[0]


def _open(path: "str | os.PathLike[str]") -> tuple[dict[str, Any], Tensors]:
    """The record and the tensors, if they are as they were written."""
    record, tensors = _FILE.read(path)
    parts = Parts(record, {})
    parts.value("library", "text", lambda value: isinstance(value, str))
    parts.value("conventions", "text", lambda value: isinstance(value, str))
    parts.value(
        "training",
        "rows, passes, mistakes, data",
        lambda value: isinstance(value, dict) and set(value) == TRAINING_KEYS,
    )
    return record, tensors


def record_of(stored: Stored, tensors: Tensors) -> dict[str, Any]:
    model = stored.model
    record: dict[str, Any] = {
        "class": model.kind,
        "parameters": parameters_as_json(model.parameters.as_dict(), tensors),
        "n_features": int(model.n_features),
        "feature_names": stored.feature_names,
    }
    if model.labels is not None:
        record["classes"] = labels_as_json(model.labels)
    return record | model.to_record(tensors)


def model_of(record: dict[str, Any], tensors: Tensors) -> Stored:
    """The model of a record, which shares the memory of the tensors; a ValueError says what is wrong."""
    parts = Parts(record, tensors)
    kind = parts.value("class", f"one of {', '.join(MEMBERS)}", lambda name: isinstance(name, str) and name in MEMBERS)
    cls: type[Model] = MEMBERS[kind].load("model")
    entries = parts.value("parameters", "a map of parameters", lambda value: isinstance(value, dict))
    declared = cls.parameters_of()
    if unknown := entries.keys() - declared.declarations().keys():
        raise ValueError(f"parameters: expected those of {kind}, found {short(min(unknown))}")
    parameters = declared.of(**parameters_from_json(entries, parts))
    n_features = parts.count("n_features", least=1)
    names = parts.value("feature_names", f"{n_features} names", lambda value: _are_names(value, n_features))
    classes = None if cls.n_classes is None else _classes(parts, *cls.n_classes)
    model = cls.from_record(parameters, n_features, classes, parts)
    parts.end()
    return Stored(model, names)


def _classes(parts: Parts, least: int, most: float) -> Array:
    classes = labels_from_json(parts.value("classes", "the labels", lambda value: value is not None))
    if not least <= len(classes) <= most:
        raise ValueError(f"classes: expected {least if least == most else f'at least {least}'}, found {len(classes)}")
    return classes


def _are_names(names: Any, n_features: int) -> bool:
    is_list = isinstance(names, list) and len(names) == n_features
    return names is None or (is_list and all(isinstance(name, str) for name in names))


def _encoding(record: dict[str, Any], tensors: Tensors, model: Model) -> "Encoding":
    from rosenblatt.services.files.encoding import Encoding

    names = [name for name in tensors if name.startswith(OF_ENCODING)]
    try:
        encoding = Encoding.from_record(
            record["encoding"], {name.removeprefix(OF_ENCODING): tensors[name] for name in names}
        )
    except ValueError as error:
        raise ValueError(f"encoding: {error}") from None
    if encoding.n_features != model.n_given:
        raise ValueError(f"encoding: expected {model.n_given} features, found {encoding.n_features}")
    texts = list(encoding.parameters.text) if encoding.leaves_texts else []
    if texts != model.given_texts:
        raise ValueError(f"encoding: expected the texts of {short(model.given_texts)}, found {short(texts)}")
    return encoding


def _check_training(record: dict[str, Any], tensors: Tensors) -> None:
    """What was learned is of as many rows, passes and mistakes as the summary says: some memory grows with them."""
    for name, count in _counts(record, tensors).items():
        claimed = record["training"][name]
        if count is not None and (type(claimed) is not int or claimed != count):
            raise ValueError(f"training: expected {name} as in the model, {count}, found {short(claimed)}")


def _counts(record: dict[str, Any], tensors: Tensors) -> dict[str, Any]:
    """How many rows, passes and mistakes; None where the model does not know."""
    passes = tensors.get("mistakes_", tensors.get("losses_"))
    return {
        "rows": record.get("n_seen"),
        "passes": None if passes is None else passes.size,
        "mistakes": int(tensors["mistakes_"].sum()) if "mistakes_" in tensors else None,
    }


def _training(record: dict[str, Any], tensors: Tensors, data: Any) -> dict[str, Any]:
    """How much it has learned from, and the hash of the data, if given."""
    training = {**_counts(record, tensors), "data": None}
    if isinstance(data, SourceMark):
        training["data"] = data.text
    elif data is not None:
        from rosenblatt.base.data_hash import as_label, as_matrix, data_hash, hash_of

        X, y = data
        X = as_matrix(X)
        rows = X.shape[0] if training["rows"] is None else training["rows"]
        if X.shape != (rows, record["n_features"]):
            raise ValueError(f"data: expected X of shape {(rows, record['n_features'])}, found {X.shape}")
        if isinstance(y, NumberedLabels) and len(y) == rows:
            digest = hash_of(X, [as_label(label) for label in y.classes.tolist()], y.numbers)
        else:
            digest = data_hash(X, y)
        training |= {"rows": rows, "data": digest}
    return training
