"""Makes the pictures of the README and the documentation: `python docs/pictures.py [folder]`, always the same.

Without a folder they go beside this file. The package draws them; here is only what to draw, and how large.
"""

import sys
import warnings
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from sklearn.datasets import load_digits, load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import KernelPerceptron, Perceptron, certify, plot, trace
from rosenblatt.data.lectures import AND, CMU

WIDTH = 7.6  # inches: a little more than the README's column


def figure(height: float) -> Figure:
    return Figure(figsize=(WIDTH, height), layout="compressed", facecolor="white")


def steps() -> Figure:
    """Lecture 002's figure 2: AND in the listed order, pass by pass."""
    picture = figure(5.3)
    plot.steps(trace(*AND), every="pass", figure=picture)
    return picture


def boundary() -> Figure:
    """Where the perceptron stops, and the line with the largest margin."""
    picture = figure(2.7)
    left, right = picture.subplots(1, 2)
    plot.boundary(Perceptron(shuffle=False).fit(*AND), *AND, ax=left).set_title("perceptron", fontsize=11)
    plot.boundary(certify(*AND), *AND, ax=right).set_title("certify", fontsize=11)
    return picture


def classes() -> Figure:
    """Three classes and four features, of which two are drawn."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = load_iris().target_names[y]
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):  # iris is not separable
        model = Perceptron(readout="average", max_iter=200).fit(X, names)
    picture = figure(3.6)
    plot.boundary(model, X, names, features=("petal length (cm)", "petal width (cm)"), ax=picture.subplots())
    return picture


def kernel() -> Figure:
    """One circle around another, by a kernel."""
    X, y = make_circles(120, noise=0.08, factor=0.45, random_state=0)
    model = KernelPerceptron(kernel="rbf", gamma=1, readout="last", margin=1).fit(X, 2 * y - 1)
    picture = figure(3.6)
    plot.boundary(model, X, 2 * y - 1, ax=picture.subplots())
    return picture


def squeeze() -> Figure:
    """The proof of the mistake bound on the run of figure 2."""
    picture = figure(3.6)
    plot.squeeze(trace(*AND), ax=picture.subplots())
    return picture


def losses() -> Figure:
    """What a score costs."""
    picture = figure(3.6)
    plot.losses(ax=picture.subplots())
    return picture


def mistakes() -> Figure:
    """AND to the end, and ten classes of digits."""
    picture = figure(2.8)
    left, right = picture.subplots(1, 2)
    plot.mistakes(Perceptron(shuffle=False).fit(*AND), ax=left).set_title("AND", fontsize=11)
    digits = Perceptron().fit(*load_digits(return_X_y=True))
    plot.mistakes(digits, ax=right).set_title("digits", fontsize=11)
    return picture


PICTURES = {
    "and": steps,
    "boundary": boundary,
    "classes": classes,
    "kernel": kernel,
    "squeeze": squeeze,
    "losses": losses,
    "mistakes": mistakes,
}


def save(picture: Figure, path: Path) -> None:
    with mpl.rc_context({"svg.hashsalt": "rosenblatt"}):
        picture.savefig(path, metadata={"Date": None, "Creator": None})


def main(folder: Path) -> None:
    for name, draw in PICTURES.items():
        path = folder / f"{name}.svg"
        save(draw(), path)
        print(path)
    print(plot.animate(trace(*CMU, fit_intercept=False), folder / "run.gif"))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
