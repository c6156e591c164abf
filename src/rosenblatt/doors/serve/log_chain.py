"""The file of a log: its tables, the chain of hashes over it, and a complete check in the background.

A file may come from elsewhere. A trigger, view or index in it never runs, because such a file is refused.

The hash of an example is the SHA-256 of the hash before it, and of `seq`, `id` (empty if there is none), `x` and `y`
with a zero byte between them. The hash of a rollback is that of the hash before it, `seq` and `back_to`. The first hash
is that of the configuration of the log. So any change, removal or addition changes all later hashes.

A restart reads only what follows the newest snapshot, so that it is quick. `LogCheck` checks what comes before, while
the server answers.
"""

import sqlite3
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

FORMAT = 2
SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE ends (name TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE examples (seq INTEGER PRIMARY KEY, id TEXT, x TEXT NOT NULL, y TEXT NOT NULL, hash BLOB NOT NULL);
CREATE TABLE rollbacks (seq INTEGER PRIMARY KEY, back_to INTEGER NOT NULL, hash BLOB NOT NULL);
CREATE TABLE predicted (seq INTEGER PRIMARY KEY, label TEXT NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE compacted (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, y TEXT NOT NULL, label TEXT NOT NULL,
  crc INTEGER NOT NULL);
CREATE TABLE waiting (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, x TEXT NOT NULL, answer TEXT NOT NULL);
CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, file TEXT NOT NULL, state TEXT NOT NULL, bond BLOB NOT NULL,
  made REAL NOT NULL);
"""
_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"


class DamagedLogError(ValueError):
    """The content of the log is not what was written."""


class LogReading:
    """A block that reads a log: SQLite's errors about a damaged file get the name of the file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            raise DamagedLogError(f"{self._path}: expected a log of examples: {error}") from None


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection to an existing file that has the tables of a log."""
    if not path.is_file():
        raise DamagedLogError(f"{path}: expected a log of examples, found no file")
    uri = f"{path.absolute().as_uri()}?mode={'rw' if write else 'ro'}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        with LogReading(path):
            db.execute("PRAGMA trusted_schema=OFF")
            db.execute("PRAGMA cell_size_check=ON")
            _check(db, path)
            if write:
                db.execute("PRAGMA journal_mode=WAL")
                db.execute("PRAGMA synchronous=FULL")
                db.execute("PRAGMA wal_autocheckpoint=4000")
    except BaseException:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT:
        raise DamagedLogError(f"{path}: expected a log of format {FORMAT}, found {version}")
    objects = set(db.execute(_OBJECTS))
    for kind, name, _ in sorted(objects - _objects(), key=str):
        raise DamagedLogError(f"{path}: expected the tables of a log and nothing else, found {kind} {name!r:.80}")
    for kind, name, _ in sorted(_objects() - objects, key=str):
        raise DamagedLogError(f"{path}: expected {kind} {name!r}, found none")


@cache
def _objects() -> frozenset[tuple[str, str, str | None]]:
    """All objects of a log: type, name and SQL."""
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(SCHEMA)
        return frozenset(db.execute(_OBJECTS))
    finally:
        db.close()


# Examples and rollbacks in a page of a replay, and about how many characters they may have.
PAGE, CHARACTERS = 500, 1 << 24

_PAGE = """
SELECT seq, id, x, y, examples.hash, label, predicted.crc FROM examples LEFT JOIN predicted USING (seq)
  WHERE seq > ?1 AND seq <= ?2
UNION ALL SELECT seq, NULL, NULL, back_to, hash, NULL, NULL FROM rollbacks WHERE seq > ?1 AND seq <= ?2
ORDER BY 1 LIMIT ?3"""
_HASH = """
SELECT hash FROM examples WHERE seq = ?1 UNION ALL SELECT hash FROM rollbacks WHERE seq = ?1
UNION ALL SELECT hash FROM ends WHERE name = 'begin' AND seq = ?1"""


class Entry(NamedTuple):
    """An example of the log; x, y and the prediction before it was learned are JSON."""

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
    """Examples in order, and the number of the last entry before the next page; `over` if there is no next page."""

    entries: list[Entry]
    last: int
    over: bool


def link(before: bytes, *values: object) -> bytes:
    return sha256(before + "\0".join(map(str, values)).encode("utf-8", "surrogatepass")).digest()


def link_example(before: bytes, seq: int, key: str | None, x: str, y: str) -> bytes:
    return sha256(before + f"{seq}\0{key or ''}\0{x}\0{y}".encode("utf-8", "surrogatepass")).digest()


def checksum(*values: object) -> int:
    """The checksum of a row that is not in the chain."""
    return crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


def end_of(db: sqlite3.Connection, path: Path, name: str) -> End:
    """The beginning of a log, or its head."""
    with LogReading(path):
        row = db.execute("SELECT seq, hash FROM ends WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise DamagedLogError(f"{path}: expected the {name} of the log, found none")
    return End(*row)


def hash_at(db: sqlite3.Connection, path: Path, seq: int) -> bytes:
    """The hash at a sequence number, as the log has it."""
    with LogReading(path):
        row = db.execute(_HASH, (seq,)).fetchone()
    if row is None:
        raise damage(path, seq, "it in the log, found none")
    hash_: bytes = row[0]
    return hash_


def read_page(db: sqlite3.Connection, path: Path, after: int, upto: int, size: int, most: int | None = None) -> Page:
    """What follows a sequence number, after a check that each row continues the chain of the one before it.

    At most `size` rows, and about `most` characters, but at least one row if there is one.
    """
    with LogReading(path):
        query = db.execute(_PAGE, (after, upto, size))
        rows = query.fetchall() if most is None else _first(query, most)
        over = len(rows) < size and query.fetchone() is None
    if not rows:
        return Page([], after, over=True)
    last, entries = rows[0][0] - 1, []
    before = hash_at(db, path, last)
    for seq, key, x, y, hash_, label, crc in rows:
        if seq != last + 1:
            raise damage(path, last + 1, "it in the log, found none")
        before = link(before, seq, y) if x is None else link_example(before, seq, key, x, y)
        if before != hash_ or (label is not None and crc != checksum(seq, label)):
            raise damage(path, seq, "what its hash was made of, found something else")
        if x is not None:
            entries.append(Entry(seq, key, x, y, label))
        last = seq
    return Page(entries, last, over)


def _first(rows: Iterable[Any], most: int) -> list[Any]:
    """The first rows whose x and y have `most` characters together, and the row that exceeds it."""
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
            raise damage(path, page.last + 1, "it in the log, found none")
        yield page
        after = page.last


def read_rollbacks(db: sqlite3.Connection, path: Path) -> list[tuple[int, int]]:
    """Each rollback with the sequence number that it returned to."""
    with LogReading(path):
        return db.execute("SELECT seq, back_to FROM rollbacks ORDER BY seq").fetchall()


def undone(seq: int, rollbacks: list[tuple[int, int]]) -> bool:
    """Whether an example was rolled back."""
    return any(back_to < seq < at for at, back_to in rollbacks)


def damage(path: Path, seq: int, expected: str) -> DamagedLogError:
    return DamagedLogError(f"{path}: example {seq}: expected {expected}")


PAUSE = 0.005  # seconds between two pages, so that others get the processor too

_NOT_LED_TO = """
SELECT examples.seq, examples.id, ids.seq FROM examples LEFT JOIN ids ON ids.id = examples.id
WHERE examples.id IS NOT NULL AND ids.seq IS NOT examples.seq"""
_LEADS_ASTRAY = """
SELECT ids.seq, ids.id, coalesce(examples.id, compacted.id) AS owner
FROM ids LEFT JOIN examples USING (seq) LEFT JOIN compacted USING (seq) WHERE owner IS NOT ids.id"""


class LogCheck:
    """A thread that checks one log; it calls `failed` with what is wrong."""

    def __init__(self, path: Path, failed: Callable[[str], None]) -> None:
        self._path, self._failed, self._ended = path, failed, threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"check {path}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()

    def join(self, patience: float) -> bool:
        """Return whether the thread has ended."""
        self._thread.join(max(0.0, patience))
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            check(self._path, self._ended)
        except (DamagedLogError, sqlite3.Error, OSError) as error:
            self._failed(str(error))
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self._failed(f"{self._path}: the log could not be checked: {type(error).__name__}: {error}")


def check(path: Path, ended: threading.Event) -> None:
    """Raise a `DamagedLogError` if anything in a log was changed. The log may be written to meanwhile."""
    with closing(connect(path, write=False)) as db:
        begin, head = (end_of(db, path, name) for name in ("begin", "head"))
        answered = _snapshot_seq(db, path)  # later examples may still wait for their answer
        for page in pages(db, path, begin.seq, head.seq):
            _check_answers(page.entries, answered, read_rollbacks(db, path), path)
            if ended.wait(PAUSE):
                return
        _check_ids(db, path)


def _snapshot_seq(db: sqlite3.Connection, path: Path) -> int:
    with LogReading(path):
        return db.execute("SELECT max(seq) FROM snapshots").fetchone()[0] or 0


def _check_answers(entries: list[Entry], upto: int, rollbacks: list[tuple[int, int]], path: Path) -> None:
    for entry in entries:
        if entry.predicted is None and entry.seq <= upto and not undone(entry.seq, rollbacks):
            raise damage(path, entry.seq, "what was predicted for it, found nothing")


def _check_ids(db: sqlite3.Connection, path: Path) -> None:
    """Each id must lead to its example, and to no other: else an example could be learned twice, or never."""
    with LogReading(path):
        db.execute("BEGIN")  # a rollback between the two queries would change both
        rollbacks = read_rollbacks(db, path)
        for seq, key, at in db.execute(_NOT_LED_TO):
            if not undone(seq, rollbacks):
                raise damage(path, seq, f"that its id {key!r:.80} leads to it, found {at}")
        for seq, key, owner in db.execute(_LEADS_ASTRAY):
            raise damage(path, seq, f"id {key!r:.80}, which leads to it, found {owner!r:.80}")
        for row in db.execute("SELECT seq, id, y, label, crc FROM compacted"):
            if row[-1] != checksum(*row[:-1]):
                raise damage(path, row[0], "what its checksum was made of, found something else")
        db.execute("COMMIT")
