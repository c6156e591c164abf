"""A tagger's fit on a cluster: sentences are read here, and learned from by the workers, a shard a task."""

from typing import Any
from uuid import uuid4

from rosenblatt.dask.cluster import client_of
from rosenblatt.dask.engine import DaskEngine
from rosenblatt.dask.files import found_files, readable
from rosenblatt.tagger.files import fit_tagger_file
from rosenblatt.tagger.model import TaggerModel
from rosenblatt.tagger.parameters import TaggerParameters


def fit_tagger_files(
    parameters: TaggerParameters, client: Any, paths: Any, *, dev: Any = None, **given: Any
) -> TaggerModel:
    """Learn from CoNLL files on a cluster. See `SequenceTagger.fit_files`."""
    engine = engine_on(client, parameters)
    with readable(found_files(paths)) as files, readable([] if dev is None else found_files(dev)) as held_out:
        if len(held_out) > 1:
            raise ValueError(f"dev: expected one file, found {len(held_out)}")
        return fit_tagger_file(parameters, files, dev=held_out[0] if held_out else None, engine=engine, **given)


def engine_on(client: Any, parameters: TaggerParameters) -> DaskEngine:
    """The engine of a run on a cluster, which must have shards to run."""
    if parameters.shards < 2:
        raise ValueError("shards must be at least 2 on a cluster, got 1: they are what its workers share")
    return DaskEngine(client_of(client), f"rosenblatt-{uuid4().hex}")
