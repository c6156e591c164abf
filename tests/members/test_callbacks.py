"""Where scikit-learn has no callbacks, before 1.9, estimators have no `set_callbacks` and learn the same."""

import subprocess
import sys

import numpy as np

from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.data.lectures import AND

FITS = """
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "sklearn.callback" else find_spec(name)
from rosenblatt import KernelPerceptron, Perceptron
from rosenblatt.data.lectures import AND
for model in (Perceptron(), KernelPerceptron()):
    print(*model.fit(*AND).decision_function(AND.X))
    assert not hasattr(model, "set_callbacks")
model.set_callbacks()
"""


def test_fits_without_callbacks() -> None:
    run = subprocess.run([sys.executable, "-c", FITS], capture_output=True, text=True, check=False)
    expected = [model.fit(*AND).decision_function(AND.X) for model in (Perceptron(), KernelPerceptron())]
    found = [[float(score) for score in line.split()] for line in run.stdout.splitlines()]
    np.testing.assert_array_equal(found, expected)
    assert "AttributeError: set_callbacks needs scikit-learn 1.9 or newer, found 1." in run.stderr
