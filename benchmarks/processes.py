"""Commands as a person at the shell meets them: each a process of its own, from its start to its end.

CPU seconds are those of user and system, of all its threads; the peak is its own, not that of the process that
measures (see launch.py). Commands take turns, and of each the least is kept: noise only adds.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data import ROOT

LAUNCHER = Path(__file__).with_name("launch.py")
SCRIPT = Path(sys.executable).with_name("rosenblatt")
ROSENBLATT = [str(SCRIPT)] if SCRIPT.is_file() else [sys.executable, "-m", "rosenblatt"]


@dataclass(frozen=True)
class Cost:
    """CPU seconds, seconds by the clock, megabytes at the most."""

    cpu: float
    wall: float
    peak: float


def cost(command: Sequence[str | Path]) -> Cost:
    """Of one run, in the project's root; what it prints is let go."""
    words = [sys.executable, "-I", "-S", str(LAUNCHER), *map(str, command)]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{' '.join(words[4:])}: exit code {ended.returncode}\n{ended.stderr}")
    cpu, wall, kilobytes = map(float, ended.stdout.split())
    return Cost(cpu, wall, kilobytes / 1024)


def least(commands: Mapping[str, Sequence[str | Path]], repeats: int) -> dict[str, Cost]:
    """The least of each, of `repeats` rounds in which every command has its turn."""
    rounds = []
    for turn in range(repeats):
        print(f"  round {turn + 1} of {repeats}: {len(commands)} commands", file=sys.stderr)
        rounds.append({name: cost(command) for name, command in commands.items()})
    return {
        name: Cost(*(min(getattr(one[name], what) for one in rounds) for what in Cost.__dataclass_fields__))
        for name in commands
    }
