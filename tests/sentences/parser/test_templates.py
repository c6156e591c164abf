"""Templates of a parser: the built-in sets, and exact messages for what is none."""

from pathlib import Path

import pytest

from rosenblatt import DataFileError, DependencyParser
from rosenblatt.members.sentences.parser import templates


@pytest.mark.parametrize(("name", "count"), [("rich", 156), ("lean", 56)])
def test_built_in_sets(name: str, count: int) -> None:
    found = templates.read(name)
    lines = [templates.line(one) for one in found]
    assert len(lines) == len(set(lines)) == count
    assert templates.parse(lines) == found
    compiled = templates.build_templates(found)
    assert (len(compiled), compiled.n_columns) == (count, 4 if name == "rich" else 3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("lower[s0,0]", "1:1: expected '%', found 'lower[s0,0]'"),
        ("%uper[s0,0]", "1:2: expected one of x, lower, prefix, suffix, shape, digit, upper, hyphen, label"),
        ("%prefix[s0,0]", "1:8: expected a number of characters from 1 to 99, found '[s0,0]'"),
        ("%prefix0[s0,0]", "1:8: expected a number of characters from 1 to 99, found '0[s0,0]'"),
        ("%x(s0,0)", "1:3: expected '[', found '(s0,0)'"),
        ("%x[s,0]", "1:4: expected a place such as s0, b1 or s0.l, found 's,0]'"),
        ("%x[s0.x,0]", "1:6: expected ',', found '.x,0]'"),
        ("%x[s0]", "1:6: expected ',', found ']'"),
        ("%x[s0,100]", "1:7: expected a column from 0 to 99, found '100]'"),
        ("%label[s0,0]", "1:10: expected ']', found ',0]'"),
        ("%gap[s0,0]", "1:9: expected a place such as s0, b1 or s0.l, found '0]'"),
        ("%x[s0,0] %x[s0,1]", "1:9: expected '/' or the end of the line, found ' %x[s0,1]'"),
        ("%x[s0,0]/", "1:10: expected '%', found the end of the line"),
        ("# a comment", "1:1: expected a template, found none"),
    ],
)
def test_bad_lines(line: str, said: str) -> None:
    with pytest.raises(DataFileError) as error:
        templates.parse([line])
    assert str(error.value).startswith(f"templates:{said}")


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\ufeff# mine\n\n%x[s0,0]\n", encoding="utf-8")
    assert [templates.line(one) for one in templates.read(path)] == ["%x[s0,0]"]
    path.write_bytes(b"%x[s0,0]\n%x[\xff")
    with pytest.raises(DataFileError, match=r"mine.txt:2:4: expected UTF-8"):
        templates.read(path)
    with pytest.raises(FileNotFoundError, match="templates: expected 'rich', 'lean', a file or a list, found 'none'"):
        DependencyParser(templates="none").fit([["a"]], [[0]], [["r"]])
    with pytest.raises(ValueError, match="the templates look at column 7, but there are 4 columns"):
        DependencyParser(templates=["%x[s0,7]"]).fit([["a"]], [[0]], [["r"]])
