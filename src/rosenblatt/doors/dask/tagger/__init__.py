"""The tagger on a Dask cluster."""
