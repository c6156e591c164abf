"""`rosenblatt inspect`: what is in this file? A model, a proof or data."""

from typing import Any

import click

from rosenblatt.cli.command import WithExamples, as_json, print_facts, print_json
from rosenblatt.cli.data_file import Data, DataFiles, file_argument, reads_data
from rosenblatt.cli.file_kind import kind_of


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt inspect data.svm
        rosenblatt inspect model.safetensors
        rosenblatt inspect proof.json --json
    """,
)
@file_argument()
@as_json
@reads_data
def inspect(file: str, files: DataFiles, as_json: bool) -> None:
    """Say what is in FILE: a model, a proof or data."""
    kind = "data" if file == "-" else kind_of(file)
    if kind == "model":
        result = of_model(file)
    elif kind == "proof":
        result = of_proof(file)
    else:
        result = of_data(files.read(file))
    result = {"file": kind, **result}
    print_json(result) if as_json else print_facts({name: _shown(value) for name, value in result.items()})


def of_model(path: str) -> dict[str, Any]:
    """Class, parameters, shape, classes and training."""
    from rosenblatt.model_file import read, summary

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
    words = {name: _plain(value) for name, value in model.parameters.as_dict().items()}
    said = {"class": model.kind, "n_rows": training["rows"], **facts, "data": training["data"]}
    return {**said, "feature_names": names, "encoding": encoding and of_encoding(encoding), "words": words}


def of_encoding(encoding: Any) -> dict[str, Any]:
    """The columns of a table that a model takes, the values of each category, and the parameters."""
    categories, parameters = encoding.categories, encoding.parameters
    return {
        "label": parameters.label,
        "numbers": encoding.numbers.names,
        "categories": dict(zip(categories.names, categories.values, strict=True)),
        "texts": encoding.texts.names,
        **{name: getattr(parameters, name) for name in ("missing", "unknown", "standardise", "ngrams", "hash_bits")},
    }


def of_proof(path: str) -> dict[str, Any]:
    """What a certificate says; whether that is right, only `rosenblatt verify` tells."""
    from rosenblatt.cli.proof_file import read_certificate, summary

    return summary(read_certificate(path))


def of_data(data: Data) -> dict[str, Any]:
    """Rows, features, values that are not 0, and how many rows each class has."""
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


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one!r}" for name, one in value.items())
    if isinstance(value, list | tuple):
        first = [f"{one:.6g}" if isinstance(one, float) else str(one) for one in value[:20]]
        return ", ".join(first) + (f", ... ({len(value)})" if len(value) > 20 else "")
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:.6g}" if isinstance(value, float) else str(value)
