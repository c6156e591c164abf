"""core.wasm is made of the sources that are here, is small, and computes the bits that the native core does."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron, _core, plain, trace_kernel
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import core_rows
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.lessons.trace.run import REASONS
from tests.studio.page_core import MULTICLASS, ORDERS, STEPS, TIES, WASM, PageCore, PageError

BUILD = Path(__file__).parents[2] / "bindings" / "wasm" / "build.py"
ENDS = {"running": 0, "optimal": 1, "meets": 2, "stalled": 3}
pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def core() -> PageCore:
    return PageCore()


def build_script() -> Any:
    spec = importlib.util.spec_from_file_location("wasm_build", BUILD)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_programs_are_made_of_these_sources() -> None:
    script = build_script()
    assert {program.name for program in script.PROGRAMS} == {"core.wasm", "text.wasm"}
    assert {name for names in script.PROGRAMS.values() for name in names} == {
        path.name for path in BUILD.parent.glob("*.cpp")
    }
    for program in script.PROGRAMS:
        assert len(script.sources(program)) > 15
        old = f"{program.name} is old: run `make wasm`"
        assert script.stored_hash(program.read_bytes()) == script.source_hash(program), old


def test_it_is_small() -> None:
    assert WASM.stat().st_size <= 90_000


def data_sets(seed: int, count: int, classes: int) -> Iterator[tuple[np.random.Generator, Array, Array]]:
    """Points of all kinds, small integers among them, where ties are; each class is there."""
    for case in range(count):
        random = np.random.default_rng([seed, case])
        n_classes = random.integers(2, classes + 1)
        n, d = random.integers(n_classes, 14), random.integers(1, 5)
        X = random.integers(-2, 3, (n, d)).astype(float) if case % 2 else random.normal(size=(n, d)) * 3
        y = np.concatenate([np.arange(n_classes), random.integers(0, n_classes, n - n_classes)])
        random.shuffle(y)
        yield random, X, y


def chosen(random: np.random.Generator, n_rows: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same conventions, drawn by lot, in the words of core.js and in those of Python's trace."""
    constant, eta, step = random.choice([0, 1, 0.3]), random.choice([1, 0.1, 3]), str(random.choice(STEPS))
    page: dict[str, Any] = {
        "constant": constant, "eta": eta, "step": step, "tie": str(random.choice(TIES)),
        "order": str(random.choice(ORDERS)), "seed": int(random.integers(2**32)),
        "margin": random.choice([0.5, 1, 3] if step != "perceptron" else [0, 0, 0.5, 2]), "C": random.choice([0.25, 1]),
        "r": random.choice([0.5, 2]), "multiclass": str(random.choice(MULTICLASS)),
        "passes": int(random.integers(1, 9)), "visits": int(random.choice([7, 1000])),
    }  # fmt: skip
    native: dict[str, Any] = {
        "fit_intercept": constant != 0, "intercept_scaling": constant or 1.0, "eta0": eta, "step": step,
        "tie": page["tie"], "margin": page["margin"], "C": page["C"], "r": page["r"], "multiclass": page["multiclass"],
        "max_iter": page["passes"], "max_visits": page["visits"],
    }  # fmt: skip
    if page["order"] == "shuffled":
        native |= {"shuffle": True, "random_state": page["seed"]}
    else:
        page["first"] = native["first_row"] = int(random.integers(n_rows))
        native["pick"] = None if page["order"] == "listed" else page["order"]
    return page, native


def equal(found: Array, expected: Array) -> None:
    assert found.tobytes() == np.asarray(expected, dtype=np.float64).ravel().tobytes()


