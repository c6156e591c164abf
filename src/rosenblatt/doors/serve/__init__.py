"""A server that learns online and loses nothing: an acknowledged example is on the disk, and so is all before it."""
