"""`rosenblatt inspect`: what is in this file? A model, a proof or data."""

from pathlib import Path
from typing import Any

import click

from rosenblatt.cli.command import WithExamples, as_json, print_facts, print_json
from rosenblatt.cli.data_file import Data, DataFiles, file_argument, reads_data

FITTED = {
    "n_features": "n_features_in_",
    "classes": "classes_",
    "n_iter": "n_iter_",
    "n_updates": "n_updates_",
    "converged": "converged_",
}


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


def kind_of(path: str) -> str:
    """By how it begins: a model file with the length of its JSON, a proof with JSON, data with anything else."""
    with Path(path).open("rb") as file:
        head = file.read(64)
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < Path(path).stat().st_size:
        return "model"
    return "proof" if head.lstrip()[:1] == b"{" else "data"


def of_model(path: str) -> dict[str, Any]:
    """Class, words, shape, classes and training."""
    from rosenblatt.model_file import load, summary

    model, training = load(path), summary(path)["training"]
    fitted = ("n_features_in_", "classes_", "n_iter_", "n_updates_", "converged_", "zero_based_")
    facts = {
        name.removesuffix("_").removesuffix("_in"): _plain(getattr(model, name))
        for name in fitted
        if hasattr(model, name)
    }
    if hasattr(model, "mistakes_"):
        facts["mistakes_of_last_pass"] = int(model.mistakes_[-1])
    if hasattr(model, "n_support_"):
        facts["n_support"] = int(model.n_support_.sum())
    names = _plain(getattr(model, "feature_names_in_", None))
    encoding = getattr(model, "encoding_", None)
    if encoding is not None and not encoding.texts_.names:
        names = encoding.get_feature_names_out().tolist()
    words = {name: _plain(value) for name, value in model.get_params(deep=False).items()}
    said = {"class": type(model).__name__, "n_rows": training["rows"], **facts, "data": training["data"]}
    return {**said, "feature_names": names, "encoding": encoding and of_encoding(encoding), "words": words}


def of_encoding(encoding: Any) -> dict[str, Any]:
    """The columns of a table that a model takes, the values of each category, and the words."""
    categories = encoding.categories_
    return {
        "label": encoding.label,
        "numbers": encoding.numbers_.names,
        "categories": dict(zip(categories.names, categories.values, strict=True)),
        "texts": encoding.texts_.names,
        **{name: getattr(encoding, name) for name in ("missing", "unknown", "standardise", "ngrams", "hash_bits")},
    }


def of_proof(path: str) -> dict[str, Any]:
    """What a certificate says; whether that is right, only `rosenblatt verify` tells."""
    import json

    from rosenblatt.cli.certify import summary
    from rosenblatt.cli.proof_file import read_proof
    from rosenblatt.theory.certificate import Certificate

    return summary(Certificate.from_json(json.dumps(read_proof(path))))


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
        return ", ".join(map(str, value[:20])) + (f", ... ({len(value)})" if len(value) > 20 else "")
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:.6g}" if isinstance(value, float) else str(value)
