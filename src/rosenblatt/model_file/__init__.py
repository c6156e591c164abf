"""Model files: all that a fitted model is, in one safetensors file. Loading one runs no code and believes nothing.

The metadata has `rosenblatt_format`, a number; `model`, the record as JSON; `sha256`, of the record and all tensors.
A file of a newer format is refused, older ones are read. What cannot be read back is not written.
"""

import os
from typing import Any

import rosenblatt
from rosenblatt.model_file.kinds import put_together, taken_apart
from rosenblatt.record.parts import Parts
from rosenblatt.record.safetensors import Tensors
from rosenblatt.record.sealed import Sealed, said_of
from rosenblatt.stream.source_mark import SourceMark
from rosenblatt.theory.data_hash import as_matrix, data_hash

_FILE = Sealed("a model file", "rosenblatt_format", "model", format=2)
SAID = {"library", "conventions", "training", "encoding", "zero_based"}  # of a model, and not in it
TOLD = {"rows", "passes", "mistakes", "data"}  # of its training

# For a reader in another language; this one does not look at it.
CONVENTIONS = {
    "Perceptron": (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = unit * (x.w + bias * last row of w); in place of w: "
        "(visits * w - sums) / visits for the readout average, pocket for the readout pocket; mistakes: after `visit` "
        "visits, tau times training row `row`, which support_row finds in the support, was added to column cls"
    ),
    "KernelPerceptron": (
        "kernel: its name, gamma, coef0, degree; events: after `visit` visits, tau times support vector `row` was "
        "added to machine cls, positive for the second of two classes, else one a class, whose squared length then was "
        "norm2; score = unit * sum of tau k(support[row], x), for the readout average with tau (visits - visit) / "
        "visits; if a budget is full, the coefficients are those of slots.coefs where slots.born is not -1, or c with "
        "c project.factor = project.weights, for the average with (visits * weights - sums) / visits"
    ),
    "LinearUnit": "output = coef_.x + intercept_",
    "LinearUnitClassifier": (
        "score = coef_.x + intercept_; one row for two classes, positive for the second, else one a class"
    ),
    "RandomHypotheses": "score = coef_.x + intercept_, positive for the second class",
    "SequenceTagger": (
        "row k is of the attribute with the 64-bit key keys[k], after label before[k] if that is not -1, and has the "
        "next counts[k] cells: labels, w and sums; the average is (visits * w - sums) / visits; all but the keys are "
        "packed: two bytes with the type (i1, i2, i4, i8, f8, little-endian), then zlib's"
    ),
}


def save(
    model: Any,
    path: "str | os.PathLike[str]",
    *,
    data: Any = None,
    encoding: Any = None,
    zero_based: bool | None = None,
) -> None:
    """Write a fitted model to a file.

    All of it is kept: parameters, every readout, the mistakes, weights set by hand. Callbacks and metadata requests,
    which are of scikit-learn's session, are not. A parameter that is neither a number, a word, None, a dict nor an
    array, as a RandomState or a kernel that is a function, is refused.

    Parameters
    ----------
    model
        A fitted `Perceptron`, `KernelPerceptron`, `LinearUnit`, `LinearUnitClassifier`, `RandomHypotheses` or
        `SequenceTagger`.
    path
        The file. It is written beside, synced and then put in its place: what fails leaves an old file as it was.
    data
        The pair (X, y) that the model has learned from, whose hash is written into the training summary; or the
        `SourceMark` of the file.
    encoding
        The fitted `TableEncoding` that X comes from; `load` gives it back as `encoding_` of the model. Default: that
        of the model, if it was loaded with one.
    zero_based
        Whether the svmlight file that X comes from counts columns from 0, if it is known: `load` gives it back as
        `zero_based_`, and `rosenblatt predict` reads further files in the same way. Default: that of the model.

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
    encoding = encoding if encoding is not None else getattr(model, "encoding_", None)
    if encoding is not None:
        record["encoding"] = encoding.as_record()
        _encoding(record)
    zero_based = zero_based if zero_based is not None else getattr(model, "zero_based_", None)
    if encoding is None and zero_based is not None:
        record["zero_based"] = bool(zero_based)
    record["library"] = f"rosenblatt {rosenblatt.__version__}"
    record["conventions"] = CONVENTIONS[record["class"]]
    record["training"] = _training(record, tensors, data)
    _FILE.write(path, record, tensors)


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
    with said_of(path):
        record, tensors = _opened(path)
        model = put_together({name: value for name, value in record.items() if name not in SAID}, tensors)
        if "encoding" in record:
            model.encoding_ = _encoding(record)
        if "zero_based" in record:
            model.zero_based_ = Parts(record, {}).flag("zero_based")
        return model


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
    with said_of(path):
        return _opened(path)[0]


def _opened(path: "str | os.PathLike[str]") -> tuple[dict[str, Any], Tensors]:
    """The record and the tensors, if they are as they were written."""
    record, tensors = _FILE.read(path)
    parts = Parts(record, {})
    parts.value("library", "text", lambda value: isinstance(value, str))
    parts.value("conventions", "text", lambda value: isinstance(value, str))
    parts.value(
        "training", "rows, passes, mistakes, data", lambda value: isinstance(value, dict) and set(value) == TOLD
    )
    return record, tensors


def _encoding(record: dict[str, Any]) -> Any:
    """How tables become the features of the model."""
    from rosenblatt.encoding.estimator import TableEncoding

    try:
        encoding = TableEncoding.from_record(record["encoding"])
    except ValueError as error:
        raise ValueError(f"encoding: {error}") from None
    if encoding.n_features_ != record["n_features"]:
        raise ValueError(f"encoding: expected {record['n_features']} features, found {encoding.n_features_}")
    return encoding


def _training(record: dict[str, Any], tensors: Tensors, data: Any) -> dict[str, Any]:
    """How many rows, passes and mistakes (None where the model does not know), and the hash of the data, if given."""
    passes = tensors.get("mistakes_", tensors.get("losses_"))
    said = {
        "rows": record.get("n_seen"),
        "passes": None if passes is None else len(passes),
        "mistakes": int(tensors["mistakes_"].sum()) if "mistakes_" in tensors else None,
        "data": None,
    }
    if isinstance(data, SourceMark):
        said["data"] = data.text
    elif data is not None:
        X, y = data
        X = as_matrix(X)
        rows = X.shape[0] if said["rows"] is None else said["rows"]
        if X.shape != (rows, record["n_features"]):
            raise ValueError(f"data: expected X of shape {(rows, record['n_features'])}, found {X.shape}")
        said |= {"rows": rows, "data": data_hash(X, y)}
    return said
