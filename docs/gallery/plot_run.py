"""
A run as a film
===============

Six points, three mistakes: before each step the sum that decides, then w turns, and the line with it. The film is an
animated GIF, which a notebook shows in place.
"""

from rosenblatt import plot, trace
from rosenblatt.data.lectures import CMU

plot.animate(trace(*CMU, fit_intercept=False), "run.gif")

# sphinx_gallery_thumbnail_path = "pictures/run.gif"
