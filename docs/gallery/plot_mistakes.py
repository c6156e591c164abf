"""
Mistakes of each pass
=====================

They need not fall from pass to pass, but on separable data they come to an end: the theorem says so, and `converged_`.
"""

from matplotlib import pyplot as plt
from sklearn.datasets import load_digits

from rosenblatt import Perceptron, plot
from rosenblatt.data.lectures import AND

figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 2.8), layout="compressed")
plot.mistakes(Perceptron(shuffle=False).fit(*AND), ax=left).set_title("AND", fontsize=11)
plot.mistakes(Perceptron().fit(*load_digits(return_X_y=True)), ax=right).set_title("digits", fontsize=11)
