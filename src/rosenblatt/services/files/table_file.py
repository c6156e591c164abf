"""Tables from and to CSV, Parquet or Arrow files, whole or block by block.

Written are CSV, with numbers as the shortest text that gives them back, and Parquet and Arrow through pyarrow.
"""

import io
import operator
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from itertools import chain
from math import isnan
from typing import Any, Literal

from rosenblatt.base.numbers import number_text
from rosenblatt.services.files.compressed import FileLike, head_of, open_file, replace_file
from rosenblatt.services.files.csv_blocks import CsvReading, csv_blocks
from rosenblatt.services.files.format import LINES, format_of, table_format
from rosenblatt.services.files.line_tables import LABEL, line_blocks
from rosenblatt.services.files.notation import NA, PLAIN, Notation
from rosenblatt.services.files.table import BLOCK_ROWS, Table

Format = Literal["csv", "tsv", "parquet", "arrow", "jsonl", "lines", "fasttext"]


def read_table(
    path: FileLike,
    *,
    format: Format | None = None,  # noqa: A002 - the word of the CLI
    delimiter: str | None = None,
    header: bool | None = None,
    names: Sequence[str] | None = None,
    na: Sequence[str] = NA,
    decimal: str = ".",
    thousands: str | None = None,
    date_order: Literal["dmy", "mdy"] | None = None,
    encoding: str = "utf-8",
    encoding_errors: Literal["error", "replace"] = "error",
    label_separator: str | None = None,
) -> Table:
    r"""Read a table from a CSV, Parquet or Arrow file. Parquet and Arrow need pyarrow.

    Parameters
    ----------
    path
        A name, `-` for standard input, or a file opened in binary mode. Names in .gz, .bz2, .xz and .zst are
        decompressed.
    format
        "csv", "tsv" (tabs between the cells), "parquet", "arrow" (also .feather and .ipc), "jsonl" (a JSON object a
        line), "lines" (a label, a tab, a text) or "fasttext" (`__label__x`, a text). Default: by the name; if that
        does not say, by how the file begins.
    delimiter
        The character between the cells of a CSV file. Default: of comma, semicolon, tab and | the first that the
        first line has.
    header
        Whether the first line of a CSV file has the names of the columns. Default: it has, unless there are `names`;
        a warning says if it looks like data. Names that come again are numbered, as x.1; a first column without a name
        is called "index".
    names
        The names of the columns of a CSV file, which may have no header or, with header=True, another one. A file
        without names has x1, x2, ...
    na
        The texts that stand for a missing value in a CSV file, besides the empty one.
    decimal, thousands
        The mark before the decimals of a number in a CSV file, and that between groups of three digits.
    date_order
        What 5/6/2024 is: "dmy" or "mdy". Such dates are text without it.
    encoding
        How the characters of a file of text are written, by a name that Python knows, as "latin-1" or "utf-16".
    encoding_errors
        "error", or "replace": bytes that are no character are read as U+FFFD.
    label_separator
        What the table has between several labels of a line of fastText, or between the texts of a list in JSON, as
        `TextClassifier` takes them. Default: a line has one label, and there are no lists.

    Raises
    ------
    DataFileError
        `path:line:column: expected ..., found ...`; columns are cells, and the lines of a Parquet file its rows.

    See Also
    --------
    TableEncoding : What makes features of it.

    Examples
    --------
    >>> import io
    >>> table = read_table(io.BytesIO(b"weather,wind,walk\nsunny,3,yes\nrainy,5,no\n"))
    >>> table
    <Table of 2 rows: weather, wind, walk>
    >>> table["weather"].tolist()
    ['sunny', 'rainy']
    >>> text = b"weather;wind\nsunny;3,5\nrainy;?\n"
    >>> read_table(io.BytesIO(text), decimal=",", na=["?"]).numbers("wind")
    array([3.5, nan])
    >>> read_table(io.BytesIO(b"weather,wind\nsunny\n"))
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:2:2: expected 2 cells, as in the header, found 1
    """
    notation = Notation.of(
        header=header,
        names=names,
        na=na,
        decimal=decimal,
        thousands=thousands,
        date_order=date_order,
        encoding=encoding,
        encoding_errors=encoding_errors,
    )
    if label_separator is not None and not label_separator:
        raise ValueError("label_separator: expected a text or None, found ''")
    words: dict[str, Any] = {"format": format, "delimiter": delimiter, "label_separator": label_separator}
    return table_of_file(path, notation=notation, **words)