def test_traces_have_the_native_bits(core: PageCore) -> None:
    kinds = set()
    for random, X, y in data_sets(1, 700, classes=4):
        page, native = chosen(random, len(y))
        classes = int(y.max()) + 1
        if random.random() < 0.3:
            shape = (1 if classes == 2 else classes, X.shape[1] + (page["constant"] != 0))
            page["start"] = native["init"] = random.normal(size=shape)
        run, expected = core.trace(X, y, **page), trace(X, y, **native)
        kinds.add((page["order"], page["step"], classes == 2))
        equal(run["pass"], expected.pass_)
        equal(run["row"], expected.row)
        equal(run["score"], expected.score)
        equal(run["k"], expected.k)
        equal(run["mistakes"], expected.mistakes)
        assert ((run["mistake"] > 0) == expected.mistake).all()
        assert REASONS[run["why"].astype(int)].tolist() == expected.reason.tolist()
        weights = run["weights"].reshape(-1, *expected.weights.shape)
        equal(weights[0], expected.start)
        equal(weights[run["k"].astype(int)], expected.after)
        np.testing.assert_allclose(run["norm"][run["k"].astype(int)], expected.norm, rtol=1e-14)
        equal(run["survived"], np.bincount(expected.k, minlength=len(weights)))
    assert len(kinds) == len(ORDERS) * len(STEPS) * 2


def test_averages_and_pockets_are_those_of_the_model(core: PageCore) -> None:
    for random, X, y in data_sets(2, 120, classes=3):
        page, native = chosen(random, len(y))
        page |= {"order": "shuffled", "visits": 1000, "margin": 1, "multiclass": "argmax"}
        native |= {"shuffle": True, "random_state": page["seed"], "margin": 1, "multiclass": "argmax"}
        native = {name: native[name] for name in native if name not in ("max_visits", "first_row", "pick")}
        run = core.trace(X, y, **page)
        has_constant = int(native["fit_intercept"])
        readout: Any
        for readout, found in (
            ("average", run["average"]),
            ("pocket", run["weights"].reshape(len(run["norm"]), -1)[int(run["pocket"][-1])]),
        ):
            model = Perceptron(**native, readout=readout).fit(X, y)
            last = found.ravel()[-model.coef_.size - has_constant * len(model.coef_) :].reshape(len(model.coef_), -1)
            equal(last[:, has_constant:], model.coef_)
        if native["tie"] != "mistake":  # there a tie counts as an error, whatever the answer
            assert run["errors"][int(run["pocket"][-1])] == (model.predict(X) != y).sum()


def test_votes_are_those_of_plain(core: PageCore) -> None:
    for random, X, y in data_sets(3, 60, classes=3):
        X, classes, tie = X.round(), int(y.max()) + 1, str(random.choice(TIES))
        run = core.trace(X, y, tie=tie, passes=3)
        n_machines = 1 if classes == 2 else classes
        weights = run["weights"].reshape(-1, n_machines, X.shape[1] + 1)
        found = core.votes(X, classes, weights, run["survived"], 1, tie)
        after = [tuple(map(tuple, weights[int(k)].tolist())) for k in run["k"]]
        for x, votes in zip(X.tolist(), found.tolist(), strict=True):
            expected = plain.vote(after, [1.0, *x], tie)
            assert votes == [expected.get(2 * c - 1 if classes == 2 else c, 0) for c in range(classes)]


def test_nearest_points_have_the_native_bits(core: PageCore) -> None:
    ends = set()
    for random, X, y in data_sets(4, 200, classes=2):
        constant = random.choice([0.0, 1.0, 2.0])
        (ended, R, length, lowest), point, weights = core.nearest(X, y, constant)
        signed = (2 * y - 1)[:, None] * np.column_stack([np.full((len(X), int(constant != 0)), constant), X])
        search = _core.NearestPoint(core_rows(np.ascontiguousarray(signed)))
        assert ENDS[search.run(1000, 1e-12)] == ended
        equal(np.array([length, lowest]), np.array([search.length, search.lowest]))
        equal(point, search.point)
        expected = np.zeros(len(y))
        expected[search.corral] = search.weights
        equal(weights, expected)
        assert pytest.approx(np.linalg.norm(signed, axis=1).max(), rel=1e-15) == R
        ends.add(ended)
    assert ends >= {1, 2}


