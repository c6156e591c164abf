"""The points of a picture, and the weights to draw, from whatever has some: a model, a weight vector, a proof, a visit.

Points are two features of X, the class of each row as a colour and a shape, rings around mistakes. A score is
intercept + coef.x: for two classes there is one, positive for the second; for more there is one a class.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_float_table, check_fitted, check_lengths
from rosenblatt.base.labels import encode
from rosenblatt.base.rows import SparseRows, as_scipy
from rosenblatt.services.lessons.plot.canvas import HALO, ink, key, literal, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


@dataclass(frozen=True)
class Linear:
    """Scores that are linear in x; `coef` has one row for two classes, else one a class."""

    coef: Array
    intercept: Array
    classes: Array | None = None

    def scores(self, X: Any) -> Array:
        """The score of each row of X, (rows, 1) or (rows, classes)."""
        return np.asarray(X @ self.coef.T + self.intercept)

    def gaps(self, X: Any, number: Array) -> Array:
        """How far the right answer of each row is ahead: y s, or its score less that of its best rival.

        >>> AND = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> from_rows([[-4, 3, 2]], 2).gaps(AND, np.array([0, 0, 0, 1]))
        array([4., 2., 1., 1.])
        """
        scores = self.scores(X)
        if scores.shape[1] == 1:
            return np.where(number == 1, scores[:, 0], -scores[:, 0])
        is_right = np.arange(scores.shape[1]) == number[:, np.newaxis]
        return np.asarray(scores[is_right] - np.where(is_right, -np.inf, scores).max(axis=1))

    def on_plane(self, features: tuple[int, int], at: Array) -> Array:
        """The rows (b, w1, w2) of the scores where all features but two are as in `at`."""
        others = np.array(at, dtype=float)
        others[list(features)] = 0
        return np.column_stack([self.scores(others), self.coef[:, features]])


def from_rows(rows: Any, n_features: int, *, constant: Any = 1, classes: Any = None) -> Linear:
    """What rows of weights score; the constant feature's come first if there is one entry more than features.

    >>> from_rows([[-4, 3, 2]], 2)
    Linear(coef=array([[3., 2.]]), intercept=array([-4.]), classes=None)
    """
    W = np.array(rows, dtype=float)
    has_constant = W.shape[1] > n_features
    intercept = W[:, 0] * float(constant) if has_constant else np.zeros(len(W))
    return Linear(W[:, int(has_constant) :], intercept, classes)


def linear_of(model: Any, X: Any = None) -> Linear | None:
    """The weights of a model, a weight vector, a certificate or a trace; None if the model has none, but predicts."""
    from rosenblatt.services.lessons.trace.data import Trace
    from rosenblatt.services.proofs.certificate import Certificate

    if isinstance(model, Certificate):
        return _of_certificate(model)
    if isinstance(model, Trace):
        n_features = model.x.shape[1] - int(model.parameters["fit_intercept"])
        constant = Fraction(model.parameters["intercept_scaling"])
        return from_rows(model.weights, n_features, constant=constant, classes=model.classes)
    if hasattr(model, "predict"):
        return _of_model(model, X)
    try:
        W = np.atleast_2d(np.asarray(model, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(
            f"model must be a fitted classifier, a trace, a certificate or a weight vector, got {type(model).__name__}"
        ) from None
    if W.ndim != 2 or not np.isfinite(W).all():
        raise ValueError(f"w must be one row of finite numbers, or one a class, the constant feature's first; got {W}")
    return from_rows(W, W.shape[1] - 1)


def _of_certificate(proof: Any) -> Linear:
    if proof.weights is None:
        raise ValueError("the certificate has no weights to draw: it proves that nothing separates the data")
    # weights are divided by the largest, because one may be too large for a float
    largest = max(abs(value) for row in proof.weights for value in row)
    W = [[float(Fraction(value, largest)) for value in row] for row in proof.weights]
    linear = from_rows(W, proof.n_features, constant=proof.intercept_scaling, classes=np.array(proof.classes))
    if proof.center is None:
        return linear
    center = np.array(proof.center, dtype=float)
    return Linear(linear.coef, linear.intercept - linear.coef @ center, linear.classes)


def attribute(model: Any, *names: str) -> Any:
    """What an estimator has by the first name, and a member of the family by the second; None if it has neither."""
    return next((getattr(model, name) for name in names if hasattr(model, name)), None)


def _of_model(model: Any, X: Any) -> Linear | None:
    check_fitted(model)
    classes, coef = attribute(model, "classes_", "classes"), attribute(model, "coef_", "coef")
    if classes is None:
        raise TypeError(f"model must be a classifier: {type(model).__name__} has no classes_, so no boundary")
    if coef is None:
        return None
    coef = np.atleast_2d(coef.toarray() if hasattr(coef, "toarray") else np.asarray(coef)).astype(float)
    intercept = np.asarray(attribute(model, "intercept_", "intercept"), dtype=float)
    linear = Linear(coef, np.broadcast_to(intercept, len(coef)), classes)
    if len(coef) == 1 or X is None:
        return linear
    # Some models do not have a row for each class: SVC has one for each pair of classes.
    decision = attribute(model, "decision_function", "decision")(X)
    same = linear.scores(X).shape == np.shape(decision)
    return linear if same and np.allclose(linear.scores(X), decision, rtol=1e-3) else None


@dataclass(frozen=True)
class Points:
    """Rows of X, the numbers of their classes, the two features to draw, and where the other features stay."""

    X: Any
    number: Array
    classes: Array
    features: tuple[int, int]
    at: Array
    names: tuple[str, str]

    @classmethod
    def of(cls, X: Any, y: Any, *, features: Any, at: Any, classes: Any = None) -> Self:
        """Checked. `at` is a point, or None for the mean of X; `classes` those of the model, or None for those of y."""
        columns = [str(name) for name in X.columns] if hasattr(X, "columns") else None
        rows = as_float_table(X).astype(np.float64, copy=False)
        if not np.isfinite(rows.data if isinstance(rows, SparseRows) else rows).all():
            raise ValueError("X: expected finite numbers, found NaN or infinity")
        rows = as_scipy(rows) if isinstance(rows, SparseRows) else rows
        check_lengths(rows, np.asarray(y))
        chosen = _features(features, rows.shape[1], columns)
        mean = np.asarray(rows.mean(axis=0)).ravel()
        names = tuple(literal(columns[i]) if columns else f"$x_{{{i + 1}}}$" for i in chosen)
        number, classes = _numbers(y, classes)
        return cls(rows, number, classes, chosen, _at(at, mean), (names[0], names[1]))

    @classmethod
    def none(cls, n_features: int, *, features: Any, at: Any) -> Self:
        """No points, only the plane."""
        chosen = _features(features, n_features, None)
        if at is None and n_features > 2:
            raise ValueError(f"without X, at must say where the other {n_features - 2} features stay")
        nothing = np.zeros(0, dtype=np.intp)
        names = tuple(f"$x_{{{i + 1}}}$" for i in chosen)
        place = _at(at, np.zeros(n_features))
        return cls(np.zeros((0, n_features)), nothing, nothing, chosen, place, (names[0], names[1]))

    @property
    def xy(self) -> Array:
        xy = self.X[:, list(self.features)]
        return np.asarray(xy.toarray() if hasattr(xy, "toarray") else xy)

    @property
    def size(self) -> float:
        return float(np.clip(4000 / max(1, len(self.number)), 14, 58))

    @property
    def edge(self) -> float:
        """The width of the line around a mark: it must not hide a small one."""
        return min(1.0, self.size / 20)

    def draw(self, ax: "Axes") -> None:
        for number, label in enumerate(self.labels):
            colour, shape = mark(number)
            style: Any = {"color": colour, "marker": shape, "s": self.size, "edgecolor": "white"}
            ax.scatter(*self.xy[self.number == number].T, label=label, zorder=3, linewidth=0.6 * self.edge, **style)

    def ring(self, ax: "Axes", rows: Array) -> None:
        style: Any = {"facecolor": "none", "edgecolor": ink(), "linewidth": 1.1 * self.edge, "s": 4 * self.size}
        ax.scatter(*self.xy[rows].T, label="mistake", zorder=3, **style)

    def outline(self, ax: "Axes", vectors: Any) -> None:
        """A dark line around places that are rows of features, of the size of a mark."""
        xy = vectors[:, list(self.features)]
        style: Any = {"facecolor": "none", "edgecolor": ink(), "linewidth": 1.1 * self.edge, "s": 1.6 * self.size}
        ax.scatter(*np.asarray(xy.toarray() if hasattr(xy, "toarray") else xy).T, label="outline", zorder=3.2, **style)

    def halo(self, ax: "Axes", rows: Array) -> None:
        """A disc behind each of the rows: this is the example."""
        style: Any = {"color": HALO, "s": 400, "linewidth": 0}
        ax.scatter(*self.xy[rows].T, label="example", zorder=2.5, **style)

    @property
    def labels(self) -> list[str]:
        """What the legend calls each class."""
        if self.classes.tolist() == [-1, 1]:
            return ["y = -1", "y = +1"]
        signs = (" (-)", " (+)") if len(self.classes) == 2 else ("",) * len(self.classes)
        # Text such as "+" is not the sign that it may look like, and a legend leaves out what begins with "_".
        quoted = [
            f"'{literal(label)}'" if isinstance(label, str) and label[:1] in "+-_" else literal(label)
            for label in self.classes.tolist()
        ]
        return [f"{label}{sign}" for label, sign in zip(quoted, signs, strict=True)]

    def keys(self) -> "list[Line2D]":
        marks = zip(self.labels, map(mark, range(len(self.classes))), strict=True)
        return [key(label, color=colour, marker=shape) for label, (colour, shape) in marks]


def as_given(rows: Array, X: Any) -> Any:
    """Rows as a frame if X is one, with its names."""
    return type(X)(dict(zip(X.columns, rows.T, strict=True))) if hasattr(X, "columns") else rows


def halo_key(label: str) -> "Line2D":
    """The disc's entry for a legend."""
    return key(label, color=HALO, marker="o", markersize=13)


