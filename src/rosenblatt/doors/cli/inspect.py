"""`rosenblatt inspect`: what is in this file? A model, a proof, a table or rows."""

from collections import Counter
from collections.abc import Callable, Iterator
from reprlib import Repr
from typing import Any

import click

from rosenblatt.base.numbers import number_text, short_text
from rosenblatt.doors.cli.command import WithExamples, align, as_json, print_facts, print_json
from rosenblatt.doors.cli.data_file import file_argument, reads_data
from rosenblatt.services.files.format import kind_of
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Data

_ABRIDGED = Repr()  # shortens long texts in the columns and categories of an encoding
_ABRIDGED.maxstring, _ABRIDGED.maxlist, _ABRIDGED.maxdict = 60, 20, 20


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt inspect data.svm
        rosenblatt inspect walks.csv
        rosenblatt inspect model.safetensors --top 5
        rosenblatt inspect proof.json --json
    """,
)
@file_argument()
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the largest weights of a model are shown, of each class.",
)
@as_json
@reads_data
def inspect(file: str, files: Reading, top: int, as_json: bool) -> None:
    """Say what is in FILE: a model, a proof, a table or rows.

    For a table, all columns are listed, whatever is in them: their types, how many values are missing, how many values
    are different, and which they are. The options for tables show what training would make of it. For a model, its
    largest weights are shown, with the names of the features.
    """
    kind, lines = kind_of(file), list[str]()
    if kind == "model":
        result = of_model(file, top)
        lines = weights_as_lines(result)
    elif kind == "proof":
        result = of_proof(file)
    elif files.form(file) != "svmlight":
        kind, result = "table", of_table(file, files)
        lines = ["", *columns_as_lines(result["columns"])]
    else:
        result = of_data(files.read(file))
    result = {"file": kind, **result}
    if as_json:
        print_json(result)
        return
    hidden = {"columns", "weights", *(name for name, value in result.items() if kind == "table" and value is None)}
    print_facts({name: _show(value) for name, value in result.items() if name not in hidden})
    for line in lines:
        click.echo(line)


def of_proof(path: str) -> dict[str, Any]:
    """What a certificate claims. Only `rosenblatt verify` tells whether that is right."""
    from rosenblatt.doors.cli.proofs import read_certificate, summary

    return summary(read_certificate(path))


def of_data(data: Data) -> dict[str, Any]:
    """The numbers of rows, features and non-zero values, and the number of rows of each class."""
    import numpy as np

    n_rows, n_features = data.X.shape
    values = int(np.count_nonzero(data.X.data if hasattr(data.X, "toarray") else data.X))
    labels, counts = np.unique(data.y, return_counts=True)
    return {
        "n_rows": n_rows,
        "n_features": n_features,
        "n_values": values,
        "density": values / (n_rows * n_features),
        "classes": labels.tolist(),
        "counts": counts.tolist(),
        "feature_names": data.names,
    }


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_ABRIDGED.repr(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        first = [f"{part:.6g}" if isinstance(part, float) else short_text(part) for part in value[:20]]
        return ", ".join(first) + (f", ... ({len(value)})" if len(value) > 20 else "")
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:.6g}" if isinstance(value, float) else str(value)


SHOWN_CLASSES = 10  # in the text for people; the JSON has all classes


def of_model(path: str, top: int) -> dict[str, Any]:
    from rosenblatt.services.records.model_file import read, summary

    stored, training = read(path), summary(path)["training"]
    model, encoding = stored.model, stored.encoding
    facts: dict[str, Any] = {"n_features": model.n_features}
    if model.labels is not None:
        facts["classes"] = model.labels.tolist()
    facts |= model.facts()
    if stored.zero_based is not None:
        facts["zero_based"] = stored.zero_based
    names = stored.feature_names
    if encoding is not None and not encoding.parameters.text:
        names = encoding.feature_names()
    parameters = {name: _plain(value) for name, value in model.parameters.as_dict().items()}
    result = {"class": model.kind, "n_rows": training["rows"], **facts, "data": training["data"]}
    result |= {"feature_names": names, "encoding": encoding and of_encoding(encoding), "parameters": parameters}
    return {**result, "weights": largest_weights(stored, top)}


def of_encoding(encoding: Any) -> dict[str, Any]:
    """The columns of a table that a model needs, the values of each category, and the parameters."""
    from rosenblatt.services.files.dates import UNITS
    from rosenblatt.services.files.notation import PLAIN

    plain = PLAIN.as_record()
    number_text = {name: value for name, value in encoding.notation.as_record().items() if value != plain[name]}
    categories, numbers, parameters = encoding.categories, encoding.numbers, encoding.parameters
    names_of_parameters = ("missing", "unknown", "standardise", "ngrams", "chars", "weighting", "bits")
    return {
        "label": parameters.label,
        "numbers": [name for name, unit in zip(numbers.names, numbers.units, strict=True) if unit not in UNITS],
        "dates": {name: unit for name, unit in zip(numbers.names, numbers.units, strict=True) if unit in UNITS},
        "categories": dict(zip(categories.names, categories.values, strict=True)),
        "texts": encoding.parameters.text,
        "standardised": numbers.standardised,
        **{name: getattr(parameters, name) for name in names_of_parameters},
        **({"notation": number_text} if number_text else {}),
    }


def largest_weights(stored: Any, top: int) -> list[dict[str, Any]] | None:
    """For each row of weights: the class it scores, the intercept, and the weights with the largest absolute values.

    With two classes, the class is the second. A linear unit has no class: None. If a model has no weights of single
    features, the result is None.
    """
    import numpy as np

    model = stored.model
    if model.kind == "SequenceTagger":
        pairs = model.transitions()
        if pairs is None:
            return None
        pairs = sorted(pairs, key=lambda pair: (-abs(pair[2]), pair[:2]))[:top]
        return [_row(None, None, [(f"{before} {after}", weight) for before, after, weight in pairs])]
    if model.kind == "TextClassifier":
        return [_row(*row) for row in model.largest_weights(top, lambda places: _names(stored, places))]
    if getattr(model.parameters, "readout", None) == "vote" and hasattr(model, "coef_for"):  # a vote has no single w
        coef, intercept = model.coef_for("average"), model.intercept_for("average")
    elif hasattr(model, "coef"):
        coef, intercept = model.coef, model.intercept
    else:
        return None
    rows = np.atleast_2d(coef.toarray() if hasattr(coef, "toarray") else coef)
    intercepts = np.atleast_1d(intercept)
    labels = [None] if model.labels is None else model.labels.tolist()[1 if len(rows) == 1 else 0 :]
    rows_of_weights = []
    for label, w, b in zip(labels[-len(rows) :], rows, intercepts, strict=True):
        places = np.argsort(-np.abs(w), kind="stable")[:top]
        places = places[w[places] != 0].tolist()
        names = _names(stored, places)
        rows_of_weights.append(_row(label, float(b), list(zip(names, w[places].astype(float).tolist(), strict=True))))
    return rows_of_weights


def weights_as_lines(result: dict[str, Any]) -> list[str]:
    weights, classes = result["weights"] or [], result.get("classes")
    lines = []
    for row in weights[:SHOWN_CLASSES]:
        if result["class"] == "SequenceTagger":
            of = "tags in a row"
        else:
            others = (
                f", against {short_text(classes[0])}" if classes and len(weights) == 1 and len(classes) == 2 else ""
            )
            of = "features" if row["class"] is None else f"features for {short_text(row['class'])}{others}"
        shown = [[short_text(feature["feature"]), _short(feature["weight"])] for feature in row["largest"]]
        shown += [] if row["intercept"] is None else [["intercept", _short(row["intercept"])]]
        lines += ["", f"largest weights of {of}", *(f"  {line}" for line in align(shown))]
    if len(weights) > SHOWN_CLASSES:
        lines += ["", f"... and so on for {len(weights)} classes: --json has them"]
    return lines


def _row(label: Any, intercept: float | None, pairs: list[tuple[str, float]]) -> dict[str, Any]:
    largest = [{"feature": name, "weight": weight} for name, weight in pairs]
    return {"class": label, "intercept": intercept, "largest": largest}


def _names(stored: Any, places: list[int]) -> list[str]:
    """The names of features, from the table or from Python; else x and the index, counted as in files."""
    if stored.encoding is not None:
        names: list[str] = stored.encoding.names_of(places)
        return names
    if stored.feature_names is not None:
        return [stored.feature_names[k] for k in places]
    return [f"x{k if stored.zero_based else k + 1}" for k in places]


def _short(value: float) -> str:
    return number_text(float(f"{value:.6g}"))


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


HINTS = {
    "constant": "the same in every row",
    "id": "nearly every row has its own value: is it an id, or text (--text)?",
    "label": "this column alone tells the label in {rows} rows: is it known before the label is?",
}
MOST_CLASSES = 1000  # in a column with more classes, the rows of each class are not counted


def of_table(path: str, files: Reading) -> dict[str, Any]:
    """Rows, columns, labels and features as training would use them, or the reason why it refuses the table."""
    from rosenblatt.services.files.overview import overview

    blocks = _again_and_again(path, files)
    n_rows, columns = overview(blocks(), files.label)
    label = files.label or columns[-1].name
    of_label = next((column for column in columns if column.name == label), None)
    result: dict[str, Any] = {
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
            result |= {"classes": sorted(counts), "counts": [counts[label] for label in sorted(counts)]}
        names = None if encoding.parameters.text else encoding.feature_names()
        result |= {"n_features": encoding.n_features, "feature_names": names}
    except ValueError as error:
        result["refused"] = str(error)
    return result


def columns_as_lines(columns: list[dict[str, Any]]) -> list[str]:
    rows = [["column", "type", "missing", "distinct", "values"]]
    for column in columns:
        count, ends = column["n_distinct"], [column["least"], column["most"]]
        distinct = "-" if count is None else str(count) if column["exact"] else f"about {count}"
        values = " to ".join(map(_end, ends)) if ends != [None, None] else ", ".join(column["values"])
        rows.append([column["name"], column["type"], str(column["n_missing"]), distinct, " ".join(values.split())])
    return [*align(rows, left=(0, 1, 4)), *_hints(columns)]


def _hints(columns: list[dict[str, Any]]) -> list[str]:
    """Problems of the columns that the user should look at before training."""
    hints = [
        [column["name"], HINTS[hint].format(rows=column["n_right"])] for column in columns for hint in column["hints"]
    ]
    return (
        ["", "look at these columns before training; --ignore leaves one out", *align(hints, left=(0, 1))]
        if hints
        else []
    )


def _end(value: Any) -> str:
    return number_text(float(f"{value:.6g}")) if isinstance(value, float) else str(value)


def _again_and_again(path: str, files: Reading) -> Callable[[], Iterator[Any]]:
    """The blocks of a table, as often as needed: a file is read again, and what came through a pipe is kept."""
    from pathlib import Path

    if path != "-" and Path(path).is_file():
        return lambda: files.blocks(path)
    table = files.table(path)
    return lambda: iter([table])
