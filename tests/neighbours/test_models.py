"""The models of the neighbours: what they refuse, records and pickles of them, and weights that are set by hand."""

import pickle
import pickletools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from rosenblatt import LinearUnit, LinearUnitClassifier, RandomHypotheses
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.record.parts import Parts
from rosenblatt.base.rows import SparseRows, as_rows
from rosenblatt.members.neighbours.linear_unit import UnitClassifierModel, UnitModel, fit_unit, fit_unit_classifier
from rosenblatt.members.neighbours.parameters import HypothesesParameters, UnitClassifierParameters, UnitParameters
from rosenblatt.members.neighbours.random_hypotheses import HypothesesModel, fit_hypotheses

AND, Y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])
FOUR = np.array(["a", "b", "c", "b"])


def models() -> dict[str, Any]:
    return {
        "unit": fit_unit(UnitParameters(), AND, Y)[0],
        "classifier": fit_unit_classifier(UnitClassifierParameters(), AND, Y)[0],
        "three": fit_unit_classifier(UnitClassifierParameters(), AND, FOUR)[0],
        "hypotheses": fit_hypotheses(HypothesesParameters(k=3), AND, Y),
    }


def estimators() -> list[Any]:
    three = LinearUnitClassifier(class_weight="balanced").fit(AND, FOUR)
    return [LinearUnit().fit(AND, Y), LinearUnitClassifier().fit(AND, Y), three, RandomHypotheses(k=3).fit(AND, Y)]


def fitted_attributes(model: Any) -> dict[str, Any]:
    names = ("coef_", "intercept_", "losses_", "n_iter_", "converged_", "classes_", "errors_", "best_")
    return {name: getattr(model, name) for name in (*names, "training_error_") if hasattr(model, name)}


def assert_same(found: Any, expected: Any) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert type(found[name]) is type(value), name
        np.testing.assert_array_equal(found[name], value, err_msg=name)
        assert np.asarray(found[name]).dtype == np.asarray(value).dtype


def test_rows_may_be_lists_arrays_or_sparse() -> None:
    whole = sp.csr_array(AND)
    rows = [AND.astype(int).tolist(), np.asfortranarray(AND), whole, as_rows(whole)]
    assert isinstance(rows[-1], SparseRows)
    for X in rows:
        for name, model in models().items():
            learn: Any = {"unit": fit_unit, "classifier": fit_unit_classifier}.get(name)
            if learn is not None:
                other, warning = learn(model.parameters, X, Y.tolist())
                assert warning is None
                np.testing.assert_array_equal(other.coef, model.coef)
            np.testing.assert_array_equal(model.predict(X), model.predict(AND))


def test_a_run_that_ends_too_early_is_told_but_for_tol_none() -> None:
    model, warning = fit_unit(UnitParameters(max_iter=3), AND, Y)
    assert not model.converged
    assert warning is not None
    assert warning.startswith("pass 3 was the last, E = ")
    assert fit_unit(UnitParameters(max_iter=3, tol=None), AND, Y)[1] is None
    unfitted = LinearUnit(max_iter=3)
    with pytest.raises(ConvergenceWarning):  # warnings are errors here, and what fails changes nothing
        unfitted.fit(AND, Y)
    with pytest.raises(NotFittedError):
        unfitted.predict(AND)


