"""Broken and full disks, torn ends, flipped bits: what was acknowledged is there, and what is wrong is said."""

import os
import re
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.serve.replay import file_of, replayed
from tests.serve.server import PATIENCE, running
from tests.serve.test_serve import examples

MODEL = {"kind": "Perceptron", "parameters": {"readout": "average"}}


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that lets writes fail."""
    made = tmp_path_factory.mktemp("shim") / "fault.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", made, Path(__file__).with_name("fault.c"), "-ldl"], check=True
    )
    return made


@pytest.mark.parametrize("fault", ["write ENOSPC", "write EIO", "flush EIO"])
def test_a_log_that_cannot_be_written_ends_learning_for_good(tmp_path: Path, shim: Path, fault: str) -> None:
    folder, cause, rows = tmp_path / "models", tmp_path / "fault", examples(60)
    with running(folder, env={"LD_PRELOAD": str(shim), "FAULT": str(cause)}) as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.learn("m", rows[:40])
        before = server.file("m")
        cause.write_text(fault)
        failed = server.ask("POST", "/v1/models/m/learn", {"examples": rows[40:]})
        assert failed.status == 503
        assert failed.body["error"].startswith("learning has stopped for good (the log cannot be written: ")
        assert failed.headers["retry-after"]
        cause.unlink()  # the disk seems well again, but nobody knows what is on it
        again = server.ask("POST", "/v1/models/m/learn", {"examples": rows[40:]})
        assert (again.status, again.body) == (503, failed.body)
        assert server.ask("GET", "/readyz").status == 503
        assert server.ask("GET", "/healthz").status == 200
        assert b'rosenblatt_stopped{model="m"} 1' in server.ask("GET", "/metrics").body
        assert server.ask("POST", "/v1/models/m/predict", {"rows": [rows[0]["x"]]}).status == 200
        assert server.file("m") == before
        server.stop()
    with running(folder) as server:
        log = server.log("m")
        assert [entry["id"] for entry in log][:40] == [row["id"] for row in rows[:40]]
        assert server.file("m") == file_of(replayed(log, readout="average"))
        found = server.learn("m", rows)
        assert [one["seq"] for one in found] == [*range(1, 61)]


def crashed(folder: Path, rows: list[dict[str, Any]], *options: str) -> None:
    """The folder of a server that learned so many rows, in commits of 10, and was killed."""
    with running(folder, *options) as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        for first in range(0, len(rows), 10):
            server.learn("m", rows[first : first + 10])
        server.kill()


def test_a_torn_end_of_the_log_is_left_out(tmp_path: Path) -> None:
    rows = examples(100)
    crashed(tmp_path / "models", rows)
    whole = (tmp_path / "models" / "m" / "log.sqlite-wal").read_bytes()
    for lost in (1, 5000, len(whole) // 2):
        folder = tmp_path / f"torn-{lost}"
        shutil.copytree(tmp_path / "models", folder)
        (folder / "m" / "log.sqlite-wal").write_bytes(whole[:-lost] + os.urandom(lost // 2))
        with running(folder) as server:
            log = server.log("m")
            assert 0 < len(log) <= 100
            assert len(log) % 10 == 0, "a commit is there whole or not at all"
            assert [entry["id"] for entry in log] == [row["id"] for row in rows[: len(log)]]
            assert server.file("m") == file_of(replayed(log, readout="average"))
            server.learn("m", rows)
            assert len(server.log("m")) == 100


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 4
    path.write_bytes(bytes(content))


def test_a_flipped_bit_in_the_newest_snapshot_costs_a_longer_replay(tmp_path: Path) -> None:
    folder, rows = tmp_path / "models", examples(100)
    crashed(folder, rows, "--snapshot-every", "20")
    with running(folder) as server:
        expected = server.file("m")
        server.stop()
    snapshots = sorted((folder / "m" / "snapshots").iterdir())
    assert len(snapshots) > 1
    flip(snapshots[-1], snapshots[-1].stat().st_size - 3)
    with running(folder) as server:
        assert server.file("m") == expected
        assert "a snapshot is passed over" in server.said.read_text()
    for snapshot in sorted((folder / "m" / "snapshots").iterdir()):
        flip(snapshot, 20)
    with running(folder) as server:
        assert server.file("m") == expected


def place_in(content: bytes, what: str, row: tuple[str, str, str]) -> int:
    """Where a part of an example lies in the file of the log."""
    key, x, y = (text.encode() for text in row)
    at = content.index(x)
    return {
        "x": at + 5,
        "y": content.index(y, at + len(x)) + 2,
        "id": content.rindex(key, 0, at),
        "ids": content.rindex(key) + 4,
    }[what]


@pytest.mark.parametrize("what", ["x", "y", "id", "ids"])
def test_a_flipped_bit_in_the_middle_of_the_log_stops_the_model_with_its_place(tmp_path: Path, what: str) -> None:
    folder, rows = tmp_path / "models", examples(100)
    for k, row in enumerate(rows):
        row["id"] = f"key {k:04}"
    crashed(folder, rows, "--snapshot-every", "20")
    with running(folder) as server:
        assert server.stop() == 0
    path = folder / "m" / "log.sqlite"
    db = sqlite3.connect(path)
    db.execute("VACUUM")  # tables after each other, without free pages
    row = db.execute("SELECT id, x, y FROM examples WHERE seq = 7").fetchone()  # the snapshots have it already
    db.close()
    flip(path, place_in(path.read_bytes(), what, row))
    with running(folder) as server:
        why = server.stopped("m")
        assert re.search(r"m/log\.sqlite: example 7: expected ", why)
        refused = server.ask("POST", "/v1/models/m/learn", {"examples": examples(1, seed=2)})
        assert (refused.status, refused.body["error"]) == (503, why)


def test_a_damaged_page_of_the_log_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    crashed(folder, examples(100))
    with running(folder) as server:
        server.stop()
    path = folder / "m" / "log.sqlite"
    for page in range(1, path.stat().st_size // 4096):
        flip(path, 4096 * page)
    with running(folder) as server:
        assert re.search(r"m/log\.sqlite: expected a log of examples", server.stopped("m"))


def test_a_snapshot_that_was_being_written_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    crashed(folder, examples(50))
    left = folder / "m" / "snapshots" / ".00000000000000000050.safetensors.0badcafe"
    left.write_bytes(b"half")
    (folder / ".new-half").mkdir()
    with running(folder) as server:
        assert not left.exists()
        assert not (folder / ".new-half").exists()
        assert len(server.log("m")) == 50


def test_what_waits_is_learned_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    with running(folder) as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.learn("m", examples(50))
        assert server.stop() == 0
    assert [path.name for path in (folder / "m" / "snapshots").iterdir()] == ["00000000000000000050.safetensors"]
    db = sqlite3.connect(folder / "m" / "log.sqlite")
    try:
        assert db.execute("SELECT count(*) FROM predicted").fetchone() == (50,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        db.close()


def test_answers_are_in_the_log_soon_after_them(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    with running(folder) as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.learn("m", examples(30))
        db = sqlite3.connect(f"file:{folder}/m/log.sqlite?mode=ro", uri=True)
        try:
            end = time.monotonic() + PATIENCE
            while db.execute("SELECT count(*) FROM predicted").fetchone() != (30,):
                assert time.monotonic() < end
                time.sleep(0.05)
        finally:
            db.close()
