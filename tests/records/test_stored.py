"""Files that older versions wrote are still read. Each format has its files in `stored`; they are never written again.

All are by version 0.1.0 before it was released: the functions below say what was saved.
"""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import (
    DependencyParser,
    KernelPerceptron,
    LinearUnit,
    LinearUnitClassifier,
    Perceptron,
    RandomHypotheses,
    SequenceTagger,
)
from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.data.treebank import load_treebank
from rosenblatt.doors.sklearn.model_file import load, summary

STORED = Path(__file__).parent / "stored"


@pytest.mark.parametrize("path", sorted(STORED.iterdir()), ids=lambda path: path.name)
def test_the_library_that_wrote_it(path: Path) -> None:
    assert summary(path)["library"] == "rosenblatt 0.1.0"


def test_perceptron_1() -> None:
    """Saved was Perceptron(shuffle=False, keep_mistakes=True, class_weight={-1: 1.0}) of a frame, data=AND."""
    model = load(STORED / "perceptron-1.safetensors")
    assert isinstance(model, Perceptron)
    changed = {name: value for name, value in model.get_params().items() if value != getattr(Perceptron(), name)}
    assert changed == {"shuffle": False, "keep_mistakes": True, "class_weight": {-1: 1.0}}
    assert model.feature_names_in_.tolist() == ["left", "right"]
    assert (model.intercept_.tolist(), model.coef_.tolist()) == ([-4], [[3, 2]])
    assert (model.mistakes_.tolist(), model.n_updates_, model.converged_) == ([2, 3, 3, 2, 2, 3, 2, 1, 0], 18, True)
    assert model.dual_coef_.tolist() == [2, 5, 4, 7]
    assert (model.intercept_for("average").tolist(), model.coef_for("average").tolist()) == (
        [-92 / 36],
        [[75 / 36, 48 / 36]],
    )
    del model.feature_names_in_  # or numbers without names are warned of
    votes = 36 * model.set_params(readout="vote").decision_function(AND.X)
    assert votes.round(9).tolist() == [-36, -34, -26, 12]
    assert model.partial_fit(AND.X, -AND.y).coef_for("last").tolist() == [[2, 2]]
    training = {"rows": 4, "passes": 9, "mistakes": 18, "data": data_hash(*AND)}
    assert summary(STORED / "perceptron-1.safetensors")["training"] == training


def test_multiclass_1() -> None:
    """Saved was readout="average" of sparse float32 rows, made sparse, and then intercept_ set to [0, 0, 1]."""
    model = load(STORED / "multiclass-1.safetensors")
    assert model.classes_.tolist() == ["no", "up", "yes"]
    assert model.init.tolist() == [[1, 0], [0, 1], [0, 0]]
    assert model.coef_for("last").dtype == np.float32
    assert model.coef_for("last").tolist() == [[-2, 0], [2, 1], [1, 0]]
    assert model.intercept_for("last").tolist() == [1, -2, 1]
    assert isinstance(model.coef_, sp.csr_matrix | sp.csr_array)
    assert model.coef_.toarray().tolist() == [[-1.6875, 0.5], [1.75, 0.5], [0.9375, 0]]
    assert model.predict(sp.csr_array(CMU.X)).tolist() == ["no", "yes", "up", "no", "no", "yes"]
    assert model.dual_coef_.tolist() == [[1, -1, 0, 0, 1, 0, 0, 0], [-1, 0, 0, 0, -1, 0, 0, 0], [0, 1, *[0] * 6]]


def test_arow_1() -> None:
    """Saved was Perceptron(shuffle=False, step="arow", max_iter=2) of AND."""
    model = load(STORED / "arow-1.safetensors")
    assert model.coef_.tolist() == [[0.39037409345654017, 0.35501750855852476]]
    before = model.coef_.tobytes()
    assert model.partial_fit(*AND).coef_.tobytes() != before
    assert model.n_iter_ == 3


def test_units_1() -> None:
    """Saved was LinearUnit(eta0=0.1, max_iter=3, tol=None) of AND, and LinearUnitClassifier() of 0, 1 and 2, 9."""
    model = load(STORED / "unit-1.safetensors")
    assert isinstance(model, LinearUnit)
    np.testing.assert_allclose(model.losses_, [42 / 25, 949 / 625, 87011 / 62500])
    np.testing.assert_allclose([model.intercept_, *model.coef_], [-0.408, 0.092, 0.092])
    classifier = load(STORED / "classifier-1.safetensors")
    assert isinstance(classifier, LinearUnitClassifier)
    assert classifier.predict([[0], [1], [2], [9]]).tolist() == [False, False, False, True]


def test_hypotheses_1() -> None:
    """Saved was RandomHypotheses(hypotheses=[[0, 0, 0], [0, 1, 0], [-1.5, 1, 1]]) of AND."""
    model = load(STORED / "hypotheses-1.safetensors")
    assert isinstance(model, RandomHypotheses)
    assert (model.errors_.tolist(), model.best_, model.training_error_) == ([0.25, 0.25, 0], 2, 0)
    assert (model.intercept_.tolist(), model.coef_.tolist()) == ([-1.5], [[1, 1]])
    assert model.predict(AND.X).tolist() == AND.y.tolist()


