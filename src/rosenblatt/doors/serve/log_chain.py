"""The chain of hashes over a log, and the pages of the log, each checked when it is read.

The hash of an example is the SHA-256 of the hash before it, and of `seq`, `id` (empty if there is none), `x` and `y`
with a zero byte between them; that of a rollback is of the hash before it, `seq` and `back_to`. The first hash is made
of what the log was made with. So nothing can be changed, removed or added without all later hashes being others.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from rosenblatt.doors.serve.log_schema import DamagedLogError, Reading

PAGE, CHARACTERS = 500, 1 << 24  # examples and rollbacks of a page that a replay reads, and what they may hold, about

_PAGE = """
SELECT seq, id, x, y, examples.hash, label, predicted.crc FROM examples LEFT JOIN predicted USING (seq)
  WHERE seq > ?1 AND seq <= ?2
UNION ALL SELECT seq, NULL, NULL, back_to, hash, NULL, NULL FROM rollbacks WHERE seq > ?1 AND seq <= ?2
ORDER BY 1 LIMIT ?3"""
_HASH = """
SELECT hash FROM examples WHERE seq = ?1 UNION ALL SELECT hash FROM rollbacks WHERE seq = ?1
UNION ALL SELECT hash FROM ends WHERE name = 'begin' AND seq = ?1"""


class Entry(NamedTuple):
    """An example of the log; x, y and what was predicted before it was learned are JSON."""

    seq: int
    id: str | None
    x: str
    y: str
    predicted: str | None


class End(NamedTuple):
    """An end of a log: a sequence number, and the hash of the chain up to it."""

    seq: int
    hash: bytes


class Page(NamedTuple):
    """Examples in order, and the number of the last thing before the next page; `over` if there is no next page."""

    entries: list[Entry]
    last: int
    over: bool


def link(before: bytes, *values: object) -> bytes:
    """The next hash of a chain."""
    return sha256(before + "\0".join(map(str, values)).encode("utf-8", "surrogatepass")).digest()


def link_example(before: bytes, seq: int, key: str | None, x: str, y: str) -> bytes:
    """The hash of an example."""
    return sha256(before + f"{seq}\0{key or ''}\0{x}\0{y}".encode("utf-8", "surrogatepass")).digest()


def checksum(*values: object) -> int:
    """Of a row that is not in the chain."""
    return crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


def end_of(db: sqlite3.Connection, path: Path, name: str) -> End:
    """Where a log begins, or its head."""
    with Reading(path):
        row = db.execute("SELECT seq, hash FROM ends WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise DamagedLogError(f"{path}: expected the {name} of the log, found none")
    return End(*row)


def hash_at(db: sqlite3.Connection, path: Path, seq: int) -> bytes:
    """The hash that the log has of a sequence number."""
    with Reading(path):
        row = db.execute(_HASH, (seq,)).fetchone()
    if row is None:
        raise damaged(path, seq, "it in the log, found none")
    hash_: bytes = row[0]
    return hash_


def read_page(db: sqlite3.Connection, path: Path, after: int, upto: int, size: int, most: int | None = None) -> Page:
    """What follows a sequence number, as it was written: each row continues the chain of the one before it.

    At most `size` rows, and about `most` characters, but one row if there is one.
    """
    with Reading(path):
        query = db.execute(_PAGE, (after, upto, size))
        rows = query.fetchall() if most is None else _first(query, most)
        over = len(rows) < size and query.fetchone() is None
    if not rows:
        return Page([], after, over=True)
    last, entries = rows[0][0] - 1, []
    before = hash_at(db, path, last)
    for seq, key, x, y, hash_, label, crc in rows:
        if seq != last + 1:
            raise damaged(path, last + 1, "it in the log, found none")
        before = link(before, seq, y) if x is None else link_example(before, seq, key, x, y)
        if before != hash_ or (label is not None and crc != checksum(seq, label)):
            raise damaged(path, seq, "what its hash was made of, found something else")
        if x is not None:
            entries.append(Entry(seq, key, x, y, label))
        last = seq
    return Page(entries, last, over)


def _first(rows: Iterable[Any], most: int) -> list[Any]:
    """Those whose x and y have so many characters, and the one that has more."""
    page = []
    for row in rows:
        page.append(row)
        most -= len(row[2] or "") + len(str(row[3]))
        if most < 0:
            break
    return page


def pages(db: sqlite3.Connection, path: Path, after: int, upto: int) -> Iterator[Page]:
    """All pages after a sequence number, the last of which ends at `upto`."""
    while after < upto:
        page = read_page(db, path, after, upto, PAGE, CHARACTERS)
        if page.over and page.last != upto:
            raise damaged(path, page.last + 1, "it in the log, found none")
        yield page
        after = page.last


def read_rollbacks(db: sqlite3.Connection, path: Path) -> list[tuple[int, int]]:
    """Each rollback with the sequence number that it went back to."""
    with Reading(path):
        return db.execute("SELECT seq, back_to FROM rollbacks ORDER BY seq").fetchall()


def undone(seq: int, rollbacks: list[tuple[int, int]]) -> bool:
    """Whether an example was rolled back."""
    return any(back_to < seq < at for at, back_to in rollbacks)


def damaged(path: Path, seq: int, expected: str) -> DamagedLogError:
    """An example that is not as it was written."""
    return DamagedLogError(f"{path}: example {seq}: expected {expected}")
