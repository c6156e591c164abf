"""Side by side with the peers: the same arrays, one run, ratios. Start with `python -m benchmarks --help`."""
