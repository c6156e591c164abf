"""What the studio opens with: what the page can make is a hash, all else is recorded with the columns of core.js."""

import io
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Perceptron, certify, plain, studio
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.doors.studio.opening import opening
from rosenblatt.doors.studio.recording import record_run
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.lessons.trace.link import hash_of
from tests.studio.page_core import PageCore

pytestmark = pytest.mark.filterwarnings("ignore:pass:sklearn.exceptions.ConvergenceWarning")
COLUMNS = ("pass", "row", "mistake", "why", "score", "k", "average", "pocket", "weights", "norm", "errors", "survived")


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("tie", ["mistake", "positive", "negative"])
def test_a_recorded_run_has_the_columns_of_the_page(classes: int, tie: Any) -> None:
    core, random = PageCore(), np.random.default_rng(classes)
    for _ in range(20):
        X = random.integers(-3, 4, (8, 2)).astype(float)
        y = np.concatenate([np.arange(classes), random.integers(0, classes, 8 - classes)])
        made = record_run(trace(X, y, tie=tie, max_iter=4))
        live = core.trace(X, y, tie=tie, passes=4)
        for name in (*COLUMNS, "mistakes"):
            np.testing.assert_allclose(made[name], live[name], rtol=1e-12, err_msg=name)
        assert (made["visits"], made["width"]) == (len(live["row"]), live["weights"].size // len(live["norm"]))


def test_a_part_of_a_run_begins_with_its_own_weights() -> None:
    run = trace(*AND)
    part = record_run(run[4:9])
    assert part["weights"][:3] == run.before[4, 0].tolist() == [0, 1, 1]
    assert part["k"] == [1, 2, 2, 3, 3]
    assert np.reshape(part["weights"], (-1, 3))[part["k"]].tolist() == run.after[4:9, 0].tolist()


def test_exact_runs_come_with_their_fractions() -> None:
    made = opening(trace(*AND, eta0="1/3", exact=True)).run
    assert made is not None
    assert made["title"] == "exact numbers"
    assert made["text"]["weights"][-3:] == ["-4/3", "1", "2/3"]
    assert made["text"]["x"][3] == ["1", "1", "1"]
    assert len(made["text"]["score"]) == made["visits"]
    after = trace(*AND, eta0="1/3", exact=True).after
    np.testing.assert_allclose(made["average"][-3:], [float(v) for v in plain.average(after.tolist())[0]])


@pytest.mark.parametrize("data", [AND, XOR, CMU])
def test_proofs(data: Any) -> None:
    proof = certify(*data, fit_intercept=data is not CMU)
    made = opening(proof, *data).run
    assert made is not None
    verdict = made["verdict"]
    assert verdict["verdict"] == ("separable" if proof.separable else "inseparable")
    z = data.y[:, None] * (data.X if data is CMU else np.column_stack([np.ones(len(data.X)), data.X]))
    total = np.array(verdict["weights"]) @ z
    assert np.linalg.norm(total) == pytest.approx(verdict["gamma"], abs=1e-12)
    assert sum(verdict["weights"]) == pytest.approx(1)
    if proof.separable:
        assert (z @ verdict["w"]).min() == pytest.approx(verdict["gamma"])
        assert verdict["R"] == pytest.approx(np.linalg.norm(z, axis=1).max())
    assert str(proof) == verdict["text"]


@pytest.mark.parametrize("positive", [None, -1])
def test_recorded_runs_bring_their_squeeze(positive: Any) -> None:
    made = opening(trace(*AND, eta0="1/3", exact=True, positive=positive)).run
    assert made is not None
    z = (np.array(made["labels"]) * 2 - 1)[:, None] * np.column_stack([np.ones(4), AND.X])
    assert (z @ made["verdict"]["w"]).min() == pytest.approx(made["verdict"]["gamma"]) == pytest.approx(17**-0.5)
    many = opening([[0, 1, 2], [1, 0, 0], [2, 2, 1]], ["a", "b", "c"]).run
    assert many is not None
    assert "verdict" not in many


def test_models_are_run_again_on_their_data() -> None:
    model = Perceptron(random_state=3, tie="positive", max_iter=9).fit(*AND)
    assert opening(model, *AND).state == hash_of(trace(*AND, **model.get_params()))


def test_other_data_is_recorded() -> None:
    made = opening([[1, 2, 3], [3, 4, 5]], ["a", "b"], features=["u", "v", "w"]).run
    assert made is not None
    assert (made["features"], made["names"], made["points"]) == (["u", "v", "w"], ["a", "b"], [[1, 2, 3], [3, 4, 5]])
    sparse = opening(sp.csr_array(AND.X.astype(float)), AND.y)
    assert sparse.run is not None
    assert sparse.run["weights"][-3:] == [-4, 3, 2]
    weighted = opening(*AND, sample_weight=[1, 2, 1, 1]).run
    assert weighted is not None
    assert weighted["mistakes"] == trace(*AND, sample_weight=[1, 2, 1, 1]).mistakes.tolist()


def test_a_checked_table() -> None:
    table = io.StringIO("example,w0,w1,w2\n1,-1,0,0\n2,-1,1,0\n3,-1\n4,0,1,1\n1,0,0,0\n")
    made = opening(trace(*AND, max_iter=1), answers=table).run
    assert made is not None
    cells = made["answers"]["cells"]
    assert cells == [[True] * 4, [True, True, False, True], [True, True, False, False], [True] * 4, [False] * 4]
    assert made["answers"]["rows"][2] == ["3", "-1", "", ""]
    assert made["answers"]["message"] == "answers:3:3: column w1, visit 2: expected 0, found 1"


@pytest.mark.parametrize(
    ("what", "words", "error"),
    [
        ((AND.X,), {}, r"points need labels: show\(X, y\)"),
        ((trace(*AND), AND.X, AND.y), {}, "a trace has its data and its parameters: give it alone"),
        ((certify(*AND),), {}, r"a proof needs its data: show\(proof, X, y\)"),
        ((), {"tie": "positive"}, "the studio needs points and labels, a trace, or a proof or a model with its data"),
        ((), {"preset": "nix"}, "preset must be one of and, six-points"),
        ((np.zeros((300, 2)), np.zeros(300)), {}, "at most 200 rows and 12 features; found 300 rows and 2 features"),
        ((np.zeros((3, 20)), np.zeros(3)), {}, "found 3 rows and 20 features"),
    ],
)
def test_what_makes_no_sense(what: Any, words: Any, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        studio.show(*what, **words)


def test_what_is_inside_cannot_end_its_block() -> None:
    names = ["</script><script>alert(1)</script>", "<!--"]
    page = studio.page([[1, 2], [3, 4]], names, exact=True)
    assert "alert(1)</script>" not in page
    assert "<!--" not in page
    assert page.count("<script") == studio.page().count("<script")


def test_without_anywidget_a_sentence_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "from rosenblatt import studio\n"
        "print(len(studio.page(preset='xor')) > 1000)\n"
        "try: studio.show(preset='xor')\n"
        "except ModuleNotFoundError as error: print(error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        "True",
        "the studio in a notebook needs anywidget: pip install 'rosenblatt[notebook]'; without it, "
        "studio.write('page.html', ...) writes a page for the browser",
    ]
