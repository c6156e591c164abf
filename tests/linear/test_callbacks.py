"""Callbacks of scikit-learn: they see each pass with a model that answers, may end the run, and change nothing."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron
from tests import oldest

# ruff: noqa: ARG002 (the signatures are those of scikit-learn's protocol)
AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array(["no", "no", "no", "yes"])
MISTAKES = [2, 3, 3, 2, 2, 3, 2, 1, 0]
IRIS = load_iris(return_X_y=True)
pytestmark = [pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"), oldest.callbacks]


class Recorder:
    """Writes down what it sees; asks the run to end after `last` passes."""

    def __init__(self, last: int | None = None) -> None:
        self.last = last
        self.calls: list[str] = []
        self.models: list[Any] = []
        self.data: list[tuple[Any, Any, Any]] = []
        self.tasks: list[tuple[str, str]] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.calls.append("setup")

    def teardown(self, estimator: Any, context: Any) -> None:
        self.calls.append("teardown")

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        self.calls.append(f"begin {context.task_name}")

    def on_fit_task_end(
        self, estimator: Any, context: Any, *, X: Any, y: Any, metadata: Any, fitted_estimator: Any
    ) -> bool:
        self.calls.append(f"end {context.task_name}")
        self.tasks.append((context.estimator_name, context.task_name))
        if fitted_estimator is not None:
            self.models.append(fitted_estimator)
            self.data.append((X, y, metadata))
        return self.last is not None and len(self.models) == self.last


class Everywhere(Recorder):
    """A recorder that goes down into the steps of a pipeline or a search."""

    max_propagation_depth = None


@pytest.mark.parametrize("readout", ["last", "average", "vote", "pocket"])
def test_each_pass_is_a_task_with_a_model_that_answers(readout: Any) -> None:
    recorder = Recorder()
    words: Any = {"shuffle": False, "readout": readout}
    alone = Perceptron(**words).fit(AND, Y)
    model = Perceptron(**words).set_callbacks(recorder).fit(AND, Y)
    assert model.mistakes_.tolist() == alone.mistakes_.tolist() == MISTAKES
    passes = ["begin pass", "end pass"] * 9
    assert recorder.calls == ["setup", "begin fit", *passes, "end fit", "teardown"]
    assert len(recorder.models) == 9
    for passed, seen in enumerate(recorder.models, start=1):
        stopped = Perceptron(**words, max_iter=passed).fit(AND, Y)
        np.testing.assert_array_equal(seen.decision_function(AND), stopped.decision_function(AND))
        assert seen.predict(AND).tolist() == stopped.predict(AND).tolist()
        assert seen.mistakes_.tolist() == MISTAKES[:passed]
    X, y, metadata = recorder.data[0]
    assert (X.tolist(), list(y), metadata["sample_weight"]) == (AND.tolist(), list(Y), None)


def test_the_model_of_a_pass_is_not_that_of_the_fit_before() -> None:
    recorder = Recorder()
    model = Perceptron(shuffle=False, readout="average").fit(AND, Y[::-1])
    model.predict(AND)  # its average is taken now
    model.coef_ = np.array([[5.0, 5.0]])
    model.set_callbacks(recorder).fit(AND, Y)
    for passed, seen in enumerate(recorder.models, start=1):
        stopped = Perceptron(shuffle=False, readout="average", max_iter=passed).fit(AND, Y)
        np.testing.assert_array_equal(seen.coef_, stopped.coef_)


@pytest.mark.parametrize("last", [1, 4, 9])
def test_true_ends_the_run(last: int) -> None:
    model = Perceptron(shuffle=False).set_callbacks(Recorder(last)).fit(AND, Y)
    assert model.mistakes_.tolist() == MISTAKES[:last]
    assert (model.n_iter_, model.converged_) == (last, last == 9)
    stopped = Perceptron(shuffle=False, max_iter=last).fit(AND, Y)
    np.testing.assert_array_equal(model.coef_, stopped.coef_)


def test_callbacks_change_nothing() -> None:
    X, y = IRIS
    for words in ({"max_iter": 20}, {"max_iter": 20, "early_stopping": True}, {"tol": 1e-3, "max_iter": 50}):
        alone = Perceptron(**words).fit(X, y)
        watched = Perceptron(**words).set_callbacks(Recorder()).fit(X, y)
        np.testing.assert_array_equal(watched.coef_, alone.coef_)
        np.testing.assert_array_equal(watched.mistakes_, alone.mistakes_)


def test_an_error_in_a_callback_changes_nothing() -> None:
    class Broken(Recorder):
        def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
            if self.calls.count("end pass") == 3:
                raise RuntimeError("broken")
            super().on_fit_task_begin(estimator, context)

    broken = Broken()
    model = Perceptron(shuffle=False).fit(AND, Y)
    coef = model.coef_.copy()
    with pytest.raises(RuntimeError, match="broken"):
        model.set_callbacks(broken).fit(AND, Y[::-1])
    assert broken.calls[-1] == "teardown"
    np.testing.assert_array_equal(model.coef_, coef)
    assert model.predict(AND).tolist() == Y.tolist()
    assert not hasattr(model, "_callback_fit_ctx")


def test_weights_are_told() -> None:
    recorder = Recorder()
    Perceptron(max_iter=2).set_callbacks(recorder).fit(AND, Y, sample_weight=[1, 2, 3, 4])
    assert recorder.data[0][2]["sample_weight"].tolist() == [1, 2, 3, 4]
    more_X, more_y = np.vstack([AND, [[7.0, 7.0]]]), [*Y, "zebra"]
    recorder = Recorder()
    Perceptron(max_iter=2).set_callbacks(recorder).fit(more_X, more_y, sample_weight=[1, 1, 1, 1, 0])
    X, y, metadata = recorder.data[0]
    assert len(X) == len(y) == len(metadata["sample_weight"])
    assert recorder.models[0].classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize("max_iter", [5, "auto"])
def test_progress_bar(max_iter: Any, capsys: Any) -> None:
    from sklearn.callback import ProgressBar

    model = Perceptron(max_iter=max_iter, shuffle=False).set_callbacks(ProgressBar()).fit(AND, Y)
    assert model.mistakes_.tolist() == MISTAKES[:5] if max_iter == 5 else MISTAKES
    assert "Perceptron" in capsys.readouterr().out


def test_scoring_monitor() -> None:
    from sklearn.callback import ScoringMonitor

    monitor = ScoringMonitor(scoring="accuracy")
    model = Perceptron(shuffle=False).set_callbacks(monitor).fit(AND, Y)
    scores = [row["accuracy"] for row in monitor.get_logs().data]
    stopped = [Perceptron(shuffle=False, max_iter=k).fit(AND, Y).score(AND, Y) for k in range(1, 10)]
    assert scores == stopped
    assert scores[-1] == model.score(AND, Y) == 1


def test_callbacks_go_through_pipelines_and_searches() -> None:
    X, y = IRIS
    recorder = Everywhere()
    pipe = make_pipeline(StandardScaler(), Perceptron(max_iter=4)).set_callbacks(recorder).fit(X, y)
    assert recorder.tasks.count(("Perceptron", "pass")) == pipe[-1].n_iter_ == 4
    seen = [model for model in recorder.models if isinstance(model, Perceptron)]
    assert (seen[-1].predict(pipe[0].transform(X)) == pipe.predict(X)).all()
    assert not hasattr(pipe[-1], "_skl_callbacks")  # given back
    recorder = Everywhere()
    search = GridSearchCV(Perceptron(max_iter=3), {"readout": ["last", "average"]}, cv=2)
    search.set_callbacks(recorder).fit(X, y)
    assert recorder.tasks.count(("Perceptron", "pass")) == 3 * (2 * 2 + 1)
