"""Dates and times become numbers by a policy that is part of the encoding, the same whatever the table they are in."""

import datetime as dt
import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt import TableEncoding, read_table
from rosenblatt.services.files.table import Table
from rosenblatt.services.files.table_file import write_table

TEXT = b"when,walk\n1970-01-02,yes\n1970-01-01T12:00:00,no\n1970-01-01 01:00:00.5+01:00,yes\n"
WHEN = [dt.datetime(1970, 1, 2), dt.datetime(1970, 1, 1, 12), dt.datetime(1970, 1, 1, 0, 0, 0, 500_000)]


def table(kind: Any, values: list[Any] = WHEN) -> Any:
    return pa.table({"when": pa.array(values).cast(kind), "walk": ["yes", "no", "yes"]})


@pytest.mark.parametrize(("unit", "seconds"), [("days", 86400), ("seconds", 1)])
def test_the_same_numbers_of_every_table(unit: Any, seconds: int) -> None:
    encoding = TableEncoding(label="walk", dates=unit, standardise=False).fit(io.BytesIO(TEXT))
    expected = [[86400 / seconds], [43200 / seconds], [0.5 / seconds]]
    assert encoding.get_feature_names_out().tolist() == ["when"]
    assert encoding.transform(io.BytesIO(TEXT)).tolist() == expected
    for kind in (pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns"), pa.timestamp("us", "Asia/Tokyo")):
        frame = table(kind)
        assert encoding.transform(frame).tolist() == expected, kind
        assert TableEncoding(label="walk", dates=unit, standardise=False).fit(frame).to_json() == encoding.to_json()
        sliced = pa.concat_tables([frame.slice(0, 1), frame.slice(1)])
        assert encoding.transform(sliced).tolist() == expected
    for kind in (pa.date32(), pa.date64(), pa.timestamp("s")):
        days = [dt.date(1970, 1, 2), None, dt.date(1969, 12, 31)]
        filled = TableEncoding(label="walk", dates=unit, standardise=False, missing="zero").fit(table(kind, days))
        assert filled.transform(table(kind, days)).tolist() == [[86400 / seconds], [0], [-86400 / seconds]]


def test_times_of_the_day_and_durations() -> None:
    times = [dt.time(12), dt.time(0, 0, 1), None]
    spans = [dt.timedelta(days=1), None, dt.timedelta(seconds=-1)]
    for kind, values in ((pa.time32("s"), times), (pa.time64("ns"), times), (pa.duration("us"), spans)):
        frame = table(kind, values)
        X = TableEncoding(label="walk", dates="seconds", missing="zero", standardise=False).fit_transform(frame)
        assert X.tolist() == ([[43200], [1], [0]] if values is times else [[86400], [0], [-1]])


def test_the_other_policies() -> None:
    for frame in (io.BytesIO(TEXT), table(pa.timestamp("us"))):
        encoding = TableEncoding(label="walk", dates="category").fit(frame)
        assert len(encoding.categories_.values[0]) == 3
        assert encoding.numbers_.names == []
    with pytest.raises(ValueError, match=r"expected no dates, unless as days, .* \(--dates\), found '1970-01-02'"):
        TableEncoding(label="walk", dates="error").fit(io.BytesIO(TEXT))
    assert TableEncoding(label="walk", categorical=["when"]).fit(io.BytesIO(TEXT)).numbers_.names == []
    assert TableEncoding(label="walk", ignore=["walks"]).get_params()["dates"] == "days"


def test_missing_standardised_and_wrong_ones() -> None:
    text = b"when,walk\n2024-01-01,1\n,0\n2024-01-03,1\n"
    encoding = TableEncoding(label="walk", missing="mean", standardise=True).fit(io.BytesIO(text))
    assert encoding.transform(io.BytesIO(text)).tolist() == [[-1], [0], [1]]
    for wrong in ("tomorrow", "2024-02-30", "2024-01-01T25:00", "20240101"):
        said = rf"<file>:2:1: expected a date, as 2024-05-31 or .*, found '{wrong}' \(column when\)"
        with pytest.raises(ValueError, match=said):
            encoding.transform(io.BytesIO(f"when\n{wrong}\n".encode()))
    text = b"when,walk\n2024-01-01,1\nnow,0\n2024-01-03,1\n"  # not a column of dates
    assert len(TableEncoding(label="walk").fit(io.BytesIO(text)).categories_.values[0]) == 3
    frame = pa.table({"when": pa.array([2**62], pa.timestamp("s"))})
    with pytest.raises(ValueError, match=r"expected a date, .* found a time further away"):
        TableEncoding().fit(frame)


def test_categories_of_a_frame_stay_so() -> None:
    frame = pa.table({"when": pa.array(["2024-01-01", "2024-01-02"]).dictionary_encode()})
    assert TableEncoding().fit(frame).categories_.values == [["2024-01-01", "2024-01-02"]]
    texts = pa.table({"when": ["2024-01-01", "2024-01-02"]})
    assert np.diff(TableEncoding(standardise=False).fit_transform(texts)[:, 0]).tolist() == [1]


def test_a_table_of_types_as_text(tmp_path: Path) -> None:
    frame = pa.table({"at": pa.array(WHEN), "on": pa.array([dt.date(2024, 1, 2), None, dt.date(2024, 1, 1)])})
    write_table(tmp_path / "a.csv", [{name: Table.of(frame)[name] for name in frame.column_names}], "csv")
    at = ["1970-01-02T00:00:00.000000", "1970-01-01T12:00:00.000000", "1970-01-01T00:00:00.500000"]
    assert read_table(tmp_path / "a.csv")["at"].tolist() == at
    assert read_table(tmp_path / "a.csv")["on"].tolist() == ["2024-01-02", "", "2024-01-01"]
