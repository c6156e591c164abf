"""
One circle around another
=========================

No line separates them, but a kernel does. The support vectors, those examples that were once a mistake, are outlined;
the dashed lines are where scores are as near to 0 as those of the nearest points.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import make_circles

from rosenblatt import KernelPerceptron, plot

X, y = make_circles(120, noise=0.08, factor=0.45, random_state=0)
model = KernelPerceptron(kernel="rbf", gamma=1, readout="last", margin=1).fit(X, 2 * y - 1)

figure, ax = plt.subplots(figsize=(7.6, 3.6), layout="compressed")
plot.boundary(model, X, 2 * y - 1, ax=ax)
