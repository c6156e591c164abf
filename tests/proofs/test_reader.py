"""The one strict reader of proofs: what `rosenblatt verify` refuses, `from_json` refuses too, with the same words."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rosenblatt import Certificate, KernelCertificate, certify, certify_kernel
from rosenblatt.data.lectures import AND, XOR
from rosenblatt.services.proofs.verify import verify
from tests.proofs.oracle import sealed

PROOF = certify(*AND)
CLAIMS = json.loads(PROOF.to_json())
KERNEL = certify_kernel(*XOR, kernel="poly", degree=2, coef0=1)
KERNEL_CLAIMS = json.loads(KERNEL.to_json())
TWICE = {"rows": [1, 1, 2, 3], "counts": ["5", "5", "5", "7"]}

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"bound_exact": "50"}, "bound_exact: (R / gamma)^2 is 51, not 50"),
    ({"bound_exact": None}, "bound_exact: (R / gamma)^2 is 51, not None"),
    ({"weights": [["-5/2", "2", "2"]]}, "weights: expected rows of integers as text"),
    ({"counts": TWICE}, "counts: expected different rows below 4 and a count for each"),
    ({"more": 1}, "these are missing or unknown: more"),
    ({"margin": [0, 10**400]}, "margin: expected numbers that a double holds"),
    ({"margin": [0, 2**53 + 1]}, "margin: expected numbers that a double holds"),
    ({"radius_exact": None}, "radius_exact: expected a fraction as text, found null"),
    ({"radius_exact": "1/0"}, "radius_exact: expected a fraction as text"),
    ({"margin_exact": "0"}, "margin_exact: expected gamma^2 > 0 if separable, found 0"),
    ({"margin_exact": "-1/17", "bound_exact": "-51"}, "margin_exact: expected gamma^2 > 0"),
    ({"n_rows": 3}, "counts: expected different rows below 3"),
    ({"n_features": 3}, "weights: expected 4 in each row, rows: 1"),
    ({"center": ["1"]}, "center: expected 2 entries, found 1"),
    ({"intercept_scaling": "0/7"}, "weights: expected 2 in each row, rows: 1"),
    ({"kind": None}, 'kind: expected "complete" if separable'),
    ({"weights": None}, "weights: expected the proof, found none"),
    ({"separable": None}, "margin_exact: expected null if undecided"),
    ({"separable": False}, "margin: expected [0,0] if not separable"),
    ({"seal": "sha256:0"}, "seal: an entry was changed after the certificate was written"),
]
KERNEL_CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"bound_exact": "104"}, "bound_exact: (R / gamma)^2 is 105, not 104"),
    ({"dual": ["-13", "8", "8"]}, "dual: expected 4 entries, found 3"),
    ({"dual": ["-13", "8", "8", "-6/1"]}, "dual: expected integers as text"),
    ({"dual": None}, "dual: expected the proof, found none"),
    ({"kernel": {"name": "sigmoid", "gamma": "1", "coef0": "1"}}, "kernel: expected linear, poly or rbf"),
    ({"kernel": {"name": "poly", "gamma": "0", "coef0": "1", "degree": 2}}, "kernel: expected linear, poly or rbf"),
    ({"kernel": {"name": "poly", "gamma": "1", "coef0": "1", "degree": 0}}, "kernel: expected linear, poly or rbf"),
    ({"kernel": {"name": "poly", "gamma": "1", "coef0": "1"}}, "kernel: expected linear, poly or rbf"),
    ({"kernel": {"name": "rbf", "gamma": "1", "degree": 2}}, "kernel: expected linear, poly or rbf"),
    ({"kernel": {"name": "rbf", "gamma": "1"}}, "margin_exact: expected null if the kernel is rbf"),
    ({"kind": "complete"}, "these are missing or unknown: kind"),
]


def refusal(sort: Any, text: str) -> str:
    with pytest.raises(ValueError, match="text: expected a certificate as to_json writes it: ") as raised:
        sort.from_json(text)
    return str(raised.value).partition("writes it: ")[2]


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=range(len(CHANGES)))
def test_from_json_refuses_what_verify_refuses(change: dict[str, Any], said: str) -> None:
    claims = {**CLAIMS, **change} if "seal" in change else sealed(CLAIMS, **change)
    assert said in refusal(Certificate, json.dumps(claims))
    assert refusal(Certificate, json.dumps(claims)) == verify(claims, *AND).reason


@pytest.mark.parametrize(("change", "said"), KERNEL_CHANGES, ids=range(len(KERNEL_CHANGES)))
def test_of_kernels_too(change: dict[str, Any], said: str) -> None:
    claims = sealed(KERNEL_CLAIMS, **change)
    assert said in refusal(KernelCertificate, json.dumps(claims))
    assert refusal(KernelCertificate, json.dumps(claims)) == verify(claims, *XOR).reason


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"n_rows": 4', '"n_rows": 3, "n_rows": 4', "the name 'n_rows' comes twice"),
        ('"rows": [', '"rows": [], "rows": [', "the name 'rows' comes twice"),
        ('"n_rows": 4', f'"n_rows": {"4" * 5000}', "a number of 5000 digits is too long: expected at most 4000"),
        ('"n_rows": 4', '"n_rows": NaN', "NaN is not a number"),
        ('"n_rows": 4', f'"n_rows": {"[" * 10**5}', "claims: expected a certificate, found JSON that is nested too"),
        ('"n_rows": 4', '"n_rows": 4.0', "n_rows: expected a size, found 4.0"),
        ('"n_rows": 4', '"n_rows": 1e400', "n_rows: expected a size, found Infinity"),
    ],
)
def test_text_that_json_reads_otherwise(old: str, new: str, said: str) -> None:
    text = PROOF.to_json()
    assert old in text
    assert refusal(Certificate, text.replace(old, new, 1)).startswith(said)


def test_each_sort_says_which_it_is() -> None:
    assert refusal(Certificate, KERNEL.to_json()) == "this is a KernelCertificate, not a Certificate"
    assert refusal(KernelCertificate, PROOF.to_json()) == "this is a Certificate, not a KernelCertificate"


@pytest.mark.parametrize(
    "change",
    [
        {"margin": (0, 10**400)},
        {"margin": (0, 10**5000)},
        {"margin": (np.float32(0.2), 0.3)},
        {"margin": None},
        {"radius_exact": None},
        {"radius_exact": "3"},
        {"margin_exact": 0.0588},
        {"weights": ((-3.0, 2.0, 2.0),)},
        {"weights": 3},
        {"counts": {1: 5.0}},
        {"counts": {True: 5}},
        {"counts": [(1, 5)]},
        {"classes": None},
        {"classes": ({}, [])},
        {"separable": np.True_},
        {"n_rows": 10**5000},
        {"kind": object()},
        {"center": ([[[]]],)},
        {"intercept_scaling": None},
        {"intercept_scaling": Fraction(0)},
        {"data": b""},
    ],
    ids=range(21),
)
def test_no_field_raises_when_it_is_verified(change: dict[str, Any]) -> None:
    found = replace(PROOF, **change).verify(*AND)
    assert not found
    assert "Exceeds the limit" not in found.reason


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert verify(sealed(CLAIMS) | {"classes": endless}, *AND).reason.startswith("expected what JSON can hold")
    deep: list[Any] = []
    for _ in range(10**5):
        deep = [deep]
    assert "nested too deeply" in verify(sealed(CLAIMS) | {"classes": deep}, *AND).reason


def test_small_decimals_have_an_answer() -> None:
    X, y = [[1e-309, 0.5], [0, 1.0]], [0, 1]
    proof = certify(X, y, as_decimal=True)
    assert proof.separable
    assert proof.verify(X, y)
    assert proof.bound_exact is not None
    assert 49 < proof.bound_exact < 50


@pytest.mark.parametrize("words", [{"center": [10**400]}, {"intercept_scaling": 10**400}])
def test_conventions_beyond_all_doubles(words: dict[str, Any]) -> None:
    proof = certify([[1], [2]], [0, 1], **words)
    assert proof.separable
    assert proof.verify([[1], [2]], [0, 1])
    assert "about 1.00000E+400" in str(proof)
    assert Certificate.from_json(proof.to_json()) == proof


def test_the_centre_is_the_mean_itself() -> None:
    X = [[2, 0.5, 1], [0.1, 0.1, 3]]
    proof = certify(X, [1, 1], fit_intercept=False, center=True)
    assert (proof.separable, proof.counts) == (False, {0: 1, 1: 1})
    assert proof.center is not None
    assert proof.center[0] == (2 + Fraction(0.1)) / 2
    assert "x from the centre (1.05, 0.3, 2)" in str(proof)
    assert proof.verify(X, [1, 1])
    assert certify(X, [1, 1], fit_intercept=False, center=True, as_decimal=True).center == (
        Fraction(21, 20),
        Fraction(3, 10),
        Fraction(2),
    )


def test_people_read_whole_numbers_and_count_from_1() -> None:
    X, y = [[0.0], [1.0], [2.5]], [0, 1, 1]
    said = certify(X, y, as_decimal=True)
    assert said.bound_exact is not None
    assert said.bound_exact.denominator > 1
    assert f"bound    at most {int(said.bound_exact)} mistakes, in any order" in str(said)
    assert "/" not in str(said)
    assert str(said.bound_exact) in said.text(exact=True)
    assert f"at most {int(said.bound_exact)} mistakes" in said.verify(X, y).reason
    said = certify([[1.0], [1.0]], [0, 1])
    assert "proof    2 rows of Z sum to 0: 1 of example 1, 1 of example 2" in str(said)
    assert str(certify([[10**5000], [0]], [0, 1])).splitlines()[4].startswith("bound    at most 1.00001e+10000 mist")
