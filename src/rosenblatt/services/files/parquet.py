"""Parquet files through pyarrow, block by block. Where a file has each text of a column once, it is read so.

To count and to number such texts, and not each cell, is several times faster.
"""

from typing import Any

BUFFER_BYTES = 1 << 18  # of a column that are read at a time; else it is all that a group of rows has
LENGTH_BYTES = 4  # of a text that stands in a file by itself, before its characters


class Repeated:
    """A column of texts, held as a dictionary: to others it is of the type that its texts have."""

    def __init__(self, column: Any) -> None:
        self.column, self.type = column, column.type.value_type

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, rows: slice) -> "Repeated":
        return Repeated(self.column[rows])

    @property
    def null_count(self) -> int:
        """Cells without a value."""
        return int(self.column.null_count)


def open_parquet(file: Any) -> tuple[Any, set[str]]:
    """A file of pyarrow's, and the columns of texts that come as dictionaries though their type does not say so."""
    from pyarrow.parquet import ParquetFile

    options: Any = {"buffer_size": BUFFER_BYTES, "pre_buffer": False}
    plain = ParquetFile(file, **options)
    repeated = _repeated(plain)
    if not repeated:
        return plain, repeated
    return ParquetFile(file, metadata=plain.metadata, read_dictionary=sorted(repeated), **options), repeated


def _repeated(file: Any) -> set[str]:
    """The columns of texts that take fewer bytes in each group of rows than the lengths of all texts would."""
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    if not groups:
        return set()
    texts = {field.name for field in file.schema_arrow if str(field.type) == "string"}
    found = {group.column(place).path_in_schema for group in groups for place in range(group.num_columns)} & texts
    for group in groups:
        for place in range(group.num_columns):
            column = group.column(place)
            if column.total_uncompressed_size >= LENGTH_BYTES * column.num_values or not column.has_dictionary_page:
                found.discard(column.path_in_schema)
    return found