def outline_key(label: str) -> "Line2D":
    """The outline's entry for a legend."""
    return key(label, color=ink(), marker="o", markersize=8, markerfacecolor="none", markeredgewidth=1.1)


def ring_key(label: str) -> "Line2D":
    """The ring's entry for a legend."""
    return key(label, color=ink(), marker="o", markersize=12, markerfacecolor="none", markeredgewidth=1.1)


def _features(features: Any, n_features: int, columns: list[str] | None) -> tuple[int, int]:
    if n_features < 2:
        raise ValueError(f"a picture of the plane needs two features, X has {n_features}")
    try:
        first, second = (columns.index(f) if columns and isinstance(f, str) else range(n_features)[f] for f in features)
    except (TypeError, ValueError, IndexError):
        first = second = -1
    if first == second:
        known = f"0 to {n_features - 1}" + (", or its names" if columns else "")
        raise ValueError(f"features must be two different columns of X ({known}), got {features!r}") from None
    return first, second


def _at(at: Any, mean: Array) -> Array:
    if at is None:
        return mean
    point = np.asarray(at, dtype=float)
    if point.shape != mean.shape or not np.isfinite(point).all():
        raise ValueError(f"at must be a point of {len(mean)} finite numbers, one a feature, got shape {point.shape}")
    return point


def _numbers(y: Any, classes: Any) -> tuple[Array, Array]:
    """The class number of each label, and the classes. Without others, -1 and +1 are what they say, even if alone."""
    names, number = encode(y)
    if classes is None:
        classes = np.array([-1, 1]) if set(names.tolist()) <= {-1, 1} else names
    known = np.asarray(classes)
    if not np.isin(names, known).all():
        missing = np.setdiff1d(names, known).tolist()
        raise ValueError(f"y has labels that the model does not know: {missing}; it knows {known.tolist()}")
    order = np.argsort(known)  # a trace lists the positive class of two last, so that they may be out of order
    return order[np.searchsorted(known, names, sorter=order)][number], known
