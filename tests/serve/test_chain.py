"""The chain of hashes: nothing of a log can be removed, changed or exchanged in silence, and nothing in it is run."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import Perceptron, save
from rosenblatt.data.lectures import AND
from tests.serve.replay import file_of, replayed
from tests.serve.server import running
from tests.serve.test_serve import examples

MODEL = {"kind": "Perceptron", "parameters": {"readout": "average"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 100 examples, with snapshots and a rollback, and one that was killed after its newest snapshot."""
    folder = tmp_path_factory.mktemp("chain") / "models"
    rows = examples(100)
    with running(folder, "--snapshot-every", "20") as server:
        for name in ("m", "tail"):
            server.ask("PUT", f"/v1/models/{name}", MODEL)
            for first in range(0, 60, 10):
                server.learn(name, rows[first : first + 10])
            assert server.ask("POST", f"/v1/models/{name}/rollback", {"seq": 50}).status == 200
            server.learn(name, rows[60:70])
        assert server.stop() == 0
    with running(folder) as server:
        server.learn("tail", rows[70:90])
        server.kill()
    return folder


def sql(folder: Path, name: str, *statements: str) -> None:
    """Change the log as somebody with another program would."""
    with closing(sqlite3.connect(folder / name / "log.sqlite", isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def test_the_chain_is_what_the_documentation_says(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "m" / "log.sqlite")) as db:
        about = sorted(db.execute("SELECT name, value FROM about"))
        ends = dict(db.execute("SELECT name, hash FROM ends"))
        rows = {seq: (key or "", x, y) for seq, key, x, y in db.execute("SELECT seq, id, x, y FROM examples")}
        rows |= {seq: (str(to),) for seq, to in db.execute("SELECT seq, back_to FROM rollbacks")}
    found = hashlib.sha256("\0".join(text for pair in about for text in pair).encode()).digest()
    assert found == ends["begin"]
    for seq in sorted(rows):
        found = hashlib.sha256(found + "\0".join((str(seq), *rows[seq])).encode()).digest()
    assert found == ends["head"]
    with running(folder) as server:
        assert server.ask("GET", "/v1/models/m").body["hash"] == found.hex()


CHANGES = [
    ("m", "DELETE FROM examples WHERE seq = 7", "example 7: expected it in the log, found none"),
    ("m", "DELETE FROM examples WHERE seq = 1", "example 1: expected it in the log, found none"),
    ("m", "DELETE FROM examples WHERE seq = 71", "example 71: expected 71 as the last, found 70"),
    ("m", "DELETE FROM examples WHERE seq > 62", "example 63: expected 71 as the last, found 62"),
    ("m", "DELETE FROM rollbacks", "example 61: expected it in the log, found none"),
    ("m", "UPDATE rollbacks SET back_to = 40", "example 61: expected what its hash was made of"),
    ("m", "UPDATE examples SET y = (SELECT y FROM examples WHERE seq = 8) WHERE seq < 8", "expected what its hash"),
    ("m", "UPDATE examples SET hash = (SELECT hash FROM examples WHERE seq = 8) WHERE seq = 7", "example 7: "),
    ("m", "INSERT INTO examples SELECT 72, 'more', x, y, hash FROM examples WHERE seq = 3", "example 72: expected"),
    ("m", "INSERT INTO ids VALUES ('never', 3)", "example 3: expected id 'never', which leads to it, found '0-2'"),
    ("m", "DELETE FROM ids WHERE seq = 9", "example 9: expected that its id '0-8' leads to it, found None"),
    ("m", "DELETE FROM predicted WHERE seq = 9", "example 9: expected what was predicted for it, found nothing"),
    ("m", "UPDATE predicted SET label = '\"class x\"' WHERE seq = 9", "example 9: expected what its hash"),
    ("m", "UPDATE ends SET seq = 70 WHERE name = 'head'", "example 71: expected 70 as the last, found 71"),
    ("m", "UPDATE about SET value = replace(value, 'average', 'last')", "about configuration: expected what its"),
    ("tail", "DELETE FROM examples WHERE seq = 80", "example 80: expected it in the log, found none"),
    ("tail", "UPDATE examples SET x = '[1,1,1,1,1,1,1]' WHERE seq = 80", "example 80: expected what its hash"),
    ("m", "CREATE TRIGGER steal AFTER INSERT ON ids BEGIN DELETE FROM ids; END", "found trigger 'steal'"),
    ("m", "CREATE VIEW mine AS SELECT * FROM examples", "found view 'mine'"),
    ("m", "CREATE INDEX mine ON examples (y)", "found index 'mine'"),
    ("m", "CREATE TABLE mine (x)", "found table 'mine'"),
    ("m", "ALTER TABLE examples ADD COLUMN mine", "found table 'examples'"),
    ("m", "DROP TABLE waiting", "expected index 'sqlite_autoindex_waiting_1', found none"),
]


def test_what_was_changed_by_hand_stops_its_model_and_no_other(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "models"
    shutil.copytree(folder / "m", path / "well")
    for number, (model, statement, _) in enumerate(CHANGES):
        shutil.copytree(folder / model, path / f"changed-{number}")
        sql(path, f"changed-{number}", statement)
    with running(path) as server:
        for number, (_, statement, said) in enumerate(CHANGES):
            name = f"changed-{number}"
            why = server.stopped(name)
            assert f"{name}/log.sqlite: " in why, statement
            assert said in why, statement
            refused = server.ask("POST", f"/v1/models/{name}/learn", {"examples": examples(1, seed=5)})
            assert (refused.status, refused.body["error"]) == (503, why)
        server.learn("well", examples(3, seed=6))
    with closing(sqlite3.connect(path / "changed-17" / "log.sqlite")) as db:
        assert "TRIGGER" in CHANGES[17][1]
        assert db.execute("SELECT count(*) FROM ids").fetchone() == (60,), "the trigger never ran"


def test_other_files_in_place_of_snapshots_are_passed_over(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "models"
    shutil.copytree(folder, path)
    snapshots = sorted((path / "m" / "snapshots").iterdir())
    assert len(snapshots) > 1
    *older, newest = snapshots  # which there are depends on how quickly they were written
    shutil.copyfile(older[0], newest)  # an older one, whole and sound
    for path_of_it in older:  # a model file of another model
        save(Perceptron(shuffle=False, readout="average").fit(*AND), path_of_it)
    looked_at = [one for one in snapshots if not 50 < int(one.stem) < 61]  # others were rolled back
    with running(path) as server:
        said = server.said.read_text()
        assert said.count("warning: a snapshot is passed over: ") == len(looked_at)
        assert f"{newest.name}: expected the snapshot of example 71 of this log, found another file" in said
        log = server.log("m")
        assert len(log) == 60
        assert server.file("m") == file_of(replayed(log, readout="average"))
        about = server.ask("GET", "/v1/models/m").body
        assert about["mistakes"] == sum(entry["predicted"] != entry["y"] for entry in log)
        assert about["examples"] == 60


def test_a_log_that_ends_before_its_snapshots_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "models"
    with running(path, "--snapshot-every", "20") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        while not server.ask("GET", "/v1/models/m").body["snapshot_seq"]:
            server.learn("m", examples(20, seed=server.ask("GET", "/v1/models/m").body["seq"] + 1))
        server.kill()
    log, snapshots = path / "m" / "log.sqlite", sorted((path / "m" / "snapshots").iterdir())
    shutil.copyfile(f"{log}-wal", tmp_path / "wal")
    Path(f"{log}-wal").unlink()  # where SQLite has the newest commits
    with running(path) as server:
        said = f"expected {int(snapshots[-1].stem)} or more as the last, of which there is a snapshot, found 0"
        assert f"log.sqlite: {said}" in server.stopped("m")
        server.kill()
    assert sorted((path / "m" / "snapshots").iterdir()) == snapshots
    for left in (path / "m").glob("log.sqlite-*"):
        left.unlink()
    shutil.copyfile(tmp_path / "wal", f"{log}-wal")
    with running(path) as server:
        assert server.ask("GET", "/readyz").body["status"] == "ok"


def test_mistakes_and_curve_go_on_after_a_snapshot(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "quick")
    shutil.copytree(folder, tmp_path / "slow")
    for snapshot in (tmp_path / "slow" / "tail" / "snapshots").iterdir():
        snapshot.unlink()
    found: list[Any] = []
    for name in ("quick", "slow"):
        with running(tmp_path / name) as server:
            server.learn("tail", examples(20, seed=3))
            about = server.ask("GET", "/v1/models/tail").body
            about.pop("snapshot_seq")
            curve = server.ask("GET", "/v1/models/tail/curve").body
            found.append((about, curve, server.file("tail")))
    assert found[0] == found[1]


def test_the_file_that_a_model_began_as_is_bound_to_its_log(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for path, passes in zip(files, (1, 2), strict=True):
        save(Perceptron(shuffle=False, readout="average", max_iter=passes, tol=None).fit(*AND), path)
    folder = tmp_path / "models"
    with running(folder) as server:
        assert server.ask("PUT", "/v1/models/m", files[0].read_bytes()).status == 201
        server.stop()
    shutil.copyfile(files[1], folder / "m" / "base.safetensors")
    with running(folder) as server:
        assert "base.safetensors: expected the file that the model began as, found another" in server.stopped("m")


def test_rows_stay_as_wide_as_they_come_after_a_rollback_and_a_restart(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.learn("m", [{"x": [1.0, 2.0], "y": "a"}])
        assert server.ask("POST", "/v1/models/m/rollback", {"seq": 0}).status == 200
        server.learn("m", [{"x": {"0": 1.0}, "y": "a"}, {"x": {"5": 1.0}, "y": "b"}])
        server.kill()
    with running(tmp_path / "models") as server:
        server.learn("m", [{"x": {"90": 1.0}, "y": "a"}])
        assert server.ask("GET", "/v1/models/m").body["n_features"] == 128
