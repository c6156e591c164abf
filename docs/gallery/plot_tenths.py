"""
Another start, smaller steps
============================

Lecture 4's example 2 starts at w = (-0.1, 0.2, 0) with a learning rate of 0.1. A panel an update: the disc marks the
example that was visited, the ring what the new weights still get wrong.
"""

from matplotlib import pyplot as plt

from rosenblatt import plot, trace
from rosenblatt.data.lectures import MELBOURNE

figure = plt.figure(figsize=(7.6, 2.9), layout="compressed")
plot.steps(trace(*MELBOURNE, init=[-0.1, 0.2, 0], eta0=0.1, max_iter=1), figure=figure)
