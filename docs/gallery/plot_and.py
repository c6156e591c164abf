"""
AND, pass by pass
=================

A run as small multiples, after the lecture's own figure: the perceptron learns AND in the listed order, and the ninth
pass is clean. Points that are still wrong, or on the line, are ringed; the dashed line is the boundary before the pass.
"""

from matplotlib import pyplot as plt

from rosenblatt import plot, trace
from rosenblatt.data.lectures import AND

figure = plt.figure(figsize=(7.6, 5.3), layout="compressed")
plot.steps(trace(*AND), every="pass", figure=figure)
