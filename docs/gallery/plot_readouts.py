"""
One run, four answers
=====================

The last weights depend on the last few mistakes, so that their error goes up and down from pass to pass. The average,
the vote and the pocket are read out of the very same run, and are steadier: which weights answer is one word.
"""

import warnings

from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron

X, y = load_breast_cancer(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=3)
scaler = StandardScaler().fit(X)
X, X_test = scaler.transform(X), scaler.transform(X_test)

passes = range(1, 26)
figure, ax = plt.subplots(figsize=(7.6, 3.6), layout="compressed")
for readout, colour, style in (
    ("last", "#D55E00", "-"),
    ("average", "#0072B2", "-"),
    ("vote", "#009E73", "--"),
    ("pocket", "#CC79A7", "-."),
):
    errors = []
    for number in passes:
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # it is to stop here
            model = Perceptron(max_iter=number).set_params(readout=readout).fit(X, y)
        errors.append(100 * (1 - model.score(X_test, y_test)))
    ax.plot(passes, errors, color=colour, linestyle=style, label=readout)
ax.set(xlabel="passes", ylabel="test error in %", ylim=(0, None))
ax.legend(frameon=False, ncols=4, loc="upper right")
ax.spines[["top", "right"]].set_visible(False)
