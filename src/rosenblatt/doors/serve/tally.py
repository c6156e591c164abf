"""The mistakes of a model's stream: how many, as a curve, and whether they have lately become more (drift)."""

from dataclasses import dataclass, field

MOST_POINTS = 1024
TOLERANCE = 0.005  # how much more often than before a mistake may come, before it counts as drift


@dataclass
class Tally:
    """Counts the examples that make the model, in order. A snapshot has it as JSON."""

    examples: int = 0
    mistakes: int = 0
    points: list[tuple[int, int]] = field(default_factory=list)  # sequence numbers, and the mistakes so far
    drift: float = (
        0.0  # Page and Hinkley's statistic: how far the mistakes are over their mean since they were least so
    )
    every: int = 1  # examples between two points
    total: float = 0.0  # of the mistakes over their mean
    least: float = 0.0  # that it was

    def add(self, seq: int, *, mistake: bool) -> None:
        """One more."""
        self.examples += 1
        self.mistakes += mistake
        self.total += mistake - self.mistakes / self.examples - TOLERANCE
        self.least = min(self.least, self.total)
        self.drift = self.total - self.least
        if self.examples % self.every == 0:
            self.points.append((seq, self.mistakes))
            if len(self.points) > MOST_POINTS:
                self.points, self.every = self.points[1::2], 2 * self.every

    def curve(self, last: int, most: int) -> list[tuple[int, int]]:
        """At most so many points, the newest among them."""
        every = -(-len(self.points) // max(1, most - 1)) or 1
        points = self.points[every - 1 :: every]
        return points if not self.examples or (points and points[-1][0] == last) else [*points, (last, self.mistakes)]
