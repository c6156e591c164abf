"""The lectures' online protocol: receive x, predict, receive y, suffer, update; the goal is to make few mistakes."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.base.arrays import refuse_masked
from rosenblatt.base.rows import as_rows, is_sparse


class Round(NamedTuple):
    """One round: the prediction before the label came (None before the first label), and all mistakes so far."""

    prediction: Any
    mistakes: int


def online(model: Any, stream: Iterable[tuple[Any, Any]], classes: Any = None) -> Iterator[Round]:
    """Play the online protocol with any classifier that has `predict` and `partial_fit`.

    Parameters
    ----------
    model
        Learns from each example after it has predicted it; it may have learned before.
    stream
        Pairs of an example (a list, a one-dimensional array, or a sparse row) and its label.
    classes
        All labels, if they are known before the first round: then a perceptron predicts from its first weights. Else
        the first example of a label is always a mistake, because the model does not know the label yet. A model of
        another package cannot predict before it has learned, so its first round is always a mistake.

    Examples
    --------
    Three mistakes on the lecture's six examples, as on the slide, where sign(0) is +1.

    >>> from rosenblatt import Perceptron, online
    >>> examples = [((-1, 2), -1), ((1, 0), 1), ((1, 1), 1), ((-1, 0), -1), ((-1, -2), -1), ((1, -1), 1)]
    >>> model = Perceptron(fit_intercept=False, tie="positive")
    >>> [round.mistakes for round in online(model, examples, classes=[-1, 1])]
    [1, 1, 2, 2, 3, 3]
    >>> model.coef_
    array([[3., 1.]])
    """
    mistakes = 0
    fitted = hasattr(model, "classes_")
    for x, y in stream:
        refuse_masked(x, "X")
        row: Any = x if is_sparse(x) else np.asarray(x)
        row = row.reshape(1, -1)
        prediction = model.predict(row)[0] if fitted else _first_prediction(model, row, classes)
        mistakes += int(prediction is None or prediction != y)
        model.partial_fit(row, [y], **({} if fitted or classes is None else {"classes": classes}))
        fitted = True
        yield Round(prediction, mistakes)


def _first_prediction(model: Any, row: Any, classes: Any) -> Any:
    """The prediction of a model that has learned nothing; None if it cannot predict yet."""
    untrained_model = getattr(model, "_untrained_model", None)
    return (
        None if classes is None or untrained_model is None else untrained_model(row, classes).predict(as_rows(row))[0]
    )
