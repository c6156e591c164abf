"""The log of a model: all that was acknowledged, in SQLite, in order. The model is what a replay of it gives.

Examples, labels and predictions are JSON, so that any tool for SQLite reads them. A commit is on the disk before it
returns (WAL, synchronous=FULL). Each row has a checksum: SQLite finds a torn end, and leaves it out; what was changed
in the middle is found here, and refused with its place.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

FORMAT = 1
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE examples (seq INTEGER PRIMARY KEY, id TEXT, x TEXT NOT NULL, y TEXT NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE predicted (seq INTEGER PRIMARY KEY, label TEXT NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE ids (id TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE waiting (n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, x TEXT NOT NULL, answer TEXT NOT NULL);
CREATE TABLE rollbacks (seq INTEGER PRIMARY KEY, back_to INTEGER NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, file TEXT NOT NULL, made REAL NOT NULL);
"""
_PAGE = 1000


class Entry(NamedTuple):
    """An example of the log; x, y and what was predicted before it was learned are JSON."""

    seq: int
    id: str | None
    x: str
    y: str
    predicted: str | None


class DamagedLogError(ValueError):
    """What is in the log is not what was written."""


class Log:
    """The log of one model. One thread writes; `reader` gives others a connection of their own."""

    def __init__(self, path: Path, most_waiting: int = 0) -> None:
        self.path = path
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        with self.said():
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("PRAGMA wal_autocheckpoint=4000")
            self._db.execute("PRAGMA cell_size_check=ON")
        self._most_waiting = most_waiting  # predictions; then the oldest go
        self._any_waiting = True  # perhaps

    @classmethod
    def made(cls, path: Path, about: dict[str, str]) -> "Log":
        """A new one, of a model that `about` tells of."""
        log = cls(path)
        log._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version={FORMAT}; COMMIT;")
        rows = [(name, value, _crc(name, value)) for name, value in about.items()]
        log._db.executemany("INSERT INTO about VALUES (?, ?, ?)", rows)
        return log

    def said(self) -> "_Said":
        """What SQLite says of a damaged file, with its name."""
        return _Said(self.path)

    def about(self) -> dict[str, str]:
        """What the log was made with."""
        with self.said():
            found = self._db.execute("PRAGMA user_version").fetchone()[0]
            if found != FORMAT:
                raise DamagedLogError(f"{self.path}: expected a log of format {FORMAT}, found {found}")
            rows = self._db.execute("SELECT name, value, crc FROM about").fetchall()
        for name, value, crc in rows:
            if crc != _crc(name, value):
                raise DamagedLogError(f"{self.path}: about {name}: expected what its checksum was made of")
        return {name: value for name, value, _ in rows}

    def append(
        self,
        examples: list[tuple[int, str | None, str, str]],
        answers: Iterable[tuple[int, str]],
        kept: list[tuple[str, str, str]],
    ) -> None:
        """Examples (seq, id, x, y), and what was predicted for those before: on the disk when it returns.

        Kept are predictions (id, x, answer) that a label may come for, unless it came already.
        """
        ids = [(entry[1], entry[0]) for entry in examples if entry[1] is not None]
        rows = [(*entry, _crc(*entry)) for entry in examples]
        with self.transaction():
            self._db.executemany("INSERT INTO examples VALUES (?, ?, ?, ?, ?)", rows)
            self._db.executemany("INSERT INTO ids VALUES (?, ?)", ids)
            self._db.executemany("INSERT INTO predicted VALUES (?, ?, ?)", _checked(answers))
            if self._any_waiting:
                self._db.executemany("DELETE FROM waiting WHERE id = ?", [(key,) for key, _ in ids])
            if kept:
                self._keep(kept)

    def _keep(self, kept: list[tuple[str, str, str]]) -> None:
        new = "INSERT OR IGNORE INTO waiting (id, x, answer) SELECT ?1, ?2, ?3"
        self._db.executemany(f"{new} WHERE NOT EXISTS (SELECT 1 FROM ids WHERE id = ?1)", kept)
        newest = self._db.execute("SELECT max(n) FROM waiting").fetchone()[0] or 0
        self._db.execute("DELETE FROM waiting WHERE n <= ?", (newest - self._most_waiting,))
        self._any_waiting = True

    def transaction(self) -> "_Transaction":
        """All of it is on the disk at the end, or nothing."""
        return _Transaction(self._db)

    def note_answers(self, answers: Iterable[tuple[int, str]]) -> None:
        """What was predicted, if it is not there."""
        with self.transaction():
            self._db.executemany("INSERT OR IGNORE INTO predicted VALUES (?, ?, ?)", _checked(answers))

    def roll_back(self, seq: int, back_to: int) -> None:
        """From now on the examples after `back_to` do not count; their ids may come again."""
        with self.transaction():
            self._db.execute("INSERT INTO rollbacks VALUES (?, ?, ?)", (seq, back_to, _crc(seq, back_to)))
            self._db.execute("DELETE FROM ids WHERE seq > ?", (back_to,))

    def note_snapshot(
        self, seq: int, file: str, made: float, keep: int, answers: Iterable[tuple[int, str]]
    ) -> list[str]:
        """A snapshot that is on the disk; returns the files of those that are no longer kept."""
        with self.transaction():
            self._db.executemany("INSERT OR IGNORE INTO predicted VALUES (?, ?, ?)", _checked(answers))
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (seq, file, made))
            old = self._db.execute("SELECT seq, file FROM snapshots ORDER BY seq DESC LIMIT -1 OFFSET ?", (keep,))
            gone = old.fetchall()
            self._db.executemany("DELETE FROM snapshots WHERE seq = ?", [(seq,) for seq, _ in gone])
        return [file for _, file in gone]

    def snapshots(self) -> list[tuple[int, str, float]]:
        """The newest first."""
        with self.said():
            return self._db.execute("SELECT seq, file, made FROM snapshots ORDER BY seq DESC").fetchall()

    def seq_of(self, ids: list[str]) -> dict[str, int]:
        """Of those ids that were learned."""
        if not ids:
            return {}
        query = "SELECT id, seq FROM ids WHERE id IN (SELECT value FROM json_each(?))"
        with self.said():
            return dict(self._db.execute(query, (json.dumps(ids),)).fetchall())

    def check_ids(self, rolled_back: Callable[[int], bool]) -> None:
        """Each id of an example leads to it, and there are no others: else one could be learned twice."""
        with self.said():
            rows = self._db.execute(
                "SELECT examples.seq, examples.id, ids.seq FROM examples LEFT JOIN ids ON ids.id = examples.id"
                " WHERE examples.id IS NOT NULL AND ids.seq IS NOT examples.seq"
            )
            for seq, key, found in rows:
                if not rolled_back(seq):
                    raise damaged(self.path, seq, f"that its id {key!r} leads to it, found {found}")

    def answer_at(self, seq: int) -> tuple[str, str | None]:
        """The label of an example, and what it was taken for."""
        found: tuple[str, str | None] = self._one(
            "SELECT y, label FROM examples LEFT JOIN predicted USING (seq) WHERE seq = ?", seq
        )
        return found

    def waiting(self, key: str) -> tuple[str, str] | None:
        """The x and the answer of a prediction that waits for its label."""
        found: tuple[str, str] | None = self._one("SELECT x, answer FROM waiting WHERE id = ?", key)
        return found

    def _one(self, query: str, *values: object) -> Any:
        with self.said():
            return self._db.execute(query, values).fetchone()

    def rollbacks(self) -> list[tuple[int, int]]:
        """Each with the sequence number that it went back to."""
        return read_rollbacks(self._db, self.path)

    def last(self) -> int:
        """The newest sequence number."""
        with self.said():
            rows = [self._db.execute(f"SELECT max(seq) FROM {table}").fetchone() for table in ("examples", "rollbacks")]
        return max(row[0] or 0 for row in rows)

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """All examples in order, each looked at, also those that were rolled back."""
        last = 2**62 if upto is None else upto
        while True:
            page = read_page(self._db, self.path, after, last, _PAGE)
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].seq

    def reader(self) -> "closing[sqlite3.Connection]":
        """A connection for another thread, which cannot write."""
        return closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True, isolation_level=None))

    def close(self) -> None:
        """With all that it has in one file."""
        self._db.close()


