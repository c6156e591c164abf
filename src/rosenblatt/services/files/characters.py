"""Text in other characters than UTF-8, as UTF-8 for the core; and which encoding a file seems to have that is not."""

import codecs
import re
from typing import Any

from rosenblatt.services.files.compressed import Source
from rosenblatt.services.files.notation import UTF8

_STRANGE = "rosenblatt: no character"
# A byte that UTF-8 never has: the core says where it is.
codecs.register_error(_STRANGE, lambda error: ("\udcff", getattr(error, "end", 0)))


def in_utf8(source: Source, encoding: str) -> Source:
    """The same file in UTF-8; what is no character becomes a byte that is none in UTF-8 either."""
    return source if encoding == UTF8 else source._replace(file=_InUtf8(source.file, encoding))


class _InUtf8:
    """A file to read from."""

    def __init__(self, file: Any, encoding: str) -> None:
        self._read: Any = getattr(file, "read1", file.read)
        self._decoder = codecs.getincrementaldecoder(encoding)(_STRANGE)
        self._waiting, self._ended = b"", False

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        while not self._waiting and not self._ended:
            text = self._read(max(size, 1))
            self._ended = not text
            self._waiting = self._decoder.decode(text, final=self._ended).encode(UTF8, "surrogateescape")
        part, self._waiting = self._waiting[:size], self._waiting[size:]
        return part


def likely_encoding(text: bytes) -> str | None:
    r"""By some bytes that are not UTF-8; None where many encodings are as likely.

    >>> likely_encoding("größe,ja\n".encode("latin-1")), likely_encoding("a “b”, ça va".encode("cp1252"))
    ('latin-1', 'cp1252')
    >>> likely_encoding("a,b\n".encode("utf-16")), likely_encoding("да,нет\n".encode("cp1251"))
    ('utf-16', None)
    """
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in text:
        return None
    n_letters, n_beyond = len(re.findall(rb"[A-Za-z]", text)), len(re.findall(rb"[\x80-\xff]", text))
    if n_beyond > n_letters:
        return None
    return "cp1252" if re.search(rb"[\x80-\x9f]", text) else "latin-1"
