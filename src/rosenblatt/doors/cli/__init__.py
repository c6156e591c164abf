"""The command line: `rosenblatt`, one file a verb, no algorithm of its own.

Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 ran, and the answer is
no (not separable, proof refused, table wrong), 130 interrupted.
"""

import os
import sys


def main() -> None:
    """Run the program. If click is not installed, say in one sentence how to install it."""
    # numpy's OpenBLAS would start a thread for each core, and these spin: a third of the processor time of a short
    # command. No verb needs them; kernel values are computed by threads of our own, with one of BLAS each.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from rosenblatt.doors.cli.program import run
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.exit("error: the command line needs click: pip install 'rosenblatt[cli]'")
    sys.exit(run())
