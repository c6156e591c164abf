"""A worked trace: lecture 002's AND function, visit by visit. `python -m rosenblatt.trace` prints it."""

from rosenblatt.data.lectures import AND
from rosenblatt.trace import trace

if __name__ == "__main__":
    print(trace(*AND))
