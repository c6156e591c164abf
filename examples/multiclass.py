"""Classes as the smallest structure: a block of weights a class, and argmax. It is Perceptron, update for update."""

from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from rosenblatt import Perceptron, StructuredPerceptron, check_run

N_CLASSES = 10
Array = np.ndarray[Any, Any]


def features(x: Array, y: int) -> Array:
    """Phi(x, y): x in the block of class y, zeros in the others."""
    blocks = np.zeros((N_CLASSES, len(x)))
    blocks[y] = x
    return blocks.ravel()


def decode(w: Array, x: Array) -> int:
    """The class of the highest score; the first of equal ones."""
    return int((w.reshape(N_CLASSES, -1) @ x).argmax())


def main() -> None:
    X, y = load_digits(return_X_y=True)
    X = np.column_stack([np.ones(len(X)), X])  # the constant feature
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=1)
    words: dict[str, Any] = {"readout": "average", "keep_mistakes": True, "max_iter": 100}
    structured = StructuredPerceptron(features, decode, **words).fit(X, y.tolist())
    perceptron = Perceptron(tie="negative", fit_intercept=False, **words).fit(X, y)

    print("mistakes of each pass over 1347 digits")
    for model in (structured, perceptron):
        print(f"  {type(model).__name__:<21}", *model.mistakes_[:8], "...", *model.mistakes_[-3:])
    same = bool((structured.weights_.reshape(N_CLASSES, -1) == perceptron.coef_).all())
    print(f"the same average weights, to the bit: {same}\n")
    print("right, of 450 more")
    for readout in ("last", "average"):
        right = [m.set_params(readout=readout).predict(X_test) == y_test for m in (structured, perceptron)]
        print(f"  {readout:<21}", *(int(np.sum(r)) for r in right))
    print("\nCollins's theorem on this run, with the last weights as the separator:")
    print(check_run(structured, w=structured.weights_for("last")))


if __name__ == "__main__":
    main()
