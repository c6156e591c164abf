"""`save` and `load`: model files for scikit-learn's estimators."""

import os
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.doors.sklearn.table_encoding import TableEncoding
from rosenblatt.members import MEMBERS
from rosenblatt.services.records.installed import find_model
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

    The file has everything: parameters, every readout, the mistakes, weights set by hand. It has no callbacks and no
    metadata requests, because these belong to scikit-learn's session. A parameter must be a number, a word, None, a
    dict or an array; a RandomState or a function as kernel raises an error.

    Parameters
    ----------
    model
        A fitted `Perceptron`, `KernelPerceptron`, `LinearUnit`, `LinearUnitClassifier`, `RandomHypotheses`,
        `PassiveAggressiveClassifier`, `PassiveAggressiveRegressor`, `SequenceTagger` or `DependencyParser`.
    path
        The file. A new file is written beside it, synced, and then renamed: if that fails, the old file stays as it
        was.
    data
        The pair (X, y) that the model has learned from, whose hash is written into the training summary; or the
        `SourceMark` of the file.
    encoding
        The fitted `TableEncoding` that X comes from; after `load` it is `encoding_` of the model. Default: the
        encoding that the model was loaded with, if any.
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
    """Return the model that `save` wrote: it answers and continues to learn as the saved model does, to the bit.

    A name such as "en", if there is no such file, is an installed model: see the package rosenblatt-models.

    Its arrays are mapped from the file and read-only; learning continues in a copy. `save` may replace the file
    meanwhile, but no program may shorten the file itself.

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
    stored = read(find_model(path))
    model = MEMBERS[stored.model.kind].load("estimator")(**stored.model.parameters.as_dict())
    model._model, model.n_features_in_ = stored.model, stored.model.n_features
    if stored.feature_names is not None:
        model.feature_names_in_ = np.array(stored.feature_names, dtype=object)
    if stored.encoding is not None:
        model.encoding_ = TableEncoding._of(stored.encoding)
    if stored.zero_based is not None:
        model.zero_based_ = stored.zero_based
    return model
