"""Points for students' tables: one for each cell that was asked for and is right."""

from dataclasses import dataclass

from rosenblatt.services.lessons.trace import Trace
from rosenblatt.services.lessons.trace.answers import Answers, checked_table
from rosenblatt.services.lessons.trace.numbers import quantity


@dataclass(frozen=True)
class Grade:
    """How many of the cells that were asked for are right, and the first that is not, as `check` says it."""

    right: int
    cells: int
    message: str

    @property
    def share(self) -> float:
        """The right cells as a part of all."""
        return self.right / self.cells if self.cells else 0.0


def grade(answers: Answers, run: Trace, *, updates_only: bool = False) -> Grade:
    r"""Give points for a student's table: cells of scores, mistakes and weights, not those that the sheet has already.

    A blank cell is wrong, and so is a row that is missing.

    >>> from io import StringIO
    >>> from rosenblatt import trace
    >>> from rosenblatt.data.lectures import AND
    >>> table = StringIO("example,score,w0,w1,w2\n1,0,-1,0,0\n2,-1,-1,0,\n3,5,-1,0,0\n")
    >>> found = grade(table, trace(*AND, max_iter=1))
    >>> found.right, found.cells
    (10, 16)
    """
    table = checked_table(answers, run, updates_only=updates_only)
    n_rows = len(run.updates if updates_only else run)
    asked = [place for place, is_asked in enumerate(table.asked) if is_asked]
    if not asked:
        raise ValueError("the table has no column to grade: expected one of score, mistake, w0, w1, ...")
    places = [(i, place) for i in range(min(n_rows, len(table.rows))) for place in asked]
    filled = [(i, place) for i, place in places if table.rows[i][place].strip()]
    right, blank = sum(table.cells[i][place] for i, place in filled), len(places) - len(filled)
    message = f"{quantity(blank, 'cell')} left blank" if table.check.ok and blank else table.check.message
    return Grade(right, n_rows * len(asked), message)
