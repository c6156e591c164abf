"""What a file is, by how it begins."""

from pathlib import Path


def kind_of(path: str) -> str:
    """By how it begins: a model file with the length of its JSON, a proof with JSON, data with anything else.

    What is no file, as a pipe, is data: what is read of it is gone.
    """
    if not Path(path).is_file():
        return "data"
    with Path(path).open("rb") as file:
        head = file.read(64)
    if head[8:9] == b"{" and int.from_bytes(head[:8], "little") < Path(path).stat().st_size:
        return "model"
    return "proof" if head.lstrip()[:1] == b"{" else "data"
