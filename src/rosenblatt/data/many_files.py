"""Several files as one data set, in the order in which they are named: patterns, and svmlight text read as one."""

import os
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.arrays import Array
from rosenblatt.data.compressed import FileLike, name_of
from rosenblatt.data.svmlight import read_counted
from rosenblatt.rows import SparseRows, joined


def expanded(given: "FileLike | Sequence[FileLike]") -> list[FileLike]:
    """The files that a name, a pattern such as part-*.svm, or a list of these stands for; those of a pattern sorted.

    A file whose own name looks like a pattern is that file.
    """
    files: list[FileLike] = []
    for one in given if isinstance(given, list | tuple) else [given]:
        if isinstance(one, str | os.PathLike) and has_magic(os.fspath(one)) and not Path(one).exists():
            found = sorted(path for path in glob(os.fspath(one), recursive=True) if Path(path).is_file())  # noqa: PTH207
            if not found:
                raise FileNotFoundError(f"{os.fspath(one)}: expected files of such names, found none")
            files += found
        else:
            files.append(one)
    if len(files) > 1 and "-" in files:
        raise ValueError("expected standard input alone, or files, found both")
    if not files:
        raise ValueError("expected at least one file, found none")
    return files


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
    return (joined([X for (X, _), _ in read]), np.concatenate(labels)), from_zero
