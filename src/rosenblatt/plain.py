"""The whole perceptron family in plain Python: the page to read beside the lecture, and the tests' oracle.

One loop: take the next example x, score it, and where it is a mistake, add it to the weights: w <- w + tau y x.
Letters as in the lectures: w weights, x example (with its constant feature, if any), y label, s = w.x score.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Vector = Sequence[Any]
Weights = tuple[Vector, ...]  # one row for two classes, one row a class for more
Contest = tuple[Any, bool, list[tuple[int, int]]]  # gap, whether it wins a tie, the rows to move and their signs


def dot(w: Vector, x: Vector) -> Any:
    """w.x. Any numbers will do, here and below: int, float or Fraction."""
    return sum(a * b for a, b in zip(w, x, strict=True))


# When is it a mistake? A contest has a gap: how far the right answer is ahead of the wrong one.
def binary(scores: Vector, y: int, tie: str) -> list[Contest]:
    """One row, y = -1 or +1: the gap is y s. sign(0) is +1 if `tie` is "positive", -1 if it is "negative"."""
    return [(y * scores[0], tie == ("positive" if y > 0 else "negative"), [(0, y)])]


def argmax(scores: Vector, y: int, tie: str) -> list[Contest]:
    """One row a class: the right one against its best rival; both rows move. A "positive" tie is the last class's."""
    others = [c for c in range(len(scores)) if c != y]
    rival = max(reversed(others) if tie == "positive" else others, key=lambda c: scores[c])
    return [(scores[y] - scores[rival], tie == ("positive" if y > rival else "negative"), [(y, +1), (rival, -1)])]


def one_vs_rest(scores: Vector, y: int, tie: str) -> list[Contest]:
    """One row a class, each a binary perceptron: this class or another."""
    signs = [+1 if c == y else -1 for c in range(len(scores))]
    return [(gap, wins, [(c, sign)]) for c, sign in enumerate(signs) for gap, wins, _ in binary([scores[c]], sign, tie)]


def numbers(scores: Vector, y: Any, tie: str) -> list[Contest]:  # noqa: ARG001
    """A number y, to be met but for epsilon: the gap is minus its distance from the score, the margin is -epsilon."""
    return [(-abs(y - scores[0]), False, [(0, 1 if y > scores[0] else -1)])]


def is_mistake(gap: Any, wins_tie: bool, margin: Any, step: str) -> bool:
    """At gap <= margin. But a tie (0 at 0) may be won, and at their margin PA and AROW have nothing to correct."""
    return step == "perceptron" and not (wins_tie and margin == 0) if gap == margin else bool(gap < margin)


# How far to step? norm2 is the squared length of all that is added; loss is how much the gap falls short.
def step_length(step: str, loss: Any, norm2: Any, eta0: Any, C: Any, weight: Any = 1) -> Any:
    """Eta, or just far enough (PA), at most C (PA-I), softly so (PA-II); AROW's is in `run`. Weights scale eta or C."""
    if step in ("perceptron", "pa2"):
        return eta0 * weight if step == "perceptron" else loss / (norm2 + 1 / (2 * C * weight))
    return 0 if norm2 == 0 else min(1, weight) * loss / norm2 if step == "pa" else min(C * weight, loss / norm2)


@dataclass
class Run:
    """What happened: the weights after each visit, the mistakes of each pass, and what was added when."""

    after: list[Weights] = field(default_factory=list)
    mistakes: list[int] = field(default_factory=list)
    n_updates: int = 0
    converged: bool = False
    events: list[tuple[int, int, int, Any]] = field(default_factory=list)  # visit, example, row, signed step

    def scores(self, X: Sequence[Vector], x: Vector, kernel: Callable[..., Any], n_machines: int) -> Vector:
        """The dual: w is a sum of examples, so w.x is the same sum of their kernel values with x."""
        return [sum(tau * kernel(X[i], x) for _, i, row, tau in self.events if row == c) for c in range(n_machines)]


def run(
    X: Sequence[Vector],
    y: Sequence[int],
    *,
    contests: Callable[[Vector, int, str], list[Contest]] = binary,
    n_machines: int = 1,
    kernel: Callable[[Vector, Vector], Any] | None = None,
    init: Sequence[Vector] | None = None,
    tie: str = "mistake",
    margin: Any = None,
    step: str = "perceptron",
    eta0: Any = 1,
    C: Any = 1,
    r: Any = 1,
    batch_size: int = 1,
    sample_weight: Vector | None = None,
    order: Sequence[int] | Callable[[Weights], Sequence[int]] | None = None,
    max_iter: int = 1000,
) -> Run:
    """Pass after pass, until one makes no mistake or `max_iter` are made. A pass may choose its order by the weights.

    >>> X, y = [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)], [-1, -1, -1, 1]
    >>> result = run(X, y)
    >>> result.after[3], result.after[-1], result.mistakes
    (((0, 1, 1),), ((-4, 3, 2),), [2, 3, 3, 2, 2, 3, 2, 1, 0])
    """
    result = Run()
    W = [list(w) for w in init] if init is not None else [[0] * len(X[0]) for _ in range(n_machines)]
    spread = [[1] * len(w) for w in W]  # AROW: the variance of each weight; it shrinks where much was learned
    margin = margin if margin is not None else 0 if step == "perceptron" else 1
    while len(result.mistakes) < max_iter and not result.converged:
        result.mistakes.append(0)
        visited = range(len(X)) if order is None else order(tuple(W)) if callable(order) else order
        for start in range(0, len(visited), batch_size):
            batch = visited[start : start + batch_size]
            added = []  # every example of a batch is scored with the weights before it
            for i in batch:
                x, weight = X[i], 1 if sample_weight is None else sample_weight[i]
                scores = [dot(w, x) for w in W] if kernel is None else result.scores(X, x, kernel, n_machines)
                for gap, wins_tie, rows in contests(scores, y[i], tie):
                    if is_mistake(gap, wins_tie, margin, step):
                        result.mistakes[-1] += 1
                        beta, tau = 0, step_length(step, margin - gap, len(rows) * dot(x, x), eta0, C, weight)
                        if step == "arow":
                            variance = sum(v * a * a for c, _ in rows for v, a in zip(spread[c], x, strict=True))
                            beta, tau = 1 / (variance + r / weight), (margin - gap) / (variance + r / weight)
                        added += [(i, c, sign * tau, beta) for c, sign in rows]
            for i, c, tau, beta in added:
                scaled = [v * a for v, a in zip(spread[c], X[i], strict=True)]
                W[c] = [w + tau * a for w, a in zip(W[c], scaled, strict=True)]
                spread[c] = [v - beta * a * a for v, a in zip(spread[c], scaled, strict=True)]
                result.events.append((len(result.after), i, c, tau))
            result.n_updates += bool(added)
            result.after += [tuple(map(tuple, W))] * len(batch)
        result.converged = result.mistakes[-1] == 0
    return result


