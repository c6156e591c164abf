"""Upkeep of a folder of models: compact logs while no server uses the folder, or copy them while one uses it.

A compacted log begins with a snapshot: the examples before it are gone, their ids and answers stay. A backup is a
folder that a server can serve. It has the log of each model at one moment, checked, and the newest snapshots.
"""

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from rosenblatt.base.atomic_write import sync_folder
from rosenblatt.doors.serve.folder import lock, reason
from rosenblatt.doors.serve.limits import Limits
from rosenblatt.doors.serve.log_chain import check, connect, end_of
from rosenblatt.doors.serve.recover import Progress, name_of
from rosenblatt.doors.serve.served import BASE, LOG, SNAPSHOTS, FolderContent


class Result(NamedTuple):
    """The result for a model: the examples and the bytes of its log, or why nothing was done."""

    name: str
    seq: int = 0
    bytes_before: int = 0
    bytes: int = 0
    error: str | None = None


def compact(path: Path, limits: Limits) -> list[Result]:
    """Turn the newest state of each model into a snapshot, and remove older examples. No server may use the folder."""
    descriptor = lock(path)
    try:
        return _each(path, lambda folder: _compact(folder, limits))
    finally:
        os.close(descriptor)


def back_up(path: Path, to: Path) -> list[Result]:
    """Copy each model, complete or not at all, into a new folder, even while a server uses them."""
    if to.exists():
        raise FileExistsError(f"{to}: expected a free name, found a file or folder")
    if not path.is_dir():
        raise FileNotFoundError(f"{path}: expected a folder of models, found none")
    copy = Path(tempfile.mkdtemp(prefix=f".{to.name}.", dir=to.absolute().parent))
    try:
        results = _each(path, lambda folder: _copy(folder, copy / folder.name))
        sync_folder(copy)
        copy.rename(to)
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise
    sync_folder(to.absolute().parent)
    return results


def _each(path: Path, work: Callable[[Path], Result]) -> list[Result]:
    """The results for all models. If one fails, its result says why, and the others continue."""
    results = []
    for log in sorted(path.glob(f"[!.]*/{LOG}")):
        try:
            results.append(work(log.parent))
        except (ValueError, OSError, sqlite3.Error) as error:
            results.append(Result(log.parent.name, error=reason(error, log.parent)))
    return results


def _compact(folder: Path, limits: Limits) -> Result:
    before = _size(folder)
    check(folder / LOG, threading.Event())  # a damaged log raises an error here, before anything is removed
    content = FolderContent.read(folder, limits, Progress())
    with closing(content.log) as log:
        seq = log.head.seq
        if content.state.tally.examples and seq > log.begin.seq:
            content.snapshots.begin(content.state.run.model(), seq, content.state.beside)
            content.snapshots.note({}.items(), None)
            newest = content.snapshots.newest(log.rollbacks())
            if newest is None or newest.seq != seq:
                raise OSError(f"{folder / SNAPSHOTS}: expected the snapshot of example {seq}, found none")
            log.compact()
            for left in content.snapshots.folder.iterdir():
                if left.name != name_of(seq):
                    left.unlink()
        begin = log.begin.seq
    return Result(folder.name, begin, before, _size(folder))


def _copy(folder: Path, to: Path) -> Result:
    to.mkdir()
    try:
        with closing(connect(folder / LOG, write=False)) as db, closing(sqlite3.connect(to / LOG)) as copy:
            db.backup(copy)
        with closing(connect(to / LOG, write=False)) as copy:
            seq = end_of(copy, to / LOG, "head").seq
            named = [file for (file,) in copy.execute("SELECT file FROM snapshots ORDER BY seq DESC")]
        if (folder / BASE).exists():
            shutil.copyfile(folder / BASE, to / BASE)
        (to / SNAPSHOTS).mkdir()
        for file in named:
            if (
                folder / SNAPSHOTS / Path(file).name
            ).is_file():  # otherwise the server has just removed it for a newer one
                shutil.copyfile(folder / SNAPSHOTS / Path(file).name, to / SNAPSHOTS / Path(file).name)
        check(to / LOG, threading.Event())
        FolderContent.read(to, Limits(), Progress()).log.close()
        _sync(to)
    except BaseException:
        shutil.rmtree(to, ignore_errors=True)
        raise
    return Result(folder.name, seq, _size(folder), _size(to))


def _size(folder: Path) -> int:
    """The bytes of a log and of the files that SQLite keeps beside it."""
    return sum(path.stat().st_size for path in folder.glob(f"{LOG}*"))


def _sync(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
    for path in (folder / SNAPSHOTS, folder):
        sync_folder(path)
