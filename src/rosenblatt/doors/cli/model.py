"""A model file, what the data files that go with it must be like, and what it becomes for other programs."""

from typing import Any

import click

from rosenblatt.doors.cli.command import NewFile
from rosenblatt.members import MEMBERS
from rosenblatt.services.files.schema import Data, Schema


def model_option(*, required: bool = False) -> Any:
    path = NewFile()
    return click.option("-m", "--model", metavar="PATH", type=path, required=required, help="The file for the model.")


def model_argument() -> Any:
    return click.argument("model", type=click.Path(dir_okay=False))


def load_model(path: str, *, numbers: bool = False) -> tuple[Any, Schema]:
    """Read a classifier (with `numbers` also a linear unit) and what its file knows of data. No code in it is run."""
    from rosenblatt.services.records.model_file import read

    stored = read(path)
    model: Any = stored.model
    verb = MEMBERS[model.kind].verb
    if verb or (model.labels is None and not numbers):
        verbs = f", which is for {verb}" if verb else ""
        raise ValueError(f"{path}: expected a classifier, found a {model.kind}{verbs}")
    separator, encoding = getattr(model, "separator", None), stored.encoding
    if encoding is None and model.kind == "TextClassifier":  # from Python: its texts and labels have the names of lines
        from rosenblatt.services.files.encoding import Encoding
        from rosenblatt.services.files.line_tables import LABEL, TEXT

        encoding = Encoding.of_text(TEXT, LABEL)
    known = Schema(model.n_given, stored.feature_names, model.labels, encoding, stored.zero_based, separator)
    return model, known


def load_tagger(path: str) -> Any:
    """Read a tagger from a model file. No code in the file is run."""
    return _load(path, "SequenceTagger")


def load_parser(path: str) -> Any:
    """Read a parser from a model file. No code in the file is run."""
    return _load(path, "DependencyParser")


def load_pipeline(path: str) -> Any:
    """Read a pipeline from a model file, or an installed one by its name. No code in either is run."""
    from rosenblatt.services.records.installed import find_model

    return _load(find_model(path), "TextPipeline")


def _load(path: str, kind: str) -> Any:
    from rosenblatt.services.records.model_file import read

    model = read(path).model
    if model.kind != kind:
        verbs = MEMBERS[model.kind].verb or "rosenblatt predict and evaluate"
        raise ValueError(f"{path}: expected a {kind}, found a {model.kind}, which is for {verbs}")
    return model


def save_model(model: Any, path: str, data: Data) -> None:
    """Write a complete model file or none, with the hash of the data and, for a table, its encoding."""
    from rosenblatt.services.records.model_file import Stored, write

    leaves_texts = data.encoding is not None and data.encoding.leaves_texts
    learned_from = None if leaves_texts else (data.X, data.y)
    write(Stored(model, encoding=data.encoding, zero_based=data.zero_based), path, data=learned_from)