def table_of_file(path: FileLike, **reading: Any) -> Table:
    """The whole table of a file, read as `iter_table` reads it."""
    return Table.join(list(iter_table(path, **reading)))


def iter_table(
    path: FileLike,
    *,
    format: Format | None = None,  # noqa: A002
    delimiter: str | None = None,
    block_rows: int = BLOCK_ROWS,
    wanted: Callable[[str], bool] | None = None,
    notation: Notation | None = None,
    lacking: str | None = None,
    label_separator: str | None = None,
) -> Generator[Table, None, None]:
    """The same table in blocks of so many rows, the last one with what is left: for files larger than the memory.

    `wanted` says by its name whether a column is to be in the blocks; of Parquet and Arrow the others are not read.
    Where none is wanted, all are there. `notation` says how text is written; a file without a header may be `lacking`
    one of the columns that are named there. `label_separator` joins several labels of a line.
    """
    if operator.index(block_rows) < 1:
        raise ValueError(f"block_rows must be at least 1, got {block_rows}")
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise ValueError(f"delimiter: expected one character between the cells, found {delimiter!r}")
    form: str = format or format_of(path, "")
    notation = notation or PLAIN
    with open_file(path) as source:
        form = form or ("csv" if delimiter else table_format(head_of(source.file)))
        if form in ("csv", "tsv"):
            reading = CsvReading(notation, delimiter or ("\t" if form == "tsv" else None), wanted, lacking)
            with closing(csv_blocks(source, reading, block_rows)) as blocks:
                for by_name, names, lines in blocks:
                    if notation.names is None and not notation.has_header:
                        notation = notation.but(header=False, names=names.columns)
                    table = Table(by_name, source.name, lines)
                    table.notation, table.index = notation, names.row_names
                    yield table.only(list(filter(wanted, by_name)) or table.names)
        elif form in LINES and delimiter is None:
            notation = Notation.of(na=(), encoding=notation.encoding, encoding_errors=notation.encoding_errors)
            for_answers = lacking is not None and wanted is not None and not wanted(LABEL)
            lines_of = line_blocks(source, form, notation, block_rows, label_separator, for_answers=for_answers)
            with closing(lines_of) as blocks:
                for by_name, _, lines in blocks:
                    table = Table(by_name, source.name, lines)
                    table.notation = notation
                    yield table.only(list(filter(wanted, by_name)) or table.names)
        elif delimiter is not None:
            raise ValueError(f"{source.name}: expected CSV with {delimiter!r} between the cells, found {form}")
        else:
            from rosenblatt.services.files.arrow import blocks_of

            for start, in_file, by_column in blocks_of(source, form, block_rows, wanted):
                size = len(next(iter(by_column.values())))
                table = Table(by_column, source.name, range(start + 1, start + size + 1))
                table.all_names, table.notation = in_file, notation
                yield table.with_index()


Columns = dict[str, Any]


def write_table(path: FileLike, blocks: Iterable[Columns], format: str) -> None:  # noqa: A002 - the word of the CLI
    r"""Write blocks of columns: numbers, NaN where one is missing, or texts, "" where one is missing.

    >>> import numpy as np
    >>> file = io.BytesIO()
    >>> write_table(file, [{"wind": np.array([3, np.nan]), "walk": np.array(["no", "yes"])}], "csv")
    >>> file.getvalue()
    b'wind,walk\n3,no\n,yes\n'
    """
    with replace_file(path) as file:
        if format in ("csv", "tsv"):
            _write_csv(file, blocks, "\t" if format == "tsv" else ",")
        else:
            from rosenblatt.services.files.arrow import write

            write(file, blocks, format)


def _write_csv(file: Any, blocks: Iterable[Columns], delimiter: str) -> None:
    import csv  # imported here, because reading a table does not need it

    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        writer, rest = csv.writer(text, delimiter=delimiter, lineterminator="\n"), iter(blocks)
        first = next(rest)
        writer.writerow(first)
        for block in chain([first], rest):
            writer.writerows(zip(*(map(_cell, column.tolist()) for column in block.values()), strict=True))
    finally:
        text.detach()


def _cell(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return "" if isnan(value) else number_text(value)
