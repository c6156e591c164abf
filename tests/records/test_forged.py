"""Model files of every kind in which one entry or one tensor was changed and the seal made new.

Each is refused where it is loaded, with the name of the file, or it is a model: it answers, as all of it does that can
be asked for, without an exception that is not ours and without memory that the file does not account for.
"""

import copy
import math
import os
import random
import re
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
    TableEncoding,
    TextPipeline,
)
from rosenblatt.data.lectures import AND
from rosenblatt.data.treebank import treebank_path
from rosenblatt.doors.cli.inspect import of_model
from rosenblatt.doors.sklearn.model_file import load, save

from .damage import loaded
from .files import Opened, opened, sealed

pytestmark = pytest.mark.filterwarnings("ignore")

X, Y = np.vstack([AND.X, AND.X + 1]).astype(float), ["a", "b", "c", "a", "b", "c", "a", "b"]
SENTENCES, TAGS = [["the", "dog"], ["the", "old", "dog"]], [["D", "N"], ["D", "A", "N"]]
HEADS = [[2, 0], [3, 3, 0]]
TABLE = {"weather": ["sun", "rain", "sun", "fog"], "wind": [1.0, 2.0, None, 4.0], "walk": ["y", "n", "y", "n"]}
SAID = (
    "a vote has no|the table: expected|row . of the table: expected|must be dense|budget_policy=|"
    "only if the mistakes are kept|did not keep what|too large for its type"
)
SOME = 40
MOST_MEMORY = 64 << 20
EVERY = ("coef_", "intercept_", "dual_coef_", "support_", "support_vectors_", "n_support_", "mistakes_", "n_iter_")


def encoded() -> Any:
    encoding = TableEncoding(label="walk", missing="mean").fit(TABLE)
    model = Perceptron(max_iter=3).fit(encoding.transform(TABLE), TABLE["walk"])
    model.encoding_ = encoding
    return model


KEPT: Any = {"keep_mistakes": True, "max_iter": 3}
MODELS: dict[str, Callable[[], Any]] = {
    "average": lambda: Perceptron(readout="average", **KEPT).fit(sp.csr_array(X), Y),
    "pocket": lambda: Perceptron(readout="pocket", init=np.ones((3, 2)), class_weight={"a": 2.0}, **KEPT).fit(X, Y),
    "vote": lambda: Perceptron(readout="vote", **KEPT).fit(*AND),
    "arow": lambda: Perceptron(step="arow", max_iter=3).fit(X.astype(np.float32), Y),
    "unit": lambda: LinearUnit().fit(*AND),
    "classifier": lambda: LinearUnitClassifier().fit(X, Y),
    "hypotheses": lambda: RandomHypotheses(k=3).fit(*AND),
    "rbf": lambda: KernelPerceptron(max_iter=3).fit(X, Y),
    "poly": lambda: KernelPerceptron(kernel="poly", readout="vote", normalise=True, max_iter=3).fit(sp.csr_array(X), Y),
    "precomputed": lambda: KernelPerceptron(kernel="precomputed", max_iter=3).fit(X @ X.T, Y),
    "project": lambda: KernelPerceptron(budget=3, max_iter=3).fit(X, Y),
    "tagger": lambda: SequenceTagger(max_iter=3).fit(SENTENCES, TAGS),
    "parser": lambda: DependencyParser(max_iter=3).fit(SENTENCES, HEADS, TAGS),
    "pipeline": lambda: TextPipeline(tree="lean", max_iter=2, folds=2).fit(treebank_path()),
    "table": encoded,
}


