"""
Where it stops, and the largest margin
======================================

The perceptron stops at the first line that separates (left). `certify` proves that there is one, and has the line
whose nearest points are as far away as can be (right).
"""

from matplotlib import pyplot as plt

from rosenblatt import Perceptron, certify, plot
from rosenblatt.data.lectures import AND

figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 2.7), layout="compressed")
plot.boundary(Perceptron(shuffle=False).fit(*AND), *AND, ax=left).set_title("perceptron", fontsize=11)
plot.boundary(certify(*AND), *AND, ax=right).set_title("certify", fontsize=11)
