"""The trace: what happened, visit by visit, as a table and as data."""
