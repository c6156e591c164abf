"""The family at work: the lecture's table of updates, proofs, real data, and a picture. Run by `make demo`."""

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rosenblatt import LinearUnit, Perceptron, certify, check_run, losses, plot, trace
from rosenblatt.data.lectures import AND, CMU, XOR

READOUTS = ("last", "average", "vote", "pocket")
MEANING = {
    "last": "the weights after the last visit",
    "average": "their mean over all visits",
    "vote": "each votes, once for each visit it survived",
    "pocket": "the best of them on the training set",
    "scikit-learn": "its Perceptron as it comes",
}
PASSES, SPLITS = 20, 20


def title(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def vector(w: Any) -> str:
    return "[" + " ".join(f"{value:g}" for value in w) + "]"


def updates() -> None:
    title("1. The lecture's AND function")
    print("Listed order, from zero, the constant feature first. A mistake is y s <= 0,")
    print("and then w <- w + y x. The updates; the other visits changed nothing.\n")
    run = trace(*AND)
    columns = ["pass", "example", "x", "y", "score", "why", "after", "k"]
    print(*run.table(columns, updates_only=True).splitlines()[1:-1], sep="\n")
    print(f"{run.pass_[-1]:4}  a clean pass: done\n")
    model = Perceptron(shuffle=False).fit(*AND)
    weights = [*model.intercept_, *model.coef_[0]]
    assert weights == run.weights[0].tolist()
    assert model.mistakes_.tolist() == run.mistakes.tolist()
    print(f"mistakes of each pass: {vector(model.mistakes_)}, {model.n_updates_} updates")
    print(f"Perceptron(shuffle=False) ends with the same weights: {vector(weights)}")
    print(f"AND of the four rows: {vector(model.predict(AND.X))}")


def cmu() -> None:
    title("2. The six points of the first lecture")
    model = Perceptron(shuffle=False, fit_intercept=False, tie="positive", keep_mistakes=True).fit(*CMU)
    print(f"mistakes of each pass: {vector(model.mistakes_)}, made on examples", end=" ")
    print(*(np.flatnonzero(model.dual_coef_) + 1).tolist(), sep=", ")
    print(f"w = {vector(model.coef_[0])}; the mean over all visits is {vector(model.coef_for('average')[0])}")


def proofs() -> None:
    title("3. Is it separable? With a proof")
    X, y = load_breast_cancer(return_X_y=True)
    for name, data in (("AND", AND), ("XOR", XOR), ("breast cancer, raw", (X, y))):
        proof = certify(*data)
        checked = proof.verify(*data)
        assert checked, checked
        answer = f"yes, at most {proof.bound:.4g} mistakes" if proof.separable else f"no: {proof.kind}"
        print(f"{name:20} {answer}")
    print("\nEach proof was checked exactly, by code that the solver does not use.")
    found = check_run(trace(*AND))
    assert found
    print(f"AND: {found.k[-1]} mistakes <= {found.bound}, and both lemmas hold at every update.")


def readouts() -> None:
    title("4. One run, four answers: breast cancer, 30 features, standardised")
    X, y = load_breast_cancer(return_X_y=True)
    errors: dict[str, list[tuple[float, float]]] = {name: [] for name in MEANING}
    for seed in range(SPLITS):
        X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=seed)
        scaler = StandardScaler().fit(X_train)
        train, test = (scaler.transform(X_train), y_train), (scaler.transform(X_test), y_test)
        # The pocket must be filled during the run; the kept mistakes give the others, after it.
        model = Perceptron(readout="pocket", keep_mistakes=True, max_iter=PASSES).fit(*train)
        for name in READOUTS:
            model.set_params(readout=name)
            errors[name].append((1 - model.score(*train), 1 - model.score(*test)))
        theirs = TheirPerceptron().fit(*train)
        errors["scikit-learn"].append((1 - theirs.score(*train), 1 - theirs.score(*test)))
    print(f"Mean error over {SPLITS} random splits, {PASSES} passes.\n")
    print("readout       training    test")
    for name, pairs in errors.items():
        training, test_error = np.mean(pairs, axis=0)
        print(f"{name:14}{training:8.2%}{test_error:8.2%}   {MEANING[name]}")


