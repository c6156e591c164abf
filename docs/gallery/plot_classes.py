"""
Three classes, four features
============================

Any two features of any number of classes: here the petals of the three kinds of iris. The regions are a slice through
the mean of the features that are not drawn; what is ringed is a mistake in all four.
"""

import warnings

from matplotlib import pyplot as plt
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import Perceptron, plot

iris = load_iris(as_frame=True)
kinds = iris.target_names[iris.target]
with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # iris is not separable
    model = Perceptron(readout="average", max_iter=200).fit(iris.data, kinds)

figure, ax = plt.subplots(figsize=(7.6, 3.6), layout="compressed")
plot.boundary(model, iris.data, kinds, features=("petal length (cm)", "petal width (cm)"), ax=ax)
