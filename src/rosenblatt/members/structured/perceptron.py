"""The structured perceptron: its run from visit to visit, its weights under each readout, and how they answer.

It has no record for a model file, because a file cannot contain the functions `features` and `decode`.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows
from rosenblatt.members.advice import PYTHON, Voice, for_inseparable, more_passes, still
from rosenblatt.members.offered import check_offered
from rosenblatt.members.randomness import drawn_seed, hold_out, random_state
from rosenblatt.members.run import Turn, run
from rosenblatt.members.stopping import End, Stopping
from rosenblatt.members.structured.features import (
    Weights,
    add,
    as_vector,
    difference,
    score,
    squared_length,
    zeros_for,
)
from rosenblatt.members.structured.parameters import StructuredParameters
from rosenblatt.plain import step_length

PLAIN = ("w", "sums", "mistakes", "visits", "n_seen", "n_updates", "passes")


class Mistake(NamedTuple):
    """After `visit` visits, in pass `pass_` (from 1), row `row` of X (from 0) was answered wrong.

    `step` times `difference`, Phi(x, right) - Phi(x, wrong), was added to the weights.
    """

    visit: int
    pass_: int
    row: int
    right: Any
    wrong: Any
    step: Any
    difference: Any


@dataclass
class StructuredRun:
    """The state of a run."""

    w: Any
    sums: Any  # the sum of each addition times its visit: the mean of the weights after n visits is w - sums / n
    mistakes: list[Mistake] | None
    visits: int = 0
    n_seen: int = 0  # the number of examples
    n_updates: int = 0
    passes: list[int] = field(default_factory=list)  # the mistakes of each pass
    _mean: tuple[int, Any] = (0, None)  # a number of visits, and the average after them

    def add(self, mistake: Mistake) -> None:
        add(self.w, mistake.step, mistake.difference)
        add(self.sums, mistake.visit * mistake.step, mistake.difference)
        self.n_updates += 1
        if self.mistakes is not None:
            self.mistakes.append(mistake)

    @property
    def kept(self) -> list[Mistake]:
        """The list of mistakes. Raise an error if the run did not keep it."""
        if self.mistakes is None:
            raise AttributeError("this run did not keep its mistakes; fit with keep_mistakes=True or readout='vote'")
        return self.mistakes

    def weights(self, readout: str) -> Any:
        """The last weights, or the mean of the weights after each visit, which is computed once."""
        if readout == "last":
            return self.w
        if self._mean[0] != self.visits:
            self._mean = self.visits, self._average(self.visits)
        return self._mean[1]

    def _average(self, n: int) -> Any:
        # One division at the end, so that the mean of ints is rounded once.
        if isinstance(self.w, dict):
            return Weights({name: (n * value - self.sums[name]) / n for name, value in self.w.items()})
        return (n * self.w - self.sums) / n

    def replay(self) -> Iterator[tuple[Any, int]]:
        """Yield each weight vector, and the visits that it survived. It is the same object, changed in between."""
        w: Any = Weights() if isinstance(self.w, dict) else np.zeros_like(self.w)
        since = 0
        for mistake in self.kept:
            yield w, mistake.visit - since
            add(w, mistake.step, mistake.difference)
            since = mistake.visit
        yield w, self.visits - since

    def votes(self, decode: Callable[[Any, Any], Any], X: list[Any]) -> list[list[list[Any]]]:
        """For each x, the answers [y, n] in the order of their first vote.

        n is the number of visits survived by weights that answer y.
        """
        votes: list[list[list[Any]]] = [[] for _ in X]
        for w, survived in self.replay():
            if not survived:
                continue
            for x, of_x in zip(X, votes, strict=True):
                answer = decode(w, x)
                for vote in of_x:
                    if same(vote[0], answer):
                        vote[1] += survived
                        break
                else:
                    of_x.append([answer, survived])
        return votes

    def copy(self) -> "StructuredRun":
        """A copy to learn with, so that this one does not change."""
        mistakes = None if self.mistakes is None else [*self.mistakes]
        return replace(self, w=copy(self.w), sums=copy(self.sums), mistakes=mistakes, passes=[*self.passes])

    def as_plain(self) -> dict[str, Any]:
        """The run as dicts, tuples and arrays, so that a pickle does not depend on the classes of this room."""
        plain = {name: getattr(self, name) for name in PLAIN}
        if isinstance(self.w, dict):
            plain |= {"w": dict(self.w), "sums": dict(self.sums)}
        if self.mistakes is not None:
            plain["mistakes"] = [(*mistake[:-1], _plain(mistake.difference)) for mistake in self.mistakes]
        return plain

    @classmethod
    def of_plain(cls, plain: dict[str, Any]) -> Self:
        plain = dict(plain)
        if isinstance(plain["w"], dict):
            plain |= {"w": Weights(plain["w"]), "sums": Weights(plain["sums"])}
        if plain["mistakes"] is not None:
            plain["mistakes"] = [Mistake._make((*rest, _vector(vector))) for *rest, vector in plain["mistakes"]]
        return cls(**plain)


@dataclass(eq=False)
class StructuredModel:
    """A trained structured perceptron."""

    kind: ClassVar[str] = "StructuredPerceptron"
    parameters: StructuredParameters
    state: StructuredRun

    @property
    def converged(self) -> bool:
        """Whether the last pass made no mistake."""
        return self.state.passes[-1] == 0

    def not_converged(self, voice: Voice = PYTHON) -> str:
        p, passes = self.parameters, self.state.passes
        return (
            f"{still(passes, 'mistakes' if p.rival is None else 'updates')}. Either no weights get all examples right: "
            f"then no number of passes is enough, and {for_inseparable(voice, p.readout, ('average',))}. Or some do, "
            f"and need more passes: {more_passes(voice, passes)}."
        )

    def weights(self, readout: str) -> Any:
        if readout not in ("last", "average"):
            raise AttributeError(f"{readout!r} has no single weight vector; take weights_for('average') or ('last')")
        return self.state.weights(readout)

    def score_of(self, x: Any, y: Any) -> Any:
        return score(self.weights(self.parameters.readout), as_vector(self.parameters.features(x, y)))

    def predict(self, X: list[Any]) -> list[Any]:
        p = self.parameters
        if p.readout == "vote":
            return [max(votes, key=lambda vote: vote[1])[0] for votes in self.state.votes(p.decode, X)]
        return [p.decode(self.state.weights(p.readout), x) for x in X]

    def votes(self, x: Any) -> list[tuple[Any, int]]:
        """The answers of all weight vectors, each with the visits that they survived; the most votes first."""
        return [(y, n) for y, n in sorted(self.state.votes(self.parameters.decode, [x])[0], key=lambda vote: -vote[1])]

    def loss(self, y: Any, z: Any) -> Any:
        """The loss of the answer z if y is right."""
        loss = int(not same(y, z)) if self.parameters.loss is None else self.parameters.loss(y, z)
        if not 0 <= loss < float("inf"):
            raise ValueError(f"loss must be finite and not below 0; of {y!r} and {z!r} it is {loss!r}")
        return loss

    def mean_loss(self, X: list[Any], y: list[Any]) -> float:
        return float(np.mean([self.loss(*pair) for pair in zip(y, self.predict(X), strict=True)]))


def fit_structured(parameters: StructuredParameters, X: Any, y: Any) -> tuple[StructuredModel, End]:
    """Learn from all examples, pass after pass; return the model, and why the run ended."""
    X, y = examples(X, y)
    p, random, rows = parameters, random_state(parameters.random_state), np.arange(len(X))
    held_out: tuple[list[Any], list[Any]] | None = None
    if p.early_stopping:
        rows, out = hold_out(rows, p.validation_fraction, random)
        held_out = [X[i] for i in out], [y[i] for i in out]
    model = _begin(p, X, y)
    learner = ExamplesInMemory(model, X, y, rows, drawn_seed(random) if p.shuffle else None)
    stop = Stopping(
        n_rows=len(rows),
        max_iter=p.max_iter,
        tol=None if held_out is None else 0.0,
        n_iter_no_change=p.n_iter_no_change,
    )
    end = run(learner, stop, score=None if held_out is None else lambda: -model.mean_loss(*held_out))
    model.state.n_seen = len(X)
    return model, end


@dataclass
class ExamplesInMemory:
    """A `Learner` whose turn is a pass over some of the examples."""

    model: StructuredModel
    X: list[Any]
    y: list[Any]
    rows: Array
    seed: int | None

    def turn(self, passes: int) -> Turn:  # noqa: ARG002 - a turn is one pass
        order = _core.order(len(self.rows), seed=self.seed, pass_number=len(self.model.state.passes))
        _make_pass(self.model, self.X, self.y, self.rows[order].tolist())
        return Turn(self.model.state.passes[-1:])

    def snapshot(self) -> StructuredModel:
        """A copy of the model as if the run ended here."""
        return replace(self.model, state=self.model.state.copy())


def learn_more_structured(
    parameters: StructuredParameters, before: StructuredModel | None, X: Any, y: Any
) -> StructuredModel:
    """One pass over further examples in the listed order, from a copy of `before`, or from the start."""
    check_offered(parameters, "more")
    X, y = examples(X, y)
    model = _begin(parameters, X, y) if before is None else StructuredModel(parameters, before.state.copy())
    _make_pass(model, X, y, range(len(X)), first=model.state.n_seen)
    model.state.n_seen += len(X)
    return model


def examples(X: Any, y: Any) -> tuple[list[Any], list[Any]]:
    """Check that there are as many inputs as outputs."""
    X, y = list(X), list(y)
    if len(X) != len(y) or not X:
        raise ValueError(f"X and y must be as many, and one at least; got {len(X)} inputs and {len(y)} outputs")
    return X, y


def _begin(p: StructuredParameters, X: list[Any], y: list[Any]) -> StructuredModel:
    w, sums = (zeros_for(p.features(X[0], y[0])) for _ in range(2))
    return StructuredModel(p, StructuredRun(w, sums, [] if p.keep_mistakes or p.readout == "vote" else None))


def _make_pass(model: StructuredModel, X: list[Any], y: list[Any], order: Iterable[int], first: int = 0) -> None:
    """Visit examples in this order; `first` is the number of X[0] among all examples."""
    model.state.passes.append(0)
    for i in order:
        _visit(model, X[i], y[i], first + i)


def _visit(model: StructuredModel, x: Any, y: Any, row: int) -> None:
    """If the answer z is not y: w <- w + tau (Phi(x, y) - Phi(x, z))."""
    p, state = model.parameters, model.state
    z = p.decode(state.w, x) if p.rival is None else p.rival(state.w, x, y)
    if not same(y, z):
        apart = difference(p.features(x, y), p.features(x, z))
        norm2 = squared_length(apart)
        missing = 1 if p.step == "perceptron" else model.loss(y, z) - score(state.w, apart)
        if missing > 0:
            tau = step_length(p.step, missing, norm2, 1, p.C)
            state.add(Mistake(state.visits, len(state.passes), row, y, z, tau, apart))
            state.passes[-1] += 1
    state.visits += 1


def same(y: Any, z: Any) -> bool:
    """Whether two outputs are equal by ==; arrays are equal if all their entries are."""
    if {type(y), type(z)} == {list, tuple}:
        raise TypeError("decode gives lists where y has tuples, or tuples for lists: in Python these are never equal")
    if isinstance(y, np.ndarray) or isinstance(z, np.ndarray):
        return np.array_equal(y, z)
    return bool(y == z)


def _plain(vector: Any) -> Any:
    if not isinstance(vector, SparseRows):
        return vector
    return vector.data, vector.indices, vector.indptr, vector.n_columns


def _vector(plain: Any) -> Any:
    return SparseRows(*plain) if isinstance(plain, tuple) else plain
