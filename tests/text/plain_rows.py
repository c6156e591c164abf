"""Rows of texts by `rosenblatt.plain_text`, as dense arrays: what the core must give, to rounding."""

import numpy as np

from rosenblatt import plain_text
from rosenblatt.base.arrays import Array


def plain_rows(
    texts: list[str], *, bits: int, chars: tuple[int, int] | None = (3, 4), y: list[int] | None = None
) -> Array:
    """By tf-idf or, of two classes y, by ratios; the features ascend."""
    counted = [plain_text.features(text, bits=bits, chars=chars) for text in texts]
    weighting = "tfidf" if y is None else "ratio"
    scales = plain_text.scales(counted, y or [0] * len(texts), weighting, bits=bits)
    place, rows = {feature: k for k, feature in enumerate(sorted(scales))}, np.zeros((len(texts), len(scales)))
    for k, text in enumerate(counted):
        for feature, value in plain_text.row(text, scales, weighting, bits=bits).items():
            rows[k, place[feature]] = value
    return rows
