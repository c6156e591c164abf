"""Logs are compacted and copied: the same model, the same answers to ids, and what is given up is said."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rosenblatt import Perceptron, save
from rosenblatt.data.lectures import AND
from tests.cli.conftest import checked
from tests.serve.replay import file_of, replayed
from tests.serve.server import PATIENCE, running
from tests.serve.test_serve import examples

MODEL = {"kind": "Perceptron", "parameters": {"readout": "average"}}
SENTENCES = [{"id": f"s{k}", "x": ["the", "dog", "barks"], "y": ["DT", "NN", "VB"]} for k in range(20)]


def program(*arguments: object) -> subprocess.CompletedProcess[str]:
    """`rosenblatt serve` that ends by itself."""
    command = [sys.executable, "-m", "rosenblatt", "serve", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def test_a_compacted_log_gives_the_same_model_and_goes_on(tmp_path: Path) -> None:
    folder, rows = tmp_path / "models", examples(200)
    save(Perceptron(shuffle=False, readout="average").fit(*AND), tmp_path / "and")
    with running(folder, "--snapshot-every", "30") as server:
        for name, body in (("m", MODEL), ("t", {"kind": "SequenceTagger"}), ("empty", MODEL)):
            server.ask("PUT", f"/v1/models/{name}", body)
        server.ask("PUT", "/v1/models/file", (tmp_path / "and").read_bytes())
        for first in range(0, 100, 20):
            learned = server.learn("m", rows[first : first + 20])
        assert server.ask("POST", "/v1/models/m/rollback", {"seq": 90}).status == 200
        server.learn("t", SENTENCES[:10])
        server.learn("file", [{"x": [1, 1], "y": -1}])
        asked = {"rows": [rows[150]["x"]], "ids": ["later"]}
        assert server.ask("POST", "/v1/models/m/predict", asked).status == 200
        before = {name: (server.file(name), server.log(name)) for name in ("m", "t", "file")}
        curve, about = (server.ask("GET", f"/v1/models/m{path}").body for path in ("/curve", ""))
        refused = program(folder, "--compact")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "expected a folder that no server has" in refused.stderr
        server.kill()
    done = program(folder, "--compact", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    models = {one.pop("name"): one for one in checked(done.stdout, "serve")["compacted"]}
    assert {name: one["seq"] for name, one in models.items()} == {"empty": 0, "file": 1, "m": 101, "t": 10}
    assert models["m"]["bytes_before"] > models["m"]["bytes"] == (folder / "m" / "log.sqlite").stat().st_size
    assert [path.name for path in (folder / "m" / "snapshots").iterdir()] == ["00000000000000000101.safetensors"]
    with running(folder, "--snapshot-every", "30", "--snapshots", "1") as server:
        for name, (file, _) in before.items():
            assert server.file(name) == file
            assert server.log(name) == []
        assert server.ask("GET", "/v1/models/m/curve").body == curve
        now = server.ask("GET", "/v1/models/m").body
        assert (now["begins_after"], now["snapshot_seq"]) == (101, 101)
        assert {**now, "begins_after": 0, "snapshot_seq": about["snapshot_seq"]} == about
        assert server.learn("m", rows[80:82]) == [{**one, "repeated": True} for one in learned[:2]], "ids stay"
        labels = {"feedback": [{"id": "later", "y": rows[150]["y"]}]}
        assert server.ask("POST", "/v1/models/m/feedback", labels).body["examples"][0]["seq"] == 102
        for first in range(100, 200, 20):
            server.learn("m", rows[first : first + 20])
        server.learn("t", SENTENCES[10:])
        gone = server.ask("POST", "/v1/models/m/rollback", {"seq": 100})
        assert (gone.status, gone.body["error"]) == (422, "expected a sequence number from 101 to 202, found 100")
        assert server.ask("POST", "/v1/models/m/rollback", {"seq": 150}).status == 200
        whole = before["m"][1] + server.log("m")
        assert server.file("m") == file_of(replayed(whole, readout="average"))
        expected = server.file("m"), server.file("t")
        server.kill()
    with running(folder) as server:
        assert (server.file("m"), server.file("t")) == expected
        assert server.ask("GET", "/readyz").body["status"] == "ok"
        assert server.stop() == 0
    (folder / "m" / "snapshots" / "00000000000000000101.safetensors").unlink()
    for left in (folder / "m" / "snapshots").iterdir():
        left.write_bytes(b"damaged")
    with running(folder) as server:
        assert "the snapshot of example 101, with which the compacted log begins, found none" in server.stopped("m")
        assert server.file("t") == expected[1]


def test_a_damaged_log_is_not_compacted_and_not_copied(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    with running(folder) as server:
        for name in ("m", "well"):
            server.ask("PUT", f"/v1/models/{name}", MODEL)
            server.learn(name, examples(30))
        server.stop()
    (folder / "m" / "log.sqlite").write_bytes(b"damaged" * 1000)
    for arguments in (("--backup", tmp_path / "copy"), ("--compact",)):
        done = program(folder, *arguments)
        assert done.returncode == 1
        assert done.stdout.startswith("well: ")
        assert done.stderr.startswith("error: model m: ")
        assert "m/log.sqlite: expected a log of examples: file is not a database" in done.stderr
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["well"]


def test_a_backup_of_a_server_that_learns_can_be_served(tmp_path: Path) -> None:
    folder, copy, rows = tmp_path / "models", tmp_path / "copy", examples(2000)
    save(Perceptron(shuffle=False, readout="average").fit(*AND), tmp_path / "and")
    over = threading.Event()
    with running(folder, "--snapshot-every", "40") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        server.ask("PUT", "/v1/models/file", (tmp_path / "and").read_bytes())
        server.learn("file", [{"x": [1, 1], "y": -1}])
        server.learn("m", rows[:10])

        def teach() -> None:
            for first in range(10, len(rows), 5):
                if over.is_set():
                    return
                server.learn("m", rows[first : first + 5])

        teacher = threading.Thread(target=teach)
        teacher.start()
        try:
            done = program(folder, "--backup", copy)
        finally:
            over.set()
            teacher.join(PATIENCE)
        assert (done.returncode, done.stderr) == (0, "")
        log, file = server.log("m"), server.file("file")
        again = program(folder, "--backup", copy)
        assert (again.returncode, again.stdout) == (1, "")
        assert "expected a free name, found a file or folder" in again.stderr
    with running(copy) as server:
        kept = server.log("m")
        assert 10 <= len(kept) <= len(log)
        assert kept == log[: len(kept)]
        assert f"m: copied up to example {len(kept):,}, " in done.stdout
        assert server.file("m") == file_of(replayed(kept, readout="average"))
        assert server.file("file") == file
        assert server.ask("GET", "/readyz").body["status"] == "ok"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none", "--compact"), "none: expected a folder of models, found none"),
        (("none", "--backup", "copy"), "none: expected a folder of models, found none"),
        ((".", "--backup", "copy", "--compact"), "--backup and --compact: expected one of them"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str) -> None:
    done = program(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
