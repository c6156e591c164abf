"""A model is made, learns, predicts, is killed, and is there again, to the bit."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.serve.replay import file_of, replayed
from tests.serve.server import Server, running


def examples(count: int, seed: int = 0, *, sparse: bool = False, classes: int = 2) -> list[dict[str, Any]]:
    """Rows of a noisy linear concept."""
    random_ = random.Random(seed)
    found = []
    for k in range(count):
        x = [round(random_.gauss(0, 1), 3) for _ in range(7)]
        label = f"class {sum(value * (place + 1) for place, value in enumerate(x)) > 0}" if classes == 2 else None
        y = label or f"class {max(range(classes), key=x.__getitem__)}"
        if sparse:
            row: Any = {str(random_.randrange(40)): value for value in x[: random_.randrange(1, 7)]}
        else:
            row = x
        found.append({"id": f"{seed}-{k}", "x": row, "y": y})
    return found


PARAMETERS: list[dict[str, Any]] = [
    {},
    {"readout": "last"},
    {"readout": "average", "eta0": 0.3, "tie": "positive"},
    {"step": "pa1", "C": 0.1, "readout": "average"},
    {"step": "arow", "r": 0.5},
    {"step": "arow", "readout": "average", "fit_intercept": False},
]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_after_a_crash_the_model_is_a_replay_of_its_log(tmp_path: Path, parameters: dict[str, Any]) -> None:
    folder = tmp_path / "models"
    with running(folder, "--snapshot-every", "100") as server:
        for sparse, classes in ((False, 2), (True, 3)):
            made = server.ask("PUT", f"/v1/models/m{classes}", {"kind": "Perceptron", "parameters": parameters})
            assert made.status == 201
            rows = examples(400, sparse=sparse, classes=classes)
            for first in range(150):
                server.learn(f"m{classes}", rows[first : first + 1])
            server.learn(f"m{classes}", rows[150:])
        server.kill()
    with running(folder) as server:
        for classes in (2, 3):
            log = server.log(f"m{classes}")
            assert [entry["seq"] for entry in log] == [*range(1, 401)]
            assert server.file(f"m{classes}") == file_of(replayed(log, **{"readout": "average", **parameters}))
        assert server.stop() == 0


def test_a_second_server_is_refused(tmp_path: Path) -> None:
    with running(tmp_path / "models"), pytest.raises(RuntimeError, match="another server"):
        Server(tmp_path / "models")


def test_rollback_is_a_fresh_run_over_the_first(tmp_path: Path) -> None:
    rows = examples(120)
    with running(tmp_path / "models", "--snapshot-every", "30") as server:
        for name in ("a", "b"):
            server.ask("PUT", f"/v1/models/{name}", {"kind": "Perceptron", "parameters": {"readout": "average"}})
        server.learn("a", rows)
        server.learn("b", rows[:77])
        assert server.ask("POST", "/v1/models/a/rollback", {"seq": 77}).status == 200
        assert server.file("a") == server.file("b")
        assert server.log("a") == server.log("b")
        for name in ("a", "b"):
            server.learn(name, rows[100:])
        assert server.file("a") == server.file("b")
        server.kill()
    with running(tmp_path / "models") as server:
        assert server.file("a") == server.file("b")
        assert [entry["seq"] for entry in server.log("a")] == [*range(1, 78), *range(122, 142)]
