"""The linear unit: a perceptron without its threshold, o = w.x, taught by gradient descent on the squared loss.

E(w) = 1/2 sum of c (y - w.x)^2 has one valley, so that descent finds the best fit also where no line separates the
classes. The best fit is not the fewest mistakes: it may misclassify what is separable.
"""

from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, _fit_context
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from rosenblatt.exceptions import all_or_nothing
from rosenblatt.labels import encode
from rosenblatt.learning.sample_weight import rows_that_count
from rosenblatt.linear.parameters import resolve_init
from rosenblatt.neighbours.descent import Array, Descent
from rosenblatt.rows import Matrix, core_rows, core_weights, score, validate_rows


class _Unit(BaseEstimator):
    """What the regressor and the classifier share: the words, the start, the descent, the scores."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "method": [StrOptions({"batch", "stochastic"})],
        "eta0": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "learning_rate": [StrOptions({"constant", "invscaling"})],
        "power_t": [Interval(Real, 0, None, closed="left")],
        "init": [StrOptions({"zeros", "random"}), "array-like"],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left"), None],
        "shuffle": ["boolean"],
        "warm_start": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        method: Literal["batch", "stochastic"] = "batch",
        eta0: float | Literal["auto"] = "auto",
        learning_rate: Literal["constant", "invscaling"] = "constant",
        power_t: float = 0.25,
        init: Any = "zeros",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        max_iter: int = 1000,
        tol: float | None = 1e-6,
        shuffle: bool = True,
        warm_start: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.method = method
        self.eta0 = eta0
        self.learning_rate = learning_rate
        self.power_t = power_t
        self.init = init
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.warm_start = warm_start
        self.random_state = random_state

    def _is_continued(self) -> bool:
        return self.warm_start and hasattr(self, "coef_")

    def _descend(self, X: Matrix, targets: Array, weight: Array | None) -> tuple[Array, Array]:
        """One unit for each row of `targets`: coefficients and intercepts. Sets what is said of the run."""
        bias = float(self.intercept_scaling) if self.fit_intercept else 0.0
        random = check_random_state(self.random_state)
        if self._is_continued():
            start = np.atleast_2d(self.coef_), np.atleast_1d(self.intercept_) / (bias or 1.0)
        else:
            start = resolve_init(self.init, len(targets), X.shape[1], constant=self.fit_intercept, random=random)
        w = np.column_stack(start).astype(X.dtype, order="C")
        descent = Descent(
            method=self.method,
            eta0=None if self.eta0 == "auto" else float(self.eta0),
            power_t=float(self.power_t) if self.learning_rate == "invscaling" else 0.0,
            tol=self.tol,
            max_iter=int(self.max_iter),
            seed=int(random.randint(2**31)) if self.shuffle else None,
        )
        self.losses_, self.converged_ = descent.run(X, targets, weight, w, bias)
        self.n_iter_ = len(self.losses_)
        return w[:, :-1], w[:, -1] * X.dtype.type(bias)

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        coef = np.atleast_2d(self.coef_)
        X = validate_rows(self, X, reset=False).astype(coef.dtype, copy=False)
        return score(core_rows(X), core_weights(coef, np.atleast_1d(self.intercept_), 1.0), len(coef), 1.0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearUnit(RegressorMixin, _Unit):
    """The linear unit as a regressor: least squares by gradient descent.

    Parameters
    ----------
    method
        "batch": each step takes the gradient over all rows. "stochastic": a step after each row.
    eta0
        The learning rate. "auto" is 1/lambda_max of X'CX for "batch", half of the largest rate that converges, and
        1/(10 R^2) for "stochastic", R^2 being the largest squared length of a row. One that is too large is a
        `DivergenceError`.
    learning_rate
        "constant": eta0. "invscaling": eta0 / t^power_t at step t.
    power_t
        How fast "invscaling" falls.
    init
        The start: "zeros", "random" (normal), or an array; with an intercept it may have one entry more, the constant
        feature's weight first, as in the lectures.
    fit_intercept
        Whether to add the lectures' constant feature.
    intercept_scaling
        The value of the constant feature.
    max_iter
        The most passes.
    tol
        "batch" ends when the gradient is `tol` of the one at w = 0, "stochastic" when five passes in a row find no E
        that is lower by `tol` of E at w = 0. None: all passes are made, as long as they change a weight.
    shuffle
        Whether "stochastic" takes the rows in a new random order at each pass.
    warm_start
        Whether a further `fit` starts from the last weights.
    random_state
        Seed of the orders and the random start.

    Attributes
    ----------
    coef_ : (n_features,)
    intercept_ : a number
    n_iter_ : passes made
    converged_ : whether `tol` was reached
    losses_ : E after each pass
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    The lecture's AND function. Three steps of batch descent with eta = 1/10 give E = 42/25, 949/625, 87011/62500:

    >>> from rosenblatt import LinearUnit
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> model = LinearUnit(eta0=0.1, max_iter=3, tol=None).fit(X, y)
    >>> model.losses_.round(6)
    array([1.68    , 1.5184  , 1.392176])

    The minimum is E = 1/2 at w = (-3/2, 1, 1):

    >>> model = LinearUnit().fit(X, y)
    >>> print(f"{model.intercept_:.3f}", model.coef_.round(3), f"{model.losses_[-1]:.3f}", model.converged_)
    -1.500 [1. 1.] 0.500 True
    """

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Descend until `tol` is reached or `max_iter` passes are made.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Numbers.
        sample_weight
            The c of E; an integer one is the same as so many equal rows.
        """
        with all_or_nothing(self):
            X, y = validate_rows(self, X, y, reset=not self._is_continued())
            X, y, weight = rows_that_count(X, y, sample_weight)
            with np.errstate(over="ignore"):  # the descent refuses what is too large for the type of X
                targets = y[np.newaxis].astype(X.dtype)
            coef, intercept = self._descend(X, targets, weight)
            self.coef_, self.intercept_ = coef[0], intercept[0]
        return self

    def predict(self, X: Any) -> Array:
        """The outputs o = w.x."""
        return np.asarray(self._scores(X)[:, 0])


