"""A run as the page plays it: one JSON object, with the columns that core.js gives a run that was made in the page.

title, conventions, ending      sentences, shown as they are
names, features                 of the classes, and of the coordinates
points, labels                  the data as numbers; labels are class numbers from 0
constant, tie, margin, eta, step, classes, width, visits, converged
pass, row, mistake, why, score, k, average, pocket             one entry a visit, `average` one weight vector
weights, norm, errors, survived                                one entry for each of the weights, see core.js
mistakes                                                       of each pass
text      if exact: score, weights and x (a list a point) as text, fractions among it, shown in place of the numbers
verdict   of a certificate: verdict, R, gamma, w, weights as core.js's `nearest` has them, and its text
answers   a student's table that was checked: columns, rows, cells (whether each is right), message
"""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.inputs import as_float_table, exact
from rosenblatt.base.labels import answers as answers_of
from rosenblatt.services.lessons.trace.numbers import short_number
from rosenblatt.services.lessons.trace.run import REASONS

if TYPE_CHECKING:
    from rosenblatt.services.lessons.trace.answers import CheckedTable
    from rosenblatt.services.lessons.trace.data import Trace
    from rosenblatt.services.proofs.certificate import Certificate

VERDICTS = {True: "separable", False: "inseparable", None: "unknown"}


def record_run(
    run: "Trace",
    *,
    title: str = "a recorded run",
    features: list[str] | None = None,
    proof: "Certificate | None" = None,
    checked: "CheckedTable | None" = None,
) -> dict[str, Any]:
    """The object that the page plays.

    >>> from rosenblatt import trace
    >>> from rosenblatt.data.lectures import AND
    >>> recording = record_run(trace(*AND, exact=True, eta0="1/3", max_iter=1))
    >>> recording["visits"], recording["row"], recording["text"]["weights"][3:6]
    (4, [0, 1, 2, 3], ['-1/3', '0', '0'])
    """
    p, constant = run.parameters, int(run.parameters["fit_intercept"])
    weights, k = _hypotheses(run)
    X, y = _data(run)
    width = int(np.prod(weights.shape[1:]))
    errors = _errors(weights.astype(float), X, y, p)
    recording = {
        "title": title,
        "kind": "linear",
        "conventions": run.conventions,
        "ending": run.ending,
        "names": _names(run),
        "features": features or [f"x{j}" for j in range(1, X.shape[1] + 1 - constant)],
        "points": _plain(X[:, constant:]),
        "labels": y.tolist(),
        "constant": float(X[0, 0]) if constant else 0,
        "tie": p["tie"],
        "margin": None if p["margin"] is None else float(Fraction(p["margin"])),
        "eta": float(Fraction(p["eta0"])),
        "step": p["step"],
        "classes": len(run.classes),
        "width": width,
        "visits": len(run),
        "converged": bool(run.converged),
        "pass": run.pass_.tolist(),
        "row": run.row.tolist(),
        "mistake": run.mistake.astype(int).tolist(),
        "why": [REASONS.tolist().index(reason) for reason in run.reason.tolist()],
        "score": _plain(run.score.ravel()),
        "k": k.tolist(),
        "average": _plain(_averages(run)),
        "pocket": _in_pocket(k, errors),
        "weights": _plain(weights.ravel()),
        "norm": np.linalg.norm(weights.astype(float).reshape(len(weights), width), axis=1).tolist(),
        "errors": errors,
        "survived": np.bincount(k, minlength=len(weights)).tolist(),
        "mistakes": run.mistakes.tolist(),
    }
    if p["exact"]:
        x = np.array([_row_text(run, i) for i in range(len(X))], dtype=object)
        columns = {"score": run.score.ravel(), "weights": weights.ravel()}
        texts = {name: [short_number(value) for value in column] for name, column in columns.items()}
        recording["text"] = {**texts, "x": x.tolist()}
    if proof is not None:
        recording["verdict"] = verdict(proof, flipped=proof.classes[-1] != run.classes[-1])
    if checked is not None:
        table = {"columns": checked.columns, "rows": checked.rows, "cells": checked.cells}
        recording["answers"] = {**table, "message": str(checked.check)}
    return recording


