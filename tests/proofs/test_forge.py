"""Some thousands of forged certificates; `python -m tests.proofs.forge` shows millions to the checker."""

import pytest

from tests.proofs.forge import run

COUNT = 10_000


@pytest.mark.parametrize("seed", [0, 1])
def test_no_false_claim_is_accepted(seed: int) -> None:
    seen = run(COUNT, seed)
    assert seen.total() >= COUNT
    for sort in ("of lines", "of kernels", "objects"):
        assert seen[sort, "refused"] > 1000
        assert seen[sort, "true"] > 20
