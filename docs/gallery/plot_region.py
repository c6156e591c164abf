"""
A half-plane from its weights
=============================

Lecture 0's exercise: where is 2 x₁ + 3 x₂ + 6 > 0? The weights alone are enough, the constant feature's first: w points
into the + side, at a right angle to the line.
"""

from matplotlib import pyplot as plt

from rosenblatt import plot

figure, ax = plt.subplots(figsize=(7.6, 3.2), layout="compressed")
plot.boundary((6, 2, 3), ax=ax)
