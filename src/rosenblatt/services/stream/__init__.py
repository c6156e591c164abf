"""Learning from files that need not fit into memory: rows block by block, a cache, checkpoints."""
