"""A server that learns online and loses nothing: an acknowledged example is on the disk, and so is all before it.

The model after any crash is the one that a replay of its log gives, to the bit.
"""
