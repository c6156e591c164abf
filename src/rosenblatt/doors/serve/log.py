"""The log of a model: everything that was acknowledged, in SQLite, in order. A replay of the log gives the model.

Examples, labels and predictions are JSON, so that any tool for SQLite can read them. A commit is on the disk before it
returns (WAL, synchronous=FULL). SQLite finds an incomplete end and ignores it. The chain of hashes (`log_chain`) finds
what was changed, removed or added since; such a log is refused, with the place.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt.doors.serve.log_chain import (
    FORMAT,
    SCHEMA,
    DamagedLogError,
    End,
    LogReading,
    Page,
    checksum,
    connect,
    damage,
    end_of,
    hash_at,
    link,
    link_example,
    pages,
    read_rollbacks,
)


class SnapshotRow(NamedTuple):
    """The entry of a snapshot in the log: see `snapshots`."""

    seq: int
    file: str
    state: str
    bond: bytes
    written_at: float


class Log:
    """The log of one model. One thread writes; `reader` gives others a connection of their own."""

    def __init__(self, path: Path, most_waiting: int = 0) -> None:
        self.path = path
        self._db = connect(path, write=True)
        self._most_waiting = most_waiting  # maximum of waiting predictions; beyond it the oldest are removed
        self._any_waiting = True  # unknown at first, so perhaps
        try:
            self.begin, self.head = (end_of(self._db, path, name) for name in ("begin", "head"))
            self._check_ends()
        except BaseException:
            self._db.close()
            raise

    @classmethod
    def create(cls, path: Path, about: dict[str, str]) -> "Log":
        """Make a new log, of a model that `about` describes."""
        begin = _first_hash(about)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(f"PRAGMA journal_mode=WAL; BEGIN; {SCHEMA} PRAGMA user_version={FORMAT}; COMMIT;")
            with _Transaction(db):
                rows = [(name, value, checksum(name, value)) for name, value in about.items()]
                db.executemany("INSERT INTO about VALUES (?, ?, ?)", rows)
                db.executemany("INSERT INTO ends VALUES (?, 0, ?)", [("begin", begin), ("head", begin)])
        return cls(path)

    def _check_ends(self) -> None:
        with LogReading(self.path):
            tables = ("examples", "rollbacks")
            newest = [self._db.execute(f"SELECT max(seq) FROM {table}").fetchone()[0] or 0 for table in tables]
        last = max(*newest, self.begin.seq)
        if last != self.head.seq:
            raise damage(self.path, min(last, self.head.seq) + 1, f"{self.head.seq} as the last, found {last}")
        if hash_at(self._db, self.path, last) != self.head.hash:
            raise damage(self.path, last, "the hash that the head of the log has, found another")

    def about(self) -> dict[str, str]:
        with LogReading(self.path):
            rows = self._db.execute("SELECT name, value, crc FROM about").fetchall()
        for name, value, crc in rows:
            if crc != checksum(name, value):
                raise DamagedLogError(f"{self.path}: about {name}: expected what its checksum was made of")
        about = {name: value for name, value, _ in rows}
        if self.begin.seq == 0 and self.begin.hash != _first_hash(about):
            raise DamagedLogError(f"{self.path}: about: expected what the first hash was made of, found something else")
        return about

    def append(
        self,
        examples: list[tuple[int, str | None, str, str]],
        answers: Iterable[tuple[int, str]],
        predictions: list[tuple[str, str, str]],
    ) -> None:
        """Log examples (seq, id, x, y), and the predictions for examples before; when it returns, all is on the disk.

        Predictions (id, x, answer) are kept until their label comes, unless it came already.
        """
        ids = [(entry[1], entry[0]) for entry in examples if entry[1] is not None]
        hash_, rows = self.head.hash, []
        for seq, key, x, y in examples:
            hash_ = link_example(hash_, seq, key, x, y)
            rows.append((seq, key, x, y, hash_))
        head = End(examples[-1][0], hash_) if examples else self.head
        with self.transaction():
            self._db.executemany("INSERT INTO examples VALUES (?, ?, ?, ?, ?)", rows)
            self._db.executemany("INSERT INTO ids VALUES (?, ?)", ids)
            self._db.executemany("INSERT INTO predicted VALUES (?, ?, ?)", _with_checksums(answers))
            if self._any_waiting:
                self._db.executemany("DELETE FROM waiting WHERE id = ?", [(key,) for key, _ in ids])
            if predictions:
                self._keep(predictions)
            self._move("head", head)
        self.head = head

    def _move(self, name: str, end: End) -> None:
        self._db.execute("UPDATE ends SET seq = ?, hash = ? WHERE name = ?", (*end, name))

    def _keep(self, predictions: list[tuple[str, str, str]]) -> None:
        new = "INSERT OR IGNORE INTO waiting (id, x, answer) SELECT ?1, ?2, ?3"
        self._db.executemany(f"{new} WHERE NOT EXISTS (SELECT 1 FROM ids WHERE id = ?1)", predictions)
        newest = self._db.execute("SELECT max(n) FROM waiting").fetchone()[0] or 0
        self._db.execute("DELETE FROM waiting WHERE n <= ?", (newest - self._most_waiting,))
        self._any_waiting = True

    def transaction(self) -> "_Transaction":
        """A block whose changes are all on the disk at its end, or none of them."""
        return _Transaction(self._db)

    def note_answers(self, answers: Iterable[tuple[int, str]]) -> None:
        """Store predictions that the log does not have yet."""
        with self.transaction():
            self._db.executemany("INSERT OR IGNORE INTO predicted VALUES (?, ?, ?)", _with_checksums(answers))

    def roll_back(self, back_to: int) -> None:
        """From now on the examples after `back_to` do not count, and their ids may be used again."""
        seq = self.head.seq + 1
        head = End(seq, link(self.head.hash, seq, back_to))
        with self.transaction():
            self._db.execute("INSERT INTO rollbacks VALUES (?, ?, ?)", (seq, back_to, head.hash))
            self._db.execute("DELETE FROM ids WHERE seq > ?", (back_to,))
            self._move("head", head)
        self.head = head

    def note_snapshot(self, new: SnapshotRow, keep: int, answers: Iterable[tuple[int, str]]) -> list[str]:
        """Register a snapshot that is on the disk; return the files of snapshots that are no longer needed.

        The snapshot that a compacted log begins with stays.
        """
        with self.transaction():
            self._db.executemany("INSERT OR IGNORE INTO predicted VALUES (?, ?, ?)", _with_checksums(answers))
            self._db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)", new)
            query = "SELECT seq, file FROM snapshots WHERE seq > ? ORDER BY seq DESC LIMIT -1 OFFSET ?"
            old = self._db.execute(query, (self.begin.seq, keep)).fetchall()
            self._db.executemany("DELETE FROM snapshots WHERE seq = ?", [(seq,) for seq, _ in old])
        return [file for _, file in old]

    def snapshots(self) -> list[SnapshotRow]:
        with LogReading(self.path):
            return [*map(SnapshotRow._make, self._db.execute("SELECT * FROM snapshots ORDER BY seq DESC"))]

    def hash_at(self, seq: int) -> bytes:
        return hash_at(self._db, self.path, seq)

    def seq_of(self, ids: list[str]) -> dict[str, int]:
        """The sequence numbers of those of these ids that were learned."""
        if not ids:
            return {}
        query = "SELECT id, seq FROM ids WHERE id IN (SELECT value FROM json_each(?))"
        with LogReading(self.path):
            return dict(self._db.execute(query, (json.dumps(ids),)).fetchall())

    def answer_at(self, seq: int) -> tuple[str, str | None]:
        """The label of an example, and the prediction before it was learned."""
        answer: tuple[str, str | None] = self._one(
            "SELECT y, label FROM examples LEFT JOIN predicted USING (seq) WHERE seq = ?1"
            " UNION ALL SELECT y, label FROM compacted WHERE seq = ?1",
            seq,
        )
        return answer

    def waiting(self, key: str) -> tuple[str, str] | None:
        """The x and the answer of a prediction that waits for its label."""
        row: tuple[str, str] | None = self._one("SELECT x, answer FROM waiting WHERE id = ?", key)
        return row

    def _one(self, query: str, *values: object) -> Any:
        with LogReading(self.path):
            return self._db.execute(query, values).fetchone()

    def rollbacks(self) -> list[tuple[int, int]]:
        """Each rollback with the sequence number that it returned to."""
        return read_rollbacks(self._db, self.path)

    def pages(self, after: int) -> Iterator[Page]:
        """Everything after a sequence number, checked, with the examples that were rolled back."""
        return pages(self._db, self.path, after, self.head.seq)

    def reader(self) -> "closing[sqlite3.Connection]":
        """A read-only connection for another thread."""
        return closing(connect(self.path, write=False))

    def compact(self) -> None:
        """Remove the examples that the snapshot of the head includes. Ids and their answers stay."""
        with self.transaction():
            rows = self._db.execute(
                "SELECT seq, id, y, label FROM ids JOIN examples USING (seq, id) JOIN predicted USING (seq)"
            )
            self._db.executemany(
                "INSERT INTO compacted VALUES (?, ?, ?, ?, ?)", ((*row, checksum(*row)) for row in rows.fetchall())
            )
            for table in ("examples", "predicted", "rollbacks"):
                self._db.execute(f"DELETE FROM {table}")
            self._db.execute("DELETE FROM snapshots WHERE seq <> ?", (self.head.seq,))
            self._move("begin", self.head)
        self.begin = self.head
        self._db.execute("VACUUM")

    def close(self) -> None:
        self._db.close()


def _first_hash(about: dict[str, str]) -> bytes:
    return link(b"", *(text for pair in sorted(about.items()) for text in pair))


def _with_checksums(answers: Iterable[tuple[int, str]]) -> list[tuple[int, str, int]]:
    return [(seq, label, checksum(seq, label)) for seq, label in answers]


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
