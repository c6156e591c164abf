"""The perceptron on a Dask cluster, with the methods of scikit-learn and of Dask."""

import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.base.exceptions import all_or_nothing
from rosenblatt.doors.dask.cluster import client_of
from rosenblatt.doors.dask.linear.blocks import Block, blocks_of, is_collection
from rosenblatt.doors.dask.linear.fit import Source, files_as_source, fit_on
from rosenblatt.doors.dask.on_cluster import OnCluster, with_parameters_of
from rosenblatt.doors.dask.parts import PART_BYTES
from rosenblatt.doors.sklearn import perceptron as linear
from rosenblatt.doors.sklearn.estimator import parameters_of
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.run import Watch
from rosenblatt.services.files.reading import Reading

_Local = linear.Perceptron


@with_parameters_of(_Local)
class Perceptron(OnCluster, _Local):
    """The perceptron, trained on a Dask cluster: `rosenblatt.Perceptron` with two differences in its parameters.

    `shards` is None unless given: each partition of X is a shard. With a number S the rows are cut into S shards as
    equal as can be, wherever they lie, and the result is that of `Perceptron(shards=S)` on one machine, to
    the bit, however X is partitioned and however many workers there are. `n_jobs` has no meaning here.

    Not offered are the readouts "vote" and "pocket", `keep_mistakes`, `early_stopping` and class weights of 0.

    Parameters
    ----------
    client
        A `distributed.Client`. None: the current one.
    shards
        How many; None: as many as X has partitions.
    **parameters
        Those of `rosenblatt.Perceptron`.

    Examples
    --------
    >>> import dask.array as da
    >>> import numpy as np
    >>> from distributed import Client
    >>> from rosenblatt.dask import Perceptron
    >>> X = da.from_array(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), chunks=(1, 2))
    >>> y = da.from_array(np.array([0, 0, 0, 1]), chunks=2)
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = Perceptron(shards=2, client=client).fit(X, y)
    ...     model.predict(X).compute()
    array([0, 0, 0, 1])
    >>> model.to_local()
    Perceptron(shards=2)
    """

    __module__ = "rosenblatt.dask"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **_Local._parameter_constraints,
        "shards": [*_Local._parameter_constraints["shards"], None],
        "client": "no_validation",
    }

    def __init__(self, *, client: Any = None, shards: Any = None, **parameters: Any) -> None:
        super().__init__(shards=shards, **parameters)
        self.client = client

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        watch: Watch | None = None,
    ) -> Self:
        """Learn from all rows, round after round, until a pass makes no mistake or `max_iter` ends it.

        Parameters
        ----------
        X
            A Dask array, dense or of scipy's sparse blocks, a Dask frame of numbers, or what `rosenblatt.Perceptron`
            takes, which is sent to the workers.
        y
            Labels of any kind: a Dask collection in the partitions of X, or an array.
        sample_weight
            Scales the steps, as y. A row of weight 0 changes nothing, as if it were not there.
        checkpoint
            A file that gets the state of the run after each round. It may be removed once the model is saved.
        resume
            Whether to go on from the checkpoint, if there is one. The model is the same as without the interruption.
        watch
            Is told of each round; a true answer ends the run.
        """
        client, columns = client_of(self.client), getattr(X, "columns", None)
        names = None if columns is None else np.asarray(columns, dtype=object)
        if names is not None and not all(isinstance(name, str) for name in names):
            names = None

        source = Source(lambda name: blocks_of(client, name, X, y, sample_weight))
        return self._learn(client, source, names, checkpoint=checkpoint, resume=resume, watch=watch)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_files(
        self,
        paths: Any,
        *,
        n_features: int | None = None,
        dtype: Any = np.float64,
        zero_based: bool | Literal["auto"] = "auto",
        encoding: Any = None,
        format: str | None = None,  # noqa: A002
        delimiter: str | None = None,
        part_bytes: int | None = PART_BYTES,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        watch: Watch | None = None,
    ) -> Self:
        """Learn from files that the workers read: the same as `fit` with all their rows, in the order of the files.

        Parameters
        ----------
        paths
            A name, a URL such as s3://bucket/part-*.svm, a pattern, or a list of these, on a file system that all
            workers see; fsspec opens them. Names in .gz, .bz2, .xz and .zst are decompressed.
        n_features, dtype, zero_based
            As in `read_svmlight`.
        encoding
            With it, the files are tables: CSV, Parquet or Arrow, by their names. A `TableEncoding` that was fitted
            before, to one of the files or to one like it.
        format, delimiter
            Those of the files, if their names do not tell, as in `read_table`.
        part_bytes
            About how much of a file is read at a time: so many bytes of text, cut at the ends of lines, or row groups.
            None: each file is read whole, as those that are compressed always are. Without `shards` each part is one.
        checkpoint, resume, watch
            As in `fit`.
        """
        client = client_of(self.client)
        learned = None if encoding is None else encoding._fitted_encoding()
        words: dict[str, Any] = {"n_features": n_features, "dtype": dtype, "zero_based": zero_based}
        reading = Reading(**words, format=format, delimiter=delimiter, encoding=learned)
        source = files_as_source(client, paths, reading, part_bytes=part_bytes)
        return self._learn(client, source, None, checkpoint=checkpoint, resume=resume, watch=watch)

    def _learn(self, client: Any, source: Source, names: Any, **options: Any) -> Self:
        with all_or_nothing(self):
            parameters = replace(parameters_of(self), shards=self.shards or 1)
            before = self._model if self.warm_start and "_model" in vars(self) else None
            fitted = fit_on(client, source, LinearMember(parameters), n_shards=self.shards, before=before, **options)
            for name in ("zero_based_", "feature_names_in_"):
                self.__dict__.pop(name, None)
            self._model, self.n_features_in_ = fitted.model, fitted.model.n_features
            if names is not None:
                self.feature_names_in_ = names
            if fitted.zero_based is not None:
                self.zero_based_ = fitted.zero_based
        if fitted.end == "plateau" and self.readout == "last":
            warnings.warn(fitted.model.not_converged(), ConvergenceWarning, stacklevel=4)
        return self

    def _fitted_model(self, attribute: str | None = None) -> Any:
        """The model; how many shards there were is its own."""
        model = super()._fitted_model(attribute)
        return replace(model, parameters=replace(model.parameters, shards=self._model.parameters.shards))

    def to_local(self) -> _Local:
        """The same model as a `rosenblatt.Perceptron`, to be saved, or to go on without a cluster."""
        model = self._fitted_model()
        local = _Local(**model.parameters.as_dict())
        local._model = model
        for name in ("n_features_in_", "feature_names_in_", "zero_based_"):
            if name in vars(self):
                setattr(local, name, getattr(self, name))
        return local

    def decision_function(self, X: Any) -> Any:
        """The score of each row; for more than two classes, of each class. Lazy for a Dask collection."""
        if not is_collection(X):
            return super().decision_function(X)
        local = self.to_local()
        n_machines = local._model.state.n_machines
        return _by_block(X, local.decision_function, local._model.state.dtype, 0 if n_machines == 1 else n_machines)

    def predict(self, X: Any) -> Any:
        """The label of each row. Lazy for a Dask collection."""
        if not is_collection(X):
            return super().predict(X)
        local = self.to_local()
        return _by_block(X, local.predict, local.classes_.dtype, 0)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right answers, weighted if there are weights."""
        if not is_collection(X):
            return float(super().score(X, y, sample_weight))
        client = client_of(self.client)
        blocks = blocks_of(client, f"score-{id(self)}", X, y, sample_weight)
        counts = client.gather(client.map(_right, blocks, model=client.scatter(self.to_local()), pure=False))
        return float(sum(right for right, _ in counts) / sum(total for _, total in counts))


def _by_block(X: Any, answer: Callable[[Any], Any], dtype: Any, n_columns: int) -> Any:
    """Answers for each partition of rows, as a Dask array that is not yet computed."""
    import dask.array as da

    if not hasattr(X, "chunks"):
        X = X.to_dask_array()
    X = X.rechunk({1: -1})
    more: dict[str, Any] = {"drop_axis": 1} if n_columns == 0 else {"chunks": (X.chunks[0], (n_columns,))}
    meta = np.empty((0,) if n_columns == 0 else (0, 0), dtype=dtype)
    return da.map_blocks(answer, X, dtype=dtype, meta=meta, **more)


def _right(block: Block, model: _Local) -> tuple[float, float]:
    weight = np.ones(len(block.numbers)) if block.weight is None else block.weight.astype(np.float64)
    if not len(weight):
        return 0.0, 0.0
    right = model._model.predict(block.X) == block.facts.classes[block.numbers]
    return float(weight[right].sum()), float(weight.sum())
