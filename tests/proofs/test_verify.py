"""The checker of certificates: it accepts what is true, and refuses whatever was changed or is not proven."""

import copy
import json
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
import polars as pl
import pytest
import scipy.sparse as sp

from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND, CMU, XOR
from rosenblatt.services.proofs.verify import verify

from .oracle import Claims, certified, sealed

TOUCHING = np.array([[-1], [0], [0], [1]]), np.array([-1, -1, 1, 1])
THREE = np.array([[0], [1], [2]]), np.array(["a", "b", "c"])

AND_CLAIMS = sealed(
    json.loads("""{
        "format": 1, "separable": true, "kind": "complete", "classes": [-1, 1], "n_rows": 4, "n_features": 2,
        "intercept_scaling": "1", "center": null, "as_decimal": false, "weights": [["-3", "2", "2"]],
        "counts": {"rows": [1, 2, 3], "counts": ["5", "5", "7"]}, "margin": [0.24253562503633294, 0.24253562503633302],
        "margin_exact": "1/17", "radius_exact": "3", "bound_exact": "51", "engine": "by hand", "data": ""
    }"""),
    data=data_hash(*AND),
)
INSEPARABLE = {"separable": False, "margin": [0, 0], "margin_exact": "0", "bound_exact": None}
WIDER = {"margin_exact": "1/16", "bound_exact": "48"}
UNDECIDED = {"separable": None, "kind": None, "weights": None, "margin_exact": None, "bound_exact": None}
XOR_COUNTS = {"rows": [0, 1, 2, 3], "counts": ["1", "1", "1", "1"]}
XOR_CLAIMS = sealed(AND_CLAIMS, **INSEPARABLE, kind="overlap", weights=None, counts=XOR_COUNTS, data=data_hash(*XOR))
CASES: dict[str, tuple[Claims, Any, Any]] = {
    "AND": (AND_CLAIMS, *AND),
    "XOR": (XOR_CLAIMS, *XOR),
    "CMU": (certified(*CMU, scaling=0), *CMU),
    "touching": (certified(*TOUCHING), *TOUCHING),
    "three classes": (certified(*THREE), *THREE),
    "three classes at a point": (certified(np.ones((3, 1)), [2, 0, 1]), np.ones((3, 1)), [2, 0, 1]),
    "one class": (certified(AND.X, ["yes"] * 4), AND.X, ["yes"] * 4),
    "AND centred": (certified(*AND, scaling=Fraction(2, 3), center=[Fraction(1, 2), Fraction(1, 3)]), *AND),
    "XOR centred without a constant": (certified(*XOR, scaling=0, center=[Fraction(1, 2)] * 2), *XOR),
}
cases = pytest.mark.parametrize(("claims", "X", "y"), CASES.values(), ids=CASES.keys())


@cases
def test_accepts_what_is_true(claims: Claims, X: Any, y: Any) -> None:
    result = verify(json.loads(json.dumps(claims)), X, y)
    assert result, result.reason
    assert str(result) == f"verified: {result.reason} (floats read as binary numbers)"


@pytest.mark.parametrize(
    ("name", "proven"),
    [
        ("AND", "separable: z.w > 0 for every example; gamma = 0.242536, at most 51 mistakes"),
        ("XOR", "not separable: 4 rows of Z times their counts sum to 0 and span all others; overlap"),
        ("CMU", "separable: z.w > 0 for every example; gamma = 1, at most 5 mistakes"),
        ("touching", "not separable: 2 rows of Z times their counts sum to 0; quasi-complete"),
    ],
)
def test_says_what_was_proven(name: str, proven: str) -> None:
    assert verify(*CASES[name]).reason.startswith(proven)


