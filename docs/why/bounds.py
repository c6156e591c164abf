"""Makes the tables of docs/why/bounds.md, always the same: `python docs/why/bounds.py` holds every bound against runs.

The data sets are those that scikit-learn ships. It takes about half a minute, and fails if a run exceeds a bound.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler, normalize

from rosenblatt import Perceptron
from rosenblatt.services.proofs.bounds import freund_schapire, hinge, novikoff
from rosenblatt.services.proofs.separability import certify

ORDERS, SETS = 100, 1000  # orders of each real data set; random data sets, of ten orders each

BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"  # in the page, around what is made here

TABLES = """\
**Real data**, with a constant feature of 1: the most mistakes of any run (Novikoff), and of one pass in any order
(Freund and Schapire; hinge), beside the mistakes that were made in one pass, mean and most of {orders} random orders.
Both one-pass bounds are minimised over all references w; the Freund-Schapire ones are proven to be the least to
{gap}, the hinge ones to {hinge_gap}. `inf`: the raw rows are proven not to be separable, which no
preparation changes. A bound that is no better than the number of rows says nothing. "Unit" are the standardised rows
with their constant feature, each scaled to length 1.

| data | rows | prepared | Novikoff | Freund, Schapire | hinge | mean | most |
|---|---:|---|---:|---:|---:|---:|---:|
{table}

Novikoff's is a promise for any order and any number of passes, and large where the margin is small. The bounds for one
pass need no margin. R counts the farthest row, so that rows of one length mostly have the smaller bounds.

**Random data**: small sets of integers, every other one labelled by a plane, the rest at random; {sets:,} of them, each
in ten random orders. In one pass no run made more mistakes than the second and the third bound, and on those that are
separable none made more than the first until it had converged.

| bound | runs | violations | most mistakes / bound |
|---|---:|---:|---:|
{random}
"""


def data_sets() -> Iterator[tuple[str, Any, Any]]:
    """Two classes each."""
    X, y = load_iris(return_X_y=True)
    yield "iris, versicolor or virginica", X[y > 0], y[y > 0]
    X, y = load_wine(return_X_y=True)
    yield "wine, the second cultivar", X, y == 1
    yield "breast cancer", *load_breast_cancer(return_X_y=True)
    X, y = load_digits(return_X_y=True)
    yield "digits, 8", X, y == 8
    yield "digits, odd", X, y % 2
    some = (y == 3) | (y == 9)
    yield "digits, 3 or 9", X[some], y[some]
    X, y = load_diabetes(return_X_y=True)
    yield "diabetes, above the median", X, y > np.median(y)


def prepared(X: Any) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """The rows in three ways, with the words for the constant feature."""
    standard = StandardScaler().fit_transform(X)
    yield "raw", X, {}
    yield "standardised", standard, {}
    yield "unit", normalize(np.column_stack([np.ones(len(X)), standard])), {"fit_intercept": False}


def mistakes_of_a_pass(X: Any, y: Any, random: np.random.Generator, **words: Any) -> int:
    """One pass from zero in a random order."""
    order = random.permutation(len(y))
    return int(Perceptron(**words).partial_fit(X[order], y[order], classes=np.unique(y)).mistakes_[0])


def table() -> tuple[list[str], float, float]:
    """The rows for real data, and how far the two minimised bounds may be above the least."""
    lines, gaps = [], [(0.0, 0.0)]
    for name, X, y in data_sets():
        any_run = 0.0
        for how, rows, words in prepared(X):
            if any_run < np.inf:  # no preparation makes separable what is not
                any_run = certify(rows, y, exact=False, budget=600, **words).bound
            squared, corner = freund_schapire(rows, y, **words), hinge(rows, y, **words)
            gaps.append((1 - squared.lower / squared.bound, 1 - corner.lower / corner.bound))
            random = np.random.default_rng(0)
            mistakes = [mistakes_of_a_pass(rows, y, random, **words) for _ in range(ORDERS)]
            assert max(mistakes) <= min(any_run, squared.bound, corner.bound), (name, how)
            numbers = [*(f"{bound:.4g}" for bound in (any_run, squared.bound, corner.bound, np.mean(mistakes)))]
            lines.append(f"| {' | '.join([name, str(len(y)), how, *numbers, str(max(mistakes))])} |")
    return lines, *(max(column) for column in zip(*gaps, strict=True))


def random_set(random: np.random.Generator, *, by_a_plane: bool) -> tuple[Any, Any]:
    """A few points of integers with both labels."""
    n, d = random.integers(2, 13), random.integers(1, 5)
    while True:
        X, w = random.integers(-3, 4, size=(n, d)), random.integers(-3, 4, size=d)
        y = np.sign(X @ w + 0.5) if by_a_plane else random.choice([-1, 1], size=n)  # with 1/2 none is on the plane
        if len(set(y.tolist())) == 2:
            return X, y


def trials() -> list[str]:
    """The rows for random data."""
    random = np.random.default_rng(0)
    runs: dict[str, list[tuple[int, float]]] = {"Novikoff": [], "Freund, Schapire": [], "hinge": []}
    for trial in range(SETS):
        X, y = random_set(random, by_a_plane=trial % 2 == 0)
        any_run, squared, corner = (bound(X, y).bound for bound in (novikoff, freund_schapire, hinge))
        for _ in range(10):
            mistakes = mistakes_of_a_pass(X, y, random)
            runs["Freund, Schapire"].append((mistakes, squared))
            runs["hinge"].append((mistakes, corner))
            if any_run < np.inf:
                model = Perceptron(random_state=int(random.integers(2**31))).fit(X, y)
                runs["Novikoff"].append((int(model.mistakes_.sum()), any_run))
    violations = {name: sum(mistakes > bound for mistakes, bound in own) for name, own in runs.items()}
    assert not any(violations.values()), violations
    return [
        f"| {name} | {len(own):,} | {violations[name]} | {max(mistakes / bound for mistakes, bound in own):.3f} |"
        for name, own in runs.items()
    ]


def put(page: str, tables: str) -> str:
    """The page with these tables between its two marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"expected {BEGIN.strip()} and {END.strip()} in the page, one after the other")
    return "".join([before, begin, tables, end, after])


if __name__ == "__main__":
    lines, gap, hinge_gap = table()
    tables = TABLES.format(
        orders=ORDERS,
        gap=f"{10.0 ** np.ceil(np.log10(gap)):.0e}",
        hinge_gap=f"{10.0 ** np.ceil(np.log10(hinge_gap)):.0e}",
        table="\n".join(lines),
        sets=SETS,
        random="\n".join(trials()),
    )
    path = Path(__file__).with_name("bounds.md")
    path.write_text(put(path.read_text(encoding="utf-8"), tables), encoding="utf-8")
    print(path)
