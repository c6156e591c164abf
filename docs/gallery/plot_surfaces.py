"""
What a kernel makes of the plane
================================

The same two half moons, four kernels. Each picture is the surface of scores: where it is 0, in black, the answer
changes. A line cannot follow the moons, a polynomial of degree 2 hardly, one of degree 3 can, and so can rbf, which
knows nothing far from the examples.
"""

import warnings

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import KernelPerceptron

X, y = make_moons(120, noise=0.12, random_state=1)
models = {
    "linear": KernelPerceptron(kernel="linear", coef0=1, max_iter=100),
    "polynomial of degree 2": KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, max_iter=100),
    "polynomial of degree 3": KernelPerceptron(kernel="poly", degree=3, gamma=1, coef0=1, max_iter=100),
    "rbf": KernelPerceptron(kernel="rbf", gamma=3, max_iter=100),
}
across, up = np.meshgrid(np.linspace(-1.6, 2.6, 180), np.linspace(-1.2, 1.7, 130))
grid = np.column_stack([across.ravel(), up.ravel()])

figure, axes = plt.subplots(2, 2, figsize=(7.6, 5.6), sharex=True, sharey=True, layout="compressed")
for ax, (name, model) in zip(axes.flat, models.items(), strict=True):
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # not all of them separate
        model.fit(X, y)
    scores = model.decision_function(grid).reshape(across.shape)
    most = np.abs(scores).max()
    ax.contourf(across, up, scores, levels=np.linspace(-most, most, 22), cmap="RdBu")
    ax.contour(across, up, scores, levels=[0], colors="black", linewidths=1.5)
    for label, colour, shape in ((0, "#D55E00", "o"), (1, "#0072B2", "s")):
        ax.scatter(*X[y == label].T, c=colour, marker=shape, s=14, edgecolors="white", linewidths=0.5)
    wrong = int((model.predict(X) != y).sum())
    ax.set_title(f"{name}: {wrong} of {len(y)} wrong", fontsize=10)
    ax.set_aspect("equal")
