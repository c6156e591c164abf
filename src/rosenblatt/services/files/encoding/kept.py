"""What is kept of a table while its encoding is learned: all that features and labels are made of, and no more.

Numbers are written once, row by row, where the features will be; of the other columns each block stays as it was read.
"""

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.table import Table


class Kept:
    """Of the blocks that it is given, the numbers as rows, and the columns of categories, texts and labels."""

    def __init__(self, parameters: EncodingParameters) -> None:
        self._parameters, self._blocks = parameters, list[Table]()

    def begin(self, numbers: list[str], categories: list[str]) -> None:
        """What columns there are, before the first block."""
        p = self._parameters
        self._others = [*categories, *p.text, *([] if p.label is None else [p.label])]
        self._width = max(1, len(numbers) + p.policies(numbers).count("indicator") + len(categories))
        self._rows = _core.RowWriter(self._width)

    def add(self, block: Table, numbers: list[Array]) -> None:
        """The next block, and its numbers."""
        self._rows.add(numbers, len(block))
        others = block.only(self._others)
        if not self._parameters.text:
            others.forget()
        self._blocks.append(others)

    def taken(self) -> tuple[Table, Array]:
        """The other columns; and the numbers, with room for the indicators of missing ones and of categories."""
        return Table.joined(self._blocks), self._rows.take().reshape(-1, self._width)
