"""The page's verdicts beside those of `certify`: `python -m tests.studio.verdicts --count 100000` compares so many.

Random points, and those that floating point gets wrong: on one line, twins, far out, very near, very small.
"""

import argparse
import json
import random
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt import certify, studio
from tests.browser import npm

PAGE = Path(studio.__file__).parent / "page"
SCRIPT = """
import { readFileSync } from "node:fs";
import { separates } from %s;
const sets = JSON.parse(readFileSync(process.argv[1], "utf-8"));
console.log(JSON.stringify(sets.map((set) => separates(...set))));
"""

Set = tuple[list[list[float]], list[int], bool, bool]  # places, labels, a constant feature, from the mean


def point_set(lot: random.Random) -> Set:
    """Points of two classes."""
    n, kind = lot.randint(2, 9), lot.randrange(7)
    if kind == 0:
        places = [[lot.gauss(0, 1), lot.gauss(0, 1)] for _ in range(n)]
    elif kind == 1:
        places = [[float(lot.randint(-2, 2)), float(lot.randint(-2, 2))] for _ in range(n)]
    elif kind == 2:  # nearly on one line: sums of decimals that are no binary numbers
        places = [
            [k / 10, k / 10 * 3 + lot.choice([0, 0, 1e-17, 1e-16])] for k in (lot.randint(-9, 9) for _ in range(n))
        ]
    elif kind == 3:
        places = [[10_000 + lot.randint(0, 2), 10_000 + lot.choice([0.0, 1e-8, 1.0])] for _ in range(n)]
    elif kind == 4:
        places = [
            [lot.choice([0, 1, -1]) * 10.0 ** lot.randint(-300, -160), lot.choice([0.0, 1e-300])] for _ in range(n)
        ]
    elif kind == 5:
        places = [[lot.uniform(-1, 1) * 10.0 ** lot.randint(-9, 9), lot.uniform(-1, 1)] for _ in range(n)]
    else:  # two clouds that touch
        places = [[lot.randint(0, 3) + 0.1 * lot.randint(0, 1), lot.randint(0, 3) / 3] for _ in range(n)]
    labels = [lot.randrange(2) for _ in range(n)]
    labels[0], labels[1] = 0, 1
    constant = lot.random() < 0.7
    return places, labels, constant, not constant and lot.random() < 0.5


def verdicts(sets: list[Set]) -> list[dict[str, Any]]:
    """Those of the page's module, run by node."""
    script = SCRIPT % json.dumps((PAGE / "separates.js").as_uri())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sets.json")
        path.write_text(json.dumps(sets), encoding="utf-8")
        command = [npm.tool("node", "node"), "--input-type=module", "-e", script, str(path)]
        answers: list[dict[str, Any]] = json.loads(npm.run(*command, cwd=PAGE))
    return answers


def compare(count: int, seed: int = 0) -> int:
    """How many sets are separable; an AssertionError names the first in which the two do not agree."""
    lot = random.Random(seed)
    sets = [point_set(lot) for _ in range(count)]
    separable = 0
    for (places, labels, constant, centred), answer in zip(sets, verdicts(sets), strict=True):
        exact = np.array([[Fraction(repr(v)) for v in place] for place in places], dtype=object)  # as it is written
        if centred:
            exact = exact - exact.sum(axis=0) / len(exact)
        proof = certify(exact, np.array(labels), fit_intercept=constant)
        assert answer["separable"] == proof.separable, (places, labels, constant, centred)
        separable += bool(proof.separable)
        assert any(answer["weights"]) != proof.separable
    return separable


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    print(f"{compare(chosen.count, chosen.seed)} of {chosen.count} sets are separable; page and certify agree on all")
