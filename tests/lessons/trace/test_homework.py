"""Homework as courses set it, answered by hand: `check` finds the answers right, and any slip in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.services.lessons.trace import check, trace

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "homework.json").read_text(encoding="utf-8"))
cases = pytest.mark.parametrize("case", CASES, ids=[case["task"] for case in CASES])


def checked(path: Path, case: dict[str, Any], rows: list[list[str]]) -> Any:
    path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    return check(path, case["X"], case["y"], updates_only=case.get("updates_only", False), **case["words"])


@cases
def test_answers_by_hand(case: dict[str, Any], tmp_path: Path) -> None:
    rows = [line.split(",") for line in case["table"]]
    found = checked(tmp_path / "answers.csv", case, rows)
    assert found, str(found)
    assert trace(case["X"], case["y"], **case["words"]).n_updates == case["updates"]


@cases
def test_a_slip_in_any_weight(case: dict[str, Any], tmp_path: Path) -> None:
    header, *rows = [line.split(",") for line in case["table"]]
    for line in range(len(rows)):
        for place, name in enumerate(header):
            if name.lower().removeprefix("new ").startswith(("w", "b")):
                slipped = [list(row) for row in rows]
                slipped[line][place] = "77"
                found = checked(tmp_path / "answers.csv", case, [header, *slipped])
                assert (found.ok, found.line, found.column, found.found) == (False, line + 2, place + 1, "77")