def verdict(proof: "Certificate", *, flipped: bool = False) -> dict[str, Any]:
    """What is proven, in the numbers of the page; of two classes, of which the run may call the other one +1."""
    lower, _ = proof.margin
    counts = proof.counts or {}
    total = sum(counts.values()) or 1
    w = np.array(proof.w or [], dtype=float) * (-1 if flipped else 1)
    return {
        "verdict": VERDICTS[proof.separable],
        "R": proof.radius,
        "gamma": lower,
        "w": (w / np.linalg.norm(w)).tolist() if w.any() else w.tolist(),
        "weights": [counts.get(row, 0) / total for row in range(proof.n_rows)],
        "text": str(proof),
    }


def _hypotheses(run: "Trace") -> tuple[Array, Array]:
    """Each of the weights once, those before the first visit first, and which of them are there after each visit."""
    if not len(run):
        return run.start[np.newaxis], run.k
    changed = run.mistake[0] or (run.before[0] != run.after[0]).any()
    first = run.k[0] - int(changed)
    numbers, places = np.unique(run.k, return_index=True)
    changes = [run.after[place] for number, place in zip(numbers, places, strict=True) if number > first]
    return np.array([run.before[0], *changes]), run.k - first


def _data(run: "Trace") -> tuple[Array, Array]:
    """The points, their constant feature first, as floats, and class numbers."""
    p = run.parameters
    X = run.X.toarray() if hasattr(run.X, "toarray") else run.X
    X = exact(X, "X", as_decimal=p["as_decimal"]).astype(float) if p["exact"] else np.asarray(as_float_table(X))
    constant = np.full((len(X), int(p["fit_intercept"])), float(Fraction(p["intercept_scaling"])))
    numbers = {label: number for number, label in enumerate(run.classes.tolist())}
    y = np.array([numbers[label] for label in np.asarray(run.labels).tolist()])
    return np.column_stack([constant, X]), y


def _row_text(run: "Trace", i: int) -> list[str]:
    p = run.parameters
    row = exact([run.X[i]], "X", as_decimal=p["as_decimal"])[0].tolist()
    return [*([short_number(Fraction(p["intercept_scaling"]))] if p["fit_intercept"] else []), *map(short_number, row)]


def _names(run: "Trace") -> list[str]:
    labels = run.classes.tolist()
    return ["-1", "+1"] if labels == [-1, 1] else [str(label) for label in labels]


def _errors(weights: Array, X: Array, y: Array, p: dict[str, Any]) -> list[int]:
    """How many points each of the weights gets wrong; where ties are mistakes, a tie is."""
    scores = np.einsum("kcd,nd->knc", weights, X)
    if scores.shape[2] == 1:
        gap = scores[:, :, 0] * (2 * y - 1)
        wrong = answers_of(scores[:, :, 0].ravel(), p["tie"]).reshape(gap.shape) != y
    else:
        right = np.take_along_axis(scores, np.broadcast_to(y[:, None], (*scores.shape[:2], 1)), 2)[:, :, 0]
        gap = right - np.where(np.arange(scores.shape[2]) == y[:, None], -np.inf, scores).max(axis=2)
        wrong = answers_of(scores.reshape(-1, scores.shape[2]), p["tie"]).reshape(gap.shape) != y
    return [int(n) for n in ((gap <= 0) if p["tie"] == "mistake" else wrong).sum(axis=1)]


def _in_pocket(k: Array, errors: list[int]) -> list[int]:
    best: list[int] = []
    for number in k.tolist():
        best.append(number if not best or errors[number] < errors[best[-1]] else best[-1])
    return best


def _averages(run: "Trace") -> Array:
    flat = run.after.reshape(len(run), int(np.prod(run.after.shape[1:])))
    return (np.cumsum(flat.astype(float), axis=0) / np.arange(1, len(run) + 1)[:, None]).ravel()


def _plain(values: Array) -> list[Any]:
    """Numbers that are whole without a point, so that the page stays small."""
    if values.ndim > 1:
        return [_plain(row) for row in values]
    return [int(v) if v.is_integer() and abs(v) < 2**53 else v for v in values.astype(float).tolist()]
