"""A fitted linear model for other programs: as an ONNX graph, or as scikit-learn has it.

Both hold the weights that answer, and nothing of the run: a model file, see `rosenblatt.save`, keeps all of it.
"""

from rosenblatt.services.export.linear import sklearn_attributes, to_sklearn
from rosenblatt.services.export.onnx_graph import register_with_skl2onnx, to_onnx

__all__ = ["register_with_skl2onnx", "sklearn_attributes", "to_onnx", "to_sklearn"]
