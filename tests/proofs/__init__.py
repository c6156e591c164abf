"""The theory that runs, against exact answers of its own."""
