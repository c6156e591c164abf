"""A structured perceptron that has learned: its weights under each readout, and how they answer.

It has no record of a model file: what `features` and `decode` do, only they know.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rosenblatt.members.advice import PYTHON, Voice, for_inseparable, more_passes, still
from rosenblatt.members.structured.features import as_vector, score
from rosenblatt.members.structured.parameters import StructuredParameters
from rosenblatt.members.structured.state import StructuredRun, same


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
        """What to say of a run that ended with mistakes where it was left to us when to end."""
        p, passes = self.parameters, self.state.passes
        return (
            f"{still(passes, 'mistakes' if p.rival is None else 'updates')}. Either no weights get all examples right: "
            f"then no number of passes is enough, and {for_inseparable(voice, p.readout, ('average',))}. Or some do, "
            f"and need more passes: {more_passes(voice, passes)}."
        )

    def weights(self, readout: str) -> Any:
        """The weights that a readout answers with: by name, or an array."""
        if readout not in ("last", "average"):
            raise AttributeError(f"{readout!r} has no single weight vector; take weights_for('average') or ('last')")
        return self.state.weights(readout)

    def score_of(self, x: Any, y: Any) -> Any:
        """w.Phi(x, y)."""
        return score(self.weights(self.parameters.readout), as_vector(self.parameters.features(x, y)))

    def predict(self, X: list[Any]) -> list[Any]:
        """The output for each input."""
        p = self.parameters
        if p.readout == "vote":
            return [max(votes, key=lambda vote: vote[1])[0] for votes in self.state.votes(p.decode, X)]
        return [p.decode(self.state.weights(p.readout), x) for x in X]

    def votes(self, x: Any) -> list[tuple[Any, int]]:
        """The answers of all weight vectors, and how many visits those survived that give it; the most votes first."""
        return [(y, n) for y, n in sorted(self.state.votes(self.parameters.decode, [x])[0], key=lambda vote: -vote[1])]

    def loss(self, y: Any, z: Any) -> Any:
        """How bad it is to answer z where y is right."""
        loss = int(not same(y, z)) if self.parameters.loss is None else self.parameters.loss(y, z)
        if not 0 <= loss < float("inf"):
            raise ValueError(f"loss must be finite and not below 0; of {y!r} and {z!r} it is {loss!r}")
        return loss

    def mean_loss(self, X: list[Any], y: list[Any]) -> float:
        """Of its answers."""
        return float(np.mean([self.loss(*pair) for pair in zip(y, self.predict(X), strict=True)]))
