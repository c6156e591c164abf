"""A kernel perceptron in a file: there and back to the bit, with every readout and budget; what is wrong is refused."""

import copy
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import KernelPerceptron
from rosenblatt.data.lectures import XOR
from rosenblatt.doors.sklearn.model_file import load, save, summary
from tests.linear.strategies import Data, data_sets

from .damage import Change, assert_refused, entry, loaded, put, tensor, with_any_entry, with_any_tensor
from .files import assert_same, opened, round_trip, sealed

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

READOUTS = [
    {"readout": readout, "normalise": normalise, "passes": passes, "suffix": suffix}
    for readout in ("last", "average", "vote", "random")
    for normalise in (False, True)
    for passes, suffix in ((None, None), (1.5, None), (None, 1))
]
NUMBERS: dict[str, Any] = {"gamma": 0.5, "coef0": 1, "degree": 2}
BUDGETS: list[Any] = [{}, *({"budget": 3, "budget_policy": name} for name in ("project", "stop"))]


def all_answers(model: Any, X: Any) -> list[Any]:
    """What it says under every readout; a sentence where the run did not keep what it takes."""
    model, found = copy.copy(model), []
    for words in READOUTS:
        model.set_params(**words)
        for name in ("support_", "support_vectors_", "dual_coef_", "n_support_", "mistakes_"):
            with suppress(ValueError, AttributeError):
                found.append(getattr(model, name))
        try:
            found += [model.decision_function(X), model.predict(X)]
        except ValueError as error:
            found.append(str(error))
    return found


def assert_same_run(one: Any, other: Any) -> None:
    tensors: list[dict[str, Any]] = [{}, {}]
    records = [model._fitted_model().to_record(own) for model, own in zip((one, other), tensors, strict=True)]
    parameters = [model.get_params(deep=False) for model in (one, other)]
    assert_same([parameters[0], records[0], tensors[0]], [parameters[1], records[1], tensors[1]])


@settings(max_examples=150, deadline=None)
@given(
    data=data_sets(max_classes=4, max_rows=10, max_features=4),
    kind=st.sampled_from([np.asarray, sp.csr_array]),
    dtype=st.sampled_from([np.float64, np.float32]),
    kernel=st.sampled_from(["linear", "poly", "rbf", "sigmoid"]),
    budget=st.sampled_from(BUDGETS),
    multiclass=st.sampled_from(["argmax", "one-vs-rest"]),
    choices=st.data(),
)
def test_there_and_back(
    data: Data, kind: Any, dtype: Any, kernel: Any, budget: Any, multiclass: Any, choices: Any
) -> None:
    words = {**NUMBERS, **budget, "max_iter": 3, "readout": "last", "multiclass": multiclass, "block_size": 4}
    kernel = "rbf" if "budget" in budget else kernel  # the others need not be positive definite in floats
    model = KernelPerceptron(kernel=kernel, **words, eta0=choices.draw(st.sampled_from([1, 0.1])))
    X = kind(data.X.astype(dtype))
    if choices.draw(st.booleans()):
        model.fit(X, data.y)
    else:
        model.partial_fit(X[:1], data.y[:1])  # the first class alone
    twin = round_trip(model)
    assert model.get_params() == twin.get_params()
    assert_same_run(model, twin)
    assert_same(all_answers(model, X), all_answers(twin, X))
    more = [(kind(data.X[::-1].astype(dtype)), data.y), (X, data.y + choices.draw(st.integers(0, 2)))]
    for rows, y in more:
        model.partial_fit(rows, y)
        twin.partial_fit(rows, y)
        assert_same_run(model, twin)
        assert_same(all_answers(model, X), all_answers(twin, X))
    assert_same_run(model.fit(X, data.y), twin.fit(X, data.y))


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_a_precomputed_kernel(budget: Any) -> None:
    rows = np.vstack([XOR.X, XOR.X / 2, -XOR.X])
    gram = np.exp(-((rows[:, None] - rows) ** 2).sum(axis=2))
    model = KernelPerceptron(kernel="precomputed", readout="last", max_iter=3, **budget).fit(gram, np.resize(XOR.y, 12))
    twin = round_trip(model)
    assert_same_run(model, twin)
    assert_same(all_answers(model, gram), all_answers(twin, gram))


def test_what_the_file_says(tmp_path: Path) -> None:
    model = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, shuffle=False, eta0=0.5).fit(*XOR)
    save(model, tmp_path / "xor", data=XOR)
    said = summary(tmp_path / "xor")
    assert (said["class"], said["kernel"]) == ("KernelPerceptron", ["poly", 1.0, 1.0, 2])
    assert (said["training"]["rows"], said["training"]["passes"], said["training"]["mistakes"]) == (4, 8, 21)
    record, t = opened(tmp_path / "xor")  # does as its conventions say
    visits = t["ends"][-1]
    values = (t["support"] @ XOR.X.T + 1) ** 2
    for readout, share in (("last", 1), ("average", (visits - t["events.visit"]) / visits)):
        scores = record["unit"] * ((t["events.tau"] * share) @ values[t["events.row"]])
        np.testing.assert_allclose(scores, model.set_params(readout=readout).decision_function(XOR.X))


