"""One model's trouble is its own: parameters that cannot learn are refused, a damaged model says so, others serve."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.serve.server import running
from tests.serve.test_serve import examples

MODEL = {"kind": "Perceptron", "parameters": {"readout": "average"}}


BAD_PARAMETERS: list[tuple[str, dict[str, Any], str]] = [
    ("Perceptron", {"random_state": -1}, "random_state"),
    ("Perceptron", {"step": "pa1", "random_state": 2**64}, "random_state"),
    ("Perceptron", {"readout": "average", "eta0": 1e300}, "eta0"),
    ("Perceptron", {"intercept_scaling": 1e300}, "intercept_scaling"),
    ("Perceptron", {"step": "arow", "margin": 1e308}, "margin"),
    ("Perceptron", {"class_weight": {"no": 1e300}}, "class_weight"),
    ("Perceptron", {"class_weight": {"a": 2, "spam": 1e300}}, "class_weight"),
    ("KernelPerceptron", {"budget": 5, "gamma": "auto", "class_weight": {"spam": 1e300}}, "class_weight"),
    ("KernelPerceptron", {"budget": 5, "kernel": "poly", "gamma": 1e300}, "gamma"),
    ("KernelPerceptron", {"budget": 5, "gamma": 0.5, "random_state": -1}, "random_state"),
]


def test_parameters_with_which_nothing_can_be_learned_are_refused(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        for kind, parameters, name in BAD_PARAMETERS:
            refused = server.ask("PUT", "/v1/models/m", {"kind": kind, "parameters": parameters})
            assert (refused.status, refused.body["place"]) == (422, f"parameters.{name}")
            assert refused.body["error"].startswith(f"{name}: expected ")
        assert server.ask("GET", "/v1/models").body == {"models": [], "unavailable": {}}
        assert not (tmp_path / "models" / "m").exists()


def test_the_largest_numbers_are_learned_or_not_but_never_end_a_model(tmp_path: Path) -> None:
    rows = [{"x": [sign * 1e100, value], "y": label} for label in "abc" for sign in (1, -1) for value in (1, -1e100)]
    with running(tmp_path / "models") as server:
        for name, parameters in (("plain", {}), ("steep", {"eta0": 1e100})):
            server.ask("PUT", f"/v1/models/{name}", {"kind": "Perceptron", "parameters": parameters})
            server.learn(name, rows)
        assert server.ask("GET", "/readyz").status == 200
        files = {name: server.file(name) for name in ("plain", "steep")}
        server.kill()
    with running(tmp_path / "models") as server:
        assert {name: server.file(name) for name in files} == files


@pytest.mark.parametrize("kind", ["Perceptron", "KernelPerceptron", "SequenceTagger"])
@pytest.mark.parametrize("classes", [["b"], ["b", "c"], ["b", "c", "d"]])
def test_labels_are_added_to_those_that_were_told(tmp_path: Path, kind: str, classes: list[str]) -> None:
    parameters = {"budget": 5, "gamma": 1.0} if kind == "KernelPerceptron" else {}
    labels = ["e", "a", *classes] * 2
    rows = [{"x": [1.0 + k, -k], "y": label} for k, label in enumerate(labels)]
    if kind == "SequenceTagger":
        rows = [{"x": [f"w{k}"], "y": [label]} for k, label in enumerate(labels)]
    with running(tmp_path / "models") as server:
        made = server.ask("PUT", "/v1/models/m", {"kind": kind, "parameters": parameters, "classes": classes})
        assert made.status == 201
        server.learn("m", rows)
        file = server.file("m")
        server.kill()
    with running(tmp_path / "models") as server:
        assert server.file("m") == file
        assert server.ask("GET", "/v1/models/m").body["classes"] == sorted(["a", "e", *classes])


def test_weights_are_bounded_before_a_model_is_made(tmp_path: Path) -> None:
    wide = {"kind": "Perceptron", "n_features": 2**24, "classes": [*"abcde"]}
    with running(tmp_path / "models") as server:
        refused = server.ask("PUT", "/v1/models/m", wide)
        assert (refused.status, refused.body["place"]) == (422, "n_features")
        assert refused.body["error"] == "expected at most 67,108,864 weights, one a feature and label"


def test_a_score_that_is_too_large_is_no_end_of_learning(tmp_path: Path) -> None:
    from rosenblatt.members.linear.online import LinearOnline
    from rosenblatt.members.linear.parameters import PerceptronParameters

    run = LinearOnline(PerceptronParameters(eta0=1e300))
    learned = run.learn([[1.0, 2.0], [-1e99, 1.0], [1.0, 1.0]], ["a", "b", "b"])
    assert [one.learned for one in learned] == [True, False, True]


def damaged(folder: Path) -> dict[str, str]:
    """Folders of models that cannot be opened, and what is said of each."""
    (folder / "text").mkdir(parents=True)
    (folder / "text" / "log.sqlite").write_text("this is no log, and no database either " * 50)
    (folder / "directory" / "log.sqlite").mkdir(parents=True)
    for name in ("empty", "foreign", "older"):
        (folder / name).mkdir()
    (folder / "empty" / "log.sqlite").touch()
    with sqlite3.connect(folder / "foreign" / "log.sqlite") as db:
        db.execute("CREATE TABLE mine (x)")
    with sqlite3.connect(folder / "older" / "log.sqlite") as db:
        db.execute("PRAGMA user_version=1")
    return {
        "text": "log.sqlite: expected a log of examples: file is not a database",
        "directory": "log.sqlite: expected a log of examples, found no file",
        "empty": "log.sqlite: expected a log of format 2, found 0",
        "foreign": "log.sqlite: expected a log of format 2, found 0",
        "older": "log.sqlite: expected a log of format 2, found 1",
    }


def test_a_damaged_model_says_so_and_the_others_serve(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    with running(folder) as server:
        server.ask("PUT", "/v1/models/well", MODEL)
        server.learn("well", examples(20))
        assert server.stop() == 0
    expected = damaged(folder)
    with running(folder) as server:
        server.learn("well", examples(5, seed=2))
        listed = server.ask("GET", "/v1/models").body
        assert [one["name"] for one in listed["models"]] == ["well"]
        assert sorted(listed["unavailable"]) == sorted(expected)
        measured = server.ask("GET", "/metrics").body.decode()
        assert 'rosenblatt_available{model="well"} 1' in measured
        for name, said in expected.items():
            why = server.stopped(name)
            assert why.startswith("the model cannot be opened: ")
            assert said in why
            assert listed["unavailable"][name] == why
            assert f'rosenblatt_available{{model="{name}"}} 0' in measured
            assert f"error: model {name}: {why}" in server.said.read_text()
            for method, path, body in (
                ("GET", "", None),
                ("POST", "/learn", {"examples": examples(1)}),
                ("POST", "/predict", {"rows": [[1.0]]}),
                ("GET", "/file", None),
                ("POST", "/rollback", {"seq": 0}),
                ("PUT", "", MODEL),
            ):
                refused = server.ask(method, f"/v1/models/{name}{path}", body)
                assert (refused.status, refused.body["error"], refused.headers["retry-after"]) == (503, why, "60")
        assert server.stop() == 0


def test_a_log_that_is_damaged_while_it_is_served_stops_the_model(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    with running(folder) as server:
        for name in ("m", "well"):
            server.ask("PUT", f"/v1/models/{name}", MODEL)
            server.learn(name, examples(300))
        server.stop()
    path = folder / "m" / "log.sqlite"
    with sqlite3.connect(path) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ids'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with running(folder) as server:
        with path.open("r+b") as file:  # a page that the server has not read yet, or reads again
            file.seek((root - 1) * size)
            file.write(b"\xa5" * size)
        answers = [server.ask("POST", "/v1/models/m/learn", {"examples": examples(3, seed=k)}) for k in range(1, 4)]
        why = server.stopped("m")
        assert "m/log.sqlite: expected a log of examples: " in why
        assert (answers[-1].status, answers[-1].body["error"]) == (503, why)
        assert server.ask("POST", "/v1/models/m/rollback", {"seq": 10}).status == 503
        assert server.ask("POST", "/v1/models/m/learn", {"examples": examples(3, seed=9)}).body["error"] == why
        assert server.ask("GET", "/v1/models/m/file").status == 200, "what it has learned is still there"
        asked = {"rows": [examples(1)[0]["x"]]}
        assert server.ask("POST", "/v1/models/m/predict", asked).status == 200
        assert server.ask("POST", "/v1/models/m/predict", {**asked, "ids": ["a"]}).status == 503
        server.learn("well", examples(3, seed=4))
        assert server.stop() == 0


def test_a_stray_folder_is_no_model(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    (folder / "stray").mkdir(parents=True)
    with running(folder) as server:
        refused = server.ask("PUT", "/v1/models/stray", MODEL)
        assert (refused.status, refused.body["place"]) == (409, "name")
        assert server.ask("GET", "/readyz").body["status"] == "ok"


def test_what_is_refused_for_lack_of_room_changes_nothing(tmp_path: Path) -> None:
    with running(tmp_path / "models", "--queue", "2") as server:
        server.ask("PUT", "/v1/models/m", MODEL)
        wide = [{"x": [1.0, 2.0, 3.0], "y": "a"}] * 3
        assert server.ask("POST", "/v1/models/m/learn", {"examples": wide}).status == 429
        server.learn("m", [{"x": [1.0, 2.0], "y": 1}, {"x": [2.0, 1.0], "y": 2}])
        assert server.ask("GET", "/v1/models/m").body["classes"] == [1, 2]
