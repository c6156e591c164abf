"""How a structured perceptron learns (Collins 2002): any output y, joint features Phi(x, y), a decoder, argmax w.Phi.

Where it answers z, not y: w <- w + tau (Phi(x, y) - Phi(x, z)). If some unit u has u.(Phi(x, y) - Phi(x, z)) >= delta
for every wrong z, and these differences are no longer than R, there are at most (R / delta)^2 mistakes, however many
outputs there are.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt import _core
from rosenblatt.members.online_run import check_no_rows_held_out
from rosenblatt.members.randomness import drawn_seed, hold_out, random_state
from rosenblatt.members.stopping import End, Stopping
from rosenblatt.members.structured.features import difference, score, squared_length, zeros_for
from rosenblatt.members.structured.model import StructuredModel
from rosenblatt.members.structured.parameters import StructuredParameters
from rosenblatt.members.structured.state import Mistake, StructuredRun, same
from rosenblatt.plain import step_length


def fit_structured(parameters: StructuredParameters, X: Any, y: Any) -> tuple[StructuredModel, End | None]:
    """Learn from all examples, pass after pass; returns the model, and why the run has ended."""
    X, y = examples(X, y)
    p, random = parameters, random_state(parameters.random_state)
    rows, validation = np.arange(len(X)), None
    if p.early_stopping:
        rows, out = hold_out(rows, p.validation_fraction, random)
        validation = [X[i] for i in out], [y[i] for i in out]
    seed = drawn_seed(random) if p.shuffle else None
    model, cost, over = _begin(p, X, y), 0.0, False
    stopping = Stopping(
        n_rows=len(rows),
        max_iter=p.max_iter,
        tol=0.0 if p.early_stopping else None,
        n_iter_no_change=p.n_iter_no_change,
    )
    while not over:
        order = rows[_core.order(len(rows), seed=seed, pass_number=len(model.state.passes))]
        _pass(model, X, y, order.tolist())
        if validation is not None:
            cost = model.mean_loss(*validation)
        over = stopping.after(model.state.passes[-1:], cost)
    model.state.n_seen = len(X)
    return model, stopping.end


def learn_more_structured(
    parameters: StructuredParameters, before: StructuredModel | None, X: Any, y: Any
) -> StructuredModel:
    """One pass over further examples in the listed order, from `before`, which stays as it is, or from the start."""
    check_no_rows_held_out(parameters)
    X, y = examples(X, y)
    model = _begin(parameters, X, y) if before is None else StructuredModel(parameters, before.state.copy())
    _pass(model, X, y, range(len(X)), first=model.state.n_seen)
    model.state.n_seen += len(X)
    return model


def examples(X: Any, y: Any) -> tuple[list[Any], list[Any]]:
    """Inputs and outputs, as many of each."""
    X, y = list(X), list(y)
    if len(X) != len(y) or not X:
        raise ValueError(f"X and y must be as many, and one at least; got {len(X)} inputs and {len(y)} outputs")
    return X, y


def _begin(p: StructuredParameters, X: list[Any], y: list[Any]) -> StructuredModel:
    w, sums = (zeros_for(p.features(X[0], y[0])) for _ in range(2))
    return StructuredModel(p, StructuredRun(w, sums, [] if p.keep_mistakes or p.readout == "vote" else None))


def _pass(model: StructuredModel, X: list[Any], y: list[Any], order: Iterable[int], first: int = 0) -> None:
    """One pass; `first` is the number of X[0] among all examples that were given."""
    p, run = model.parameters, model.state
    run.passes.append(0)
    for i in order:
        z = p.decode(run.w, X[i]) if p.rival is None else p.rival(run.w, X[i], y[i])
        if not same(y[i], z):
            apart = difference(p.features(X[i], y[i]), p.features(X[i], z))
            norm2 = squared_length(apart)
            missing = 1 if p.step == "perceptron" else model.loss(y[i], z) - score(run.w, apart)
            if missing > 0:
                tau = step_length(p.step, missing, norm2, 1, p.C)
                run.add(Mistake(run.visits, len(run.passes), first + i, y[i], z, tau, apart))
                run.passes[-1] += 1
        run.visits += 1
