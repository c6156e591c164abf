"""Our linear models for skl2onnx, so that it converts pipelines that end with one: the graph of `to_onnx`.

skl2onnx asks for a class's converter by name: `register_with_skl2onnx` gives it ours, and nothing else is changed.
"""

from typing import Any

import rosenblatt
from rosenblatt.services.export.linear import KINDS, linear
from rosenblatt.services.export.onnx_graph import OPSET, check_size, steps_of


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

    found = linear(operator.raw_operator)
    n_rows = operator.inputs[0].get_first_dimension()
    operator.outputs[-1].type = FloatTensorType([n_rows, len(found.coef)] if len(found.coef) > 1 else [n_rows])
    if found.classes is not None:
        classes = steps_of(found)[1]["classes"]
        ((_, label),) = guess_data_type(classes.astype(str) if classes.dtype == object else classes)
        operator.outputs[0].type = type(label)([n_rows])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """The graph of `to_onnx` with names of its own."""
    from onnx import TensorProto, helper

    found = linear(operator.raw_operator)
    check_size(*found.coef.shape)
    steps, constants = steps_of(found)
    names = {"X": scope.get_unique_variable_name("rows"), "scores": operator.outputs[-1].full_name}
    if found.classes is not None:
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
    for one in steps:
        names.setdefault(one.output, scope.get_unique_variable_name(one.output))
        add(one.operator, [names[name] for name in one.inputs], names[one.output], **one.attributes)
