"""`save` and `load`: model files for scikit-learn's estimators."""

import os
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.doors.sklearn.table_encoding import TableEncoding
from rosenblatt.members import MEMBERS
from rosenblatt.services.records.model_file import Stored, read, summary, write

__all__ = ["load", "save", "summary"]


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
        A fitted `Perceptron`, `KernelPerceptron`, `LinearUnit`, `LinearUnitClassifier`, `RandomHypotheses`,
        `PassiveAggressiveClassifier`, `PassiveAggressiveRegressor`, `SequenceTagger` or `DependencyParser`.
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
    kind = type(model).__name__
    if kind not in MEMBERS or type(model) is not MEMBERS[kind].load("estimator"):
        raise TypeError(f"model: expected a {' or '.join(MEMBERS)}, found a {type(model).__module__}.{kind}")
    check_is_fitted(model)
    names = getattr(model, "feature_names_in_", None)
    encoding = encoding if encoding is not None else getattr(model, "encoding_", None)
    stored = Stored(
        model._fitted_model(),
        feature_names=None if names is None else names.tolist(),
        encoding=None if encoding is None else encoding._fitted_encoding(),
        zero_based=zero_based if zero_based is not None else getattr(model, "zero_based_", None),
    )
    write(stored, path, data=data)


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
    stored = read(path)
    model = MEMBERS[stored.model.kind].load("estimator")(**stored.model.parameters.as_dict())
    model._model, model.n_features_in_ = stored.model, stored.model.n_features
    if stored.feature_names is not None:
        model.feature_names_in_ = np.array(stored.feature_names, dtype=object)
    if stored.encoding is not None:
        model.encoding_ = TableEncoding._of(stored.encoding)
    if stored.zero_based is not None:
        model.zero_based_ = stored.zero_based
    return model
