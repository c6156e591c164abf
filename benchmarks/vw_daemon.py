"""Vowpal Wabbit's daemon where there is no program `vw`: the same code out of its Python package.

`python -m benchmarks.vw_daemon --daemon --foreground --port P ...`, with the arguments of `vw`.
"""

import sys

import pylibvw
import vowpalwabbit

if __name__ == "__main__":
    daemon = vowpalwabbit.Workspace(arg_list=sys.argv[1:])
    pylibvw.vw.run_parser(daemon)  # reads from the socket until it is told to end
