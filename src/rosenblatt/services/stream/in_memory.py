"""Several files, or shards of one: their rows are read into memory, and it is `fit` with all of them, to the bit.

Without shards they come in the listed order, as those of one file do, which is read as it is learned from.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rosenblatt.base.engines import Engine
from rosenblatt.base.rows import stack_all
from rosenblatt.members.linear.learn import fit_linear
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.scales import uneven_scales
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.svmlight import read_counted_files
from rosenblatt.services.stream.fit import Fitted

if TYPE_CHECKING:
    from rosenblatt.services.files.encoding import Encoding
    from rosenblatt.services.files.table_file import Format


def fit_in_memory(
    parameters: PerceptronParameters,
    files: Sequence[FileLike],
    *,
    n_features: int | None = None,
    dtype: Any = np.float64,
    zero_based: bool | Literal["auto"] = "auto",
    encoding: "Encoding | None" = None,
    format: "Format | None" = None,  # noqa: A002
    delimiter: str | None = None,
    engine: Engine | None = None,
) -> Fitted:
    """Learn from all rows of these files, svmlight text or, with an encoding, tables."""
    if encoding is None:
        (X, y), from_zero = read_counted_files(files, n_features, dtype, zero_based)
    else:
        from rosenblatt.services.files.table_file import table_of_file

        reading: dict[str, Any] = {"format": format, "delimiter": delimiter, "notation": encoding.notation}
        tables = [table_of_file(file, **reading) for file in files]
        X = stack_all([encoding.transform(table) for table in tables]).astype(dtype)
        y, from_zero = np.concatenate([encoding.labels(table) for table in tables]), True
    shuffle = parameters.shuffle and parameters.shards > 1
    model, end = fit_linear(replace(parameters, shuffle=shuffle), X, y, engine=engine)
    return Fitted(replace(model, parameters=parameters), from_zero, end, uneven_scales(X, parameters.bias))
