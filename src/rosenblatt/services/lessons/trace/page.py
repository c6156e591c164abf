"""A table on a page: aligned lines, and of a long run the first and the last."""

from collections.abc import Iterable

from rosenblatt.services.lessons.trace.numbers import counted

SHOWN = 40  # rows of a page; of more, those in the middle are left out
SEE_ALL = "table() has all"


def shortened(n_rows: int, limit: int | None, noun: str, see_all: str = SEE_ALL) -> tuple[int, str]:
    """How many rows are shown of each end, and what is said of the others; nothing if all are shown.

    >>> shortened(100, 40, "visit"), shortened(30, 40, "visit")
    ((20, '... 60 visits left out here; table() has all ...'), (30, ''))
    """
    if limit is None or n_rows <= limit:
        return n_rows, ""
    half = limit // 2
    return half, f"... {counted(n_rows - 2 * half, noun)} left out here; {see_all} ..."


def lines_of(columns: Iterable[tuple[bool, list[str]]], half: int, left_out: str) -> list[str]:
    """The heads and the rows, with what is said of rows left out after so many; numbers are set to the right.

    >>> lines_of([(True, ["k", "1", "12"]), (False, ["why", "wrong side", ""])], 2, "")
    [' k  why', ' 1  wrong side', '12']
    """
    padded = []
    for is_number, cells in columns:
        pad, width = str.rjust if is_number else str.ljust, max(map(len, cells))
        padded.append([pad(cell, width) for cell in cells])
    lines = ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]
    if left_out:
        lines.insert(half + 1, left_out)
    return lines
