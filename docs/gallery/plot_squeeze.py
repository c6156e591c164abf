"""
The proof of the mistake bound
==============================

After k mistakes the length of w is at least k γ, and at most √k R. The line and the curve cross at k = (R/γ)², here 51:
more mistakes than that no run can make. This run, AND in the listed order, makes 18.
"""

from matplotlib import pyplot as plt

from rosenblatt import plot, trace
from rosenblatt.data.lectures import AND

figure, ax = plt.subplots(figsize=(7.6, 3.6), layout="compressed")
plot.squeeze(trace(*AND), ax=ax)
