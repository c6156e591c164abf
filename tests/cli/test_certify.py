"""`rosenblatt certify` and `rosenblatt verify`: the answer, the proof as a file, and its checking."""

import json
from typing import Any

import numpy as np
import pytest

from rosenblatt.data.lectures import AND, XOR
from rosenblatt.theory.separability import certify


def test_separable(rosenblatt: Any) -> None:
    assert rosenblatt("certify", "and.csv") == (0, f"{certify(*AND)}\n", "")


def test_not_separable_is_3(rosenblatt: Any) -> None:
    assert rosenblatt("certify", "xor.csv") == (3, f"{certify(*XOR)}\n", "")


def test_undecided_is_1(rosenblatt: Any, folder: Any) -> None:
    random = np.random.default_rng(0)
    rows = random.integers(-9, 10, (60, 20)).tolist()
    table = "".join(f"{','.join(map(str, [*row, random.integers(2)]))}\n" for row in rows)
    (folder / "random.csv").write_text(f"{','.join(map(str, range(20)))},y\n{table}", encoding="utf-8")
    ended = rosenblatt("certify", "random.csv", "--budget", "0", "--json")
    assert (ended.code, ended.err) == (1, "error: undecided: raise --budget\n")
    assert ended.result("certify")["separable"] is None
    assert rosenblatt("certify", "random.csv").code == 3


def test_json(rosenblatt: Any) -> None:
    said = rosenblatt("certify", "and.csv", "--json").result("certify")
    assert (said["separable"], said["bound"], said["data"]) == (True, 51, certify(*AND).data)
    ended = rosenblatt("certify", "xor.csv", "--json")
    said = ended.result("certify")
    assert (ended.code, said["separable"], said["kind"], said["bound"]) == (3, False, "overlap", None)


@pytest.mark.parametrize("file", ["and.csv", "xor.csv", "data.svm"])
@pytest.mark.parametrize("words", [[], ["--decimal", "--no-intercept"], ["--center", "--intercept-scaling", "1/2"]])
def test_proof_is_verified_and_other_data_refused(rosenblatt: Any, file: str, words: list[str]) -> None:
    rosenblatt("certify", file, *words, "-o", "proof.json")
    ended = rosenblatt("verify", "proof.json", file)
    assert ended.code == 0
    assert ended.out.startswith("verified: ")
    ended = rosenblatt("verify", "proof.json", "test.svm")
    assert ended.code == 3
    assert ended.out.startswith("refused: ")
    assert ended.err == ""


def test_changed_proof_is_refused(rosenblatt: Any, folder: Any) -> None:
    proof = rosenblatt("certify", "and.csv", "-o", "-").out
    changed = {**json.loads(proof), "bound_exact": "50"}
    ended = rosenblatt("verify", "-", "and.csv", "--json", stdin=json.dumps(changed).encode())
    said = ended.result("verify")
    assert (ended.code, said["ok"]) == (3, False)
    assert "seal" in said["reason"]
    assert rosenblatt("verify", "-", "and.csv", "--json", stdin=proof.encode()).result("verify")["ok"]


def test_decimals_are_as_written(rosenblatt: Any, folder: Any) -> None:
    (folder / "d.csv").write_text("x,y\n0.1,a\n0.30000000000000000001,b\n0.5,a\n", encoding="utf-8")
    said = rosenblatt("certify", "d.csv", "--decimal", "-o", "proof.json").out
    assert "numbers as the decimals written" in said
    assert rosenblatt("verify", "proof.json", "d.csv").code == 0
    (folder / "d.csv").write_text("x,y\n0.1,a\n0.3,b\n0.5,a\n", encoding="utf-8")
    assert rosenblatt("verify", "proof.json", "d.csv").code == 3  # the same floats, and not the same data


def test_nothing_is_written_if_it_fails(rosenblatt: Any, folder: Any) -> None:
    before = sorted(folder.iterdir())
    ended = rosenblatt("certify", "-", "-o", "proof.json", stdin=b"1 1:1\n2 1:nan\n")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error: <stdin>:2:5: expected a finite number")
    assert rosenblatt("certify", "and.csv", "-o", "no/proof.json").code == 2
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "<stdin>:1:2: expected JSON, found the end of the file"),
        (b'{\n"a": nonsense}', "<stdin>:2:6: expected JSON, found 'n'"),
        (b"\xff", "<stdin>:1:1: expected JSON"),
    ],
)
def test_what_is_no_proof(rosenblatt: Any, text: bytes, said: str) -> None:
    ended = rosenblatt("verify", "-", "and.csv", stdin=text)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"error: {said}")


def test_json_that_is_no_certificate_is_refused(rosenblatt: Any) -> None:
    assert rosenblatt("verify", "-", "and.csv", stdin=b"[1, 2]").code == 3


def test_both_from_stdin_is_wrong_usage(rosenblatt: Any) -> None:
    assert rosenblatt("verify", "-", "-").code == 2
