"""The sequence tagger on a Dask cluster, with the face of that of one machine."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from sklearn.base import _fit_context

from rosenblatt.dask.on_cluster import OnCluster, with_parameters_of
from rosenblatt.dask.tagger.fit import engine_on, fit_tagger_files
from rosenblatt.data.conll import Format
from rosenblatt.learning.estimator import parameters_of
from rosenblatt.tagger import estimator as tagger
from rosenblatt.tagger.learn import Pass, fit_tagger

_Local = tagger.SequenceTagger


@with_parameters_of(_Local)
class SequenceTagger(OnCluster, _Local):
    """The sequence tagger, trained on a Dask cluster: `rosenblatt.SequenceTagger` with a client.

    The sentences are cut into `shards`, at least 2, as equal as can be, which the workers hold and learn from. The
    result is that of `SequenceTagger(shards=S)` on one machine, to the bit, however many workers there are.
    `n_jobs` has no meaning here.

    Parameters
    ----------
    client
        A `distributed.Client`. None: the current one.
    **parameters
        Those of `rosenblatt.SequenceTagger`.

    Examples
    --------
    >>> from distributed import Client
    >>> from rosenblatt.dask import SequenceTagger
    >>> sentences = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "sleep"]]
    >>> tags = [["DET", "NOUN", "VERB"], ["DET", "NOUN", "VERB"], ["NOUN", "VERB"]]
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = SequenceTagger(shards=2, client=client).fit(sentences, tags)
    >>> model.predict([["the", "cat", "barks"]])
    [['DET', 'NOUN', 'VERB']]
    >>> model.to_local()
    SequenceTagger(shards=2)
    """

    __module__ = "rosenblatt.dask"
    _parameter_constraints: ClassVar[dict[str, Any]] = {**_Local._parameter_constraints, "client": "no_validation"}

    def __init__(self, *, client: Any = None, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.client = client

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, *, watch: Callable[[Pass], Any] | None = None) -> Self:
        """Learn from sentences and their labels, which are sent to the workers.

        Parameters
        ----------
        X, y
            As in `rosenblatt.SequenceTagger.fit`.
        watch
            Is called after each pass.
        """
        parameters = parameters_of(self)
        engine = engine_on(self.client, parameters)
        return self._learned(fit_tagger(parameters, X, y, watch=watch, engine=engine))

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_files(
        self,
        paths: Any,
        *,
        tag: int | str | None = None,
        columns: Sequence[int | str] | None = None,
        dev: Any = None,
        format: Format = "auto",  # noqa: A002
        watch: Callable[[Pass], Any] | None = None,
    ) -> Self:
        """Learn from CoNLL files, in their order one data set: the model of `rosenblatt.SequenceTagger.fit_file`.

        They are read here, once, and their sentences sent to the workers.

        Parameters
        ----------
        paths
            A name, a URL such as s3://bucket/part-*.conll, a pattern, or a list of these; fsspec opens them. Names in
            .gz, .bz2, .xz and .zst are decompressed.
        dev
            As in `rosenblatt.SequenceTagger.fit_file`, also a URL.
        tag, columns, format, watch
            As in `rosenblatt.SequenceTagger.fit_file`.
        """
        words: dict[str, Any] = {"tag": tag, "columns": columns, "dev": dev, "format": format, "watch": watch}
        return self._learned(fit_tagger_files(parameters_of(self), self.client, paths, **words))

    def to_local(self) -> _Local:
        """The same model as a `rosenblatt.SequenceTagger`, to be saved, or to go on without a cluster."""
        model = self._fitted()
        return _Local(**model.parameters.as_dict())._learned(model)

    def partial_fit(self, *args: Any, **given: Any) -> Self:  # noqa: ARG002
        """Not on a cluster: `to_local()` goes on learning."""
        raise AttributeError("partial_fit is for one machine: model.to_local().partial_fit(X, y)")

    def fit_file(self, *args: Any, **given: Any) -> Self:  # noqa: ARG002
        """Not on a cluster."""
        raise AttributeError("fit_file is for one machine; on a cluster it is fit_files")
