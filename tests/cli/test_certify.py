"""`rosenblatt certify` and `rosenblatt verify`: the answer, the proof as a file, and its checking."""

import bz2
import gzip
import json
import lzma
import tracemalloc
from typing import Any

import numpy as np
import pytest

from rosenblatt.data.lectures import AND, XOR
from rosenblatt.services.proofs.separability import certify


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
@pytest.mark.parametrize("words", [[], ["--as-decimal", "--no-intercept"], ["--center", "--intercept-scaling", "1/2"]])
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
    said = rosenblatt("certify", "d.csv", "--as-decimal", "-o", "proof.json").out
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


KERNELS = [
    ["--kernel", "linear", "--coef0", "1"],
    ["--kernel", "poly", "--degree", "2", "--gamma", "1", "--coef0", "1"],
    ["--kernel", "poly", "--gamma", "1/3", "--as-decimal"],
    ["--kernel", "rbf"],
    ["--kernel", "rbf", "--gamma", "auto"],
]


@pytest.mark.parametrize("words", KERNELS, ids=" ".join)
@pytest.mark.parametrize("file", ["and.csv", "xor.csv", "data.svm"])
def test_kernels_have_proofs_too(rosenblatt: Any, file: str, words: list[str]) -> None:
    ended = rosenblatt("certify", file, *words, "-o", "proof.json")
    assert ended.code in (0, 3)
    assert ended.out.startswith(("separable by the kernel ", "not separable by the kernel "))
    found = rosenblatt("verify", "proof.json", file)
    assert (found.code, found.out.partition(":")[0]) == (0, "verified")
    assert rosenblatt("verify", "proof.json", "test.svm").code == 3
    assert rosenblatt("inspect", "proof.json").out.startswith("file         proof\nseparable    ")


def test_a_kernel_of_three_classes(rosenblatt: Any, folder: Any) -> None:
    (folder / "three.csv").write_text("x,y\n0,a\n1,b\n2,a\n3,c\n4,b\n", encoding="utf-8")
    assert rosenblatt("certify", "three.csv").code == 3
    ended = rosenblatt("certify", "three.csv", "--kernel", "rbf", "--gamma", "1", "-o", "proof.json")
    assert ended.code == 0
    assert "3 classes: the right one ahead of each other one" in ended.out
    assert rosenblatt("verify", "proof.json", "three.csv").code == 0
    said = rosenblatt("certify", "three.csv", "--kernel", "rbf", "--gamma", "1", "--json").result("certify_kernel")
    assert said["kernel"] == {"name": "rbf", "gamma": 1}


def test_the_kernel_is_that_of_train(rosenblatt: Any) -> None:
    said = rosenblatt("certify", "xor.csv", "--kernel", "rbf", "--json").result("certify_kernel")
    assert said["kernel"]["gamma"] == 2  # "scale", as for `train`: 1 / (2 * 0.25)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kernel", "rbf", "--center"], "--center has no meaning with --kernel"),
        (["--kernel", "rbf", "--no-intercept"], "--no-intercept has no meaning with --kernel"),
        (["--kernel", "rbf", "--gap", "0.1"], "--gap has no meaning with --kernel"),
        (["--gamma", "1"], "--gamma needs --kernel"),
        (["--degree", "2"], "--degree needs --kernel"),
        (["--kernel", "sigmoid"], "Invalid value for '--kernel'"),
        (["--kernel", "rbf", "--gamma", "big"], "expected a number, found 'big'"),
    ],
)
def test_options_that_do_not_go_together(rosenblatt: Any, words: list[str], said: str) -> None:
    ended = rosenblatt("certify", "xor.csv", *words)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_fractions_where_they_are_asked_for(rosenblatt: Any, folder: Any) -> None:
    (folder / "d.csv").write_text("x,y\n0,0\n1,1\n2.5,1\n", encoding="utf-8")
    plain, asked = rosenblatt("certify", "d.csv").out, rosenblatt("certify", "d.csv", "--exact").out
    assert "bound    at most 36 mistakes, in any order\n" in plain
    assert "exactly  gamma^2 = 1/5, R^2 = 29/4, (R / gamma)^2 = 145/4\n" in asked
    assert [line for line in asked.splitlines() if not line.startswith("exactly")] == plain.splitlines()
    rosenblatt("certify", "d.csv", "-o", "proof.json")
    found = rosenblatt("verify", "proof.json", "d.csv").out
    assert found.startswith("verified: separable: z.w > 0 for every example; gamma = 0.447214, at most 36 mistakes")
    assert "bound        36\n" in rosenblatt("inspect", "proof.json").out
    assert "margin       0.447214, 0.447214\n" in rosenblatt("inspect", "proof.json").out


