"""What `rosenblatt inspect` says of a model: its parameters and training, and its largest weights by name."""

from typing import Any

from rosenblatt.base.numbers import number_text, shortened
from rosenblatt.doors.cli.command import aligned

SHOWN_CLASSES = 10  # for people; the JSON has all


def of_model(path: str, top: int) -> dict[str, Any]:
    """Class, parameters, shape, classes, training and weights."""
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
    if encoding is not None and not encoding.texts.names:
        names = encoding.feature_names()
    parameters = {name: _plain(value) for name, value in model.parameters.as_dict().items()}
    said = {"class": model.kind, "n_rows": training["rows"], **facts, "data": training["data"]}
    said |= {"feature_names": names, "encoding": encoding and of_encoding(encoding), "parameters": parameters}
    return {**said, "weights": largest_weights(stored, top)}


def of_encoding(encoding: Any) -> dict[str, Any]:
    """The columns of a table that a model takes, the values of each category, and the parameters."""
    from rosenblatt.services.files.dates import UNITS
    from rosenblatt.services.files.notation import PLAIN

    plain = PLAIN.as_record()
    number_text = {name: value for name, value in encoding.notation.as_record().items() if value != plain[name]}
    categories, numbers, parameters = encoding.categories, encoding.numbers, encoding.parameters
    told = ("missing", "unknown", "standardise", "ngrams", "hash_bits")
    return {
        "label": parameters.label,
        "numbers": [name for name, unit in zip(numbers.names, numbers.units, strict=True) if unit not in UNITS],
        "dates": {name: unit for name, unit in zip(numbers.names, numbers.units, strict=True) if unit in UNITS},
        "categories": dict(zip(categories.names, categories.values, strict=True)),
        "texts": encoding.texts.names,
        "standardised": numbers.standardised,
        **{name: getattr(parameters, name) for name in told},
        **({"notation": number_text} if number_text else {}),
    }


def largest_weights(stored: Any, top: int) -> list[dict[str, Any]] | None:
    """For each row of weights the class that it speaks for, the intercept, and its largest weights, by size.

    Of two classes it is the second; None where a model has none (a linear unit), or weighs no single features.
    """
    import numpy as np

    model = stored.model
    if model.kind == "SequenceTagger":
        pairs = model.transitions()
        if pairs is None:
            return None
        pairs = sorted(pairs, key=lambda pair: (-abs(pair[2]), pair[:2]))[:top]
        return [_row(None, None, [(f"{before} {after}", weight) for before, after, weight in pairs])]
    if getattr(model.parameters, "readout", None) == "vote" and hasattr(model, "coef_for"):  # a vote has no single w
        coef, intercept = model.coef_for("average"), model.intercept_for("average")
    elif hasattr(model, "coef"):
        coef, intercept = model.coef, model.intercept
    else:
        return None
    rows = np.atleast_2d(coef.toarray() if hasattr(coef, "toarray") else coef)
    intercepts = np.atleast_1d(intercept)
    labels = [None] if model.labels is None else model.labels.tolist()[1 if len(rows) == 1 else 0 :]
    found = []
    for label, w, b in zip(labels[-len(rows) :], rows, intercepts, strict=True):
        places = np.argsort(-np.abs(w), kind="stable")[:top]
        places = places[w[places] != 0].tolist()
        names = _names(stored, places)
        found.append(_row(label, float(b), list(zip(names, w[places].astype(float).tolist(), strict=True))))
    return found


def as_lines(said: dict[str, Any]) -> list[str]:
    """The weights for people."""
    weights, classes = said["weights"] or [], said.get("classes")
    lines = []
    for row in weights[:SHOWN_CLASSES]:
        if said["class"] == "SequenceTagger":
            of = "tags in a row"
        else:
            others = f", against {shortened(classes[0])}" if classes and len(weights) == 1 and len(classes) == 2 else ""
            of = "features" if row["class"] is None else f"features for {shortened(row['class'])}{others}"
        shown = [[shortened(one["feature"]), _short(one["weight"])] for one in row["largest"]]
        shown += [] if row["intercept"] is None else [["intercept", _short(row["intercept"])]]
        lines += ["", f"largest weights of {of}", *(f"  {line}" for line in aligned(shown))]
    if len(weights) > SHOWN_CLASSES:
        lines += ["", f"... and so on for {len(weights)} classes: --json has them"]
    return lines


def _row(label: Any, intercept: float | None, pairs: list[tuple[str, float]]) -> dict[str, Any]:
    largest = [{"feature": name, "weight": weight} for name, weight in pairs]
    return {"class": label, "intercept": intercept, "largest": largest}


def _names(stored: Any, places: list[int]) -> list[str]:
    """The names of features: those of the table, those that Python gave, else x and the index as files count."""
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
