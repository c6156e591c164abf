"""What a file seems to be, by how it begins: for those who were given another one than they expect."""

import re

SIZE = 512  # bytes that are enough to tell
_BY_BYTES = {
    b"\x1f\x8b": "gzip data",
    b"BZh": "bzip2 data",
    b"\xfd7zXZ": "xz data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"PK\x03\x04": "a zip archive",
    b"\x80\x02": "a pickle",
    b"\x80\x03": "a pickle",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"\x93NUMPY": "an array of numpy",
    b"\x89HDF": "an HDF5 file",
    b"\x89PNG": "a picture",
    b"%PDF": "a PDF file",
}
_SVMLIGHT = re.compile(r"\s*[^\s:]+(?:\s+(?:qid:)?[0-9]+:[^\s:]+)+")


def seems_to_be(head: bytes) -> str:
    r"""A name for the file that begins so.

    >>> seems_to_be(b"1 1:0.5 2:1\n"), seems_to_be(b"x1,x2,y\n"), seems_to_be(b""), seems_to_be(b"\0\0\0")
    ('svmlight text', 'a table (CSV)', 'an empty file', 'a file of another kind')
    """
    if not head:
        return "an empty file"
    for beginning, name in _BY_BYTES.items():
        if head.startswith(beginning):
            return name
    try:
        text = head.decode("utf-8", "strict" if len(head) < SIZE else "ignore")  # the last character may be cut
    except UnicodeDecodeError:
        return "a file of another kind"
    if not text.isprintable() and re.search(r"[\0-\x08\x0e-\x1f]", text):
        return "a file of another kind"
    first = text.lstrip().partition("\n")[0]
    if first[:1] in ("{", "["):
        return "JSON"
    if _SVMLIGHT.match(first):
        return "svmlight text"
    return "a table (CSV)" if any(sign in first for sign in ",;\t") else "text"