@pytest.mark.parametrize("X", [np.zeros((0, 2)), SparseRows(np.zeros(0), np.zeros(0, int), np.zeros(1, int), 2)])
def test_no_rows_are_refused(X: Any) -> None:
    with pytest.raises(ValueError, match="X: expected at least one row, found none"):
        fit_unit(UnitParameters(), X, [])
    with pytest.raises(ValueError, match="X: expected at least one row, found none"):
        fit_unit_classifier(UnitClassifierParameters(), X, [])
    with pytest.raises(ValueError, match="X: expected at least one row, found none"):
        fit_hypotheses(HypothesesParameters(), X, [])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 2, 3], r"y: expected 4 numbers, one a row, found an array of shape \(3,\)"),
        ([[1, 2], [3, 4], [5, 6], [7, 8]], r"y: expected 4 numbers, one a row, found an array of shape \(4, 2\)"),
        ([1, 2, 3, np.nan], "y: expected finite numbers, found nan"),
        ([1, 2, 3, np.inf], "y: expected finite numbers, found inf"),
        (["1", "2", "3", "four"], "y: expected numbers: could not convert string to float: .*four"),
    ],
)
def test_what_are_no_numbers_is_refused(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit_unit(UnitParameters(), AND, y)


def test_refusals_of_the_members() -> None:
    units = models()
    with pytest.raises(ValueError, match="y: expected 4 labels, one a row, found an array of shape"):
        fit_unit_classifier(UnitClassifierParameters(), AND, [0, 1])
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        fit_unit_classifier(UnitClassifierParameters(), AND, [0, 1, 2, 0.5])
    with pytest.raises(ValueError, match="LinearUnitClassifier needs at least 2 classes, got one class: 'a'"):
        fit_unit_classifier(UnitClassifierParameters(), AND, FOUR, [1, 0, 0, 0])
    with pytest.raises(ValueError, match=r"the same classes: \[-1  1\] before, \['a' 'b' 'c'\] now"):
        fit_unit_classifier(UnitClassifierParameters(), AND, FOUR, before=units["classifier"])
    with pytest.raises(ValueError, match="warm_start needs the same features: 2 before, 1 now"):
        fit_unit(UnitParameters(), AND[:, :1], Y, before=units["unit"])
    with pytest.raises(ValueError, match="RandomHypotheses needs samples of 2 classes, got 3 classes"):
        fit_hypotheses(HypothesesParameters(), AND, FOUR)
    with pytest.raises(ValueError, match="RandomHypotheses needs samples of 2 classes, got one class: 'a'"):
        fit_hypotheses(HypothesesParameters(), AND, FOUR, [1, 0, 0, 0])
    for model in units.values():
        with pytest.raises(ValueError, match=f"X has 1 features, but {model.kind} is expecting 2 features"):
            model.predict(AND[:, :1])
        with pytest.raises(ValueError, match="Input X contains NaN"):
            model.predict(AND * np.nan)


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        ([1.0, 2, 3], r"expected one hyperplane a row, found an array of shape \(3,\)"),
        (np.zeros((0, 3)), r"expected one hyperplane a row, found an array of shape \(0, 3\)"),
        ([[0, 1, np.nan]], "expected finite numbers, found nan"),
        ([[0, 1, 2, 3]], "hypotheses must have 2, or 3 with the constant .* columns, got 4"),
    ],
)
def test_refused_hypotheses(hypotheses: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        fit_hypotheses(HypothesesParameters(hypotheses=hypotheses), AND, Y)


def test_a_model_does_not_share_the_hypotheses_that_were_given() -> None:
    hypotheses = np.array([[-1.5, 1, 1]])
    model = RandomHypotheses(hypotheses=hypotheses).fit(AND, Y)
    hypotheses[:] = 0
    assert (model.intercept_.tolist(), model.coef_.tolist()) == ([-1.5], [[1, 1]])


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="eta0: expected a number over 0 or 'auto', found 0"):
        UnitParameters.of(eta0=0)
    with pytest.raises(ParameterError, match="class_weight: expected one of method, eta0"):
        UnitParameters.of(class_weight="balanced")
    with pytest.raises(ParameterError, match="class_weight: expected 'balanced' or a dict from labels to weights or"):
        UnitClassifierParameters.of(class_weight="equal")
    with pytest.raises(ParameterError, match="k: expected a whole number from 1, found 0"):
        HypothesesParameters.of(k=0)


@pytest.mark.parametrize(("estimator", "model"), [(m, type(m)._model_class) for m in estimators()])
def test_constructors_have_the_declared_parameters(estimator: Any, model: Any) -> None:
    declared = model.parameters_of()
    assert type(estimator)().get_params() == declared().as_dict()
    for name, parameter in declared.declarations().items():
        assert f"\n    {name}\n        {parameter.text[:40]}" in str(type(estimator).__doc__)
    assert estimator._fitted_model().kind == type(estimator).__name__


@pytest.mark.parametrize("name", models())
def test_a_record_makes_the_same_model(name: str) -> None:
    model, tensors = models()[name], dict[str, Any]()
    record = model.to_record(tensors)
    parts = Parts(record, tensors)
    again = type(model).from_record(model.parameters, 2, model.labels, parts)
    parts.end()
    assert (model.labels is None) == (model.n_classes is None)
    assert vars(again).keys() == vars(model).keys()
    for field, value in vars(model).items():
        np.testing.assert_array_equal(getattr(again, field), value)
        assert type(getattr(again, field)) is type(value)
    np.testing.assert_array_equal(again.predict(AND), model.predict(AND))


def test_records_have_the_names_of_older_files() -> None:
    for name, model in models().items():
        tensors: dict[str, Any] = {}
        record = model.to_record(tensors)
        if name == "hypotheses":
            assert (record, set(tensors)) == ({"best": model.best}, {"coef_", "intercept_", "errors_"})
        else:
            assert (record, set(tensors)) == ({"converged": True}, {"coef_", "intercept_", "losses_"})


