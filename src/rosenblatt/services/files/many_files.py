"""Several svmlight files as one data set, in the order in which they are named."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.rows import SparseRows, join_rows
from rosenblatt.services.files.compressed import FileLike, name_of
from rosenblatt.services.files.svmlight import read_counted


def read_counted_files(
    files: Sequence[FileLike], n_features: int | None, dtype: Any, zero_based: bool | str
) -> tuple[tuple[SparseRows, Array], bool]:
    """X and y of svmlight files, and whether columns are counted from 0: in all files, if one of them has a column 0.

    There are as many columns as the widest file has.
    """
    read = [read_counted(file, n_features, dtype, zero_based) for file in files]
    from_zero = any(of_one for _, of_one in read)
    read = [
        found if found[1] == from_zero else read_counted(file, n_features, dtype, from_zero)
        for file, found in zip(files, read, strict=True)
    ]
    labels = [y for (_, y), _ in read]
    kinds = [y.dtype.kind for y in labels]
    if len(set(kinds)) > 1:
        other = next(place for place, kind in enumerate(kinds) if kind != kinds[0])
        words = {True: "names", False: "numbers"}
        expected, found = words[kinds[0] == "U"], words[kinds[other] == "U"]
        raise ValueError(
            f"{name_of(files[other])}: expected {expected} as labels, as in {name_of(files[0])}, found {found}"
        )
    return (join_rows([X for (X, _), _ in read]), np.concatenate(labels)), from_zero
