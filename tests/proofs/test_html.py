"""A certificate in a notebook: a table that says the verdict, what is proven, and whether it was verified."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from rosenblatt import certify, certify_kernel
from rosenblatt.data.lectures import AND, XOR


def facts(proof: Any) -> tuple[list[str], dict[str, str]]:
    """The lines of the caption, and each row by its head."""
    table = ET.fromstring(proof._repr_html_().partition("</style>")[2].strip().replace("<br>", "<br/>"))
    assert table.tag == "table"
    caption = table.find("caption")
    assert caption is not None
    rows = [(row.find("th"), row.find("td")) for row in table.iter("tr")]
    assert all(head is not None and head.get("scope") == "row" for head, _ in rows)
    return [text.strip() for text in caption.itertext()], {head.text: cell.text for head, cell in rows}  # type: ignore[union-attr, misc]


def test_what_is_proven_and_whether_it_was_verified() -> None:
    proof = certify(*AND)
    caption, rows = facts(proof)
    text = str(proof).splitlines()
    assert caption == text[:2]
    assert [f"{name:9}{rows[name]}" for name in ("margin", "radius", "bound")] == text[2:5]
    assert rows["read as"] == text[5]
    assert rows["verified"].startswith("not yet: verify(X, y)")
    proof.verify(*AND)
    assert facts(proof)[1]["verified"].startswith("verified: separable: z.w > 0 for every example")
    proof.verify(AND.X, -AND.y)
    assert facts(proof)[1]["verified"].startswith("refused: data: the numbers or labels are not")
    assert proof == certify(*AND)  # what is claimed is the same


@pytest.mark.parametrize(
    ("proof", "verdict", "name"),
    [
        (certify(*XOR), "not separable", "proof"),
        (certify_kernel(*XOR, kernel="poly", degree=2, coef0=1), "separable by the kernel (x.x' + 1)^2", "bound"),
        (certify_kernel(*XOR, kernel="poly", budget=0), "undecided by the kernel", "margin"),
    ],
)
def test_every_verdict(proof: Any, verdict: str, name: str) -> None:
    caption, rows = facts(proof)
    assert caption[0].startswith(verdict)
    assert rows.keys() >= {name, "verified", "read as"}


def test_labels_are_text() -> None:
    proof = certify(np.array([[0.0], [1.0]]), ["ü", "<script>"])
    html = replace(proof)._repr_html_()
    assert html.isascii()
    assert "<script>" not in html
    assert "y = +1 is" in facts(proof)[1]["read as"]
