"""The perceptron's member by way of its estimator, as long as it has no parameters of its own. To be removed then."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.learning.randomness import drawn_seed
from rosenblatt.linear.estimator import Perceptron
from rosenblatt.rows import Matrix, without_duplicates


@dataclass(frozen=True)
class EstimatorMethod:
    """What `LinearMethod` of the member will be."""

    parameters: Any

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """With these parameters, each within its range."""
        model = Perceptron(**given)
        model._validate_params()
        model.as_dict = model.get_params
        return cls(model)

    def checked(self, X: Matrix) -> Matrix:
        """Without a column that is named twice, where that matters."""
        return X if self.parameters.step == "perceptron" else without_duplicates(X)

    def begin(self, classes: Array, X: Matrix, random: np.random.RandomState) -> tuple[Any, int | None]:
        """The state before the first visit, and the seed of the orders."""
        state = self.parameters._begin(classes, X, random)
        return state, drawn_seed(random) if self.parameters.shuffle else None

    def rule(self, n_samples: int) -> Any:
        """For the core."""
        return self.parameters._rule(n_samples)
