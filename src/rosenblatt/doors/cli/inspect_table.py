"""What `rosenblatt inspect` says of a table: its columns, whatever is in them, and what training would make of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from rosenblatt.base.numbers import number_text
from rosenblatt.doors.cli.command import aligned
from rosenblatt.services.files.reading import Reading

HINTS = {
    "constant": "the same in every row",
    "id": "nearly every row has its own value: is it an id, or text (--text)?",
    "label": "this column alone tells the label in {rows} rows: is it known before the label is?",
}
MOST_CLASSES = 1000  # of a column with more, the rows of each are not counted


def of_table(path: str, files: Reading) -> dict[str, Any]:
    """Rows and columns; the labels and features that training makes of them, or why it refuses."""
    from rosenblatt.services.files.overview import overview

    blocks = _again_and_again(path, files)
    n_rows, columns = overview(blocks(), files.label)
    label = files.label or columns[-1].name
    of_label = next((column for column in columns if column.name == label), None)
    said: dict[str, Any] = {
        "n_rows": n_rows,
        "columns": [
            {
                "name": column.name,
                "type": column.type,
                "n_missing": column.n_missing,
                "n_distinct": column.n_distinct,
                "exact": column.exact,
                "least": column.least,
                "most": column.most,
                "values": column.values,
                "hints": column.hints,
                "n_right": column.n_right,
            }
            for column in columns
        ],
        "label": label,
        **dict.fromkeys(("classes", "counts", "n_features", "feature_names", "refused")),
    }
    try:
        encoding = files.learn_encoding(blocks)
        if of_label is not None and (of_label.n_distinct or 0) <= MOST_CLASSES:
            counts: Counter[Any] = Counter()
            for block in blocks():
                counts.update(encoding.labels(block).tolist())
            said |= {"classes": sorted(counts), "counts": [counts[label] for label in sorted(counts)]}
        names = None if encoding.texts.names else encoding.feature_names()
        said |= {"n_features": encoding.n_features, "feature_names": names}
    except ValueError as error:
        said["refused"] = str(error)
    return said


def as_lines(columns: list[dict[str, Any]]) -> list[str]:
    """The columns for people."""
    rows = [["column", "type", "missing", "distinct", "values"]]
    for column in columns:
        count, ends = column["n_distinct"], [column["least"], column["most"]]
        distinct = "-" if count is None else str(count) if column["exact"] else f"about {count}"
        values = " to ".join(map(_end, ends)) if ends != [None, None] else ", ".join(column["values"])
        rows.append([column["name"], column["type"], str(column["n_missing"]), distinct, " ".join(values.split())])
    return [*aligned(rows, left=(0, 1, 4)), *_hints(columns)]


def _hints(columns: list[dict[str, Any]]) -> list[str]:
    """What to look at before training."""
    said = [
        [column["name"], HINTS[hint].format(rows=column["n_right"])] for column in columns for hint in column["hints"]
    ]
    return (
        ["", "look at these columns before training; --ignore leaves one out", *aligned(said, left=(0, 1))]
        if said
        else []
    )


def _end(value: Any) -> str:
    return number_text(float(f"{value:.6g}")) if isinstance(value, float) else str(value)


def _again_and_again(path: str, files: Reading) -> Callable[[], Iterator[Any]]:
    """The blocks of a table, as often as they are asked for: a file is read again, what comes by a pipe is kept."""
    from pathlib import Path

    if path != "-" and Path(path).is_file():
        return lambda: files.blocks(path)
    table = files.table(path)
    return lambda: iter([table])
