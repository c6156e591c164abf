"""A perceptron that has learned: its weights under each readout, decisions, labels, and its record.

All of it is taken from the state of the run when it is asked for, so that `readout` may change after the fit.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors
from rosenblatt.base.rows import Matrix, SparseRows, as_type, core_rows, core_weights, score
from rosenblatt.members.advice import PYTHON, Voice, for_inseparable, more_passes, still
from rosenblatt.members.linear.parameters import READOUTS
from rosenblatt.members.linear.record import run_from_record, run_to_record
from rosenblatt.members.linear.state import LinearState
from rosenblatt.members.model import Classifier

_MISSING = {
    "average": "fit with readout='average' or keep_mistakes=True",
    "pocket": "fit with readout='pocket'",
    "vote": "fit with readout='vote' or keep_mistakes=True",
}


@dataclass
class LinearModel(Classifier):
    """A trained perceptron."""

    kind: ClassVar[str] = "Perceptron"
    conventions: ClassVar[str] = (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = unit * (x.w + bias * last row of w); in place of w: "
        "(visits * w - sums) / visits for the readout average, pocket for the readout pocket; mistakes: after `visit` "
        "visits, tau times training row `row`, which support_row finds in the support, was added to column cls; "
        "shards: of n rows shard s has n s // shards to n (s + 1) // shards, in so many rounds a pass (auto: an eighth "
        "of the shards, at least 1); round r, counted from 0 over all passes, visits part r mod rounds of each shard, "
        "cut likewise, in the order of pass r shards + s; mixed_mistakes_: the mistakes of each pass as shards were "
        "mixed"
    )
    state: LinearState
    given: dict[str, Any] = field(default_factory=dict)  # coefficients and intercepts set by hand, or made sparse
    taken_weights: dict[str, Array] = field(default_factory=dict)  # of readouts asked for since the state last changed
    lasting: dict[str, tuple[Array, Array]] = field(default_factory=dict)  # the same as coefficients and intercepts

    def weights(self, readout: str) -> Array:
        """The weights that a readout answers with, in the core's layout."""
        if readout == "vote":
            raise AttributeError("a vote has no single weight vector; take coef_for('average') or coef_for('last')")
        if readout not in READOUTS:
            raise ValueError(f"readout must be one of {READOUTS}, got {readout!r}")
        if readout not in self.taken_weights:
            weights = self.state.weights(readout)
            if weights is None:
                raise _not_kept(readout)
            self.taken_weights[readout] = weights
        return self.taken_weights[readout]

    def coef_for(self, readout: str) -> Array:
        """(rows of weights, features)."""
        return np.asarray(self.weights(readout)[:-1, : self.state.n_rows].T)

    def intercept_for(self, readout: str) -> Array:
        """(rows of weights,)."""
        return np.asarray(self.weights(readout)[-1, : self.state.n_rows] * self.state.bias)

    def lasting_coef(self, readout: str) -> Array:
        """The same, made once: it cannot be written to, and stays as it is when the run goes on."""
        return self._lasting(readout)[0]

    def lasting_intercept(self, readout: str) -> Array:
        """The intercepts in the same way."""
        return self._lasting(readout)[1]

    def _lasting(self, readout: str) -> tuple[Array, Array]:
        if readout not in self.lasting:
            coef, intercept = self.coef_for(readout), self.intercept_for(readout)
            if self.state.w.flags.writeable and np.may_share_memory(coef, self.state.w):
                coef = coef.copy()
            coef.flags.writeable = intercept.flags.writeable = False
            self.lasting[readout] = coef, intercept
        return self.lasting[readout]

    @property
    def coef(self) -> Array | SparseRows:
        """The coefficients that answer: those set by hand, or those of the readout."""
        return self.given["coef_"] if "coef_" in self.given else self.coef_for(self.parameters.readout)

    @property
    def intercept(self) -> Array:
        """The intercepts that answer."""
        return self.given["intercept_"] if "intercept_" in self.given else self.intercept_for(self.parameters.readout)

    @property
    def mixed_mistakes(self) -> Array:
        """The mistakes of each pass as they were mixed; those of one shard are simply its mistakes."""
        return np.array(self.passes if self.state.mixed is None else self.state.mixed, dtype=np.float64)

    @property
    def dual_coef(self) -> Array:
        """How much of each training row was added: (n,) for two classes, (n_classes, n) for more."""
        if self.state.mistakes is None:
            raise AttributeError("dual_coef_ is there only if the mistakes are kept: fit with keep_mistakes=True")
        dual = self.state.dual_coef(self.n_seen)
        return np.abs(dual[0]) if self.state.n_rows == 1 else dual

    def decision(self, X: Matrix) -> Array:
        """The score of each row; for more than two classes, of each class; the share of the votes for a vote."""
        X = self.rows(X)
        state, readout = self.state, self.parameters.readout
        if self.given:
            coef = self.coef.toarray() if isinstance(self.coef, SparseRows) else np.asarray(self.coef)
            w, n_rows, bias = core_weights(as_type(coef, X.dtype), self.intercept, 1.0), len(coef), 1.0
        elif readout == "vote":
            if state.mistakes is None:
                raise _not_kept("vote")
            return state.decision(X, readout, self.parameters.tie)
        else:
            X, w, n_rows, bias = as_type(X, state.dtype), self.weights(readout), state.n_rows, state.bias
        decision = score(core_rows(X, check=False), w, n_rows, bias)
        return decision[:, 0] if n_rows == 1 else decision

    def not_converged(self, voice: Voice = PYTHON) -> str:
        """What to say of a run that ended with mistakes where it was left to us when to end."""
        p = self.parameters
        conventions = {} if p.fit_intercept else {"fit_intercept": False}
        return (
            f"{still(self.passes, p.counted)}. Either the classes are not linearly separable: then no number of passes "
            f"is enough, and {for_inseparable(voice, p.readout, ('average', 'pocket'))}. Or they are, and need more "
            f"passes: {more_passes(voice, self.passes)}. {voice.proof(**conventions)} tells which, with a proof."
        )

    def to_record(self, tensors: Tensors) -> dict[str, Any]:
        """For a record."""
        return run_to_record(self, tensors)

    @classmethod
    def from_record(cls, parameters: Any, n_features: int, classes: Array | None, parts: Parts) -> Self:
        """From a record."""
        assert classes is not None
        return cls(parameters, classes, n_features=n_features, **run_from_record(n_features, classes, parts))


def _not_kept(readout: str) -> AttributeError:
    return AttributeError(f"this run did not keep what readout={readout!r} needs; {_MISSING[readout]}")