def changes(value: Any) -> Iterator[Any]:
    """The value with one of its leaves changed, in several ways, or left out, or added to."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            for changed in changes(value[key]):
                altered = copy.copy(value)
                altered[key] = changed
                yield altered
            shorter = copy.copy(value)
            del shorter[key]
            yield shorter
        yield {**value, "more": 1} if isinstance(value, dict) else [*value, *(value[-1:] or [1])]
    elif isinstance(value, str):
        yield from (value + "1", "-" + value, "7", "0", "", 7, None)
    elif isinstance(value, bool):
        yield from (not value, int(value), None)
    elif value is None:
        yield from (0, "0", False, [])
    else:
        yield from (value + 1, -value - 1, math.nextafter(value, 9), math.nextafter(value, -9), str(value), None)


@cases
def test_refuses_every_change(claims: Claims, X: Any, y: Any) -> None:
    altered = [change for change in changes(claims) if change != claims]
    assert len(altered) > 100
    for change in altered:
        assert not verify(change, X, y), change


@cases
def test_changes_that_are_sealed_again_must_be_true(claims: Claims, X: Any, y: Any) -> None:
    refused = 0
    for change in changes({name: value for name, value in claims.items() if name != "seal"}):
        names = [name for name in claims if name != "seal" and json.dumps(change.get(name)) != json.dumps(claims[name])]
        if not names and len(change) == 17:
            continue
        if not verify(sealed(change), X, y):
            refused += 1
            continue
        (name,) = names
        old, new = claims[name], change[name]
        if name == "margin":
            assert Fraction(new[0]) ** 2 <= Fraction(claims["margin_exact"]) <= Fraction(new[1]) ** 2
        elif name == "weights":  # times a number
            assert any(np.array_equal(np.array(new, dtype=int), n * np.array(old, dtype=int)) for n in (7, 11))
        elif name == "counts":
            assert (new["rows"], len(new["counts"])) == (old["rows"], 1)
        else:  # a mirror image; or what makes no difference to whole numbers
            assert (name, new) in [("kind", None), ("intercept_scaling", "-1"), ("as_decimal", True), ("engine", new)]
    assert refused > 100


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("AND", {"weights": [["-3", "2", "-2"]]}, "example 4: z.w = -3, expected > 0"),
        ("AND", {"weights": [["-2", "1", "1"]]}, "example 4: z.w = 0, expected > 0"),
        ("AND", {"counts": {"rows": [1, 2, 3], "counts": ["5", "5", "8"]}}, "margin: gamma <= "),
        ("AND", WIDER, "margin_exact: gamma^2 = 1/16 is not proven, only 1/17 <= gamma^2 <= 1/17"),
        ("AND", {"weights": [["-5", "4", "4"]], "margin": [0, 1]}, "margin_exact: gamma^2 = 1/17 is not proven, only"),
        ("AND", {"radius_exact": "2", "bound_exact": "34"}, "radius_exact: the largest |z|^2 is 3, not 2"),
        ("AND", {"bound_exact": "50"}, "bound_exact: (R / gamma)^2 is 51, not 50"),
        ("AND", {"margin": [0.2425, 0.2425]}, "margin: gamma <= 0.2425 is not proven"),
        ("AND", {"margin": [0.2426, 0.2426]}, "margin: gamma >= 0.2426 is not proven"),
        ("AND", {"counts": None}, 'margin: expected "inf" if there are no counts'),
        ("AND", {"counts": None, "margin": [0, "inf"]}, "margin_exact: gamma^2 = 1/17 is not proven"),
        ("AND", {"margin_exact": None}, "bound_exact: expected null"),
        ("AND", {"kind": "quasi-complete"}, 'kind: expected "complete" if separable'),
        ("AND", {"separable": False}, "margin: expected [0,0] if not separable"),
        ("AND", {"weights": None}, "weights: expected the proof, found none"),
        ("XOR", {"counts": {"rows": [0, 1], "counts": ["1", "1"]}}, "counts: the rows times their counts do not sum"),
        ("XOR", {"counts": None}, "counts: expected the proof, found none"),
        ("XOR", {"kind": "complete"}, 'kind: expected "overlap" if not separable'),
        ("XOR", {"kind": "quasi-complete"}, "weights: expected the proof, found none"),
        ("XOR", {"kind": "quasi-complete", "weights": [["0", "0", "0"]]}, "weights: z.w = 0 in all rows"),
        ("XOR", {"kind": "quasi-complete", "weights": [["1", "0", "0"]]}, "example 1: z.w = -1, expected >= 0"),
        ("XOR", {"weights": [["0", "1", "0"]]}, "weights: expected null"),
        ("XOR", {"margin": [0.0, 0.1]}, "margin: expected [0,0]"),
        ("touching", {"kind": "overlap", "weights": None}, "kind: the rows with counts do not span example 1"),
        ("three classes", {"weights": [["0", "0"], ["0", "0"], ["1", "1"]]}, "example 2, 'b' against 'c': z.w = -2"),
        ("three classes", {"classes": ["a", "b", "d"]}, "classes: the certificate has ['a', 'b', 'd'], the data has"),
    ],
)
def test_says_what_was_refused(name: str, change: Claims, reason: str) -> None:
    claims, X, y = CASES[name]
    assert verify(sealed(claims, **change), X, y).reason.startswith(reason)


@pytest.mark.parametrize("name", ["XOR", "touching"])
def test_less_may_be_claimed(name: str) -> None:
    claims, X, y = CASES[name]
    assert verify(sealed(claims, kind=None, weights=None), X, y)
    assert verify(sealed(claims, **UNDECIDED, margin=[0, 0]), X, y)
    assert verify(sealed(claims, **UNDECIDED, margin=[0, "inf"], counts=None), X, y)


def test_what_is_claimed_of_undecided_data_must_be_proven() -> None:
    assert verify(sealed(AND_CLAIMS, **UNDECIDED, margin=[0, 0.25]), *AND)
    assert not verify(sealed(AND_CLAIMS, **UNDECIDED, margin=[0, 0.24]), *AND)
    assert not verify(sealed(AND_CLAIMS, **UNDECIDED, margin=[0.1, 0.25]), *AND)
    assert not verify(sealed(AND_CLAIMS, **UNDECIDED, margin=[0, 0.25], counts=None), *AND)


@cases
@pytest.mark.parametrize("amount", [1, -1, 1e-9, 3])
def test_refuses_other_data(claims: Claims, X: Any, y: Any, amount: float) -> None:
    for place in np.ndindex(X.shape):
        other = X.astype(float)
        other[place] += amount
        assert verify(claims, other, y).reason.startswith("data: "), place
    labels = list(y)
    for i in range(len(y)):
        for label in {*labels, "new"} - {labels[i]}:
            assert not verify(claims, X, np.array([*labels[:i], label, *labels[i + 1 :]], dtype=object))
    assert not verify(claims, X[:-1], y[:-1])
    assert not verify(claims, np.hstack([X, np.zeros((len(X), 1))]), y)
    assert not verify(claims, X, y[:-1])


def test_the_proof_is_of_the_data_not_of_its_hash() -> None:
    for i in range(3):
        y = AND.y.copy()
        y[i] = 1
        reason = verify(sealed(AND_CLAIMS, data=data_hash(AND.X, y)), AND.X, y).reason
        assert reason.startswith(f"example {i + 1}: z.w = "), reason


# 0.2 is half of 0.1 + 0.3 as decimals, and more than half as binary numbers.
LINE = np.array([[0, 0.1], [1, 0.2], [2, 0.3]]), np.array([1, -1, 1])
DECIMALS = [[0, Fraction(1, 10)], [1, Fraction(2, 10)], [2, Fraction(3, 10)]]


def test_readings_may_differ() -> None:
    binary, decimal = certified(*LINE), certified(*LINE, read=DECIMALS, decimal=True)
    assert (binary["kind"], decimal["kind"]) == ("complete", "overlap")
    for claims, as_decimal, words in ((binary, False, "as binary numbers"), (decimal, True, "as the decimals written")):
        assert verify(claims, *LINE)
        assert verify(claims, *LINE, as_decimal=as_decimal)
        assert verify(claims, *LINE).reading == f"floats read {words}"
        other = verify(claims, *LINE, as_decimal=not as_decimal)
        assert not other
        assert other.reading != verify(claims, *LINE).reading


def test_a_sum_is_not_the_decimal_that_it_looks_like() -> None:
    X, y = np.array([[0.3], [0.1 + 0.2]]), np.array([-1, 1])
    for decimal, read in ((False, None), (True, [["0.3"], ["0.30000000000000004"]])):
        claims = certified(X, y, read=read, decimal=decimal)
        assert claims["kind"] == "complete"
        assert verify(claims, X, y)


def test_float32_has_its_own_decimals() -> None:
    X, y = LINE[0].astype(np.float32), LINE[1]
    decimal = certified(X, y, read=DECIMALS, decimal=True)
    assert verify(decimal, X, y)
    assert not verify(decimal, X.astype(np.float64), y)
    assert verify(certified(X, y, read=X.astype(float).tolist()), X, y)
    assert verify(certified(X, y, read=X.astype(float).tolist()), X.astype(np.float64), y)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[2**53], [2**53 + 1]]),
        np.array([[2**63], [2**64 - 1]], dtype=np.uint64),
        [[2**53, 0.5], [2**53 + 1, 0.5]],
        [[-(2**90)], [2**90]],
        np.array([[Fraction(1, 3)], [Fraction(2, 3)]]),
        np.array([[Decimal("1e-400")], [Decimal("2e-400")]]),
        np.array([[5e-324], [1e-323]]),
        np.array([[1e-300], [1e300]]),
        np.array([[np.longdouble(1)], [np.longdouble(1) + np.finfo(np.longdouble).eps]]),
        np.array([[False], [True]]),
        np.array([[0.1], [0.2]], dtype=np.float16),
    ],
    ids=lambda X: str(np.ravel(np.asarray(X, dtype=object))[-1]),
)
def test_numbers_of_every_size(X: Any) -> None:
    ratios = [[Fraction(*(v.item() if hasattr(v, "item") else v).as_integer_ratio()) for v in row] for row in X]
    claims = certified(X, [0, 1], read=ratios)
    assert claims["kind"] == "complete"
    assert verify(claims, X, [0, 1]), verify(claims, X, [0, 1])
    assert not verify(claims, np.asarray(X, dtype=object)[::-1], [0, 1])


FLOATS = AND.X.astype(float)
STORED = {
    **{name: getattr(sp, f"{name}_array")(FLOATS) for name in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")},
    "matrix": sp.csr_matrix(FLOATS),
    "float32": FLOATS.astype(np.float32),
    "int8": FLOATS.astype(np.int8),
    "by columns": np.asfortranarray(FLOATS),
    "objects": FLOATS.astype(object),
    "list": FLOATS.tolist(),
    "pandas": pd.DataFrame(FLOATS),
    "polars": pl.DataFrame(FLOATS),
    "negative zeros": np.where(FLOATS == 0, -0.0, FLOATS),
    "explicit zeros": sp.csr_array((FLOATS.ravel(), [0, 1] * 4, [0, 2, 4, 6, 8])),
    "parts": sp.coo_array(([0.5, 0.5, 1, 1, 1], ([3, 3, 3, 2, 1], [1, 1, 0, 0, 1]))),
    "backwards": sp.csr_array(([1, 1, 1.0, 1], [1, 0, 1, 0], [0, 0, 1, 2, 4])),
}


@pytest.mark.parametrize("X", STORED.values(), ids=STORED.keys())
def test_how_data_is_stored_makes_no_difference(X: Any) -> None:
    before = copy.deepcopy(X)
    assert data_hash(X, AND.y) == data_hash(*AND)
    assert verify(AND_CLAIMS, X, AND.y, as_decimal=False)
    assert verify(AND_CLAIMS, X, AND.y, as_decimal=True)
    assert verify(XOR_CLAIMS, X, pd.Series(XOR.y, index=list("abcd")))
    assert str(before) == str(X)


def test_labels_of_every_kind() -> None:
    for y in (["no", "no", "no", "yes"], [False, False, False, True], [0.5, 0.5, 0.5, 1], ["", "", "", "\u00fc\ud800"]):
        claims = sealed(AND_CLAIMS, classes=sorted(set(y)), data=data_hash(AND.X, y))
        assert verify(json.loads(json.dumps(claims)), AND.X, np.array(y, dtype=object)[:, np.newaxis])
    assert verify(AND_CLAIMS, AND.X, AND.y.astype(np.float32))
    other = sealed(AND_CLAIMS, classes=[False, True], data=data_hash(AND.X, [0, 0, 0, 1]))
    assert verify(other, AND.X, [0, 0, 0, 1]).reason.startswith("classes: ")


def test_hash_sees_every_number() -> None:
    tables: list[Any] = [[[1, 2]], [[2, 1]], [[1], [2]], [[1, 2, 0]], [[0, 1, 2]], [[1, 2**60]], [[1, 2**60 + 1]]]
    tables += [[[1, -(2**60)]], [[1, -(2**60) - 1]], [[1, 2], [0, 0]], [[1, 0], [0, 2]], [[0, 0], [1, 2]]]
    tables += [[[1, Fraction(1, 3)]], [[1, 1 / 3]], [[1, Fraction(2, 3)]], [[Fraction(1, 3), 1]], [[1, 10**400]]]
    assert len({data_hash(table, [1] * len(table)) for table in tables}) == len(tables)
    assert len({data_hash([[1], [1]], y) for y in ([0, 1], [1, 0], [0, 0], [1, 1], ["0", "1"])}) == 5
    assert data_hash([[1, 2**60]], [1]) == data_hash([[1, 2.0**60]], [1]) == data_hash([[Fraction(1), 2**60]], [1])


@pytest.mark.parametrize(
    ("X", "y", "reason"),
    [
        ([[0, 0], [0, 1], [1, math.nan], [1, 1]], AND.y, "X[2, 1]: expected a finite number, found nan"),
        (sp.csr_array(np.where(AND.X, math.inf, 0)), AND.y, "X[1, 1]: expected a finite number, found inf"),
        ([[0, 0], [0, 1], [1, None], [1, 1]], AND.y, "X[2, 1]: expected a finite number, found None"),
        (np.array([[0, 0], [0, 1], [1, pd.NA], [1, 1]]), AND.y, "X[2, 1]: expected a finite number"),
        (np.array([[0, 0], [Decimal("nan"), 1]]), [0, 1], "X[1, 0]: expected a finite number, found NaN"),
        ([["0", "0"]], [1], "X: expected numbers, found <U1"),
        ([[1, 2], [3]], [0, 1], "X: expected a table of numbers"),
        ([1, 2, 3, 4], AND.y, "X: expected a table of at least one row, found shape (4,)"),
        (np.zeros((0, 2)), [], "X: expected a table of at least one row, found shape (0, 2)"),
        (AND.X, [1, 1, 1], "y: expected one label for each of the 4 rows of X, found shape (3,)"),
        (AND.X, np.array([1, 1, 2, None], dtype=object), "y: expected labels that can be sorted"),
        (AND.X, [0, 0, 0, math.nan], "y: expected strings, booleans or finite numbers as labels, found nan"),
        (AND.X[:3], AND.y[:3], "n_rows: the certificate has 4, the data has 3"),
        (AND.X[:, :1], AND.y, "n_features: the certificate has 2, the data has 1"),
        (AND.X, [0, 0, 0, 1], "classes: the certificate has [-1, 1], the data has [0, 1]"),
    ],
)
def test_bad_data_is_refused_with_a_reason(X: Any, y: Any, reason: str) -> None:
    assert verify(AND_CLAIMS, X, y).reason.startswith(reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 2}, "format: expected 1, found 2"),
        ({"kind": "full"}, "kind: expected complete, quasi-complete, overlap or null"),
        ({"classes": [[1], 2]}, "classes: expected a list of labels"),
        ({"n_rows": -4}, "n_rows: expected a size"),
        ({"n_rows": np.int64(4)}, "expected what JSON can hold"),
        ({"intercept_scaling": "1/0"}, "intercept_scaling: expected a fraction as text"),
        ({"center": []}, "center: expected 2 entries, found 0"),
        ({"weights": [["-3", "2"]]}, "weights: expected 3 in each row, rows: 1"),
        ({"weights": [[-3, 2, 2]]}, "weights: expected rows of integers as text, or null"),
        ({"counts": {"rows": [1], "counts": ["5", "5"]}}, "counts: expected different rows below 4"),
        ({"counts": {"rows": [1, 1], "counts": ["5", "5"]}}, "counts: expected different rows below 4"),
        ({"counts": {"rows": [4], "counts": ["5"]}}, "counts: expected different rows below 4"),
        ({"counts": {"rows": [], "counts": []}}, "counts: expected different rows below 4"),
        ({"counts": {"rows": [1], "counts": ["0"]}}, "counts: expected rows and their counts, positive"),
        ({"margin": [0.2, math.inf]}, "margin: expected two numbers"),
        ({"margin": [-0.1, 0.3]}, "margin: expected two numbers"),
    ],
)
def test_malformed_claims_are_refused_with_a_reason(change: Claims, reason: str) -> None:
    claims = {**AND_CLAIMS, **change}
    if "JSON" not in reason:
        claims = sealed(claims)
    assert verify(claims, *AND).reason.startswith(reason)


@pytest.mark.parametrize("claims", [None, [], "text", {}, {1: 2}, {**AND_CLAIMS, "more": 1}])
def test_claims_must_be_those_of_a_certificate(claims: Any) -> None:
    assert verify(claims, *AND).reason.startswith("claims: expected the entries of a certificate")


@pytest.mark.parametrize("factor", [1, 2**31 - 1, Fraction(1, 3)])
def test_overlap_of_dependent_columns(factor: Any) -> None:
    # a column of zeros, one twice, and one that is the sum of others; all of them may be 0 modulo the checker's prime
    X = np.array([[0, a, a, b, a + b] for a, b in XOR.X.tolist()], dtype=object) * factor
    assert verify(certified(X, XOR.y), X, XOR.y)
    assert verify(certified(X, XOR.y, scaling=0, center=[Fraction(factor) / 2] * 5), X, XOR.y)


def test_many_rows() -> None:
    # three blocks of what is read at a time, with the common denominators 2, 4 and 1
    n = 2**16
    x = np.concatenate([[0.5] * n, [0.75] * 4, [0.25, 0.75] * (n // 2 - 2), [1, 0]])
    y = np.repeat([1, -1, 1, -1], [n, n, 1, 1])
    X = np.outer(x, [1, 1, 1, 1])
    counts = {"rows": list(range(len(X))), "counts": ["1"] * len(X)}
    shape = {"n_rows": len(X), "n_features": 4, "radius_exact": "5", "weights": None, "kind": None}
    claims = sealed(AND_CLAIMS, **INSEPARABLE, **shape, counts=counts, data=data_hash(X, y))
    assert verify(claims, X, y)
    y[-1] = 1
    reason = verify(sealed(claims, data=data_hash(X, y)), X, y).reason
    assert reason == "counts: the rows times their counts do not sum to 0"
    y = np.where(x < 0.4, -1, 1)
    shape |= {"weights": [["-3", "8", "0", "0", "0"]], "kind": "complete", "margin_exact": None, "bound_exact": None}
    claims = sealed(AND_CLAIMS, **shape, margin=[0, "inf"], counts=None, data=data_hash(X, y))
    assert verify(claims, X, y)
    y[-1] = 1
    assert verify(sealed(claims, data=data_hash(X, y)), X, y).reason == "example 131074: z.w = -3, expected > 0"
