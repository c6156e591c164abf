"""Forged certificates by the million: every entry of true ones changed, sealed again, and shown to the checker.

`python -m tests.proofs.forge --count 1000000 --seed 1` draws tiny data sets, certifies them (lines and kernels, one
class to four), and changes what the certificates say, at random or so that a lie agrees with itself. What the checker
accepts must be true by the oracle; nothing but a refusal may come of the rest. `make test` runs some thousands.
"""

import argparse
import json
import math
import random
from collections import Counter
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt import Certificate, certify, certify_kernel
from rosenblatt.base.data_hash import data_hash
from rosenblatt.services.proofs.verify import verify
from rosenblatt.services.proofs.verify.form import read_claims

from .oracle import Claims, sealed
from .truth import Truth

OF_EACH = 250  # forgeries of a certificate
NUMBERS: list[list[Any]] = [[-1, 0, 1, 2], [0.1, 0.2, 0.3, 0.5], [Fraction(1, 3), Fraction(2, 3), 1, 0], [2.0**70, 1.5]]
LABELS: list[list[Any]] = [[0, 1, 2, 3], ["a", "b", "c", "d"], [-1, 1], [False, True]]
CENTERS: list[Any] = [False, False, True, [1, 1]]
KERNELS: list[dict[str, Any]] = [
    {"kernel": "linear"},
    {"kernel": "linear", "coef0": 1},
    {"kernel": "poly", "degree": 2, "coef0": 1},
    {"kernel": "poly", "degree": 3, "gamma": Fraction(1, 2)},
    {"kernel": "rbf", "gamma": 0.5},
    {"kernel": "rbf", "gamma": Fraction(1, 10**12)},
]
ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 10**400, 10**5000, 0.5, -0.5, 1e-320, 1e308, math.inf, -math.inf, math.nan),
    *("", "0", "1", "1/2", "-1", "1/0", "0x1", "0/3", "inf", "1e5", "2.5", " 1", "é", "1" * 5000, "rbf", "overlap"),
    *([], {}, [0], ["1"], [["1"]], [0, 0], [0, "inf"], [0.0, 1e300], {"rows": [0], "counts": ["1"]}, {"rows": []}),
    *({"name": "rbf", "gamma": "1"}, {"name": "linear", "coef0": "1"}, {"name": "linear", "coef0": "0"}),
    *({"name": "poly", "gamma": "1", "coef0": "1", "degree": 2}, {"name": "sigmoid", "gamma": "1", "coef0": "1"}),
    *({"name": "rbf", "gamma": "0"}, {"name": "poly", "gamma": "1", "coef0": "-1", "degree": 1}),
]
OBJECTS: list[Any] = [
    *ODD,
    *(Fraction(0), Fraction(1, 3), Fraction(-2), (), (0.0, math.inf), (1.0, 1.0), (0, 10**400), ((1,),), (1, 2, 3)),
    *({0: 1}, {0: 1, 1: 1}, {True: 1}, {0: 0}, {0: 1.0}, {-1: 1}, {10**9: 1}, {"0": 1}, np.float64(0.5), np.int64(1)),
    *(np.array([1.0, 2.0]), b"bytes", object, 1j, "linear", "poly", "sigmoid"),
]


def data_set(draw: random.Random) -> tuple[Any, list[Any]]:
    labels = draw.choice(LABELS)
    n_classes = draw.randint(1, len(labels)) if draw.random() < 0.3 else 2
    n = draw.randint(1, 5) if n_classes <= 2 else 3
    values = draw.choice(NUMBERS)
    X = [[draw.choice(values) for _ in range(draw.choice([1, 2]))] for _ in range(1)]
    X += [draw.choice(X) if draw.random() < 0.2 else [draw.choice(values) for _ in X[0]] for _ in range(n - 1)]
    return X, [draw.choice(labels[:n_classes]) for _ in range(n)]


def certificate(draw: random.Random, X: Any, y: Any) -> Any:
    as_decimal = draw.random() < 0.3
    if draw.random() < 0.5:
        return certify_kernel(X, y, **draw.choice(KERNELS), as_decimal=as_decimal)
    center = draw.choice(CENTERS)
    center = center[: len(X[0])] if isinstance(center, list) else center
    words: dict[str, Any] = {"fit_intercept": draw.random() < 0.7, "intercept_scaling": draw.choice([1, 1, "1/2"])}
    return certify(X, y, center=center, as_decimal=as_decimal, exact=draw.random() < 0.8, **words)


def changed(draw: random.Random, value: Any) -> Any:
    """A value in which something is another, in its form or not."""
    if draw.random() < 0.1:
        return draw.choice(ODD)
    if isinstance(value, dict) and value:
        key = draw.choice(list(value))
        return {**value, key: changed(draw, value[key])} if draw.random() < 0.95 else {**value, "more": 1}
    if isinstance(value, list) and value:
        place, what = draw.randrange(len(value)), draw.random()
        if what < 0.1:
            return value[:place] + value[place + 1 :]
        if what < 0.2:
            return [*value, value[place]]
        if what < 0.3:
            return draw.sample(value, len(value))
        return [*value[:place], changed(draw, value[place]), *value[place + 1 :]]
    return _another(draw, value)


