"""A server that learns online and loses nothing: every acknowledged example is on the disk, with all before it."""
