"""The file of a log: its tables, how it is opened, and the check that it has these tables and nothing else.

A file may come from elsewhere: no trigger, view or index in it is ever run, because such a file is refused.
"""

import sqlite3
from functools import cache
from pathlib import Path

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
    """What is in the log is not what was written."""


class Reading:
    """A block that reads a log: what SQLite says of a damaged file is said with the file's name."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            raise DamagedLogError(f"{self._path}: expected a log of examples: {error}") from None


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection to a file that is there and has the tables of a log."""
    if not path.is_file():
        raise DamagedLogError(f"{path}: expected a log of examples, found no file")
    uri = f"{path.absolute().as_uri()}?mode={'rw' if write else 'ro'}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        with Reading(path):
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
    """All that a log has: type, name and SQL."""
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(SCHEMA)
        return frozenset(db.execute(_OBJECTS))
    finally:
        db.close()
