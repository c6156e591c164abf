"""Is it separable? Seconds and answers of `certify`, the whole linear program, and fitting until nothing is wrong.

The program is max t with Z w >= t, |w| <= 1, on all rows at once, by HiGHS: its t > 0 is an answer, up to tolerances.
The classifiers answer yes if they have no error on what they were fitted to, and never prove a no. `certify` proves
either, and its time is for the proof, the margin's interval (its relative gap is shown) and the hash of the data;
the time to verify the proof exactly stands beside it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from benchmarks.table import Cell, Table, Target
from benchmarks.timing import Seconds, interleaved, once, one_thread
from rosenblatt import certify
from rosenblatt.base.rows import SparseRows, as_scipy
from rosenblatt.services.proofs.signed_rows import signed_rows

LIMIT = 60.0  # seconds for the whole program
COLUMNS = {
    "": "",
    "answer": "",
    "gap": ".1e",
    "CPU": ".3f",
    "wall": ".3f",
    "verify": ".3f",
    "program": "",
    "its CPU": ".3f",
    "program/ours": ".1f",
    "logistic": "",
    "logistic CPU": ".2f",
    "SVC": "",
    "SVC CPU": ".2f",
}


@dataclass(frozen=True)
class Case:
    """A data set, and how many times faster than the whole program it should be decided (0: no aim)."""

    name: str
    X: Any
    y: Any
    aim: float = 0.0


def planted(n: int, d: int, margin: float, seed: int = 0) -> tuple[Any, Any]:
    """Normal points on both sides of a plane, none nearer to it than `margin`."""
    random = np.random.default_rng(seed)
    w = random.normal(size=d)
    w /= np.linalg.norm(w)
    X = random.normal(size=(n, d))
    s = X @ w
    X += np.outer(np.sign(s) * margin, w)
    return X, (s > 0).astype(int)


def flipped(X: Any, y: Any, share: float, seed: int = 1) -> tuple[Any, Any]:
    """The same with a share of the labels, or at least one, the other way round."""
    rows = np.random.default_rng(seed).choice(len(y), max(1, int(share * len(y))), replace=False)
    y = y.copy()
    y[rows] = 1 - y[rows]
    return X, y


def text_like(n: int, d: int, *, words: int = 70, random_labels: bool, seed: int = 0) -> tuple[Any, Any]:
    """Rows of words drawn by Zipf's law, weighted and of length 1; labels by a random plane, or random."""
    random = np.random.default_rng(seed)
    share = 1 / np.arange(1, d + 1)
    length = random.poisson(words, n) + 5
    column = random.choice(d, size=length.sum(), p=share / share.sum()).astype(np.int32)
    row = np.repeat(np.arange(n, dtype=np.int32), length)  # LinearSVC wants 32-bit indices
    X = sp.coo_array((np.ones(len(column)), (row, column)), shape=(n, d)).tocsr()
    rarity = np.log(n / (1 + np.bincount(X.indices, minlength=d))).clip(0.1)
    X.data = (1 + np.log(X.data)) * rarity[X.indices]
    X = sp.csr_array(sp.diags_array(1 / np.sqrt((X**2).sum(axis=1))) @ X)
    y = random.integers(2, size=n) if random_labels else (X @ random.normal(size=d) > 0).astype(int)
    return X, y


