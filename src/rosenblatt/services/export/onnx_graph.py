"""A linear model as an ONNX graph: Gemm for the scores, then ArgMax or a comparison with 0, and Gather for the label.

The graph is in float32, as runtimes expect it. Its scores are within 1e-5 of the model's, relative to the sum of
|w_i x_i|, and its labels are equal where the decision is not closer than that; on small integers both are exact.
"""

import json
from typing import Any, NamedTuple

import numpy as np

import rosenblatt
from rosenblatt.base.arrays import Array
from rosenblatt.services.export.linear import Linear, linear

OPSET, IR_VERSION = 13, 7  # the oldest that have these operators, so that old runtimes read it too
MOST_FEATURES = 2**20
INT64 = 7  # what onnx.TensorProto calls it
MOST_BYTES = 2**31  # of a protobuf message, which an ONNX file is


def to_onnx(model: Any) -> bytes:
    """The model as the bytes of an ONNX file; needs the extra `onnx`.

    The input `X` has dense float32 rows; the outputs are `label`, as `predict` gives it, and `scores`, as
    `decision_function` does. A regressor has `scores` only. Names of features are in the metadata, as a JSON list.

    Parameters
    ----------
    model
        A fitted `Perceptron` of any readout but "vote", a `PassiveAggressiveClassifier`, `PassiveAggressiveRegressor`,
        `LinearUnit`, `LinearUnitClassifier` or `RandomHypotheses`.

    Examples
    --------
    >>> from onnxruntime import InferenceSession
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> session = InferenceSession(to_onnx(Perceptron(shuffle=False).fit(*AND)))
    >>> label, scores = session.run(["label", "scores"], {"X": AND.X.astype("float32")})
    >>> label.tolist(), scores.tolist()
    ([-1, -1, -1, 1], [-4.0, -2.0, -1.0, 1.0])
    """
    found = linear(model)
    n_rows, n_features = found.coef.shape
    check_size(n_rows, n_features)
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as error:
        raise ImportError("an ONNX file needs onnx: pip install 'rosenblatt[onnx]'") from error

    steps, constants = steps_of(found)
    nodes = [helper.make_node(one.operator, one.inputs, [one.output], **one.attributes) for one in steps]
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["N", n_rows] if n_rows > 1 else ["N"])
    outputs = [scores]
    if found.classes is not None:
        kind = helper.np_dtype_to_tensor_dtype(constants["classes"].dtype)
        outputs.insert(0, helper.make_tensor_value_info("label", kind, ["N"]))
    graph = helper.make_graph(
        nodes,
        found.kind,
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, ["N", n_features])],
        outputs,
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    said = helper.make_model(
        graph,
        producer_name="rosenblatt",
        producer_version=rosenblatt.__version__,
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    if found.feature_names is not None:
        helper.set_model_props(said, {"feature_names": json.dumps(found.feature_names)})
    return bytes(said.SerializeToString())


class Step(NamedTuple):
    """A node of the graph, by the names of its inputs and its output."""

    operator: str
    inputs: list[str]
    output: str
    attributes: dict[str, Any]


def steps_of(found: Linear) -> tuple[list[Step], dict[str, Array]]:
    """What leads from `X` to `scores`, and for a classifier to `label`; and the constants that this needs, by name."""
    many = len(found.coef) > 1
    constants = {"w": _float32(found.coef.T, "coef_"), "b": _float32(found.intercept, "intercept_")}
    steps = [Step("Gemm", ["X", "w", "b"], "scores" if many else "column", {})]
    if not many:
        constants["one"] = np.array([1])
        steps.append(Step("Squeeze", ["column", "one"], "scores", {}))
    if found.classes is None:
        return steps, constants
    constants["classes"] = _labels(found.classes)
    if many:
        ties = {"axis": 1, "keepdims": 0, "select_last_index": int(found.last_of_ties)}
        steps.append(Step("ArgMax", ["scores"], "number", ties))
    else:
        constants["zero"] = np.array(0, dtype=np.float32)
        above = "GreaterOrEqual" if found.last_of_ties else "Greater"
        steps.append(Step(above, ["scores", "zero"], "is_second", {}))
        steps.append(Step("Cast", ["is_second"], "number", {"to": INT64}))
    steps.append(Step("Gather", ["classes", "number"], "label", {}))
    return steps, constants


def check_size(n_rows: int, n_features: int) -> None:
    """The graph takes dense rows, and its file is one message of protobuf: both have their limits.

    >>> check_size(1, 2**24)
    Traceback (most recent call last):
    ValueError: model: expected at most 1048576 features, as an ONNX graph takes dense rows; found 16777216
    >>> check_size(1000, 2**20)
    Traceback (most recent call last):
    ValueError: model: expected weights of less than 2147483648 bytes, the most of an ONNX file; found 4194304000
    """
    if n_features > MOST_FEATURES:
        expected = f"at most {MOST_FEATURES} features, as an ONNX graph takes dense rows"
        raise ValueError(f"model: expected {expected}; found {n_features}")
    if (n_bytes := 4 * n_rows * n_features) >= MOST_BYTES:
        expected = f"weights of less than {MOST_BYTES} bytes, the most of an ONNX file"
        raise ValueError(f"model: expected {expected}; found {n_bytes}")


def _float32(weights: Array, name: str) -> Array:
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(weights, dtype=np.float32)
    if not np.isfinite(narrow).all():
        raise ValueError(f"{name}: expected weights within the range of float32, found {np.abs(weights).max()}")
    return narrow


def _labels(classes: Array) -> Array:
    """Texts as objects, which is how onnx takes them; numbers as they are."""
    if classes.dtype.kind in "biuf":
        return classes
    if not all(isinstance(label, str) for label in classes.tolist()):
        raise ValueError(f"classes_: expected numbers or texts, found {classes.tolist()}")
    return classes.astype(object)
