"""The table of the CoNLL 2018 shared task equals that of its own script, which is run if it can be had.

The script is in a wheel of stanza. Digests of what it counts in 200 made pairs of files stand here, so that what is
compared does not depend on a network: `python -m tests.sentences.parser.test_official_scores` writes them anew.
"""

import hashlib
import importlib.util
import io
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from rosenblatt import DataFileError
from rosenblatt.services.sentences.parsing import score_files, score_trees

from .made_treebanks import pairs

N_PAIRS = 200
DIGESTS = Path(__file__).parent / "official_digests.txt"  # a line a pair, made by the script
WHEEL, IN_WHEEL = "stanza-1.2-py3-none-any.whl", "stanza/utils/conll18_ud_eval.py"


def script(folder: Path) -> Any:
    """The script of the shared task as a module; None if no wheel can be had."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "stanza==1.2.0"]
    if not (folder / WHEEL).exists() and subprocess.run([*command, "-d", folder], capture_output=True).returncode:
        return None
    with zipfile.ZipFile(folder / WHEEL) as wheel:
        wheel.extract(IN_WHEEL, folder)
    spec = importlib.util.spec_from_file_location("conll18_ud_eval", folder / IN_WHEEL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def digest(counts: dict[str, Any]) -> str:
    return hashlib.sha256(repr(sorted(counts.items())).encode()).hexdigest()[:16]


def officially(script: Any, *paths: Path) -> dict[str, Any]:
    scores = script.evaluate(*(script.load_conllu(io.StringIO(path.read_text(encoding="utf-8"))) for path in paths))
    return {
        name: (score.gold_total, score.system_total, score.correct, score.aligned_total, score.f1)
        for name, score in scores.items()
    }


def ours(*paths: Path) -> dict[str, Any]:
    table = score_files(*paths)
    return {
        name: (score.gold, score.predicted, score.correct, score.aligned, score.f1) for name, score in table.items()
    }


def write(folder: Path, pair: tuple[str, str]) -> tuple[Path, Path]:
    paths = folder / "gold.conllu", folder / "answer.conllu"
    for path, text in zip(paths, pair, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_what_the_script_counted(tmp_path: Path) -> None:
    expected = DIGESTS.read_text().split()
    found = [digest(ours(*write(tmp_path, pair))) for pair in pairs(N_PAIRS)]
    assert len(expected) == N_PAIRS
    assert [k for k in range(N_PAIRS) if found[k] != expected[k]] == []


def test_the_script_itself(tmp_path: Path, cache_folder: Path) -> None:
    module = script(cache_folder)
    if module is None:
        pytest.skip("no wheel with the script can be had; the digests of its counts were compared")
    for k, pair in enumerate(pairs(N_PAIRS)):
        paths = write(tmp_path, pair)
        assert ours(*paths) == officially(module, *paths), k


@pytest.fixture
def cache_folder(request: pytest.FixtureRequest) -> Path:
    return Path(request.config.cache.mkdir("official_script"))


def word(number: int | str, form: str, head: int | str) -> str:
    return "\t".join([str(number), form, *"____", str(head), "root", "_", "_"]) + "\n"


def test_by_hand(tmp_path: Path) -> None:
    """`au` is one token of two words; the answer makes two tokens of it, and of `Il` another sentence."""
    gold = """
        1 Il il PRON _ _ 2 nsubj _ _ / 2 va aller VERB _ _ 0 root _ _ / 3-4 au _ _ _ _ _ _ _ _
        3 à à ADP _ _ 5 case _ _ / 4 le le DET _ _ 5 det _ _ / 5 lit lit NOUN _ _ 2 obl _ _ / /"""
    answer = """
        1 Il il PRON _ _ 0 root _ _ / / 1 va va VERB _ _ 0 root _ _ / 2 a _ ADP _ _ 4 case _ _
        3 u _ DET _ _ 4 det _ _ / 4 lit lit NOUN _ _ 1 obl:arg _ _ / /"""
    gold, answer = (
        "".join("\t".join(part.split()) + "\n" for line in text.strip().split("\n") for part in line.split(" /"))
        for text in (gold, answer)
    )
    scores = score_trees(*write(tmp_path, (gold, answer)))
    counts = {name: score[:3] for name, score in scores.table.items()}
    assert counts["Tokens"] == (4, 5, 3)
    assert counts["Sentences"] == (1, 2, 0)
    assert counts["Words"] == counts["UPOS"] == (5, 5, 3)
    assert counts["Lemmas"] == (5, 5, 2)
    assert counts["UAS"] == counts["LAS"] == (5, 5, 2)  # va, lit
    assert counts["CLAS"] == (3, 3, 2)
    assert counts["MLAS"] == (3, 3, 1)  # the function words of lit are no words of the answer
    assert counts["BLEX"] == (3, 3, 1)
    assert scores.by_label["obl"] == (1, 1, 1)
    assert scores.sentences == 0
    assert "Tokens          60.00    75.00    66.67" in str(scores)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (word(1, "ab", 0) + word(2, "c", 0), "answer.conllu:2:13: expected one root, found a second"),
        (word(1, "ab", 1), "another word as the head, found 1"),
        (word("1-3", "abc", "_") + word(1, "a", 0), "answer.conllu:1:1: expected the range of the words that follow"),
        (word("1-0", "abc", "_") + word(1, "a", 0), "answer.conllu:1:"),
        (word(1, "a", 0) + word("3-4", "bc", "_") + word(2, "b", 1), "answer.conllu:2:"),
        (word("1-2", "ab", "_") + word("1-2", "c", "_") + word(1, "a", 0) + word(2, "b", 1), "answer.conllu:2:"),
        (word(1, "abd", 0), "expected the same text, found 'd' in place of 'c' in sentence 1"),
        (word(1, "ab", 0), "expected the same text, found the end in place of 'c' in sentence 1"),
        (word(1, "abc", 0) + "\n" + word(1, "\u00a0", 0), "answer.conllu: expected tokens that are more than blanks"),
    ],
)  # fmt: skip
def test_refused(tmp_path: Path, answer: str, message: str) -> None:
    paths = write(tmp_path, (word(1, "abc", 0) + "\n", answer + "\n"))
    with pytest.raises((ValueError, DataFileError)) as error:
        score_files(*paths)
    assert message in str(error.value)
    assert "answer.conllu" in str(error.value)


def test_without_trees(tmp_path: Path) -> None:
    paths = write(tmp_path, (word(1, "a b", 0) + "\n", word(1, "ab", "_") + "\n"))
    assert list(score_files(*paths)) == ["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"]
    with pytest.raises(DataFileError, match=r"answer\.conllu:1"):
        score_trees(*paths)


def main() -> None:
    with TemporaryDirectory() as folder:
        module = script(Path(folder))
        found = [digest(officially(module, *write(Path(folder), pair))) for pair in pairs(N_PAIRS)]
    DIGESTS.write_text("\n".join(found) + "\n")


if __name__ == "__main__":
    main()
