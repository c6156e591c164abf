"""
How far on the right side
=========================

The margin of each point of a separable set: y times its distance from the plane. The perceptron is content once all
are above 0, and with `margin` it asks for more. How large the least of them can be at all, `certify` knows.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

from rosenblatt import Perceptron, certify, margins

X, y = load_iris(return_X_y=True)
X, y = X[y < 2], np.where(y[y < 2] == 1, 1, -1)  # setosa against versicolor
lines = {"certify, the largest": certify(X, y).w}
for margin in (10, 0):
    model = Perceptron(margin=margin, shuffle=False).fit(X, y)
    lines[f"Perceptron(margin={margin})"] = (*model.intercept_, *model.coef_[0])

figure, axes = plt.subplots(3, 1, figsize=(7.6, 4.6), sharex=True, layout="compressed")
for ax, (name, w) in zip(axes[::-1], lines.items(), strict=True):
    found = margins(w, X, y, offset="augmented")
    ax.hist(found, bins=np.linspace(0, 3, 41), color="#56B4E9", edgecolor="white")
    ax.axvline(found.min(), color="#D55E00", linewidth=2)
    ax.set_title(f"{name}: the least is {found.min():.3f}", fontsize=10, loc="left")
    ax.set_ylabel("points")
    ax.spines[["top", "right"]].set_visible(False)
axes[-1].set_xlabel("margin")
