"""Ways in, thin and of equal rank: scikit-learn, the command line, the server, Dask, the studio."""
