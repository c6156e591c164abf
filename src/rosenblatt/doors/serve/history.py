"""The log as requests read it: on a connection of their own, while it is written to."""

from rosenblatt.doors.serve.log import Log
from rosenblatt.doors.serve.log_chain import read_page, read_rollbacks, undone
from rosenblatt.doors.serve.log_schema import Reading
from rosenblatt.doors.serve.refusal import wrong
from rosenblatt.doors.serve.requests import LogEntry, LogPage, Raw
from rosenblatt.doors.serve.served import Served

PAGE_BYTES = 8 << 20  # of a page, about: it ends with the example that goes over it


def page_of(model: Served, after: int, size: int, newest: int) -> LogPage:
    """Examples after a sequence number, or the newest ones, without those that were rolled back.

    There are fewer than asked for where they are large, but one if there is one.
    """
    last, unsaved, found, total = model.learner.answered, dict(model.learner.state.unsaved), list[LogEntry](), 0
    with model.log.reader() as db:
        rollbacks = read_rollbacks(db, model.log.path)
        if newest:
            after, size = max(after, last - newest - sum(at - to for at, to in rollbacks)), newest
        while (len(found) < size and total < PAGE_BYTES) or newest:
            page = read_page(db, model.log.path, after, last, size, PAGE_BYTES - (0 if newest else total))
            for entry in page.entries:
                if not undone(entry.seq, rollbacks):
                    predicted = unsaved.get(entry.seq, "null") if entry.predicted is None else entry.predicted
                    x, y, answer = (Raw(text.encode()) for text in (entry.x, entry.y, predicted))
                    found.append(LogEntry(entry.seq, entry.id, x, y, answer))
                    total += _size(found[-1])
            found = found[-newest:] if newest else found[:size]
            while newest and len(found) > 1 and (total := sum(map(_size, found))) > PAGE_BYTES:
                del found[0]
            if page.over:
                break
            after = page.last
    return LogPage(found, last)


def _size(entry: LogEntry) -> int:
    return len(memoryview(entry.x)) + len(memoryview(entry.y))


def waiting_rows(log: Log, ids: list[str], most: int) -> dict[str, bytes]:
    """The x of predictions that wait for their label, or whose label came before: then it is a retry.

    They may have been sent one by one: a 422 where there are more than `most` bytes of several.
    """
    query = (
        "SELECT x FROM waiting WHERE id = ?1 UNION ALL SELECT x FROM ids JOIN examples USING (seq) WHERE ids.id = ?1"
    )
    found, total = dict[str, bytes](), 0
    with log.reader() as db, Reading(log.path):
        for k, key in enumerate(ids):
            row = db.execute(query, (key,)).fetchone()
            if row is None:
                continue
            found[key] = row[0].encode()
            total += len(found[key])
            if total > most and len(found) > 1:
                said = f"expected rows of at most {most:,} bytes in all (--body), found more: send less at once"
                raise wrong(said, f"feedback[{k}].id")
    return found