def test_kernel_values_have_the_native_bits(core: PageCore) -> None:
    for random, X, y in data_sets(5, 150, classes=2):
        X, points = X.round() / 4, random.integers(-9, 9, (5, X.shape[1])) / 8  # whose products are exact, in any order
        kernel = {"kind": str(random.choice(["linear", "poly", "rbf"])), "gamma": random.choice([0.5, 1, 1.7]),
                  "coef0": random.choice([0, 1, 0.3]), "degree": int(random.integers(1, 5))}  # fmt: skip
        alpha = random.normal(size=len(y))
        dots, norms = X @ points.T, [np.einsum("ij,ij->i", Z, Z) for Z in (X, points)]
        values = _core.Kernel(**kernel)
        _core.kernel_values(values, dots, *norms)
        expected = np.zeros(len(points))
        for a, row in zip(alpha, dots, strict=True):
            expected += a * row
        equal(core.kernel_scores(X, alpha, kernel, points), expected)


ORDERED = ("shuffle", "random_state", "first_row", "pick", "max_visits")


def test_kernel_traces_are_those_of_plain(core: PageCore) -> None:
    for random, X, y in data_sets(6, 80, classes=2):
        X, tie, eta = X.round(), str(random.choice(TIES)), float(random.choice([1, 2, 0.5]))
        kernel = {"kind": str(random.choice(["linear", "poly"])), "coef0": 1, "degree": 2}
        margin = float(random.choice([0, 1]))
        page, native = chosen(random, len(y))
        order = {name: page[name] for name in ("order", "seed", "first", "visits") if name in page}
        run = core.kernel_trace(X, y, kernel, tie=tie, eta=eta, margin=margin, passes=4, **order)
        words = {"coef0": 1, "degree": 2, "tie": tie, "eta0": eta, "margin": margin, "max_iter": 4}
        words |= {name: native[name] for name in ORDERED if name in native}
        expected = trace_kernel(X, y, kernel=kernel["kind"], **words)  # type: ignore[arg-type]
        assert run["row"].tolist() == [visit.row for visit in expected]
        assert run["score"].tolist() == [visit.score for visit in expected]
        assert (run["mistake"] > 0).tolist() == [visit.mistake for visit in expected]
        assert [str(REASONS[int(why)]) for why in run["why"]] == [visit.reason for visit in expected]
        alpha = run["alpha"].reshape(-1, len(y))[run["k"].astype(int)] * (2 * y - 1)
        assert alpha.tolist() == [list(visit.alpha) for visit in expected]
        assert run["mistakes"].tolist() == list(expected.mistakes)


@pytest.mark.parametrize("lecture", [AND, CMU, XOR])
def test_picks_look_at_all_points(core: PageCore, lecture: Any) -> None:
    y = (lecture.y + 1) // 2
    for order in ("first-wrong", "worst-wrong"):
        run = core.trace(lecture.X, y, order=order, passes=30)
        assert (run["mistake"] == 1).all()
        assert run["mistakes"].tolist() in ([1.0] * 30, [1.0] * len(run["row"]) + [0.0])


@pytest.mark.parametrize(
    ("X", "words", "message"),
    [
        ([[1e300, 1], [1e300, 1]], {}, "the score of row 1 is too large for its type"),
        ([[np.nan, 1], [1, 1]], {}, r"Input X contains NaN, infinity or a value too large for its type \(row 0\)"),
        ([[1, 1], [2, 2]], {"eta": 0}, "eta must be over 0"),
        ([[1, 1], [2, 2]], {"first": 2}, "the first example must be one of the examples"),
        ([[1, 1], [2, 2]], {"seed": -1}, "the seed must be a whole number from 0 to 2\\^32 - 1"),
        ([[1, 1], [2, 2]], {"margin": np.inf}, "the margin must not be negative"),
        ([[1, 1], [2, 2]], {"step": "pa1", "C": 0}, "C and r must be over 0"),
        ([[1, 1], [2, 2]], {"passes": 0}, "a run needs at least one pass and one visit"),
    ],
)
def test_errors_are_sentences_of_the_core_and_change_nothing(core: PageCore, X: Any, words: Any, message: str) -> None:
    with pytest.raises(PageError, match=message):
        core.trace(np.array(X, dtype=float), np.array([0, 1]), **words)
    assert core.trace(AND.X, np.array([0, 0, 0, 1]))["weights"][-3:].tolist() == [-4, 3, 2]
