"""The theory that runs: separability, margin and mistake bound of the data at hand, with a proof to be checked."""
