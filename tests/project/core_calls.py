"""Calls every function, method and property of the core's module with wrong, huge, negative and stale arguments.

Run as a program, in a process of its own: `python -m tests.project.core_calls SEED ROUNDS`. Each call must end, by
itself or by a signal, and may raise only what says that its arguments are wrong. The call that comes next is on the
last line of stdout, so that a crash has a name.
"""

import inspect
import os
import random
import resource
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.project.core_good_calls import CALLS, Liar, core, stale_rows

MEMORY = 4 << 30  # bytes: what asks for more is refused, and does not fill the machine
REFUSALS = (ValueError, TypeError, OverflowError, IndexError, MemoryError)


class EndedError(Exception):
    """A call took long, and was ended by a signal."""


MADE_BY_OTHERS = ("Peel", "Rows", "TableBlock")  # classes that have no constructor

WHOLE = (-(2**63), -(2**31), -1, 0, 1, 2, 7, 2**31 - 1, 2**31, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64)
REAL = (np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, 5e-324)
OTHERS: tuple[Any, ...] = (
    None,
    "",
    "x",
    "average",
    "vote",
    b"",
    b"\xff\n1 1:1",
    True,
    object(),
    [],
    [[]],
    [None],
    {},
    Liar(0),
    Liar(3),
)


def replaced(value: Any) -> Any:
    """Something else, of the same kind or not."""
    kind = random.random()
    if isinstance(value, core.Rows) and kind < 0.8:
        return random.choice(list(stale_rows()))
    if isinstance(value, np.ndarray) and kind < 0.85:
        return changed(value)
    if isinstance(value, bool) or kind > 0.95:
        return random.choice(OTHERS)
    if isinstance(value, int) or (value is None and kind < 0.5):
        return random.choice(WHOLE)
    if isinstance(value, float):
        return random.choice(REAL)
    if isinstance(value, list) and value and kind < 0.6:
        return [replaced(item) if random.random() < 0.7 else item for item in value * random.choice((1, 1, 3))]
    if isinstance(value, tuple) and kind < 0.8:
        return tuple(replaced(item) if random.random() < 0.5 else item for item in value)
    return random.choice((*OTHERS, *WHOLE, *REAL, Liar(2**40), [Liar(5)], [Liar(1)], [("U", [(2**31 - 1, 0)])]))


def changed(old: Any) -> Any:
    """An array with other numbers, of another shape or type, or another layout."""
    new, whole = old.copy(), old.dtype.kind in "iu"
    ways = random.randrange(6)
    if ways == 0 and new.size:
        limits = np.iinfo(new.dtype) if whole else None
        values = (-1, 1, 3, limits.min, limits.max, limits.max // 2) if limits else REAL
        new.flat[random.randrange(new.size)] = np.array(random.choice(values)).astype(new.dtype)
    elif ways == 1:
        new = np.resize(new, tuple(max(0, n + random.choice((-1, 0, 1))) for n in new.shape))
    elif ways == 2:
        new = new.astype(random.choice((np.float32, np.float64, np.int32, np.int64, np.uint8, np.complex128, object)))
    elif ways == 3:
        new = new[..., np.newaxis] if random.random() < 0.5 else new.ravel()
    elif ways == 4:
        new = np.asfortranarray(new) if new.ndim > 1 else np.repeat(new, 2)[::2]
    else:
        new.flags.writeable = False
    return new


def members() -> set[str]:
    """All that can be called, by introspection: `name`, or `Class.method`."""
    found = set()
    for name, value in vars(core).items():
        if name.startswith("_"):
            continue
        if inspect.isclass(value):
            methods = {m for m, f in vars(value).items() if not m.startswith("_") and callable(f)}
            found |= {f"{name}.{method}" for method in methods}
            if "__init__" in vars(value):
                found.add(name)
        elif callable(value):
            found.add(name)
    return found


def tell(what: str) -> None:
    sys.stdout.write(what[:400].replace("\n", " ") + "\n")
    sys.stdout.flush()


def attempt(name: str, call: Callable[..., Any], arguments: dict[str, Any]) -> None:
    tell(f"{name}({', '.join(f'{k}={v!r}' for k, v in arguments.items())})")
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            made = call(**arguments)
            for attribute in dir(made) if type(made).__module__ == "rosenblatt._core" else ():
                if not attribute.startswith("_"):
                    getattr(made, attribute)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except (*REFUSALS, EndedError):  # the signal may also come while its clock is stopped
        pass


def end(*_: object) -> None:
    raise EndedError


def main(seed: int, rounds: int) -> None:
    if "CORE" not in os.environ:  # a sanitizer maps far more
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    random.seed(seed)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, end)
    missing = members() - CALLS.keys() - set(MADE_BY_OTHERS)
    if missing:
        raise SystemExit(f"core_calls.py has no call of {sorted(missing)}")
    for name in MADE_BY_OTHERS:
        kind = getattr(core, name)
        attempt(name, kind, {})
        attempt(name, lambda kind=kind: len(kind.__new__(kind)), {})
        attempt(name, lambda kind=kind: core.check(kind.__new__(kind)), {})
    for name, make in CALLS.items():
        call, good = make()
        tell(f"{name} as it should be")
        call(**good)
        for key in good:
            for value in stale_rows() if isinstance(good[key], core.Rows) else ():
                attempt(name, call, {**make()[1], key: value})
        for _ in range(rounds * len(good)):
            call, good = make()
            for key in random.sample(list(good), min(len(good), random.choice((1, 1, 2)))):
                good[key] = replaced(good[key])
            attempt(name, call, good)
    tell("all calls were made")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
