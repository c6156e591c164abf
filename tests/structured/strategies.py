"""Small tagged sentences, and tables of small integers as structures."""

from typing import Any, NamedTuple

from hypothesis import strategies as st

LABELS = ["A", "B", "C"]


class Sentences(NamedTuple):
    X: list[list[list[str]]]
    y: list[list[str]]


@st.composite
def sentences(draw: st.DrawFn, most: int = 5) -> Sentences:
    tokens = st.lists(st.sampled_from("uvw"), max_size=3)
    X = draw(st.lists(st.lists(tokens, min_size=1, max_size=4), min_size=1, max_size=most))
    return Sentences(X, [[draw(st.sampled_from(LABELS)) for _ in x] for x in X])


class ByClass:
    """Classes as structures: a block of weights a class. `tie` is that of `Perceptron`, and so are its decisions."""

    def __init__(self, n_classes: int, tie: str, margin: Any = 0) -> None:
        self.classes, self.tie, self.margin = range(n_classes), tie, margin

    def features(self, x: Any, y: int) -> dict[Any, Any]:
        """Two classes, -1 and +1, share one block, y x / 2; the difference of two answers is y x."""
        if len(self.classes) == 2:
            return {j: (2 * y - 1) * v / 2 for j, v in enumerate(x)}
        return {(y, j): v for j, v in enumerate(x)}

    def best(self, w: Any, x: Any, classes: Any) -> int:
        order = reversed(list(classes)) if self.tie == "positive" else classes
        return int(max(order, key=lambda y: w @ self.features(x, y)))

    def decode(self, w: Any, x: Any) -> int:
        return self.best(w, x, self.classes)

    def rival(self, w: Any, x: Any, y: int) -> int:
        """The best of the wrong classes, if the right one is not far enough ahead; a tie as `tie` has it."""
        z = self.best(w, x, [c for c in self.classes if c != y])
        gap = w @ self.features(x, y) - w @ self.features(x, z)
        wins = self.margin == 0 and self.tie == ("positive" if y > z else "negative")
        return z if gap < self.margin or (gap == self.margin and not wins) else y
