"""Several files by one name: the files that a pattern stands for, in the order in which they are learned from.

No reader is imported for it: whoever learns from one kind of files should not wait for those of others.
"""

import os
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path

from rosenblatt.services.files.compressed import FileLike


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
