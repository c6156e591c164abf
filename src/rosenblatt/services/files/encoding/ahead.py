"""Work on the blocks of a table that is done ahead of who asks for it, and given in the order of the file."""

from collections.abc import Callable, Generator, Iterator
from itertools import chain
from typing import TypeVar

from rosenblatt.base.cores import cpu_count
from rosenblatt.services.files.blocks import in_order
from rosenblatt.services.files.table import Table

T = TypeVar("T")


def ahead(work: Callable[[Table], T], blocks: Iterator[Table]) -> Generator[T, None, None]:
    """`work(block)` for each block.

    Cells of text are read on all cores. Columns with a type are at hand once the file is read, which one thread does;
    what is left is Python's own work, for which a second thread would only make the first one wait.
    """
    first = next(blocks, None)
    if first is not None:
        yield from in_order(work, chain([first], blocks), 1 if first.typed else cpu_count())
