"""All code on every page runs, and prints what the page says."""

from pathlib import Path

import pytest

from tests import oldest
from tests.pages.page import ROOT, Block, blocks, commands, pages, run, run_console


@oldest.printed
@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_code_of_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = run(page, tmp_path)
    assert not wrong, "\n".join(wrong)


def test_a_wrong_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "```python\n>>> a = 1\n```\nwords\n```python\n>>> a\n2\n```\n"
        "```console\n$ echo one\none\n$ cat <<E\n> two\n> E\nthree\n"
        "$ make nothing\n$ pip install 'rosenblatt[no]'\n```\n"
        "```bash\nls\n```\n",
        encoding="utf-8",
    )
    python, cat, target, extra, language = run(page, tmp_path)
    assert "Expected:\n    2\nGot:\n    1\n" in python
    assert cat.startswith("line 12: $ cat <<E\ntwo\nE\nexpected:\nthree\n")
    assert (target, extra) == (
        "line 16: there is no target nothing: make nothing",
        "line 17: there is no extra no: pip install 'rosenblatt[no]'",
    )
    assert language.startswith("line 20: a block of bash")


def test_blocks_of_lists_and_directives() -> None:
    page = "- item\n\n  ```console\n  $ true\n  ```\n\n```{note}\nprose\n```\n"
    assert list(blocks(page)) == [Block("console", "$ true\n", 4)]


def test_what_may_differ_is_said(tmp_path: Path) -> None:
    assert run_console(Block("console", "$ echo 1.25 s\n... s\n", 1), tmp_path) == []
    assert [command.line for command in commands(Block("console", "$ a\nb\n$ c\n", 5))] == [5, 7]
