"""The kernel perceptron (Aizerman et al. 1964; Freund and Schapire 1999), as a scikit-learn classifier.

Weights are a sum of examples, so scores need only the kernel between them: every mistake adds its example to the sum.
Thin: it validates, lets `rosenblatt.kernel.learn` run, and sets the fitted attributes.
"""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from rosenblatt import _core
from rosenblatt.exceptions import all_or_nothing
from rosenblatt.kernel.answer import KernelAnswers, run_attributes
from rosenblatt.kernel.learn import Learner
from rosenblatt.kernel.removal import REMOVALS
from rosenblatt.kernel.state import DualState, Readout, n_machines
from rosenblatt.kernel.values import KERNELS, Array, Kernel, Workers, resolve_gamma, workers
from rosenblatt.labels import merge
from rosenblatt.learning.passes import Training, held_out_of, run_passes
from rosenblatt.learning.sample_weight import part, step_weights
from rosenblatt.learning.stopping import End, Stopping, sure_passes
from rosenblatt.linear.parameters import PERCEPTRON
from rosenblatt.linear.state import as_type
from rosenblatt.rows import Matrix, core_rows, is_sparse, validate_rows, without_duplicates

_positive = Interval(Real, 0, None, closed="neither")
_count = Interval(Integral, 1, None, closed="left")
_SAME = {"tie", "eta0", "shuffle", "max_iter", "tol", "multiclass", "class_weight", "early_stopping"}
_SAME |= {"validation_fraction", "n_iter_no_change", "random_state"}


def _has_rows(model: Any) -> bool:
    if model.kernel == "precomputed":
        raise AttributeError(
            "partial_fit needs rows, not a precomputed kernel: give the kernel by name or as a callable"
        )
    return True


