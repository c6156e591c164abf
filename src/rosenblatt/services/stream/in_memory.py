"""Several files, or shards of one: their rows are read into memory, and it is `fit` with all of them, to the bit.

Without shards they come in the listed order, as those of one file do, which is read as it is learned from.
"""

from collections.abc import Sequence
from dataclasses import replace

from rosenblatt.base.engines import Engine
from rosenblatt.members.linear.learn import fit_linear
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.scales import uneven_scales
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.stream.fit import Fitted


def fit_in_memory(
    parameters: PerceptronParameters, files: Sequence[FileLike], reading: Reading, *, engine: Engine | None = None
) -> Fitted:
    """Learn from all rows of these files, svmlight text or, with an encoding, tables."""
    X, y, from_zero = reading.read_rows(files)
    shuffle = parameters.shuffle and parameters.shards > 1
    model, end = fit_linear(replace(parameters, shuffle=shuffle), X, y, engine=engine)
    return Fitted(replace(model, parameters=parameters), from_zero, end, uneven_scales(X, parameters.bias))
