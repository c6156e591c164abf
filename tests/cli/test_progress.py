"""The bar of a long job says all that it has to say in a terminal of the usual width."""

import pytest

from rosenblatt.doors.cli.progress import bar


def test_a_long_line_shrinks_the_bar_and_not_the_times(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = "pass 2, 1,234 mistakes, 26,153,000 rows/s"
    with bar("training") as tell:
        tell(2, 2, said)
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.endswith(f"{said} 0:00:00 elapsed, 0:00:00 left")
