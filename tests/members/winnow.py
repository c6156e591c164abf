"""A toy member in one file: Winnow (Littlestone 1988), whose updates multiply. It shows what a member says of itself.

Each class has positive weights w, and the class with the largest w.x answers. Where that is wrong, the weights of the
right class are multiplied by alpha^x, and those of the class that answered by alpha^-x. The state has u = log w, so
that shards are mixed by the geometric mean of their weights.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.declare import declaration, declare
from rosenblatt.base.record.parts import MOST, Parts, Tensors
from rosenblatt.base.rows import Matrix, SparseRows
from rosenblatt.members import Member, register
from rosenblatt.members.advice import PYTHON, Voice, more_passes, still
from rosenblatt.members.model import Classifier
from rosenblatt.members.offered import NOT_HELD_OUT, NOT_VALIDATE, Limits, Way, only
from rosenblatt.members.online_run import RowsOnline
from rosenblatt.members.parameters import RunDeclaration, RunParameters, default_rounds
from rosenblatt.members.randomness import drawn_seed
from rosenblatt.members.rows import Order, RowMember, Visits, WeightedRows
from rosenblatt.members.stopping import Stopping


@declaration
class WinnowDeclaration(RunDeclaration):
    """What a `Winnow` is made with."""

    alpha: float = declare(2.0, "What weights are multiplied by at a mistake.", over=1)
    max_iter: int = declare(20, "The most passes.", least=1)
    shards: int = declare(1, "How many parts learn at the same time.", least=1)


class WinnowParameters(WinnowDeclaration, RunParameters):
    """The parameters of a `Winnow`."""

    offered: ClassVar[dict[Way, Limits]] = {
        "more": {"early_stopping": NOT_HELD_OUT},
        "shards": {},
        "cluster": {"early_stopping": NOT_HELD_OUT},
        "stream": {"early_stopping": NOT_HELD_OUT, "shards": only(1, why="it is one run"), "max_iter": NOT_VALIDATE},
        "endless": {"early_stopping": NOT_HELD_OUT},
    }

    @property
    def has_margin(self) -> bool:
        """None."""
        return False

    @property
    def n_rounds(self) -> int:
        """How often a pass mixes the shards."""
        return default_rounds(self.shards)


@dataclass
class WinnowState:
    """The logarithms of the weights, (features, classes), and the visits so far."""

    u: Array
    visits: int = 0

    @property
    def dtype(self) -> Any:
        """Of the weights."""
        return self.u.dtype

    def copy(self) -> "WinnowState":
        """With an array of its own."""
        return WinnowState(self.u.copy(), self.visits)


@dataclass
class WinnowModel(Classifier):
    """What a `Winnow` has learned."""

    kind: ClassVar[str] = "Winnow"
    conventions: ClassVar[str] = "u: the logarithms of the weights, a row a feature, a column a class"
    state: WinnowState

    def decision(self, X: Matrix) -> Array:
        """The scores of the classes; of two, how far the second is ahead."""
        scores = _dense(self.rows(X)) @ np.exp(self.state.u)
        return np.asarray(scores[:, 1] - scores[:, 0] if len(self.classes) == 2 else scores)

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """More passes may help."""
        return f"{still(self.passes, 'mistakes')}: {more_passes(voice, self.passes)}"

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """For a model file."""
        tensors |= {"u": self.state.u, "mistakes_": self.mistakes}
        return {"visits": self.state.visits, "n_seen": int(self.n_seen), "n_updates": int(self.n_updates)}

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """From a model file."""
        assert classes is not None
        state = WinnowState(parts.tensor("u", (n_features, len(classes)), "float64"), parts.count("visits"))
        passes = parts.integers("mistakes_", None, "int64", below=MOST).tolist()
        return cls(parameters, classes, state, n_features, parts.count("n_seen"), parts.count("n_updates"), passes)


@dataclass(frozen=True)
class WinnowMember(RowMember[WinnowState]):
    """How it begins, visits, scores and grows; what is not said here is that of all members."""

    parameters: WinnowParameters
    model_class: ClassVar[type[Classifier]] = WinnowModel
    mixes: ClassVar[tuple[str, ...]] = ("u",)
    in_python: ClassVar[bool] = True

    def begin(
        self, classes: Array, X: Matrix, random: np.random.RandomState, start: Any = None
    ) -> tuple[WinnowState, int | None]:
        """All weights are 1, or those of a model before."""
        u = np.zeros((X.shape[1], len(classes))) if start is None else start.state.u.copy()
        return WinnowState(u), drawn_seed(random) if self.parameters.shuffle else None

    def visit(self, state: WinnowState, rows: WeightedRows, order: Order) -> Visits:
        """Passes until one is clean."""
        X, counts, step = _dense(rows.X), list[int](), np.log(self.parameters.alpha)
        only_class = state.u.shape[1] == 1
        while len(counts) < order.passes and (not counts or counts[-1]):
            wrong, number = 0, order.first_pass + len(counts)
            for row in _core.order(len(X), seed=order.seed, pass_number=number):
                x, right = X[row], 0 if only_class else int(rows.target[row])
                answer = int((x @ np.exp(state.u[: len(x)])).argmax())
                weight = 1.0 if rows.weight is None else float(rows.weight[row])
                if answer != right:
                    state.u[: len(x), right] += weight * step * x
                    state.u[: len(x), answer] -= weight * step * x
                    wrong += 1
                state.visits += 1
            counts.append(wrong)
        return Visits(np.array(counts), np.array(counts, dtype=float), sum(counts))

    def decision(self, state: WinnowState, X: Matrix) -> Array:
        """Scores."""
        scores = _dense(X) @ np.exp(state.u)
        return np.asarray(scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores)

    def stopping(self, n_rows: int) -> Stopping:
        """After `max_iter` passes, or when rows held out get no better."""
        p = self.parameters
        return Stopping(n_rows, p.max_iter, 0.0 if p.early_stopping else p.tol, p.n_iter_no_change)

    def grow(self, state: WinnowState, before: Array, classes: Array) -> WinnowState:
        """A new class has weights of 1."""
        u = np.zeros((len(state.u), len(classes)))
        u[:, np.searchsorted(classes, before)] = state.u[:, : len(before)]
        return WinnowState(u, state.visits)

    def columns(self, state: WinnowState, first: int, last: int) -> WinnowState:
        """A new feature has weights of 1."""
        u = np.zeros((last - first, state.u.shape[1]))
        old = state.u[first:last]
        u[: len(old)] = old
        return WinnowState(u, state.visits)

    def state_to_record(self, state: WinnowState, tensors: Tensors) -> dict[str, Any]:
        """For a checkpoint."""
        tensors["u"] = state.u
        return {"visits": state.visits}

    def state_from_record(self, parts: Parts, n_features: int, n_classes: int, n_seen: int) -> WinnowState:  # noqa: ARG002
        """From a checkpoint."""
        return WinnowState(parts.tensor("u", (n_features, n_classes), "float64").copy(), parts.count("visits"))


class WinnowOnline(RowsOnline):
    """A run without end."""

    member = WinnowMember


def _dense(X: Any) -> Array:
    return np.asarray(X.toarray() if isinstance(X, SparseRows) else X, dtype=np.float64)


WINNOW = Member(
    kind="Winnow",
    parameters=WinnowParameters,
    model=WinnowModel,
    rows=WinnowMember,
    online=WinnowOnline,
    option="winnow",
    option_text="Learn with Winnow, whose updates multiply.",
)


def add() -> None:
    """Register it. A file that is imported twice registers nothing twice."""
    from rosenblatt.members import MEMBERS

    if WINNOW.kind not in MEMBERS:
        register(WINNOW)