def _another(draw: random.Random, value: Any) -> Any:
    """Another number or text, mostly of the same form and near."""
    if isinstance(value, str):
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            return draw.choice(["", value + "x", value[:-1], value.upper(), "inf"])
        near = [number + 1, number - 1, -number, 2 * number, number / 2, number * Fraction(10**9 + 1, 10**9), 0]
        return str(draw.choice(near))
    if isinstance(value, bool) or value is None:
        return draw.choice([True, False, None, 0, 1])
    if isinstance(value, int):
        return draw.choice([value + 1, value - 1, -value, float(value), str(value), 2 * value])
    if isinstance(value, float):
        ends = [math.nextafter(value, 9.0), math.nextafter(value, -9.0), value * 1.01, value * 0.99, value / 2, 0.0, 0]
        return draw.choice([*ends, str(value), -value])
    return draw.choice(ODD)


def forged(draw: random.Random, claims: Claims, others: list[Claims]) -> Claims:
    """One entry or several are others; at times such that the entries agree."""
    lie, what = dict(claims), draw.random()
    names = draw.sample(list(lie), draw.choice([1, 1, 1, 2, 3]))
    for name in names:
        given = draw.choice(others)
        lie[name] = given[name] if name in given and draw.random() < 0.2 else changed(draw, lie[name])
    if what < 0.15:
        lie |= {"separable": False, "margin": [0, 0], "margin_exact": "0", "bound_exact": None}
        lie |= {"dual": None} if "dual" in lie else {"weights": None, "kind": draw.choice([None, "overlap"])}
    elif what < 0.3:
        lie |= {"separable": True} | ({} if "dual" in lie else {"kind": "complete"})
        lie |= draw.choice([{}, {"margin": [0, "inf"], "margin_exact": None, "bound_exact": None}])
        lie |= draw.choice([{}, {"dual" if "dual" in lie else "weights": draw.choice(others).get("dual")}])
    elif what < 0.6:
        try:
            lie["bound_exact"] = str(Fraction(lie["radius_exact"]) / Fraction(lie["margin_exact"]))
        except (ArithmeticError, TypeError, ValueError):
            lie["bound_exact"] = None
    if draw.random() < 0.02:
        lie.pop(draw.choice(list(lie)))
    return lie


def as_sealed(lie: Claims) -> Claims:
    """With the right seal, if it can have one."""
    try:
        return sealed(lie)
    except ValueError:
        return {**lie, "seal": "none"}


def show(lie: Claims, X: Any, y: Any, truth: Truth) -> str:
    """What the checker says of a forgery; an error if that is wrong."""
    said = verify(lie, X, y)
    if not said:
        return "refused"
    text = json.dumps(lie)
    assert read_claims(text) == json.loads(text)
    wrong = truth.falsehood(lie)
    assert not wrong, f"accepted, though {wrong} is false: {text} of {X}, {y}"
    return "true"


def run(count: int, seed: int) -> Counter[tuple[str, str]]:
    """Show so many forgeries to the checker; how many were refused, and how many true after all."""
    draw, seen, others = random.Random(seed), Counter[tuple[str, str]](), list[Claims]()
    while seen.total() < count:
        X, y = data_set(draw)
        proof = certificate(draw, X, y)
        claims = json.loads(proof.to_json())
        claims.pop("seal")
        truth = Truth(X, y, data_hash(X, y))
        others = [*others[-20:], claims]
        assert verify(sealed(claims), X, y), (X, y, str(proof))
        assert not (wrong := truth.falsehood(claims)), (X, y, wrong, str(proof))
        for _ in range(OF_EACH):
            if draw.random() < 0.2:
                name = draw.choice([field.name for field in fields(proof)])
                seen["objects", _of_object(replace(proof, **{name: draw.choice(OBJECTS)}), X, y, truth)] += 1
            else:
                sort = "of lines" if isinstance(proof, Certificate) else "of kernels"
                seen[sort, show(as_sealed(forged(draw, claims, others)), X, y, truth)] += 1
    return seen


def _of_object(proof: Any, X: Any, y: Any, truth: Truth) -> str:
    if not proof.verify(X, y):
        return "refused"
    return show(json.loads(proof.to_json()), X, y, truth)


def main() -> None:
    parser = argparse.ArgumentParser(description="Show forged certificates to the checker.")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    words = parser.parse_args()
    for (sort, answer), number in sorted(run(words.count, words.seed).items()):
        print(f"{number:>12,}  {sort}, {answer}")


if __name__ == "__main__":
    main()