def test_a_proof_is_read_strictly(rosenblatt: Any) -> None:
    proof = rosenblatt("certify", "and.csv", "-o", "-").out
    for old, new, said in [
        ('"n_rows": 4', '"n_rows": 9, "n_rows": 4', "refused: the name 'n_rows' comes twice"),
        (
            '"n_rows": 4',
            f'"n_rows": {"4" * 5000}',
            "refused: a number of 5000 digits is too long",
        ),
        ('"n_rows": 4', '"more": 4', "refused: claims: expected the entries of a certificate"),
    ]:
        ended = rosenblatt("verify", "-", "and.csv", stdin=proof.replace(old, new).encode())
        assert (ended.code, ended.err) == (3, "")
        assert ended.out.startswith(said)


PACK: dict[str, Any] = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("suffix", PACK)
def test_a_proof_is_not_read_whatever_its_size(rosenblatt: Any, folder: Any, suffix: str) -> None:
    (folder / f"bomb.json{suffix}").write_bytes(PACK[suffix](b" " * 2**20) * 80)
    tracemalloc.start()
    try:
        ended = rosenblatt("verify", f"bomb.json{suffix}", "and.csv", "--max-bytes", "3000000")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"error: bomb.json{suffix}:1:1: expected a proof of at most 3000000 bytes, found a longer one\n"
    assert peak < 20_000_000
    ended = rosenblatt("verify", f"bomb.json{suffix}", "and.csv")
    assert ended.err.endswith("expected a proof of at most 67108864 bytes, found a longer one\n")


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
def test_a_damaged_proof(rosenblatt: Any, folder: Any, suffix: str) -> None:
    packed = PACK[suffix](rosenblatt("certify", "and.csv", "-o", "-").out.encode())
    (folder / f"proof.json{suffix}").write_bytes(packed)
    assert rosenblatt("verify", f"proof.json{suffix}", "and.csv").code == 0
    for damaged in (packed[:-20], b"plain"):
        (folder / f"proof.json{suffix}").write_bytes(damaged)
        ended = rosenblatt("verify", f"proof.json{suffix}", "and.csv")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith(f"error: proof.json{suffix}:1:1: expected ")


def test_the_bound_of_a_run_that_starts_elsewhere(rosenblatt: Any) -> None:
    ended = rosenblatt("certify", "and.csv", "--start", "0,0,-50")
    assert ended.out.splitlines()[-1] == "from w = (0, 0, -50): at most 345 mistakes, in any order"
    assert json.loads(rosenblatt("certify", "and.csv", "--start", "0,0,0", "--json").out)["bound_from_start"] == 51
    assert json.loads(rosenblatt("certify", "xor.csv", "--start", "1,0,0", "--json").out)["bound_from_start"] is None
    made = rosenblatt("trace", "and.csv", "--init", "30,0,0").out.splitlines()[-1]
    assert "74 mistakes" in made
    assert "at most 258 mistakes" in rosenblatt("certify", "and.csv", "--start", "30,0,0").out
    for args in (["--start", "1,2"], ["--start", "0,0,1", "--center"], ["--start", "x"]):
        ended = rosenblatt("certify", "and.csv", *args)
        assert (ended.code, ended.out) == (2, "")
        assert "--start" in ended.err