def paths(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every entry of a record, however deep."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, entry in inside:
        yield (*here, name)
        yield from paths(entry, (*here, name))


def other_values(value: Any) -> list[Any]:
    """In the place of an entry."""
    numbers: list[Any] = [0, -1, 3, 2**31, 3 * 2**31, 2**53, 2**63, 10**400]
    floats = [0.0, -1.0, 1e-320, 1e-160, 1e160, 1e308, math.nan, math.inf]
    return [None, True, "", "vote", [], {}, *(floats + numbers if isinstance(value, float) else numbers + floats)]


def other_tensors(array: Any) -> Iterator[Any]:
    """In the place of a tensor: of another shape, of another type, one number or all numbers other ones."""
    yield from (np.atleast_1d(array)[:0], np.append(array, array), array.reshape(-1, 1), array[np.newaxis])
    yield from (array.astype(kind) for kind in (np.float16, np.float32, np.float64, np.int32, np.int64, np.uint8))
    kind = array.dtype
    numbers: Any = [0.0, -1.0, 1e-320, 1e-160, 1e30, 1e160, 1e308, np.nan, np.inf]
    if kind.kind != "f":
        numbers = [0, -1, 1, 100, np.iinfo(kind).max, np.iinfo(kind).min]
    for number in numbers:
        with np.errstate(all="ignore"):
            value = np.array(number).astype(kind)
        yield np.full_like(array, value)
        for at in (0, -1):
            if array.size:
                changed = array.copy()
                changed.flat[at] = value
                yield changed


def forged(file: Opened) -> Iterator[tuple[str, Opened]]:
    """All of them, each with what was changed."""
    for path in paths(file.record):
        found = file.record
        for name in path:
            found = found[name]
        for value in other_values(found):
            record = copy.deepcopy(file.record)
            inside = record
            for name in path[:-1]:
                inside = inside[name]
            inside[path[-1]] = value
            yield f"{'.'.join(map(str, path))} = {value!r}", Opened(record, file.tensors)
    for name, array in file.tensors.items():
        for number, tensor in enumerate(other_tensors(array)):
            yield f"tensor {name}, change {number}", Opened(file.record, {**file.tensors, name: tensor})


def answers(model: Any, path: Path) -> None:
    """Ask for all that there is: finite numbers, or a sentence of ours that says why there is no answer."""
    with ours():
        of_model(str(path), 10)
    for name in EVERY:
        if hasattr(type(model), name):
            with ours():
                assert_finite(getattr(model, name))
    if isinstance(model, SequenceTagger | DependencyParser):
        model.predict(SENTENCES)
        return
    if isinstance(model, TextPipeline):
        with ours():
            model.annotate("The old dog sleeps. A cat, too!")
        return
    rows: Any = sp.eye_array(3, model.n_features_in_, format="csr")
    rows = rows.toarray() if model.n_features_in_ < 10**6 else rows
    with ours():
        assert len(model.predict(rows)) == 3
    if hasattr(model, "decision_function"):
        with ours():
            assert_finite(model.decision_function(rows))
    if hasattr(model, "encoding_"):
        with ours():
            model.encoding_.transform(TABLE)


def assert_finite(found: Any) -> None:
    numbers: Any = np.asarray(getattr(found, "data", found) if sp.issparse(found) else found)
    assert numbers.dtype.kind != "f" or np.isfinite(numbers).all(), f"{numbers} is not finite"


@contextmanager
def ours() -> Iterator[None]:
    try:
        yield
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        if not re.search(SAID, str(error)):
            raise


@pytest.mark.parametrize("name", MODELS)
def test_every_change(tmp_path: Path, name: str) -> None:
    """Some of them, drawn by lot; with FORGED=all in the environment all, in minutes."""
    save(MODELS[name](), tmp_path / "model")
    answers(loaded(tmp_path / "model"), tmp_path / "model")
    changes = list(forged(opened(tmp_path / "model")))
    chosen = changes if os.environ.get("FORGED") == "all" else random.Random(name).sample(changes, SOME)
    wrong, refused = [], 0
    tracemalloc.start()
    for said, file in chosen:
        path, model = sealed(tmp_path / "forged", *file), None
        tracemalloc.reset_peak()
        try:
            with np.errstate(all="ignore"):
                model = loaded(path)
                if model is not None:
                    answers(model, path)
        except Exception as error:  # each is a failure of this test
            wrong.append(f"{said[:60]}: {type(error).__name__}: {error}")
        if tracemalloc.get_traced_memory()[1] > MOST_MEMORY:
            wrong.append(f"{said[:60]}: {tracemalloc.get_traced_memory()[1] >> 20} MiB")
        refused += model is None
    tracemalloc.stop()
    assert not wrong, "\n".join([f"{len(wrong)} of {len(chosen)}", *wrong])
    assert refused > len(chosen) / 2


def test_a_factor_without_an_inverse(tmp_path: Path) -> None:
    save(MODELS["project"](), tmp_path / "model")
    file = opened(tmp_path / "model")
    file.tensors["project.factor"][0, 0] = 1e-320
    with pytest.raises(ValueError, match="forged: expected coefficients that are finite"):
        load(sealed(tmp_path / "forged", *file))


@pytest.mark.parametrize("name", ["average", "vote", "rbf"])
def test_rows_that_were_not_there(tmp_path: Path, name: str) -> None:
    """Coefficients of the rows that were learned from take memory for each."""
    save(MODELS[name](), tmp_path / "model")
    file = opened(tmp_path / "model")
    file.record["n_seen"] = 3 * 2**31
    with pytest.raises(ValueError, match=r"training: expected rows as in the model, 6442450944, found \d$"):
        load(sealed(tmp_path / "forged", *file))