# Many cores: each shard makes its pass from the same weights, and then they are mixed.
def mixed_pass(shards: Sequence[tuple[Sequence[Vector], Sequence[int]]], W: Weights, **words: Any) -> Weights:
    """The mean of what shards (X, y) make of W, weighted by their mistakes (McDonald, Hall, Mann 2010)."""
    runs = [run(X, y, init=W, max_iter=1, **words) for X, y in shards]
    k, rows = [of_shard.mistakes[0] for of_shard in runs], zip(*(of_shard.after[-1] for of_shard in runs), strict=True)
    return tuple([dot(k, w) / sum(k) for w in zip(*row, strict=True)] for row in rows) if any(k) else W


# Which weights answer? The run is the same for each of them.
def predict(W: Weights, x: Vector, tie: str = "mistake") -> int:
    """The sign of the score, or the class with the highest score."""
    scores = [dot(w, x) for w in W]
    if len(scores) == 1:
        return +1 if scores[0] > 0 or (scores[0] == 0 and tie == "positive") else -1
    return max(range(len(scores)), key=lambda c: (scores[c], c if tie == "positive" else -c))


def average(after: Sequence[Weights]) -> Weights:
    """The mean of the weights after each visit."""
    return tuple([sum(column) / len(after) for column in zip(*rows, strict=True)] for rows in zip(*after, strict=True))


def vote(after: Sequence[Weights], x: Vector, tie: str = "mistake") -> dict[int, int]:
    """The votes for each answer: every weight vector has one for each visit it survived."""
    votes = [predict(W, x, tie) for W in after]
    return {answer: votes.count(answer) for answer in set(votes)}


def pocket(after: Sequence[Weights], X: Sequence[Vector], y: Sequence[int], tie: str = "mistake") -> Weights:
    """The first of the weights with the fewest mistakes on the training set."""

    def errors(W: Weights) -> int:
        gaps = [(argmax if W[1:] else binary)([dot(w, x) for w in W], t, tie)[0] for x, t in zip(X, y, strict=True)]
        return sum(is_mistake(gap, wins_tie, 0, "perceptron") for gap, wins_tie, _ in gaps)

    return min(after, key=errors)


# What is scored? Also a whole structure y: joint features Phi(x, y) as a dict, decode(w, x) the y of the highest score.
def structured(
    X: Vector, Y: Vector, features: Callable[..., Any], decode: Callable[..., Any], step: str = "perceptron", C: Any = 1
) -> Iterator[dict[Any, Any]]:
    """The weights after each visit, pass after pass: w <- w + tau (Phi(x, y) - Phi(x, z)) where it says z, not y."""
    w: dict[Any, Any] = {}
    while True:
        for x, y in zip(X, Y, strict=True):
            if (z := decode(w, x)) != y:
                right, wrong = features(x, y), features(x, z)
                added = {f: right.get(f, 0) - wrong.get(f, 0) for f in right | wrong}
                loss, norm2 = 1 - sum(w.get(f, 0) * v for f, v in added.items()), sum(v * v for v in added.values())
                tau = step_length(step, loss, norm2, 1, C)
                w = w | {f: w.get(f, 0) + tau * v for f, v in added.items()}
            yield w


# The neighbours: no threshold (the linear unit), no learning (the best of k given hypotheses).
def linear_unit(X: Sequence[Vector], y: Vector, w: Vector, eta: Any, batch_size: int) -> Iterator[Vector]:
    """Gradient descent on E(w) = 1/2 sum (y - w.x)^2, so many examples a step: the weights after each step."""
    while True:
        for start in range(0, len(X), batch_size):
            batch = X[start : start + batch_size]
            errors = [t - dot(w, x) for x, t in zip(batch, y[start : start + batch_size], strict=True)]
            w = [a + eta * dot(errors, column) for a, column in zip(w, zip(*batch, strict=True), strict=True)]
            yield w


def random_hypotheses(hypotheses: Sequence[Vector], X: Sequence[Vector], y: Sequence[int]) -> Vector:
    """The first of the given hypotheses with the least training error."""
    return min(hypotheses, key=lambda w: sum(predict((w,), x) != label for x, label in zip(X, y, strict=True)))