class KernelPerceptron(KernelAnswers, CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """The perceptron with a kernel: exactly the sequential rule, computed in blocks.

    Parameters
    ----------
    kernel
        "linear": a.b + coef0 (coef0=1 is the lectures' constant feature). "poly": (gamma a.b + coef0)^degree. "rbf":
        exp(-gamma |a - b|^2). "sigmoid": tanh(gamma a.b + coef0). "precomputed": X is the kernel between rows, and
        `predict` takes that between new rows and all training rows. Or a callable: kernel(A, B) gives the values
        between the rows of A and those of B, (len(A), len(B)).
    degree, gamma, coef0
        The kernel's numbers. gamma="scale" is 1 / (n_features * X.var()), "auto" is 1 / n_features; `partial_fit`
        takes it from the first rows.
    readout
        Which hypotheses answer. "average": the mean over all visits. "last": the one after the last visit; best with a
        margin. "vote": each votes, once for each visit it survived. "random": that after a visit drawn by lot. This
        and the next three never change the run, and may be changed after the fit.
    normalise
        Whether each hypothesis is first divided by its length in feature space.
    passes
        Answer as after so many passes, such as 0.1 or 3. None: all.
    suffix
        Average, vote or draw over the last so many passes only. None: all.
    margin
        y s <= margin is a mistake, in units of the kernel: for rbf k(x, x) is 1; for others mind how large k(x, x) is.
    tie
        What a score of 0 is: "mistake", "positive" or "negative", as for `Perceptron`.
    eta0
        The learning rate. Without a margin it only scales the coefficients.
    budget
        The most support vectors. None: as many as there are mistaken rows.
    budget_policy
        What to do at a mistake that finds the budget full. "project": project it on the vectors that are there; keeps
        the last and the average hypothesis, and is the best by far. "stop": pass it over; keeps every readout.
        "oldest", "random": remove a vector; "merge" (rbf only): merge two. These keep readout="last" only, because an
        average would need the vectors that are gone.
    multiclass
        "one-vs-rest": a machine a class, this class or another. "argmax": the right class against its best rival. All
        machines share the support vectors and the kernel values.
    shuffle
        Whether the rows are taken in random order: dealt out to blocks once, then every pass takes the blocks, and
        the rows in each, in a new order. Else in the listed order.
    max_iter
        The most passes. "auto" goes on until a pass is clean: up to 1000 rows for 100 passes in any case, and then, or
        with more rows, as long as passes make fewer and fewer mistakes. See `rosenblatt.learning.stopping`.
    tol, early_stopping, validation_fraction, n_iter_no_change, class_weight
        As for `Perceptron`.
    block_size
        How many rows are scored at once. In the listed order it has no effect but on time and memory.
    cache_size
        Megabytes of kernel values to keep from one pass to the next.
    n_jobs
        Threads for the kernel values. None: one; -1: all cores. The result does not depend on it.
    random_state
        Seed of the orders, of the part held out, and of what is drawn.

    Attributes
    ----------
    support_ : numbers of the training rows that are support vectors, in the order of their first mistakes (-1: merged)
    support_vectors_ : these rows (none for a precomputed kernel)
    dual_coef_ : their coefficients, y alpha, in the hypothesis that answers: (1, n_support), for more than two classes
        (n_classes, n_support)
    n_support_ : how many support vectors each class has
    classes_ : the sorted labels
    n_iter_, converged_, mistakes_, n_updates_ : as for `Perceptron`
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    XOR, which no line separates, with the quadratic kernel of the lecture:

    >>> from rosenblatt import KernelPerceptron
    >>> from rosenblatt.data.lectures import XOR
    >>> model = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, readout="last", shuffle=False).fit(*XOR)
    >>> model.dual_coef_, model.decision_function(XOR.X)
    (array([[-7.,  5.,  5., -4.]]), array([-1.,  2.,  2., -3.]))
    >>> model.mistakes_, model.n_updates_, model.converged_
    (array([4, 4, 4, 4, 3, 1, 1, 0]), 21, True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{word: PERCEPTRON[word] for word in sorted(_SAME)},
        "kernel": [StrOptions(set(KERNELS)), callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), _positive],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "readout": [StrOptions({"last", "average", "vote", "random"})],
        "normalise": ["boolean"],
        "passes": [_positive, None],
        "suffix": [_positive, None],
        "margin": [Interval(Real, 0, None, closed="left")],
        "budget": [_count, None],
        "budget_policy": [StrOptions({"project", "stop", *REMOVALS})],
        "block_size": [_count],
        "cache_size": [Interval(Real, 0, None, closed="left")],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        readout: Literal["last", "average", "vote", "random"] = "average",
        normalise: bool = False,
        passes: float | None = None,
        suffix: float | None = None,
        margin: float = 0.0,
        tie: Literal["mistake", "positive", "negative"] = "mistake",
        eta0: float = 1.0,
        budget: int | None = None,
        budget_policy: Literal["project", "stop", "oldest", "random", "merge"] = "project",
        multiclass: Literal["argmax", "one-vs-rest"] = "one-vs-rest",
        shuffle: bool = True,
        max_iter: int | Literal["auto"] = "auto",
        tol: float | None = None,
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        block_size: int = 512,
        cache_size: float = 200,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.readout = readout
        self.normalise = normalise
        self.passes = passes
        self.suffix = suffix
        self.margin = margin
        self.tie = tie
        self.eta0 = eta0
        self.budget = budget
        self.budget_policy = budget_policy
        self.multiclass = multiclass
        self.shuffle = shuffle
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.block_size = block_size
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from all rows, pass after pass, until one makes no mistake or `max_iter` ends it.

        Parameters
        ----------
        X
            Dense or sparse, float32 or float64 (kept as they are), or a frame.
        y
            Labels of any kind.
        sample_weight
            Scales the steps: a row of weight 2 is added twice at a mistake, which is not the same as two visits. A row
            of weight 0 changes nothing, as if it were not there.
        """
        with all_or_nothing(self):
            end = self._fit(X, y, sample_weight)
        if end in ("limit", "plateau"):
            message = (
                f"pass {self.n_iter_}, the last, still made {self._passes[-1]} mistakes: readout='average' or 'vote' "
                "is made for that. Or the rows are separable with this kernel, and need more passes: raise max_iter"
            )
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    @with_callbacks
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> End | None:
        X, y = self._validate(X, y, reset=True)
        classes, target, weight, rows = step_weights(X, y, sample_weight, self.class_weight, all_labels=True)
        if len(classes) < 2:
            raise ValueError(f"KernelPerceptron needs at least 2 classes, got only one class: {classes.tolist()}")
        random = check_random_state(self.random_state)
        held_out = None
        if self.early_stopping:
            rows, held_out = held_out_of(rows, target, self.validation_fraction, random)
        seed = int(random.randint(np.iinfo(np.int64).max - 1, dtype=np.int64)) if self.shuffle else None
        state = self._begin(len(classes), X, random)
        stopping = Stopping(
            n_rows=len(rows),
            n_values=X.shape[0] * X.shape[1],
            max_iter=self.max_iter,
            tol=0.0 if self.early_stopping and self.tol is None else self.tol,
            n_iter_no_change=self.n_iter_no_change,
            one_by_one=True,
            # A visit looks at many rows, as a pocket does, and feature spaces are large: few passes separate.
            at_least=min(100, sure_passes(len(rows), pocket=True)),
        )
        training = Training(X, y, target, weight, rows, held_out)
        with workers(self.n_jobs) as threads:
            learner = self._learner(state, threads)
            self.n_updates_ = run_passes(
                self,
                training,
                learner,
                self._rule(),
                stopping,
                seed,
                lambda state, passes: run_attributes(state, classes, X.shape[0], passes),
            )
        self._set_run(learner.finished(), classes, X.shape[0], stopping.mistakes)
        return stopping.end

    @available_if(_has_rows)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further rows: one pass in the listed order, from the support vectors there are.

        Chained calls equal one listed pass of `fit` over all the rows. Classes may come as they will; `classes`,
        optional, lists all of them at the first call.
        """
        if self.class_weight == "balanced":
            raise ValueError("class_weight='balanced' needs all labels at once; give partial_fit a dict of weights")
        with all_or_nothing(self):
            return self._partial_fit(X, y, classes, sample_weight, first=not hasattr(self, "_state"))

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any, *, first: bool) -> Self:
        X, y = self._validate(X, y, reset=first)
        own, target, weight, rows = step_weights(X, y, sample_weight, self.class_weight, all_labels=False)
        merged = merge(own[:0] if first else self.classes_, own if classes is None else np.asarray(classes))
        if not np.isin(own, merged).all():
            raise ValueError(f"y has labels that are not in classes: {np.setdiff1d(own, merged).tolist()}")
        target = np.searchsorted(merged, own).astype(np.int32)[target]
        if first:
            state = self._begin(len(merged), X, check_random_state(self.random_state))
        else:
            state = self._fitted("partial_fit").copied().in_units_of(float(self.eta0))
            if len(merged) > len(self.classes_):
                state = state.grown(self.classes_, merged)
            X = as_type(X, state.dtype)
            core_rows(X)
        only = len(merged) == 1  # it counts as positive until another one comes
        X, target, weight = part(rows, X, target + np.int32(only), weight)
        seen = 0 if first else self._n_seen
        with workers(self.n_jobs) as threads:
            learner = self._learner(state, threads)
            mistakes, _, updates = learner.train(
                None, X, target, weight, self._rule(), number=seen + rows, seed=None, first_pass=0, passes=1
            )
        self.n_updates_ = updates + (0 if first else self.n_updates_)
        passes = [*([] if first else self._passes), int(mistakes[0])]
        return self._set_run(learner.finished(), merged, seen + len(y), passes)

    def _validate(self, X: Any, y: Any, *, reset: bool) -> tuple[Matrix, Array]:
        X, y = validate_rows(self, X, y, reset=reset)
        X = without_duplicates(X)  # |x|^2 is wrong if a column is named twice
        core_rows(X)
        if self.kernel == "precomputed" and is_sparse(X):
            raise TypeError("Sparse data was given: a precomputed kernel must be dense")
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(f"Precomputed matrix must be a square matrix, got shape {X.shape}")
        if self.budget is not None and self.budget_policy in REMOVALS and self._readout != Readout("last"):
            raise ValueError(
                f"budget_policy={self.budget_policy!r} removes vectors that any other readout would need; set "
                "readout='last', without normalise, passes and suffix, or use budget_policy='project'"
            )
        if self.budget is not None and self.budget_policy == "merge" and self.kernel != "rbf":
            raise ValueError(f"budget_policy='merge' needs kernel='rbf', got kernel={self.kernel!r}")
        return X, y

    def _begin(self, n_classes: int, X: Matrix, random: np.random.RandomState) -> DualState:
        gamma = resolve_gamma(self.gamma, X) if self.kernel in ("poly", "rbf", "sigmoid") else 1.0
        n_rows = n_machines(n_classes)
        return DualState(
            Kernel(self.kernel, gamma, float(self.coef0), int(self.degree)),
            n_rows,
            joint=n_rows > 1 and self.multiclass == "argmax",
            unit=float(self.eta0),
            draw=float(random.random_sample()),
            n_jobs=self.n_jobs,
            dtype=X.dtype,
        )

    def _learner(self, state: DualState, threads: Workers) -> Learner:
        budget = (self.budget, self.budget_policy)
        return Learner(state, self._readout, threads, self.block_size, self.cache_size, *budget)

    def _rule(self) -> Any:
        return _core.Rule(
            tie=self.tie,
            margin=self.margin / self.eta0,
            step="perceptron",
            C=1.0,
            r=1.0,
            multiclass=self.multiclass,
            batch_size=1,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
