"""A single pass has no rows to hold out: early_stopping is refused where it could only be ignored."""

from typing import Any

import numpy as np
import pytest

from rosenblatt import DependencyParser, KernelPerceptron, Perceptron, SequenceTagger, StructuredPerceptron
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.members.fit import learn_more
from rosenblatt.members.kernel.online import KernelOnline
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.kernel.perceptron import learn_more_kernel
from rosenblatt.members.linear.online import LinearOnline
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.sentences.tagger.online import TaggerOnline
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters

X, Y = np.array([[0.0, 1], [1, 0]]), [0, 1]
STRUCTURED = StructuredPerceptron(lambda x, y: {(x, y): 1.0}, lambda w, x: max("ab", key=lambda y: w.get((x, y), 0)))


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (Perceptron(), (X, Y)),
        (KernelPerceptron(), (X, Y)),
        (SequenceTagger(), ([["the", "dog"]], [["D", "N"]])),
        (DependencyParser(), ([["he", "runs"]], [[2, 0]], [["nsubj", "root"]])),
        (STRUCTURED, (["x", "y"], ["a", "b"])),
    ],
    ids=lambda one: type(one).__name__,
)
def test_partial_fit(model: Any, rows: Any) -> None:
    model.set_params(early_stopping=True)
    with pytest.raises((ValueError, AttributeError)) as caught:
        model.partial_fit(*rows)
    said = str(caught.value.__cause__ or caught.value)
    assert "partial_fit" in said
    assert "makes one pass over all it gets" in said
    assert not model.__sklearn_is_fitted__()
    model.set_params(early_stopping=False).partial_fit(*rows)


def test_members_refuse_it_too() -> None:
    cases: Any = (
        lambda: learn_more(LinearMember(PerceptronParameters(early_stopping=True)), None, X, Y),
        lambda: learn_more_kernel(KernelParameters(early_stopping=True), None, X, Y),
    )
    for learn in cases:
        with pytest.raises(
            ParameterError, match="early_stopping: expected False for partial_fit, which makes one pass"
        ):
            learn()


@pytest.mark.parametrize(
    "make",
    [
        lambda: LinearOnline(PerceptronParameters(early_stopping=True)),
        lambda: KernelOnline(KernelParameters(early_stopping=True, budget=3, gamma=1.0)),
        lambda: TaggerOnline(TaggerParameters(early_stopping=True)),
    ],
)
def test_runs_without_end(make: Any) -> None:
    with pytest.raises(ParameterError, match="early_stopping: expected False in a run without end, found True"):
        make()
