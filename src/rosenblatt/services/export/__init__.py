"""A fitted model for other programs: as an ONNX graph, as scikit-learn has it, as a page, as a module for JavaScript.

All hold the weights that answer, and nothing of the run: a model file, see `rosenblatt.save`, keeps all of it.
"""

from rosenblatt.services.export.linear import sklearn_attributes, to_sklearn
from rosenblatt.services.export.onnx_graph import register_with_skl2onnx, to_onnx
from rosenblatt.services.export.text_page import to_module, to_page

__all__ = ["register_with_skl2onnx", "sklearn_attributes", "to_module", "to_onnx", "to_page", "to_sklearn"]
