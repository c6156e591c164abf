"""Model files: all that a fitted model is, in one safetensors file. Loading one runs no code and believes nothing.

The metadata has `rosenblatt_format`, a number; `model`, the record as JSON; `sha256`, of the record and all tensors.
A file of a newer format is refused, older ones are read. What cannot be read back is not written.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from reprlib import repr as short
from typing import Any

import rosenblatt
from rosenblatt.atomic_write import replacing
from rosenblatt.model_kinds import put_together, taken_apart
from rosenblatt.model_record import Parts
from rosenblatt.safetensors import Tensors, as_bytes, dtype_name, parse_json, read, write
from rosenblatt.theory.data_hash import as_matrix, canonical_json, data_hash

FORMAT = 1
SAID = {"library", "conventions", "training"}  # of a model, for whoever reads its file
TOLD = {"rows", "passes", "mistakes", "data"}  # of its training

# For a reader in another language; this one does not look at it.
CONVENTIONS = {
    "Perceptron": (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = unit * (x.w + bias * last row of w); in place of w: "
        "(visits * w - sums) / visits for the readout average, pocket for the readout pocket; mistakes: after `visit` "
        "visits, tau times training row `row`, which support_row finds in the support, was added to column cls"
    ),
    "LinearUnit": "output = coef_.x + intercept_",
    "LinearUnitClassifier": (
        "score = coef_.x + intercept_; one row for two classes, positive for the second, else one a class"
    ),
    "RandomHypotheses": "score = coef_.x + intercept_, positive for the second class",
    "SequenceTagger": (
        "row k is of the attribute with the 64-bit key keys[k], after label before[k] if that is not -1, and has the "
        "next counts[k] cells: labels, w and sums; the average is (visits * w - sums) / visits"
    ),
}


def save(model: Any, path: "str | os.PathLike[str]", *, data: Any = None) -> None:
    """Write a fitted model to a file.

    All of it is kept: parameters, every readout, the mistakes, weights set by hand. Callbacks and metadata requests,
    which are of scikit-learn's session, are not. A parameter that is neither a number, a word, None, a dict nor an
    array, as a RandomState, is refused.

    Parameters
    ----------
    model
        A fitted `Perceptron`, `LinearUnit`, `LinearUnitClassifier`, `RandomHypotheses` or `SequenceTagger`.
    path
        The file. It is written beside, synced and then put in its place: what fails leaves an old file as it was.
    data
        The pair (X, y) that the model has learned from; its hash is written into the training summary.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> model = Perceptron(shuffle=False).fit(*AND)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, Path(folder, "and.safetensors"), data=AND)
    ...     summary(Path(folder, "and.safetensors"))["training"]["mistakes"]
    18
    """
    record, tensors = taken_apart(model)
    put_together(record, tensors)
    record["library"] = f"rosenblatt {rosenblatt.__version__}"
    record["conventions"] = CONVENTIONS[record["class"]]
    record["training"] = _training(record, tensors, data)
    text = canonical_json(record)
    metadata = {"rosenblatt_format": str(FORMAT), "model": text, "sha256": _hash(text, tensors)}
    with replacing(path) as file:
        write(file, tensors, metadata)


def load(path: "str | os.PathLike[str]") -> Any:
    """The model that `save` wrote: it answers and goes on learning as the one that was saved, to the bit.

    Its arrays are mapped from the file and cannot be written to; learning goes on in a copy. `save` may replace the
    file meanwhile, but it must not be made shorter in its place.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Perceptron(shuffle=False).fit(*AND), Path(folder, "and.safetensors"))
    ...     model = load(Path(folder, "and.safetensors"))
    >>> model.intercept_, model.coef_, model.predict(AND.X)
    (array([-4.]), array([[3., 2.]]), array([-1, -1, -1,  1]))
    """
    with _said_of(path):
        record, tensors = _opened(path)
        return put_together({name: value for name, value in record.items() if name not in SAID}, tensors)


def summary(path: "str | os.PathLike[str]") -> dict[str, Any]:
    """What a model file says of its model, without the tensors: class, parameters, labels, training, library.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Perceptron(shuffle=False).fit(*AND), Path(folder, "and.safetensors"))
    ...     said = summary(Path(folder, "and.safetensors"))
    >>> said["class"], said["classes"], said["training"]
    ('Perceptron', {'labels': [-1, 1], 'type': 'int64'}, {'data': None, 'mistakes': 18, 'passes': 9, 'rows': 4})
    """
    with _said_of(path):
        return _opened(path)[0]


@contextmanager
def _said_of(path: "str | os.PathLike[str]") -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None


def _opened(path: "str | os.PathLike[str]") -> tuple[dict[str, Any], Tensors]:
    """The record and the tensors, if they are as they were written."""
    tensors, metadata = read(path)
    found = metadata.get("rosenblatt_format", "")
    if not (found.isascii() and found.isdecimal() and int(found) > 0):
        raise ValueError(f"expected a model file of rosenblatt, with a format number; found {short(found)}")
    if int(found) > FORMAT:
        raise ValueError(f"this file has format {found}; this version reads up to {FORMAT}: upgrade rosenblatt")
    if metadata.keys() != {"rosenblatt_format", "model", "sha256"}:
        raise ValueError(f"expected rosenblatt_format, model and sha256 as metadata; found {short(sorted(metadata))}")
    if metadata["sha256"] != _hash(metadata["model"], tensors):
        raise ValueError("expected what its sha256 was made of, found something else: the file is damaged")
    record = parse_json(metadata["model"], "model")
    parts = Parts(record, {})
    parts.value("library", "text", lambda value: isinstance(value, str))
    parts.value("conventions", "text", lambda value: isinstance(value, str))
    parts.value(
        "training", "rows, passes, mistakes, data", lambda value: isinstance(value, dict) and set(value) == TOLD
    )
    return record, tensors


def _hash(text: str, tensors: Tensors) -> str:
    """Of the record and of every tensor with its name, dtype and shape, in whatever order they are in the file."""
    table = {name: [dtype_name(tensor), tensor.shape] for name, tensor in tensors.items()}
    found = hashlib.sha256(canonical_json({"model": text, "tensors": table}).encode("ascii"))
    for name in sorted(tensors):
        found.update(as_bytes(tensors[name]))
    return found.hexdigest()


def _training(record: dict[str, Any], tensors: Tensors, data: Any) -> dict[str, Any]:
    """How many rows, passes and mistakes (None where the model does not know), and the hash of the data, if given."""
    passes = tensors.get("mistakes_", tensors.get("losses_"))
    said = {
        "rows": record.get("n_seen"),
        "passes": None if passes is None else len(passes),
        "mistakes": int(tensors["mistakes_"].sum()) if "mistakes_" in tensors else None,
        "data": None,
    }
    if data is not None:
        X, y = data
        X = as_matrix(X)
        rows = X.shape[0] if said["rows"] is None else said["rows"]
        if X.shape != (rows, record["n_features"]):
            raise ValueError(f"data: expected X of shape {(rows, record['n_features'])}, found {X.shape}")
        said |= {"rows": rows, "data": data_hash(X, y)}
    return said
