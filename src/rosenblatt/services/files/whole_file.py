"""A file that is read whole, but not whatever its size.

What a small compressed file unpacks to must not fill the memory.
"""

from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.compressed import FileLike, opened

PIECE = 1 << 20


def read_whole(path: FileLike, most: int, what: str) -> tuple[bytes, str]:
    """The content, decompressed, and the name for messages; of more than `most` bytes no more is read than a piece.

    >>> import io
    >>> read_whole(io.BytesIO(b"{}"), 2, "a proof"), read_whole(io.BytesIO(b"{ }"), 2, "a proof")
    Traceback (most recent call last):
    rosenblatt.DataFileError: <file>:1:1: expected a proof of at most 2 bytes, found a longer one
    """
    with opened(path) as source:
        content = bytearray()
        try:
            while len(content) <= most and (piece := source.file.read(min(PIECE, most + 1 - len(content)))):
                content += piece
        except source.damage as error:
            if getattr(error, "errno", None):  # it is the disk, not the data
                raise
            data = f"{source.compression} data"
            expected, found = (f"more {data}", "the end of the file") if isinstance(error, EOFError) else (data, error)
            raise DataFileError(source.name, 1, 1, expected, str(found)) from None
        if len(content) > most:
            raise DataFileError(source.name, 1, 1, f"{what} of at most {most} bytes", "a longer one")
        return bytes(content), source.name
