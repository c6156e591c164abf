"""The encoding in a model file: it comes back with the model, and nothing in it is believed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import Perceptron, TableEncoding, load, save

from .files import opened, sealed

TABLE = {"wind": [1, 2, None, 4], "weather": ["sunny", "rainy", "sunny", "rainy"], "note": ["wet", "", "a b", "dry"]}
Y = ["yes", "no", "yes", "no"]


def encoding_of_table() -> TableEncoding:
    table = {**TABLE, "walk": Y}
    return TableEncoding(label="walk", categorical=[], text=["note"], ignore=[], bits=8, chars=0, missing="mean").fit(
        table
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    encoding = encoding_of_table()
    save(Perceptron().fit(encoding.transform(TABLE), Y), tmp_path / "model", encoding=encoding)
    return tmp_path / "model"


def test_it_comes_back(path: Path) -> None:
    model = load(path)
    assert model.predict(model.encoding_.transform(TABLE)).tolist() == Y
    assert model.encoding_.to_json() == encoding_of_table().to_json()
    assert model.encoding_.get_params() == encoding_of_table().get_params()
    before = path.read_bytes()
    save(model, path)
    assert path.read_bytes() == before


def test_without_one(tmp_path: Path) -> None:
    save(Perceptron().fit([[0], [1]], [0, 1]), tmp_path / "model")
    assert "encoding" not in opened(tmp_path / "model").record
    assert not hasattr(load(tmp_path / "model"), "encoding_")


def test_one_that_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^encoding: expected 1 features, found 8$"):
        save(Perceptron().fit([[0], [1]], [0, 1]), tmp_path / "model", encoding=encoding_of_table())
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("", [], r"expected an object, found \[\]"),
        ("more", 1, r"expected nothing more, found \['more'\]"),
        ("parameters", None, "parameters: expected those of TableEncoding, found None"),
        ("parameters", {"label": "walk"}, "parameters: expected those of TableEncoding"),
        ("parameters.bits", 60, "bits: expected a whole number from 8 below 28, found 60"),
        ("parameters.ngrams", 10**9, "ngrams: expected a whole number from 1 below 9"),
        ("parameters.text", "note", "text: expected a list of columns, found 'note'"),
        ("parameters.text", [1], r"text: expected a list of columns, found \[1\]"),
        ("parameters.text", ["wind"], r"texts: expected the columns \['wind'\], found \['note'\]"),
        ("texts", None, "expected nothing more, found"),
        ("texts", [], r"texts: expected a list of columns of text"),
        ("texts", [1], r"texts: expected a list of columns of text"),
        ("categories.names", ["wind"], r"expected each column once, found \['wind', 'wind', 'note', 'walk'\]"),
        ("parameters.label", None, "label: expected a column and what kind it is, or neither; found None, 'text'"),
        ("parameters.label", "wind", "expected each column once"),
        ("parameters.missing", ["mean"], "missing: expected error, zero, mean, indicator"),
        ("parameters.unknown", {}, "unknown: expected error or ignore, found {}"),
        ("label", "bytes", "label: expected whole, number, text or null, found 'bytes'"),
        ("numbers", None, "numbers: expected what was learned, found None"),
        ("numbers", [1], r"numbers: expected an object, found \[1\]"),
        ("numbers.names", "wind", "names: expected the names of columns, found 'wind'"),
        (
            "numbers.units",
            ["years"],
            r"units: expected days, seconds, a sign as \$ or null for each column, found \['years'\]",
        ),
        ("numbers.units", [["days"]], r"units: expected days, seconds, a sign as \$ or null for each column"),
        ("numbers.units", ["$$"], r"units: expected days, seconds, a sign as \$ or null for each column"),
        ("notation", {}, "notation: expected how it is written, found {}"),
        ("notation", {"na": []}, "notation: expected an object with header, names, na, decimal"),
        ("notation.na", "NA", "na: expected a list of texts, found 'NA'"),
        ("notation.names", [1], r"names: expected a list of names or None, found \(1,\)"),
        ("notation.decimal", "1", "decimal: expected one character before the decimals"),
        ("notation.thousands", ".", "thousands: expected another character"),
        ("notation.header", 1, "header: expected True, False or None, found 1"),
        ("notation.date_order", "ymd", "date_order: expected dmy or mdy or None"),
        ("notation.encoding", "rot13", "encoding: expected how characters are written"),
        ("notation.encoding", "../evil", "encoding: expected how characters are written"),
        ("notation.encoding", 7, "encoding: expected the name of an encoding, found 7"),
        ("parameters.dates", "years", "dates: expected days or seconds or category or error, found 'years'"),
        ("numbers.mean", [], r"mean: expected a finite number for each column, found \[\]"),
        ("numbers.mean", ["0"], "mean: expected a finite number for each column"),
        ("numbers.scale", [0.0], r"scale: expected a finite number over 0 for each column, found \[0.0\]"),
        ("numbers.fill", [True], "fill: expected a finite number or null for each column"),
        ("numbers.fill", [10**400], "fill: expected a finite number or null for each column"),
        ("numbers.indicator", [0], "indicator: expected true or false for each column"),
        ("numbers.indicator", [True], "expected 8 features, found 9"),
        ("numbers.more", 1, "expected nothing more"),
        ("categories.values", [["sunny", "rainy"]], "values: expected the sorted values of each column"),
        ("categories.values", [["rainy", "rainy"]], "values: expected the sorted values of each column"),
        ("categories.values", [[]], "values: expected the sorted values of each column"),
        ("categories.values", [[1, 2]], "values: expected the sorted values of each column"),
        ("categories.values", [["rainy"]], "expected 8 features, found 7"),
        ("categories.fill", [], "fill: expected a text or null for each column"),
        ("categories.fill", [1.0], "fill: expected a text or null for each column"),
    ],
)
def test_each_part_is_checked(path: Path, where: str, value: Any, said: str) -> None:
    record, tensors = opened(path)
    if where:
        *parents, name = ["encoding", *where.split(".")]
        place: Any = record
        for parent in parents:
            place = place[parent]
        place[name] = value
    else:
        record["encoding"] = value
    sealed(path, record, tensors)
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: encoding: {said}"):
        load(path)


def test_every_part_is_needed(path: Path) -> None:
    record, tensors = opened(path)
    whole = json.dumps(record)
    for name in record["encoding"]:
        record = json.loads(whole)
        del record["encoding"][name]
        with pytest.raises(ValueError, match=f": encoding: {name}: expected .*, found nothing"):
            load(sealed(path, record, tensors))
