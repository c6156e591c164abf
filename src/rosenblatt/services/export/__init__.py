"""A fitted linear model for other programs: as an ONNX graph, or as scikit-learn has it.

Both hold the weights that answer, and nothing of the run: a model file, see `rosenblatt.save`, keeps all of it.
"""

from rosenblatt.services.export.onnx_graph import to_onnx
from rosenblatt.services.export.skl2onnx_converters import register_with_skl2onnx
from rosenblatt.services.export.sklearn_attributes import sklearn_attributes, to_sklearn

__all__ = ["register_with_skl2onnx", "sklearn_attributes", "to_onnx", "to_sklearn"]
