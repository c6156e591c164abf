"""`fit_file` for scikit-learn's estimators: a door to learning from files."""

import os
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.base.exceptions import ScaleWarning, all_or_nothing
from rosenblatt.doors.sklearn.estimator import engine_for, parameters_of
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.files.file_names import expanded
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.stream.fit import Fitted, Progress, fit_stream, open_stream
from rosenblatt.services.stream.in_memory import fit_in_memory
from rosenblatt.services.stream.svmlight import Stream

if TYPE_CHECKING:
    from rosenblatt.doors.sklearn.table_encoding import TableEncoding
    from rosenblatt.services.files.table_file import Format


class LearnsFromFiles:
    """For the estimator of a linear perceptron."""

    _model: Any
    shards: int

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_file(
        self,
        path: "FileLike | Sequence[FileLike]",
        *,
        n_features: int | None = None,
        dtype: Any = np.float64,
        zero_based: bool | Literal["auto"] = "auto",
        encoding: "TableEncoding | None" = None,
        format: "Format | None" = None,  # noqa: A002
        delimiter: str | None = None,
        cache: "str | os.PathLike[str] | None" = None,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        checkpoint_seconds: float = 10.0,
        watch: Callable[[Progress], None] | None = None,
    ) -> Self:
        r"""Learn from a file of svmlight text, or from a table, block by block, in little memory.

        The rows come in the listed order, whatever `shuffle` is: else it equals `fit` with all of them in memory, to
        the bit, for two classes; a third one and further ones start with zero weights when they
        first come. Only readout "last" and "average".

        Several files are read into memory; then there is no cache, no checkpoint and nothing to watch. In `shards`, one
        file is too, and it is `fit` with all of the rows: shuffled if `shuffle` says so, as in `rosenblatt train`.

        Parameters
        ----------
        path
            As in `read_svmlight`; or several of these in a list, or a pattern such as "part-*.svm", whose files are
            taken in the order of their names: one data set, as wide as the widest of them.
        n_features, dtype, zero_based
            As in `read_svmlight`.
        encoding
            With it, the file is a table: CSV, Parquet or Arrow, by its name. It was fitted before, to the file or to
            one like it, and goes into the model file: `save(model, path, encoding=encoding)`.
        format, delimiter
            Those of a table, if its name and its beginning do not tell, as in `read_table`.
        cache
            A file that the first pass writes and further ones read instead of the text, also those of later calls, as
            long as the text is the same. It is an Arrow IPC file with the columns label, index and value, and mapped
            into memory, so that it must stay as it is during the run.
        checkpoint
            A file that gets the state of the run every `checkpoint_seconds`, and at its end. It may be removed once
            the model is saved.
        resume
            Whether to go on from the checkpoint, if there is one. The model is the same as without the interruption.
        checkpoint_seconds
            How often.
        watch
            Is called after each block and at the end of each pass.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from rosenblatt import Perceptron
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "and.svm")
        ...     _ = path.write_text("-1\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n")
        ...     model = Perceptron().fit_file(path)
        >>> model.coef_, model.intercept_, model.n_iter_
        (array([[3., 2.]]), array([-4.]), 9)
        """
        files = expanded(path)
        learned = None if encoding is None else encoding._fitted()
        words: dict[str, Any] = {"n_features": n_features, "dtype": dtype, "zero_based": zero_based}
        reading = Reading(**words, format=format, delimiter=delimiter, encoding=learned)
        if len(files) == 1 and self.shards == 1:
            stream = open_stream(files[0], reading, cache=cache, resume=resume)
            return self._fit_stream(stream, checkpoint, resume=resume, seconds=checkpoint_seconds, watch=watch)
        for name, given in {"cache": cache, "checkpoint": checkpoint, "watch": watch}.items():
            if given is not None:
                raise ValueError(f"{name}: expected None for several files and for shards, whose rows are in memory")
        return self._in_memory(files, reading)

    def _in_memory(self, files: Sequence[FileLike], reading: Reading) -> Self:
        return self._take(lambda: fit_in_memory(parameters_of(self), files, reading, engine=engine_for(self)))

    def _fit_stream(self, stream: Stream, checkpoint: Any = None, **given: Any) -> Self:
        return self._take(lambda: fit_stream(parameters_of(self), stream, checkpoint, **given))

    def _take(self, fit: Callable[[], Fitted]) -> Self:
        with all_or_nothing(self):
            fitted = fit()
            vars(self).pop("feature_names_in_", None)
            self._model, self.zero_based_ = fitted.model, fitted.zero_based
            self.n_features_in_ = fitted.model.n_features
        if fitted.scales is not None:
            warnings.warn(fitted.scales.advice(), ScaleWarning, stacklevel=5)
        if fitted.end == "plateau" and fitted.model.parameters.readout == "last":
            warnings.warn(fitted.model.not_converged(), ConvergenceWarning, stacklevel=5)
        return self
