"""A proof as a file: JSON, read as plain data. Nothing of it is believed here."""

import json
import math
from typing import Any


def read_proof(path: str) -> Any:
    """The claims of a certificate."""
    from rosenblatt.data.blocks import DataFileError
    from rosenblatt.data.compressed import opened

    with opened(path) as source:
        text = source.file.read()
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        found = repr(error.doc[error.pos]) if error.pos < len(error.doc) else "the end of the file"
        raise DataFileError(source.name, error.lineno, error.colno, "JSON", found) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise DataFileError(source.name, 1, 1, "JSON", str(error)) from None


def summary(proof: Any) -> dict[str, Any]:
    """What a certificate says, without the proof; a bound that is not proven is null."""
    names = ("separable", "kind", "n_rows", "n_features", "classes", "margin", "radius", "bound", "engine", "data")
    said = {name: getattr(proof, name) for name in names}
    said["margin"] = [value if math.isfinite(value) else None for value in proof.margin]
    said["bound"] = proof.bound if math.isfinite(proof.bound) else None
    return {**said, "conventions": proof.conventions}
