"""The notebooks of examples/ run from top to bottom, print what is stored in them, and draw where they have drawn."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def shown(cell: Any) -> list[Any]:
    """What a reader sees of a cell: its text, and that there is HTML (which scikit-learn may change) or a picture."""
    found: list[Any] = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            found.append((output["name"], "".join(output["text"])))
        else:
            data = output["data"]
            found.append((sorted(data), "".join(data["text/plain"])))
    return found


def test_each_member_has_a_notebook() -> None:
    members = {"perceptron", "kernel", "structured", "tagger", "linear_unit", "theory"}
    assert {path.stem for path in NOTEBOOKS} == members
    assert sum(path.stat().st_size for path in NOTEBOOKS) < 600_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    stored = json.loads(path.read_text(encoding="utf-8"))
    made = runpy.run_path(str(EXAMPLES / "notebooks.py"))["run"](path)
    assert made["metadata"] == stored["metadata"]
    assert [cell["id"] for cell in made["cells"]] == [cell["id"] for cell in stored["cells"]]
    pictures = 0
    for number, (new, old) in enumerate(zip(made["cells"], stored["cells"], strict=True), start=1):
        if new["cell_type"] == "code":
            assert new["execution_count"] == old["execution_count"], "`make notebooks` stores what a whole run prints"
            assert shown(new) == shown(old), f"cell {number}"
            pictures += sum("image/png" in output.get("data", {}) for output in new["outputs"])
    assert pictures
