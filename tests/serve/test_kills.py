"""A server that is killed at random moments loses nothing that it acknowledged; `make soak` does it far more often."""

from pathlib import Path

import pytest

from tests.serve.kills import KINDS, Soak

KILLS = {"linear": 16, "classes": 10, "kernel": 8, "tagger": 8}


@pytest.mark.parametrize("name", KINDS)
def test_nothing_is_lost_nothing_is_counted_twice(name: str, tmp_path: Path) -> None:
    soak = Soak(tmp_path / "served", KINDS[name], seed=len(name))
    soak.run(KILLS[name])
    assert len(soak.acknowledged) > KILLS[name]
