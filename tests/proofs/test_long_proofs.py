"""Proofs of long numbers, or of many: read in memory by their size, and refused where a step of the check were long."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.base.data_hash import data_hash
from rosenblatt.data.lectures import AND
from rosenblatt.services.proofs.verify import verify

from .oracle import sealed
from .test_verify import AND_CLAIMS, UNDECIDED


@pytest.mark.parametrize(
    ("text", "most"), [(lambda n: str(Decimal(n)), 4000), (hex, 50_000)], ids=["decimal", "hexadecimal"]
)
def test_long_integers(text: Callable[[int], str], most: int) -> None:
    base = 10 if text is not hex else 16
    weights = [[text(n * base ** (most - 1)) for n in (-3, 2, 2)]]
    assert verify(sealed(AND_CLAIMS, weights=weights), *AND)
    wrong = verify(sealed(AND_CLAIMS, weights=[weights[0][::-1]]), *AND)
    exponent = Decimal(4 * base ** (most - 1)).adjusted()
    assert re.fullmatch(rf"example 3: z\.w = about -[0-9.]+E\+{exponent}, expected > 0", wrong.reason)
    longer = verify(sealed(AND_CLAIMS, weights=[[text(n * base**most) for n in (-3, 2, 2)]]), *AND)
    assert longer.reason.startswith(
        "weights: expected integers of at most 4000 decimal or 50000 hexadecimal digits, found [["
    )


@pytest.mark.parametrize(("n_features", "enough"), [(2600, True), (2700, False)])
def test_a_centre_whose_common_denominator_would_fill_the_memory(n_features: int, enough: bool) -> None:
    X, y = np.eye(2, n_features), [0, 1]
    shape = {"n_rows": 2, "n_features": n_features, "classes": y, "margin": [0, "inf"], "counts": None}
    center = [f"1/{hex(16**49_999)}", *["0"] * (n_features - 1)]
    claims = sealed(AND_CLAIMS, **UNDECIDED, **shape, center=center, data=data_hash(X, y))
    refusal = (
        "radius_exact: the largest" if enough else "center: expected fractions whose common denominator is shorter"
    )
    assert verify(claims, X, y).reason.startswith(refusal)


# What a process may take beyond what it has; the proof has 6 MB.
FORM_IN_LITTLE_MEMORY = """
import json, resource, sys
from pathlib import Path
from rosenblatt.services.proofs.verify.form import read_claims
text = sys.stdin.read()
had = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (had + (160 << 20), -1))
print(read_claims(text)["n_rows"])
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of a process is Linux's")
@pytest.mark.parametrize("entry", ["classes", "counts"])
def test_the_form_of_a_long_proof_takes_little_memory(entry: str) -> None:
    n = 600_000
    change: dict[str, Any] = {"n_rows": n, "n_features": 0, "intercept_scaling": "0", "weights": None, **UNDECIDED}
    change |= {"margin": [0, "inf"], "counts": None}
    if entry == "classes":
        change["classes"] = list(range(n))
    else:
        change |= {"margin": [0, 1], "counts": {"rows": list(range(n)), "counts": ["1"] * n}}
    text = json.dumps(sealed(AND_CLAIMS, **change))
    program = [sys.executable, "-c", FORM_IN_LITTLE_MEMORY]
    ended = subprocess.run(program, input=text, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, f"{n}\n"), ended.stderr