def test_no_function_is_saved(tmp_path: Path) -> None:
    model = KernelPerceptron(kernel=lambda A, B: A @ B.T, max_iter=2).fit(*XOR)
    with pytest.raises(ValueError, match="kernel: a model file holds nothing that can run, not <function"):
        save(model, tmp_path / "model")
    with pytest.raises(ValueError, match="kernel: expected a kernel's name, gamma, coef0 and degree, found"):
        save(model.set_params(kernel="linear"), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_learning_goes_on_in_a_copy(tmp_path: Path) -> None:
    for budget in BUDGETS:
        path = tmp_path / "model"
        save(KernelPerceptron(gamma=0.5, readout="last", max_iter=3, **budget).fit(*XOR), path)
        written, model = path.read_bytes(), load(path)
        before = model.decision_function(XOR.X)
        with pytest.raises(ValueError, match="infinity"):
            model.partial_fit([[1.0, 1.0], [np.inf, 1.0]], [-1, 1])
        assert_same(model.decision_function(XOR.X), before)
        model.partial_fit(XOR.X, -XOR.y)
        assert path.read_bytes() == written


X, Y = np.vstack([XOR.X, XOR.X + 1]).astype(float), ["a", "b", "c", "a", "b", "c", "a", "b"]
WORDS: dict[str, Any] = {"gamma": 0.5, "max_iter": 3, "readout": "last"}
MODELS = {
    "rbf": (KernelPerceptron(**WORDS), X),
    "sparse": (KernelPerceptron(kernel="poly", **WORDS), sp.csr_array(X)),
    "project": (KernelPerceptron(**WORDS, budget=3), X),
    "precomputed": (KernelPerceptron(kernel="precomputed", **WORDS), X @ X.T),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    folder: Path = tmp_path_factory.mktemp("models")
    for name, (model, rows) in MODELS.items():
        save(model.fit(rows, Y), folder / name)
    return folder


CASES: list[tuple[str, Change, str]] = [
    ("rbf", put("kernel", ["rbf", 0.5, 0.0]), "kernel: expected a kernel's name, gamma, coef0 and degree"),
    ("rbf", put("kernel", ["cosine", 0.5, 0.0, 3]), "kernel: expected a kernel's name"),
    ("rbf", put("kernel", ["rbf", 0.0, 0.0, 3]), "kernel: expected a kernel's name"),
    ("rbf", put("kernel", ["rbf", 0.5, 0.0, -1]), "kernel: expected a kernel's name"),
    ("rbf", put("kernel", ["poly", 0.5, 0.0, 3]), r"expected nothing more, found \['support_norm2'\]"),
    ("sparse", put("kernel", ["rbf", 0.5, 0.0, 3]), "tensor 'support_norm2': expected one, found none"),
    ("rbf", put("kernel", ["precomputed", 0.5, 0.0, 3]), "tensor 'support': expected int64, found float64"),
    ("rbf", put("unit", 0.0), "unit, draw: expected a number over 0"),
    ("rbf", put("draw", 1.0), "unit, draw: expected a number over 0, and one from 0 to below 1"),
    ("rbf", put("dtype", "float32"), "tensor 'support': expected float32, found float64"),
    ("rbf", put("dtype", "int64"), "dtype: expected float64 or float32, found 'int64'"),
    ("rbf", put("joint", 1), "joint: expected true or false"),
    ("rbf", put("budget", "forget"), "budget: expected null or project, found 'forget'"),
    ("rbf", put("budget", "project"), "tensor 'project.factor': expected one, found none"),
    ("rbf", put("n_features", 3), r"tensor 'support': expected shape \(any, 3\)"),
    ("rbf", put("n_seen", 2), "tensor 'support_row': expected integers from 0 to 1"),
    ("rbf", put("n_updates", -1), "n_updates: expected an integer"),
    ("rbf", tensor("mistakes_", lambda a: a[:0]), "'mistakes_': expected those of at least one pass"),
    ("rbf", tensor("ends", lambda a: a[:-1]), r"tensor 'ends': expected shape \(3\), found \(2,\)"),
    ("rbf", tensor("ends", lambda a: a[::-1]), "tensor 'ends': expected visits in their order"),
    ("rbf", entry("ends", 2, 2**60), "tensor 'ends': expected integers from 0"),
    ("rbf", entry("ends", slice(None), 1), "tensor 'events.visit': expected integers from 0 to 1, found"),
    ("rbf", tensor("events.visit", lambda a: a[::-1]), "tensor 'events.visit': expected visits in their order"),
    ("rbf", entry("events.row", 0, 8), "tensor 'events.row': expected integers from 0 to 7, found 8"),
    ("rbf", entry("events.row", 0, -1), "tensor 'events.row': expected integers from 0 to 7, found -1"),
    ("rbf", entry("events.cls", 0, 3), "tensor 'events.cls': expected integers from 0 to 2, found 3"),
    ("rbf", entry("events.tau", 0, np.nan), "tensor 'events.tau': expected finite numbers"),
    ("rbf", tensor("events.norm2", lambda a: a[1:]), "tensor 'events.norm2': expected shape"),
    ("rbf", tensor("support", lambda a: a[1:]), "'support_norm2': expected shape"),
    ("sparse", tensor("support_row", lambda a: a[1:]), "tensor 'support_target': expected shape"),
    ("sparse", entry("support.indices", 0, 2), "tensor 'support.indices': expected columns from 0 to 1"),
    ("sparse", tensor("support.indptr", lambda a: a[:-1]), "tensor 'support.indptr': expected starts of rows"),
    ("rbf", entry("support_norm2", 0, np.inf), "tensor 'support_norm2': expected finite numbers"),
    ("rbf", entry("support_target", 0, 3), "tensor 'support_target': expected integers from 0 to 2"),
    ("rbf", tensor("norm2", lambda a: a[:1]), r"tensor 'norm2': expected shape \(3\)"),
    ("rbf", put("classes", {"type": "int64", "labels": [0, 1]}), r"tensor 'norm2': expected shape \(1\)"),
    ("precomputed", entry("support", 0, 8), "tensor 'support': expected integers from 0 to 7, found 8"),
    ("precomputed", tensor("support", lambda a: a[1:]), "tensor 'support': expected one vector for each of the"),
    ("project", entry("project.factor", (0, 1), 1), "tensor 'project.factor': expected a lower triangle"),
    ("project", entry("project.factor", (1, 1), 0), "tensor 'project.factor': expected a lower triangle, its diagonal"),
    ("project", tensor("project.weights", lambda a: a[1:]), r"'project.weights': expected shape \(3, 3\)"),
    ("project", tensor("events.visit", lambda _: np.zeros(1, np.int64)), "tensor 'events.row': expected shape"),
]


@pytest.mark.parametrize(("name", "change", "said"), CASES, ids=range(len(CASES)))
def test_each_part_is_checked(folder: Path, tmp_path: Path, name: str, change: Change, said: str) -> None:
    assert_refused(folder / name, tmp_path, change, said)


@pytest.mark.parametrize("name", MODELS)
def test_every_tensor_is_needed_and_none_may_be_of_another_type(folder: Path, tmp_path: Path, name: str) -> None:
    for part in opened(folder / name).tensors:
        record, tensors = opened(folder / name)
        tensors[part] = tensors[part].astype(np.int16)
        with pytest.raises(ValueError, match=r"expected (float|int).*, found int16"):
            load(sealed(tmp_path / "changed", record, tensors))
        del tensors[part]
        with pytest.raises(ValueError, match="expected"):
            load(sealed(tmp_path / "changed", record, tensors))


def answers_or_is_refused(path: Path) -> None:
    """What is loaded may be another model, but it is one: every readout answers for each row, and it goes on."""
    model = loaded(path)
    if model is None:
        return
    model.set_params(n_jobs=None)
    rows = np.zeros((3, model.n_features_in_))
    with np.errstate(all="ignore"):
        for words in READOUTS if model._model.state.dictionary is None else [READOUTS[0]]:
            labels = model.set_params(**words).predict(rows)
            assert set(labels) <= set(model.classes_)
            assert len(labels) == 3
        assert model.mistakes_.shape == (model.n_iter_,)
        assert model.n_support_.sum() == len(model.support_)
        model.set_params(**READOUTS[0], class_weight=None, margin=0, eta0=model._model.state.unit)
        if model.kernel != "precomputed" and model._model.state.kernel.kind != "precomputed":
            with suppress(ValueError):  # what came of numbers too large
                model.partial_fit(rows, np.resize(model.classes_, 3))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(MODELS)), st.data())
def test_any_record(folder: Path, tmp_path_factory: Any, name: str, data: Any) -> None:
    file = with_any_entry(opened(folder / name), data)
    answers_or_is_refused(sealed(tmp_path_factory.mktemp("damage") / "changed", *file))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(list(MODELS)), st.data())
def test_any_tensor(folder: Path, tmp_path_factory: Any, name: str, data: Any) -> None:
    file = with_any_tensor(opened(folder / name), data)
    answers_or_is_refused(sealed(tmp_path_factory.mktemp("damage") / "changed", *file))