def cases(*, quick: bool) -> Iterator[Case]:
    small = 10 if quick else 1
    for n, d, aim in ((10_000 // small, 50, 5.0), (100_000 // small, 20, 10.0)):
        size = f"{n:,} x {d}"
        near, wide = planted(n, d, 0.001), planted(n, d, 0.1)
        yield Case(f"{size}, margin 0.1", *wide, aim)
        yield Case(f"{size}, margin 0.001", *near, aim)
        yield Case(f"{size}, one label flipped", *flipped(*wide, 0), aim)
        yield Case(f"{size}, 5 % flipped", *flipped(*wide, 0.05), aim)
    n, d = (20_000, 50_000) if not quick else (400, 1_000)
    for random_labels in (False, True):
        X, y = text_like(n, d, random_labels=random_labels)
        yield Case(f"text-like {n:,} x {d:,}, {'random labels' if random_labels else 'a plane'}", X, y)
    yield Case(f"text-like {n:,} x {d:,}, a row with both labels", sp.vstack([X, X[[0]]], format="csr"), [*y, 1 - y[0]])
    X, y = load_breast_cancer(return_X_y=True)
    yield Case("breast cancer, raw", X, y)
    yield Case("breast cancer, standardised", StandardScaler().fit_transform(X), y)


def whole_program(X: Any, y: Any) -> str:
    """HiGHS's answer, all rows at once."""
    Z: Any = signed_rows(X, y).floats
    n, d = Z.shape
    t = np.ones((n, 1))
    sparse = isinstance(Z, SparseRows)
    negative: Any = sp.csr_array(sp.hstack([-as_scipy(Z), sp.csr_array(t)])) if sparse else np.hstack([-Z, t])
    result = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=negative,
        b_ub=np.zeros(n),
        bounds=[(-1, 1)] * d + [(None, None)],
        method="highs",
        options={"time_limit": LIMIT},
    )
    if result.status == 1:
        return "time-out"
    return "failed" if result.x is None else "yes" if result.x[-1] > 1e-9 else "no"


def fitted(model: Any, X: Any, y: Any) -> str:
    """Yes, if the model has no error; else how many, which proves nothing."""
    wrong = int((model.fit(X, y).predict(X) != y).sum())
    return "yes" if wrong == 0 else f"{wrong} wrong"


def asked(answer: Callable[[], str]) -> tuple[str, Seconds]:
    """The answer, and what it took."""
    said: list[str] = []
    with one_thread():
        seconds = once(lambda: said.append(answer()))
    return said[0], seconds


def measure(case: Case, repeats: int) -> tuple[list[Cell], list[Target]]:
    """A row of the table, and its targets."""
    X, y = case.X, case.y
    proof = certify(X, y)
    ours = interleaved({"certify": partial(certify, X, y)}, repeats)["certify"]
    refused, check = asked(lambda: "" if proof.verify(X, y) else ", REFUSED")
    program = asked(partial(whole_program, X, y))
    logistic = asked(partial(fitted, LogisticRegression(C=np.inf, max_iter=1000), X, y))
    svc = asked(partial(fitted, LinearSVC(C=1e6, max_iter=1000), X, y))
    lo, hi = proof.margin
    gap = (hi - lo) / hi if proof.separable else None
    answer = {True: "yes", False: "no", None: "undecided"}[proof.separable]
    exactly = ", margin exact" if proof.margin_exact else ""
    ratio = program[1].cpu / ours.cpu
    row: list[Cell] = [case.name, answer + exactly + refused, gap, ours.cpu, ours.wall, check.cpu]
    row += [program[0], program[1].cpu, ratio, logistic[0], logistic[1].cpu, svc[0], svc[1].cpu]
    if case.aim:
        aims = [
            Target(f"{case.name}: times faster", ratio, ">=", case.aim, f"program: {program[0]}"),
            Target(f"{case.name}: gap", gap or 0.0, "<=", 1e-6, answer),
        ]
    else:
        aims = [Target(f"{case.name}: seconds", ours.cpu, "<=", 1.5 if sp.issparse(X) else 2.0, answer + exactly)]
    return row, aims


def run(*, quick: bool, repeats: int) -> tuple[Table, list[Target]]:
    """The table, and its targets."""
    table, targets = Table("separable? CPU seconds, libraries on one thread", COLUMNS), list[Target]()
    for case in cases(quick=quick):
        row, aims = measure(case, repeats)
        table.add(*row)
        targets += aims
    return table, targets
