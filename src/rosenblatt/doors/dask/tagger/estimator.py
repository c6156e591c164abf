"""The sequence tagger on a Dask cluster, with the methods of the local one."""

import os
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from sklearn.base import _fit_context

from rosenblatt.doors.dask.on_cluster import OnCluster, with_parameters_of
from rosenblatt.doors.dask.parts import PART_BYTES
from rosenblatt.doors.dask.tagger.fit import fit_files, fit_sentences
from rosenblatt.doors.sklearn import sequence_tagger as tagger
from rosenblatt.doors.sklearn.estimator import parameters_of
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.corpus import Format, TagColumns

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
    def fit(
        self,
        X: Any,
        y: Any,
        *,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        watch: Watch | None = None,
    ) -> Self:
        """Learn from sentences and their labels, which are sent to the workers.

        Parameters
        ----------
        X, y
            As in `rosenblatt.SequenceTagger.fit`.
        checkpoint
            A file that gets the state of the run after each round. It may be removed once the model is saved.
        resume
            Whether to go on from the checkpoint, if there is one. The model is the same as without the interruption.
        watch
            Is called after each pass; a true answer ends the run.
        """
        run: dict[str, Any] = {"checkpoint": checkpoint, "resume": resume, "watch": watch}
        return self._set_model(fit_sentences(self.client, parameters_of(self), X, y, **run))

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_files(
        self,
        paths: Any,
        *,
        tag: TagColumns | None = None,
        columns: Sequence[int | str] | None = None,
        dev: Any = None,
        format: Format = "auto",  # noqa: A002
        part_bytes: int | None = PART_BYTES,
        checkpoint: "str | os.PathLike[str] | None" = None,
        resume: bool = False,
        watch: Watch | None = None,
    ) -> Self:
        """Learn from CoNLL files that the workers read: the model of `rosenblatt.SequenceTagger.fit_file`.

        Parameters
        ----------
        paths
            A name, a URL such as s3://bucket/part-*.conll, a pattern, or a list of these, on a file system that all
            workers see; fsspec opens them. In their order they are one data set. Names in .gz, .bz2, .xz and .zst are
            decompressed.
        dev
            As in `rosenblatt.SequenceTagger.fit_file`, also a URL. It is read here.
        part_bytes
            About how much of a file is read at a time, cut at the ends of sentences. None: each file is read whole, as
            those that are compressed always are.
        tag, columns, format
            As in `rosenblatt.SequenceTagger.fit_file`.
        checkpoint, resume, watch
            As in `fit`.
        """
        words: dict[str, Any] = {"tag": tag, "columns": columns, "dev": dev, "format": format, "part_bytes": part_bytes}
        run: dict[str, Any] = {"checkpoint": checkpoint, "resume": resume, "watch": watch}
        return self._set_model(fit_files(self.client, parameters_of(self), paths, **words, **run))

    def to_local(self) -> _Local:
        """The same model as a `rosenblatt.SequenceTagger`, to be saved, or to go on without a cluster."""
        model = self._fitted_model()
        return _Local(**model.parameters.as_dict())._set_model(model)
