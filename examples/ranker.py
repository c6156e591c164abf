"""Rankings as structures: what is a change of trains worth to this traveller? Learned from the order of her choices.

An output is an order of the routes of a trip. Phi(x, y) sums, over all pairs, the better one's features less the
other's, so that the order of the highest score is the order of the routes' own scores: sorting is the decoder.
"""

from itertools import combinations

from rosenblatt import StructuredPerceptron, check_run
from rosenblatt.members.structured.features import Weights

NAMES = ("minutes", "changes", "euros")
Route = tuple[int, int, int]
# Trips, each with its routes from the best to the worst. To her, a change is 20 minutes, and a euro is 3.
RANKED: list[list[Route]] = [
    [(55, 0, 12), (50, 1, 10), (95, 0, 6), (45, 3, 14)],
    [(120, 1, 30), (150, 0, 28), (110, 2, 35), (100, 2, 60)],
    [(30, 0, 4), (20, 1, 4), (26, 0, 9), (18, 2, 3)],
    [(240, 2, 39), (390, 0, 19), (200, 1, 79), (300, 1, 49)],
    [(75, 1, 8), (62, 2, 8), (80, 0, 16), (60, 1, 21)],
    [(165, 1, 22), (180, 0, 25), (150, 1, 30), (150, 3, 20)],
]
NEW: list[Route] = [(90, 2, 20), (100, 1, 15), (120, 0, 20), (85, 0, 29)]


def features(x: list[Route], y: list[int]) -> dict[str, int]:
    """The sum of the better route less the worse one, over all pairs."""
    pairs = [(x[i], x[j]) for i, j in combinations(y, 2)]
    return {name: sum(a[k] - b[k] for a, b in pairs) for k, name in enumerate(NAMES)}


def decode(w: Weights, x: list[Route]) -> list[int]:
    """Highest score first; of equal ones the first in the list."""
    return sorted(range(len(x)), key=lambda i: -sum(w[name] * value for name, value in zip(NAMES, x[i], strict=True)))


def main() -> None:
    X = [sorted(trip) for trip in RANKED]
    y = [[routes.index(route) for route in trip] for routes, trip in zip(X, RANKED, strict=True)]
    model = StructuredPerceptron(features, decode, readout="last", max_iter=10_000, keep_mistakes=True).fit(X, y)
    print(f"{len(X)} trips of 4 routes, 24 orders each; {model.n_updates_} mistakes until all orders were right\n")
    w = model.weights_
    print("weights:", ", ".join(f"{name} {w[name]}" for name in NAMES))
    change, euro = w["changes"] / w["minutes"], w["euros"] / w["minutes"]
    print(f"a change is {change:.1f} minutes, a euro {euro:.1f}; to her, 20 and 3\n")
    print("a new trip, best first:")
    for minutes, changes, euros in (NEW[i] for i in model.predict([NEW])[0]):
        print(f"  {minutes:3} minutes, {euros} euros, changes: {changes}")
    print("\nthe last updates:")
    print("\n".join(str(model.trace_).splitlines()[-4:]))
    print("\nCollins's theorem on this run:")
    print(check_run(model))


if __name__ == "__main__":
    main()
