"""The lecture's game over HTTP: n analysts, k experts, at most n k mistakes, and exactly those of `online`."""

from pathlib import Path

import pytest

from rosenblatt import Perceptron, online
from rosenblatt.data.experts import game
from rosenblatt.services.proofs.bounds import experts
from tests.serve.server import running


@pytest.mark.parametrize(("n", "k", "rounds"), [(5, 3, 100), (20, 5, 300), (12, 4, 200)])
def test_the_game_of_analysts_and_experts(tmp_path: Path, n: int, k: int, rounds: int) -> None:
    X, y = game(n, k, rounds)
    examples = [{"x": said, "y": came} for said, came in zip(X.tolist(), y.tolist(), strict=True)]
    expected = list(online(Perceptron(fit_intercept=False), zip(X, y, strict=True), classes=[-1, 1]))
    body = {
        "kind": "Perceptron",
        "parameters": {"fit_intercept": False},
        "classes": [-1, 1],
        "bound": float(experts(n, k)),
    }
    with running(tmp_path / "models") as server:
        assert server.ask("PUT", "/v1/models/game", body).status == 201
        found = [one for part in range(50) for one in server.learn("game", examples[part : part + 1])]
        found += server.learn("game", examples[50:])
        about = server.ask("GET", "/v1/models/game").body
        curve = server.ask("GET", "/v1/models/game/curve?points=1000").body
    assert [one["predicted"] for one in found] == [round_.prediction for round_ in expected]
    assert [point["mistakes"] for point in curve["points"]] == [round_.mistakes for round_ in expected]
    assert about["mistakes"] == expected[-1].mistakes <= curve["bound"] <= n * k
