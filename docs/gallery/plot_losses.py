"""
What a score costs
==================

The losses of the lectures. That of the perceptron is 0 as soon as the side is right; the hinge loss asks for a distance
as well; the squared loss, of the linear unit, punishes even what is too far on the right side.
"""

from matplotlib import pyplot as plt

from rosenblatt import plot

figure, ax = plt.subplots(figsize=(7.6, 3.6), layout="compressed")
plot.losses(ax=ax)