def read_page(
    db: sqlite3.Connection, path: Path, after: int, upto: int, size: int, most: int | None = None
) -> list[Entry]:
    """Some examples with sequence numbers over `after`, as they were written; about `most` characters, at least one."""
    with _Said(path):
        found = db.execute(
            "SELECT seq, id, x, y, examples.crc, label, predicted.crc FROM examples LEFT JOIN predicted USING (seq)"
            " WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
            (after, upto, size),
        )
        rows = found.fetchall() if most is None else _first(found, most)
    page = []
    for seq, key, x, y, crc, label, crc_of_label in rows:
        if crc != _crc(seq, key, x, y) or (label is not None and crc_of_label != _crc(seq, label)):
            raise damaged(path, seq, "what its checksum was made of, found something else")
        page.append(Entry(seq, key, x, y, label))
    return page


def _first(rows: Iterable[Any], most: int) -> list[Any]:
    """Those whose x and y have so many characters, and the one that has more."""
    found = []
    for row in rows:
        found.append(row)
        most -= len(row[2]) + len(row[3])
        if most < 0:
            break
    return found


def damaged(path: Path, seq: int, expected: str) -> DamagedLogError:
    """An example that is not as it was written."""
    return DamagedLogError(f"{path}: example {seq}: expected {expected}")


def read_rollbacks(db: sqlite3.Connection, path: Path) -> list[tuple[int, int]]:
    """Each rollback with the sequence number that it went back to."""
    with _Said(path):
        rows = db.execute("SELECT seq, back_to, crc FROM rollbacks ORDER BY seq").fetchall()
    for seq, back_to, crc in rows:
        if crc != _crc(seq, back_to):
            raise DamagedLogError(f"{path}: rollback {seq}: expected what its checksum was made of")
    return [(seq, back_to) for seq, back_to, _ in rows]


def _crc(*values: object) -> int:
    return crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


def _checked(answers: Iterable[tuple[int, str]]) -> list[tuple[int, str, int]]:
    return [(seq, label, _crc(seq, label)) for seq, label in answers]


class _Said:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            raise DamagedLogError(f"{self._path}: expected a log of examples: {error}") from None


class _Transaction:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            self._db.execute("COMMIT")
        elif self._db.in_transaction:
            self._db.execute("ROLLBACK")