class LinearUnitClassifier(ClassifierMixin, _Unit):
    """The linear unit as a classifier: least squares on labels -1 and +1, and a threshold at 0.

    More than two classes: one unit a class, this one or another, and the highest score answers.

    Parameters
    ----------
    method, eta0, learning_rate, power_t, init, fit_intercept, intercept_scaling, max_iter, tol, shuffle, warm_start, \
random_state
        As in `LinearUnit`; an `init` for more than two classes has one row a class.
    class_weight
        Weights of the classes, which multiply those of the rows: a dict, or "balanced".

    Attributes
    ----------
    coef_ : (1, n_features), or (n_classes, n_features) for more than two classes
    intercept_ : (1,) or (n_classes,)
    classes_ : the sorted labels
    n_iter_ : passes made, by the unit that made most
    converged_ : whether `tol` was reached, by all units
    losses_ : E after each pass, summed over the units
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    The best fit is not the fewest mistakes. The points 0, 1 and 2, 9 are separable, yet the line (-3/5, 1/5) of least
    squares is -1/5 at 2, on the wrong side:

    >>> from rosenblatt import LinearUnitClassifier
    >>> model = LinearUnitClassifier().fit([[0], [1], [2], [9]], [-1, -1, 1, 1])
    >>> model.intercept_.round(3), model.coef_.round(3), model.predict([[2]])
    (array([-0.6]), array([[0.2]]), array([-1]))
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_Unit._parameter_constraints,
        "class_weight": [StrOptions({"balanced"}), dict, None],
    }

    def __init__(
        self,
        *,
        method: Literal["batch", "stochastic"] = "batch",
        eta0: float | Literal["auto"] = "auto",
        learning_rate: Literal["constant", "invscaling"] = "constant",
        power_t: float = 0.25,
        init: Any = "zeros",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        max_iter: int = 1000,
        tol: float | None = 1e-6,
        shuffle: bool = True,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = 0,
    ) -> None:
        super().__init__(
            method=method,
            eta0=eta0,
            learning_rate=learning_rate,
            power_t=power_t,
            init=init,
            fit_intercept=fit_intercept,
            intercept_scaling=intercept_scaling,
            max_iter=max_iter,
            tol=tol,
            shuffle=shuffle,
            warm_start=warm_start,
            random_state=random_state,
        )
        self.class_weight = class_weight

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Descend until `tol` is reached or `max_iter` passes are made.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Labels of any kind.
        sample_weight
            The c of E; an integer one is the same as so many equal rows.
        """
        with all_or_nothing(self):
            before: Array | None = self.classes_ if self._is_continued() else None
            X, y = validate_rows(self, X, y, reset=before is None)
            X, y, weight = rows_that_count(X, y, sample_weight)
            classes, target = encode(y)
            if len(classes) < 2:
                raise ValueError(
                    f"LinearUnitClassifier needs at least 2 classes, got one class: {classes.tolist()[0]!r}"
                )
            if before is not None and not np.array_equal(before, classes):
                raise ValueError(f"warm_start needs the same classes: {before} before, {classes} now")
            if self.class_weight is not None:
                of_class = compute_class_weight(self.class_weight, classes=classes, y=y, sample_weight=weight)
                weight = np.asarray(of_class[target] * (1.0 if weight is None else weight), dtype=X.dtype)
            positive = [1] if len(classes) == 2 else range(len(classes))
            targets = np.array([np.where(target == c, 1, -1) for c in positive], dtype=X.dtype)
            self.coef_, self.intercept_ = self._descend(X, targets, weight)
            self.classes_: Array = classes
        return self

    def decision_function(self, X: Any) -> Array:
        """The outputs w.x: (n,) for two classes, (n, n_classes) for more."""
        scores = self._scores(X)
        return np.asarray(scores[:, 0]) if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Array:
        """The class: with two classes the second if w.x > 0, with more the one with the highest output."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)])
