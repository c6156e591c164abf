"""`Encoding` without scikit-learn, and `TableEncoding` as a door to it: the same features, records and pickles."""

import copy
import io
import pickle
import pickletools
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rosenblatt import TableEncoding
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.base.rows import SparseRows
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from tests import oldest

TEXT = b"weather,wind,note,walk\nsunny,3,wet and cold,yes\nrainy,5,fine,no\n,1,,yes\n"
GIVEN: list[dict[str, Any]] = [
    {"ignore": ["note"], "missing": "indicator"},
    {"text": ("note",), "bits": 8, "chars": 0, "ngrams": 2, "missing": {"weather": "mean"}, "standardise": True},
]


@pytest.mark.parametrize("given", GIVEN, ids=["dense", "sparse"])
def test_the_door_has_what_the_encoding_has(given: dict[str, Any]) -> None:
    ours = Encoding.learn(EncodingParameters.of(label="walk", **given), io.BytesIO(TEXT))
    door = TableEncoding(label="walk", **given).fit(io.BytesIO(TEXT))
    assert door.as_record() == ours.as_record()
    assert (door.n_features_, door.columns) == (ours.n_features, ours.columns)
    assert (door.numbers_, door.categories_, door.label_) == (ours.numbers, ours.categories, ours.label)
    assert door.texts_ == ours.texts
    assert (ours.texts.names if ours.texts else []) == list(given.get("text", ()))
    assert door.get_feature_names_out().tolist() == ours.feature_names()
    X: Any = ours.transform(io.BytesIO(TEXT))
    theirs = door.transform(io.BytesIO(TEXT))
    assert isinstance(X, SparseRows) == ours.is_sparse == sp.issparse(theirs)
    X, theirs = (found if isinstance(found, np.ndarray) else found.toarray() for found in (X, theirs))
    np.testing.assert_array_equal(X, theirs)
    np.testing.assert_array_equal(ours.labels(io.BytesIO(TEXT)), door.labels(io.BytesIO(TEXT)))


@oldest.sparse_interface
def test_scipys_matrices_are_as_scikit_learn_is_told() -> None:
    door = TableEncoding(text=["note"], bits=8, ignore=["weather"]).fit(io.BytesIO(TEXT))
    assert isinstance(door.transform(io.BytesIO(TEXT)), sp.csr_matrix)
    with config_context(sparse_interface="sparray"):
        assert isinstance(door.transform(io.BytesIO(TEXT)), sp.csr_array)


def test_numbers_alone() -> None:
    for encoding in (Encoding.of_numbers(["wind", "rain"]), TableEncoding.of_numbers(["wind", "rain"])):
        rows: Any = encoding.transform(io.BytesIO(b"rain,x,wind\n1,?,2\n"))
        assert rows.tolist() == [[2, 1]]
        assert encoding.columns == ["wind", "rain"]
        with pytest.raises(ValueError, match="expected a value, or a policy"):
            encoding.transform(io.BytesIO(b"rain,wind\n,2\n"))


def test_before_the_fit() -> None:
    encoding = TableEncoding()
    for name in ("n_features_", "numbers_", "categories_", "texts_", "label_", "columns"):
        assert not hasattr(encoding, name)
    for ask in (encoding.transform, encoding.labels):
        with pytest.raises(NotFittedError):
            ask(io.BytesIO(TEXT))
    with pytest.raises(NotFittedError):
        encoding.as_record()


def test_what_is_done_with_unknown_values_may_change_after_the_fit() -> None:
    encoding = TableEncoding().fit({"weather": ["sunny", "rainy"]})
    with pytest.raises(
        ValueError, match=r"expected one of 'rainy', 'sunny', unless .* \(--unknown ignore\), found 'foggy'"
    ):
        encoding.transform({"weather": ["foggy"]})
    encoding.set_params(unknown="ignore")
    assert encoding.transform({"weather": ["foggy"]}).tolist() == [[0, 0]]
    assert encoding.as_record()["parameters"]["unknown"] == "ignore"
    assert pickle.loads(pickle.dumps(encoding)).transform({"weather": ["foggy"]}).tolist() == [[0, 0]]
    encoding.set_params(unknown="guess")
    with pytest.raises(ParameterError, match=r"^unknown: expected error or ignore, found 'guess'$"):
        encoding.transform({"weather": ["foggy"]})


def test_other_parameters_count_at_the_next_fit() -> None:
    encoding = TableEncoding(label="walk", ignore=["note"], missing="zero").fit(io.BytesIO(TEXT))
    before = encoding.to_json()
    encoding.set_params(label=None, bits=99, text=["weather"])
    assert encoding.to_json() == pickle.loads(pickle.dumps(encoding)).to_json() == before
    assert clone(encoding).get_params() == encoding.get_params() == pickle.loads(pickle.dumps(encoding)).get_params()
    with pytest.raises(ParameterError, match="bits"):
        encoding.fit(io.BytesIO(TEXT))
    assert encoding.to_json() == before


@pytest.mark.parametrize("given", [None, *GIVEN], ids=["new", "dense", "sparse"])
@pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy], ids=["pickle", "copy"])
def test_pickles(given: dict[str, Any] | None, again: Any) -> None:
    encoding = TableEncoding(label="walk", **(given or {})).set_output(transform="default")
    if given is not None:
        encoding.fit(io.BytesIO(TEXT))
    text = pickle.dumps(encoding, protocol=4)
    named = {arg for _, arg, _ in pickletools.genops(text) if isinstance(arg, str) and arg.startswith("rosenblatt")}
    assert named == {"rosenblatt"}
    other = again(encoding)
    assert vars(other).keys() == vars(encoding).keys()
    assert repr(other) == repr(encoding)
    if given is not None:
        assert other.to_json() == encoding.to_json()
        assert (encoding.transform(io.BytesIO(TEXT)) != other.transform(io.BytesIO(TEXT))).sum() == 0
    assert pickle.dumps(other) == pickle.dumps(again(other))


def test_a_column_has_one_place() -> None:
    with pytest.raises(ValueError, match=r"^text: expected each column once, found \['a'\]$"):
        EncodingParameters.of(label="a", text=["a"])
    with pytest.raises(ValueError, match=r"^words: expected one of label, categorical, "):
        EncodingParameters.of(words=1)