def digits() -> list[tuple[float, float]]:
    title("5. More than two classes: digits, 64 features, 10 classes")
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    history = []
    for passes in range(1, PASSES + 1):
        model = Perceptron(keep_mistakes=True, max_iter=passes).fit(X_train, y_train)
        last = 1 - model.score(X_test, y_test)
        history.append((last, 1 - model.set_params(readout="average").score(X_test, y_test)))
    print("Test error after each of so many passes:\n")
    shown = (1, 2, 3, 5, 10, PASSES)
    print("passes  " + "".join(f"{passes:8}" for passes in shown))
    for row, name in enumerate(("last", "average")):
        print(f"{name:8}" + "".join(f"{history[passes - 1][row]:8.1%}" for passes in shown))
    return history


def linear_unit() -> None:
    title("6. The linear unit: no threshold, squared loss, on AND")
    Z = np.column_stack([np.ones(4), AND.X])
    minimiser, *_ = np.linalg.lstsq(Z, AND.y.astype(float))
    least = losses.squared_loss(AND.y, Z @ minimiser).sum()
    model = LinearUnit().fit(*AND)
    found = np.round([model.intercept_, *model.coef_], 4)
    print(f"gradient descent: w = {vector(found)}, E = {model.losses_[-1]:.4f} after {model.n_iter_} passes")
    print(f"the minimiser:    w = {vector(minimiser.round(4))}, E = {least:.4f}")


def picture(history: list[tuple[float, float]]) -> None:
    title("7. A picture")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("matplotlib is not installed, so there is none: pip install 'rosenblatt[plot]'")
        return
    figure = Figure(figsize=(12, 3.8), layout="compressed")
    left, middle, right = figure.subplots(1, 3)
    plot.boundary(Perceptron(shuffle=False).fit(*AND), *AND, legend=False, ax=left).set_title("AND")
    plot.squeeze(trace(*AND), ax=middle).set_title("the proof of the mistake bound")
    for row, (name, colour, marker) in enumerate((("last", "#D55E00", "o"), ("average", "#0072B2", "s"))):
        right.plot(range(1, PASSES + 1), [100 * pair[row] for pair in history], color=colour, marker=marker, label=name)
    right.set(title="digits: test error, %", xlabel="passes", ylim=(0, None), xticks=range(0, PASSES + 1, 5))
    right.legend(frameon=False)
    path = Path(tempfile.mkdtemp(prefix="rosenblatt-")) / "demo.png"
    figure.savefig(path, dpi=120)
    print(path)


def main() -> None:
    # A cap on the passes is what sections 4 and 5 are about; without one, a warning says that no pass was clean.
    warnings.filterwarnings("ignore", category=ConvergenceWarning)
    print("Rosenblatt: the perceptron family for Python")
    updates()
    cmu()
    proofs()
    readouts()
    history = digits()
    linear_unit()
    picture(history)
    title("What to try next")
    print('Perceptron(readout="average")     the choice for real data')
    print('Perceptron(step="arow", r=1)      confidence-weighted, for text')
    print("Perceptron().partial_fit(X, y)    learn from a stream; classes may come late")
    print('LinearUnit(method="stochastic")   one example a step')
    print("trace(X, y, exact=True)           every step of your own data, in fractions")
    print("certify(X, y).to_json()           a proof for a stranger")
    print("rosenblatt --help                 the same from the command line")
    print("src/rosenblatt/plain.py           the whole family on one page, to read")
    print("make test                         the tests: the lectures' numbers, exactly")


if __name__ == "__main__":
    main()
