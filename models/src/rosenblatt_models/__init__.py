"""Models of `rosenblatt text`, a file each, with its licence and how much it gets right: see `models/make.py`."""
