"""What a file is, by how it begins."""

from pathlib import Path


def kind_of(path: str) -> str:
    """By how it begins: a model file with the length of its JSON, a proof with JSON, data with anything else."""
    with Path(path).open("rb") as file:
        head = file.read(64)
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < Path(path).stat().st_size:
        return "model"
    return "proof" if head.lstrip()[:1] == b"{" else "data"
