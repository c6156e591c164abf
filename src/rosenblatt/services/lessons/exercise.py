"""Exercises by seed: small data for a table of updates by hand, the same for the same seed on every machine.

The numbers are whole and small, the run is short and ends with a pass without mistakes, and after the first visit no
score is 0: so the table is the same whatever a lecture does with a score of 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from rosenblatt import plain
from rosenblatt.services.lessons.trace import Trace, trace

POINTS, LARGEST = 5, 3  # how many, and the largest coordinate
UPDATES = range(4, 8)
PASSES = range(2, 5)
TRIES = 100_000
GIVEN = ("visit", "pass", "example", "x", "y")
ASKED = ("score", "mistake", "after")


@dataclass(frozen=True)
class Exercise:
    """The points of a seed, and the run that solves them.

    Attributes
    ----------
    seed : it decides all
    X, y : the points, and their labels -1 and +1
    solution : the run from zero weights with the constant feature
    """

    seed: int
    X: list[list[int]]
    y: list[int]
    solution: Trace

    @property
    def data(self) -> str:
        """The points as CSV."""
        rows = [f"{a},{b},{label:+d}" for (a, b), label in zip(self.X, self.y, strict=True)]
        return "\n".join(["x1,x2,y", *rows, ""])

    @property
    def sheet(self) -> str:
        """The table to fill in, as CSV: its asked columns are blank."""
        heads, *lines = (self.solution.to_csv(columns=[*GIVEN, *ASKED]) or "").splitlines()
        n_asked = 5  # score, mistake, w0, w1, w2
        blank = [",".join(line.split(",")[:-n_asked]) + "," * n_asked for line in lines]
        return "\n".join([heads, *blank, ""])

    @property
    def answers(self) -> str:
        """The table filled in, as CSV."""
        return self.solution.to_csv(columns=[*GIVEN, *ASKED]) or ""

    @property
    def task(self) -> str:
        """What a student is to do."""
        return (
            f"Exercise {self.seed}. Run the perceptron by hand on these points, in the listed order, again and again,\n"
            "until a pass has no mistakes. Start at w = (0, 0, 0), the first weight belongs to a constant feature 1.\n"
            "A point is a mistake if y s <= 0; then add y times the point to w. Write down the score s, whether it is\n"
            "a mistake, and w after each visit."
        )


def exercise(seed: int) -> Exercise:
    """Find the exercise of a seed.

    >>> made = exercise(7)
    >>> len(made.X), made.solution.converged, made.answers == exercise(7).answers
    (5, True, True)
    """
    random = np.random.RandomState(seed)
    for _ in range(TRIES):
        X = random.randint(-LARGEST, LARGEST + 1, (POINTS, 2)).tolist()
        y = random.choice([-1, 1], POINTS).tolist()
        if len(set(map(tuple, X))) == POINTS and len(set(y)) == 2 and _is_good([(1, *x) for x in X], y):
            return Exercise(seed, X, y, trace(X, y))
    raise RuntimeError(f"no exercise was found for the seed {seed}")


def moodle_xml(exercises: Sequence[Exercise]) -> str:
    """A question bank for Moodle: each exercise is a Cloze question, a point for each cell of its table."""
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>", *map(_question, exercises), "</quiz>", ""])


def _question(exercise: Exercise) -> str:
    run = exercise.solution
    points = [
        f"<tr><td>{a}</td><td>{b}</td><td>{y:+d}</td></tr>" for (a, b), y in zip(exercise.X, exercise.y, strict=True)
    ]
    heads = "".join(f"<th>{head}</th>" for head in ("visit", "point", "score", "mistake", "w0", "w1", "w2"))
    rows = []
    for visit, row, score, mistake, after in zip(run.visit, run.row, run.score, run.mistake, run.after, strict=True):
        numbers = [f"{{1:NUMERICAL:={int(value)}:0}}" for value in (score, *after.ravel())]
        choice = "{1:MULTICHOICE:=yes~no}" if mistake else "{1:MULTICHOICE:yes~=no}"
        cells = [visit, row + 1, numbers[0], choice, *numbers[1:]]
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    text = (
        f"<p>{escape(exercise.task)}</p><table><tr><th>x1</th><th>x2</th><th>y</th></tr>{''.join(points)}</table>"
        f"<table><tr>{heads}</tr>{''.join(rows)}</table>"
    )
    return (
        f'<question type="cloze"><name><text>Perceptron, exercise {exercise.seed}</text></name>'
        f'<questiontext format="html"><text><![CDATA[{text}]]></text></questiontext></question>'
    )


def _is_good(X: list[tuple[int, ...]], y: list[int]) -> bool:
    """Whether the run is short, and never asks what a score of 0 is but at its first visit."""
    run = plain.run(X, y, max_iter=PASSES[-1])
    if not run.converged or run.n_updates not in UPDATES or len(run.mistakes) not in PASSES:
        return False
    visits = enumerate(zip([[(0, 0, 0)], *run.after], X * len(run.mistakes), strict=False))
    return all(visit == 0 or plain.dot(w[0], x) != 0 for visit, (w, x) in visits)
