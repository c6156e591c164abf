"""A linear model as an ONNX graph: Gemm for the scores, then ArgMax or a comparison with 0, and Gather for the label.

The graph is in float32, as runtimes expect it. Its scores are within 1e-5 of the model's, relative to the sum of
|w_i x_i|, and its labels are equal where the decision is not closer than that; on small integers both are exact.

skl2onnx asks for a class's converter by name: `register_with_skl2onnx` gives it ours, so that it converts pipelines
that end with one of our models, and nothing else is changed.
"""

import json
from typing import Any, NamedTuple

import numpy as np

import rosenblatt
from rosenblatt.base.arrays import Array
from rosenblatt.services.export.linear import KINDS, LinearWeights, linear

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
    weights = linear(model)
    n_machines, n_features = weights.coef.shape
    check_size(n_machines, n_features)
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as error:
        raise ImportError("an ONNX file needs onnx: pip install 'rosenblatt[onnx]'") from error

    steps, constants = steps_of(weights)
    nodes = [helper.make_node(node.operator, node.inputs, [node.output], **node.attributes) for node in steps]
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["N", n_machines] if n_machines > 1 else ["N"])
    outputs = [scores]
    if weights.classes is not None:
        kind = helper.np_dtype_to_tensor_dtype(constants["classes"].dtype)
        outputs.insert(0, helper.make_tensor_value_info("label", kind, ["N"]))
    graph = helper.make_graph(
        nodes,
        weights.kind,
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, ["N", n_features])],
        outputs,
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model_proto = helper.make_model(
        graph,
        producer_name="rosenblatt",
        producer_version=rosenblatt.__version__,
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    if weights.feature_names is not None:
        helper.set_model_props(model_proto, {"feature_names": json.dumps(weights.feature_names)})
    return bytes(model_proto.SerializeToString())


class Node(NamedTuple):
    """A node of the graph, by the names of its inputs and its output."""

    operator: str
    inputs: list[str]
    output: str
    attributes: dict[str, Any]


def steps_of(weights: LinearWeights) -> tuple[list[Node], dict[str, Array]]:
    """What leads from `X` to `scores`, and for a classifier to `label`; and the constants that this needs, by name."""
    many = len(weights.coef) > 1
    constants = {"w": _float32(weights.coef.T, "coef_"), "b": _float32(weights.intercept, "intercept_")}
    steps = [Node("Gemm", ["X", "w", "b"], "scores" if many else "column", {})]
    if not many:
        constants["one"] = np.array([1])
        steps.append(Node("Squeeze", ["column", "one"], "scores", {}))
    if weights.classes is None:
        return steps, constants
    constants["classes"] = _labels(weights.classes)
    if many:
        ties = {"axis": 1, "keepdims": 0, "select_last_index": int(weights.last_of_ties)}
        steps.append(Node("ArgMax", ["scores"], "number", ties))
    else:
        constants["zero"] = np.array(0, dtype=np.float32)
        above = "GreaterOrEqual" if weights.last_of_ties else "Greater"
        steps.append(Node(above, ["scores", "zero"], "is_second", {}))
        steps.append(Node("Cast", ["is_second"], "number", {"to": INT64}))
    steps.append(Node("Gather", ["classes", "number"], "label", {}))
    return steps, constants


def check_size(n_machines: int, n_features: int) -> None:
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
    if (n_bytes := 4 * n_machines * n_features) >= MOST_BYTES:
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


def register_with_skl2onnx() -> None:
    """Make skl2onnx convert our linear models, alone and in pipelines; to be called once, before `to_onnx` of theirs.

    A classifier has the outputs `label` and `scores`, as `predict` and `decision_function` give them, a regressor
    `scores`. Models are limited as for `rosenblatt.export.to_onnx`. Needs skl2onnx.

    Examples
    --------
    >>> import numpy as np
    >>> from onnxruntime import InferenceSession
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skl2onnx import to_onnx
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.data.lectures import AND
    >>> register_with_skl2onnx()
    >>> X = AND.X.astype(np.float32)
    >>> model = make_pipeline(StandardScaler(), Perceptron(shuffle=False)).fit(X, AND.y)
    >>> session = InferenceSession(to_onnx(model, X[:1]).SerializeToString())
    >>> label, scores = session.run(["label", "scores"], {"X": X})
    >>> label.tolist(), bool(abs(scores - model.decision_function(X)).max() < 1e-5)
    ([-1, -1, -1, 1], True)
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise ImportError("register_with_skl2onnx: expected skl2onnx, found none: pip install skl2onnx") from error

    for kind in KINDS:
        update_registered_converter(
            getattr(rosenblatt, kind),
            f"Rosenblatt{kind}",
            _declare_types,
            _convert,
            overwrite=True,
            parser=_declare_outputs,
        )


def _declare_outputs(scope: Any, model: Any, inputs: Any, custom_parsers: Any = None) -> Any:  # noqa: ARG001
    """The operator with its outputs by name; what they are is said by `_declare_types`."""
    from skl2onnx.common.data_types import FloatTensorType

    operator = scope.declare_local_operator(f"Rosenblatt{type(model).__name__}", model)
    operator.inputs = inputs
    for name in (["label"] if hasattr(model, "classes_") else []) + ["scores"]:
        operator.outputs.append(scope.declare_local_variable(name, FloatTensorType()))
    return operator.outputs


def _declare_types(operator: Any) -> None:
    from skl2onnx.common.data_types import FloatTensorType, guess_data_type

    weights = linear(operator.raw_operator)
    n_rows = operator.inputs[0].get_first_dimension()
    operator.outputs[-1].type = FloatTensorType([n_rows, len(weights.coef)] if len(weights.coef) > 1 else [n_rows])
    if weights.classes is not None:
        classes = steps_of(weights)[1]["classes"]
        ((_, label),) = guess_data_type(classes.astype(str) if classes.dtype == object else classes)
        operator.outputs[0].type = type(label)([n_rows])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """The graph of `to_onnx` with names of its own."""
    from onnx import TensorProto, helper

    weights = linear(operator.raw_operator)
    check_size(*weights.coef.shape)
    steps, constants = steps_of(weights)
    names = {"X": scope.get_unique_variable_name("rows"), "scores": operator.outputs[-1].full_name}
    if weights.classes is not None:
        names["label"] = operator.outputs[0].full_name
    for name, value in constants.items():
        names[name] = scope.get_unique_variable_name(name)
        content = [text.encode() for text in value] if value.dtype == object else value.ravel()
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        container.add_initializer(names[name], kind, list(value.shape), content)

    def add(node: str, inputs: list[str], output: str, **attributes: Any) -> None:
        name = scope.get_unique_operator_name(node)
        container.add_node(node, inputs, output, name=name, op_version=OPSET, **attributes)

    add("Cast", [operator.inputs[0].full_name], names["X"], to=TensorProto.FLOAT)
    for step in steps:
        names.setdefault(step.output, scope.get_unique_variable_name(step.output))
        add(step.operator, [names[name] for name in step.inputs], names[step.output], **step.attributes)