@pytest.mark.parametrize(
    ("cls", "classes", "put", "message"),
    [
        (UnitModel, None, {"coef_": np.zeros(3)}, r"tensor 'coef_': expected shape \(2\), found \(3,\)"),
        (UnitModel, None, {"coef_": np.zeros(2, int)}, "tensor 'coef_': expected float64 or float32, found int64"),
        (UnitModel, None, {"coef_": np.array([0, np.nan])}, "tensor 'coef_': expected finite numbers"),
        (UnitModel, None, {"intercept_": np.zeros(1)}, r"tensor 'intercept_': expected shape \(\), found \(1,\)"),
        (UnitModel, None, {"converged": 1}, "converged: expected true or false, found 1"),
        (UnitModel, None, {"losses_": np.zeros((1, 1))}, r"tensor 'losses_': expected shape \(any\), found \(1, 1\)"),
        (UnitClassifierModel, FOUR[:3], {}, r"tensor 'coef_': expected shape \(3, 2\), found \(1, 2\)"),
        (HypothesesModel, FOUR[:2], {"best": 3}, "best: expected one of the 3 hypotheses, found 3"),
        (HypothesesModel, FOUR[:2], {"best": -1}, "best: expected an integer from 0 to 2.53, found -1"),
        (HypothesesModel, FOUR[:2], {"coef_": np.zeros((1, 1))}, r"expected shape \(1, 2\), found \(1, 1\)"),
    ],
)
def test_a_record_is_not_believed(cls: Any, classes: Any, put: dict[str, Any], message: str) -> None:
    (model,) = (model for name, model in models().items() if type(model) is cls and name != "three")
    tensors: dict[str, Any] = {}
    record = model.to_record(tensors)
    for name, value in put.items():
        (tensors if name in tensors else record)[name] = value
    with pytest.raises(ValueError, match=message):
        cls.from_record(model.parameters, 2, classes, Parts(record, tensors))


def modules_named(data: bytes) -> set[str]:
    """The modules that a pickle imports from: of STACK_GLOBAL the text before the last, of GLOBAL the first word."""
    texts: list[str] = []
    found = set()
    for opcode, argument, _ in pickletools.genops(data):
        if opcode.name == "STACK_GLOBAL":
            found.add(texts[-2])
        elif opcode.name == "GLOBAL":
            found.add(str(argument).split(" ")[0])
        elif isinstance(argument, str):
            texts.append(argument)
    return found


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_pickles_name_no_module_of_ours_but_the_first(protocol: int) -> None:
    for model in estimators():
        data = pickle.dumps(model, protocol=protocol)
        own = {name for name in modules_named(data) if name.partition(".")[0] == "rosenblatt"}
        assert own == {"rosenblatt"}
        assert b"rosenblatt." not in data
        again = pickle.loads(data)
        assert_same(fitted_attributes(again), fitted_attributes(model))
        np.testing.assert_array_equal(again.predict(AND), model.predict(AND))
        assert again.get_params() == model.get_params()
        again.fit(AND, Y)


def test_an_unfitted_model_is_pickled_too() -> None:
    for model in estimators():
        new = pickle.loads(pickle.dumps(type(model)(random_state=7)))
        assert new.random_state == 7
        assert fitted_attributes(new) == {}
        with pytest.raises(AttributeError, match="has no coef_ before it is fitted"):
            new.coef_  # noqa: B018


def test_weights_that_are_set_by_hand_answer_and_stay() -> None:
    for model in estimators():
        several = len(np.atleast_2d(model.coef_)) > 1
        model.coef_ = np.ones((3, 2)) if several else [3, 4]
        model.intercept_ = -2
        shape = () if isinstance(model, LinearUnit) else (len(model.coef_),)
        assert np.shape(model.intercept_) == shape
        again = pickle.loads(pickle.dumps(model))
        for each in (model, again):
            scores = each.predict(AND) if isinstance(model, LinearUnit) else each.decision_function(AND)
            np.testing.assert_array_equal(
                scores if not several else scores[:, 0], AND @ np.atleast_2d(model.coef_)[0] - 2
            )
        with pytest.raises(ValueError, match=r"coef_: expected shape .*2.*, found \(5,\)"):
            model.coef_ = np.ones(5)
        with pytest.raises(ValueError, match="intercept_: expected finite numbers, found"):
            model.intercept_ = np.nan
        assert_same(fitted_attributes(model), fitted_attributes(again))


def test_warm_start_goes_on_from_weights_that_are_set_by_hand() -> None:
    model = LinearUnit(warm_start=True).fit(AND, Y)
    model.coef_, model.intercept_ = [1, 1], -1.5
    model.fit(AND, Y)
    assert (model.n_iter_, model.losses_.tolist()) == (1, [0.5])
