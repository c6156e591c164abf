"""Run one command and print what it took: CPU seconds, seconds by the clock, kilobytes at the most.

`python -I -S launch.py COMMAND...`. On Linux the peak of a new process begins with that of the one that started it,
whether by fork, vfork or posix_spawn: exec keeps it. So that a large process can measure a small command, this file
stands between them. It imports next to nothing, and is itself no larger than `python -c pass`.
"""

import os
import sys
import time


def main() -> None:
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    print(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss)
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