def test_kernel_1() -> None:
    """Saved was KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, shuffle=False) of XOR, data=XOR."""
    model = load(STORED / "kernel-1.safetensors")
    assert isinstance(model, KernelPerceptron)
    assert model.mistakes_.tolist() == [4, 4, 4, 4, 3, 1, 1, 0]
    for readout, scores in (("last", [-32, 64, 64, -96]), ("average", [-7, 62, 47, -68]), ("vote", [-20, 14, 4, -20])):
        assert (32 * model.set_params(readout=readout).decision_function(XOR.X)).tolist() == scores
    model.set_params(readout="last").partial_fit(XOR.X, -XOR.y)
    assert model.dual_coef_.tolist() == [[-7, 5, 5, -4, 1, -1, -1, 1]]


def test_projection_1() -> None:
    """Saved was KernelPerceptron(gamma=0.5, budget=3, shuffle=False, max_iter=2) of XOR."""
    model = load(STORED / "projection-1.safetensors")
    assert (model.support_.tolist(), model.mistakes_.tolist()) == ([0, 1, 2], [4, 1])
    np.testing.assert_allclose(model.dual_coef_, [[-0.72423737, 0.42020041, 0.29520041]], rtol=1e-7)
    assert model.partial_fit(XOR.X, XOR.y).n_iter_ == 3


def test_table_1() -> None:
    """Saved was Perceptron(shuffle=False) with the encoding of four walks, two of them with gaps."""
    model = load(STORED / "table-1.safetensors")
    encoding = model.encoding_
    assert (encoding.label, encoding.text, encoding.ngrams, encoding.hash_bits) == ("walk", ["note"], 2, 4)
    assert encoding.missing == {"wind": "mean", "weather": "indicator"}
    names = encoding.get_feature_names_out().tolist()
    assert names == ["wind", "weather=", "weather=rainy", "weather=sunny", *(f"note#{k}" for k in range(16))]
    new = {"note": ["Wet and cold", ""], "weather": [None, "sunny"], "wind": [None, 5]}
    X = encoding.transform(new).toarray()
    third = 3**-0.5  # of three hashes that others do not cancel
    np.testing.assert_allclose(X[0], [3, 1, 0, 0, *[0] * 10, -third, 0, 0, -third, third, 0])
    assert X[1].tolist() == [5, 0, 0, 1, *[0] * 16]
    assert model.predict(X).tolist() == ["no", "yes"]


def test_table_2() -> None:
    """Saved was Perceptron(shuffle=False) with the encoding of three walks and their dates, which were categories."""
    model = load(STORED / "table-2.safetensors")
    encoding = model.encoding_
    assert encoding.dates == "category"
    assert encoding.get_feature_names_out().tolist()[:3] == [
        "when=2024-05-30",
        "when=2024-05-31T12:00:00",
        "when=2024-06-01",
    ]
    X = encoding.transform({"when": ["2024-05-31T12:00:00"], "weather": ["sunny"]})
    assert X.tolist() == [[0, 1, 0, 0, 1]]
    assert model.decision_function(X).tolist() == [0]
    assert encoding.from_json(encoding.to_json()).to_json() == encoding.to_json()


def test_table_3() -> None:
    """Saved was the same, with dates as days."""
    model = load(STORED / "table-3.safetensors")
    assert model.encoding_.dates == "days"
    X = model.encoding_.transform({"when": ["1970-01-02T06:00:00"], "weather": ["sunny"]})
    assert X.tolist() == [[1.25, 0, 1]]
    assert model.decision_function(X).tolist() == [4]


@pytest.mark.parametrize("number", [1, 2])
def test_tagger(number: int) -> None:
    """Saved was SequenceTagger(templates=["U:%x[0,0]", "U1:%suffix1[0,0]", "B"]) of these and an empty one."""
    model = load(STORED / f"tagger-{number}.safetensors")
    assert isinstance(model, SequenceTagger)
    sentences = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "sleep"]]
    assert model.predict(sentences) == [["DET", "NOUN", "VERB"], ["DET", "NOUN", "VERB"], ["NOUN", "VERB"]]
    assert model.predict_nbest([["the", "cats"]], 2) == [[(["NOUN", "VERB"], 1.875), (["DET", "NOUN"], 1.0)]]
    assert (model.mistakes_.tolist(), model.n_rows_) == ([5, 0], 12)


def test_parser_3() -> None:
    """Saved was DependencyParser of the shipped treebank's file with the parameters below."""
    lines = ["%x[s0,2]/%x[b0,2]", "%x[s1,2]/%x[s0,2]", "%lower[s0,0]/%label[s0.l]"]
    model = load(STORED / "parser-3.safetensors")
    assert isinstance(model, DependencyParser)
    sentences, heads, labels = load_treebank()
    again = DependencyParser(templates=lines, max_iter=3, prune=0.5).fit(sentences, heads, labels)
    assert model.get_params() == again.get_params()
    assert model.mistakes_.tolist() == again.mistakes_.tolist() == [207, 94, 62]
    assert (model.pruned_, model.file_columns_) == (0.5, ("form", "upos", "xpos", "feats"))
    assert model.predict(sentences) == again.predict(sentences)
    assert model.partial_fit(sentences, heads, labels).n_iter_ == 1
