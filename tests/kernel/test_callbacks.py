"""A long fit can be watched, ended and interrupted."""

import signal
import threading
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from rosenblatt import KernelPerceptron
from tests import oldest

# ruff: noqa: ARG002 (the signatures are those of scikit-learn's protocol)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_digits(return_X_y=True)


class Ends:
    """Asks the run to end after `last` passes; keeps the model of each."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.models: list[Any] = []

    def setup(self, estimator: Any, context: Any) -> None: ...

    def teardown(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any, **told: Any) -> bool:
        if fitted_estimator is not None:
            self.models.append(fitted_estimator)
        return len(self.models) == self.last


@oldest.callbacks
@pytest.mark.parametrize("words", [{}, {"readout": "vote"}, {"budget": 50}])
def test_the_model_of_each_pass_answers(words: dict[str, Any]) -> None:
    callback = Ends(3)
    model = KernelPerceptron(max_iter=6, **words).set_callbacks(callback).fit(X, Y)
    assert model.n_iter_ == len(callback.models) == 3
    for passed, seen in enumerate(callback.models, start=1):
        stopped = KernelPerceptron(max_iter=passed, **words).fit(X, Y)
        np.testing.assert_array_equal(seen.decision_function(X[:50]), stopped.decision_function(X[:50]))
        assert seen.mistakes_.tolist() == stopped.mistakes_.tolist()


@oldest.callbacks
def test_progress_and_scores(capsys: Any) -> None:
    from sklearn.callback import ProgressBar, ScoringMonitor

    KernelPerceptron(max_iter=2).set_callbacks(ProgressBar()).fit(X, Y)
    assert "KernelPerceptron" in capsys.readouterr().out
    monitor = ScoringMonitor(scoring="accuracy")
    model = KernelPerceptron(max_iter=3).set_callbacks(monitor).fit(X, Y)
    scores = [row["accuracy"] for row in monitor.get_logs().data]
    assert len(scores) == 3
    assert scores[-1] == model.score(X, Y)


def test_early_stopping_holds_out_rows() -> None:
    model = KernelPerceptron(early_stopping=True, validation_fraction=0.5, n_iter_no_change=1).fit(X, Y)
    assert model._model.state.ends[0] == len(Y) // 2
    assert model.n_iter_ < KernelPerceptron().fit(X, Y).n_iter_ + 10


def test_interrupt_leaves_the_model_as_it_was() -> None:
    model = KernelPerceptron(max_iter=2).fit(X, Y)
    before = model.decision_function(X)
    calls = 0

    def kernel(A: Any, B: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 5:
            signal.raise_signal(signal.SIGINT)
        return A @ B.T

    assert threading.current_thread() is threading.main_thread()
    model.set_params(kernel=kernel, block_size=64)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, Y)
    np.testing.assert_array_equal(model.set_params(kernel="rbf").decision_function(X), before)
