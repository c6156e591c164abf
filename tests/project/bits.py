"""Models of the family on random rows, and the bits that each learns: the same for every compiler and machine.

`python -m tests.project.bits` prints a digest of each, so that two builds can be compared.
"""

import hashlib
import itertools
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import DependencyParser, KernelPerceptron, LinearUnit, Perceptron
from rosenblatt.data.treebank import load_treebank

MODELS: dict[str, Any] = {
    "average": Perceptron(readout="average", max_iter=3),
    "pa1": Perceptron(step="pa1", C=0.1, max_iter=3),
    "arow": Perceptron(step="arow", readout="average", max_iter=3),
    "vote": Perceptron(readout="vote", max_iter=2),
    "pocket": Perceptron(readout="pocket", max_iter=2),
    "batches": Perceptron(batch_size=7, max_iter=3),
    "one-vs-rest": Perceptron(multiclass="one-vs-rest", max_iter=3),
    "linear unit": LinearUnit(max_iter=5),
    "stochastic": LinearUnit(method="stochastic", max_iter=2),
}


def data(kind: str, dtype: str, n_classes: int) -> tuple[Any, Any]:
    random = np.random.default_rng(7)
    X = random.normal(size=(600, 37)).astype(dtype)
    y = (X @ random.normal(size=(37, n_classes)) + random.normal(size=(600, n_classes))).argmax(axis=1)
    return (X, y) if kind == "dense" else (sp.csr_array(np.where(np.abs(X) > 0.7, X, 0)), y)


def bits(model: Any, X: Any, y: Any) -> list[bytes]:
    model.fit(X, y)
    answer = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
    return [np.asarray(answer).tobytes(), *([model.coef_.tobytes()] if hasattr(model, "coef_") else [])]


def main() -> None:
    """Print a digest of what each model learns, of a kernel's, and of parsers'."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    for kind, dtype, n_classes in itertools.product(["dense", "sparse"], ["float32", "float64"], [2, 5, 40]):
        X, y = data(kind, dtype, n_classes)
        for name, model in (MODELS | {"kernel": KernelPerceptron(max_iter=2)}).items():
            print(name, kind, dtype, n_classes, hashlib.sha256(b"".join(bits(model, X, y))).hexdigest())
    for beam in (1, 4):
        arrays = DependencyParser(beam=beam, max_iter=4).fit(*load_treebank())._model.weights.arrays()
        print("parser", beam, hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest())


if __name__ == "__main__":
    main()
