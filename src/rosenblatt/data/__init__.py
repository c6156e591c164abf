"""Data that comes with the package: the sets of the lectures."""
