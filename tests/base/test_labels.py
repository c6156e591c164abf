"""Labels that come with their numbers are the same labels: to a fit, to the hash of the data, and to numpy."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.base.labels import NumberedLabels, encode
from rosenblatt.members.fit import fit
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.services.files.text_column import Coded
from rosenblatt.services.records.model_file import Stored, summary, write

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=3)


@given(st.lists(texts, min_size=1))
def test_as_the_array_of_them(cells: list[str]) -> None:
    coded = Coded.of(cells)
    labels = NumberedLabels.of(coded.texts, coded.numbers)
    assert len(labels) == len(cells)
    assert np.asarray(labels).tolist() == cells
    for found, expected in zip(encode(labels), encode(np.array(cells)), strict=True):
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()


def test_one_model_file_of_both(tmp_path: Path) -> None:
    cells = ["yes", "no", "maybe", "no"]
    X, coded = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [0.0, 3.0]]), Coded.of(cells)
    for name, y in (("a", np.array(cells)), ("b", NumberedLabels.of(coded.texts, coded.numbers))):
        model, _ = fit(LinearMember(PerceptronParameters.of()), X, y)
        write(Stored(model), tmp_path / name, data=(X, y))
    assert summary(tmp_path / "a")["training"]["data"].startswith("sha256:")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
