"""Training on a Dask cluster: shards of the rows, held and learned from by its workers, and mixed here."""
