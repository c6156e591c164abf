"""How many cores: those that the system lets the process use, fewer in a container with less time."""

import os
from pathlib import Path

import pytest

from rosenblatt.base import cores


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 8),
        ({"max": "max 100000\n"}, 8),
        ({"max": "250000 100000\n"}, 3),
        ({"max": "1600000 100000\n"}, 8),
        ({"max": "1000 100000\n"}, 1),
        ({"max": "damaged"}, 8),
        ({"quota": "200000\n", "period": "100000\n"}, 2),
        ({"quota": "-1\n", "period": "100000\n"}, 8),
        ({"quota": "200000\n"}, 8),
        ({"quota": "200000\n", "period": "0\n"}, 8),
    ],
)
def test_the_time_of_a_container(
    files: dict[str, str], expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    places = tuple(tuple(str(tmp_path / name) for name in names) for names in (("max",), ("quota", "period")))
    monkeypatch.setattr(cores, "_QUOTAS", places)
    monkeypatch.setattr(os, "process_cpu_count", lambda: 8, raising=False)
    assert cores.cpu_count() == expected


@pytest.mark.parametrize("known", [{"sched_getaffinity": lambda _: {0, 3, 5}}, {"cpu_count": lambda: 3}])
def test_older_pythons_and_other_systems(known: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "_QUOTAS", ())
    for name in ("process_cpu_count", "sched_getaffinity", "cpu_count"):
        if name in known:
            monkeypatch.setattr(os, name, known[name])
        else:
            monkeypatch.delattr(os, name, raising=False)
    assert cores.cpu_count() == 3
