"""The check of a whole log, in the background: the chain of hashes from its begin, its ids and its answers.

A restart reads only what follows the newest snapshot, so that it is quick. What was changed before that is found here.
"""

import sqlite3
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from rosenblatt.doors.serve.log_chain import Entry, checksum, damaged, end_of, pages, read_rollbacks, undone
from rosenblatt.doors.serve.log_schema import DamagedLogError, Reading, connect

PAUSE = 0.005  # seconds between two pages: others want the processor too

_NOT_LED_TO = """
SELECT examples.seq, examples.id, ids.seq FROM examples LEFT JOIN ids ON ids.id = examples.id
WHERE examples.id IS NOT NULL AND ids.seq IS NOT examples.seq"""
_LEADS_ASTRAY = """
SELECT ids.seq, ids.id, coalesce(examples.id, compacted.id) AS owner
FROM ids LEFT JOIN examples USING (seq) LEFT JOIN compacted USING (seq) WHERE owner IS NOT ids.id"""


class Check:
    """The check of one log by a thread of its own; `failed` hears what is wrong."""

    def __init__(self, path: Path, failed: Callable[[str], None]) -> None:
        self._path, self._failed, self._ended = path, failed, threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"check {path}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Begin to end, wherever it is."""
        self._ended.set()

    def join(self, patience: float) -> bool:
        """Whether it has ended."""
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
    """A `DamagedLogError` if something in a log is not as it was written; it may be written to meanwhile."""
    with closing(connect(path, write=False)) as db:
        begin, head = (end_of(db, path, name) for name in ("begin", "head"))
        answered = _snapshot_seq(db, path)  # what comes after it may still wait for its answer
        for page in pages(db, path, begin.seq, head.seq):
            _check_answers(page.entries, answered, read_rollbacks(db, path), path)
            if ended.wait(PAUSE):
                return
        _check_ids(db, path)


def _snapshot_seq(db: sqlite3.Connection, path: Path) -> int:
    with Reading(path):
        return db.execute("SELECT max(seq) FROM snapshots").fetchone()[0] or 0


def _check_answers(entries: list[Entry], upto: int, rollbacks: list[tuple[int, int]], path: Path) -> None:
    for entry in entries:
        if entry.predicted is None and entry.seq <= upto and not undone(entry.seq, rollbacks):
            raise damaged(path, entry.seq, "what was predicted for it, found nothing")


def _check_ids(db: sqlite3.Connection, path: Path) -> None:
    """Each id of an example leads to it, and there are no others: else one could be learned twice, or never."""
    with Reading(path):
        db.execute("BEGIN")  # a rollback in between would change both
        rollbacks = read_rollbacks(db, path)
        for seq, key, at in db.execute(_NOT_LED_TO):
            if not undone(seq, rollbacks):
                raise damaged(path, seq, f"that its id {key!r:.80} leads to it, found {at}")
        for seq, key, owner in db.execute(_LEADS_ASTRAY):
            raise damaged(path, seq, f"id {key!r:.80}, which leads to it, found {owner!r:.80}")
        for row in db.execute("SELECT seq, id, y, label, crc FROM compacted"):
            if row[-1] != checksum(*row[:-1]):
                raise damaged(path, row[0], "what its checksum was made of, found something else")
        db.execute("COMMIT")
