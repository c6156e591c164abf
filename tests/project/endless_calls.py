"""Calls of the core that would go on for years, each ended by Ctrl-C; run as a program, in a process of its own."""

import signal
import threading
from collections.abc import Callable

import numpy as np

from rosenblatt import _core
from tests.project import core_good_calls as good

X = np.random.default_rng(0).normal(size=(500, 10))
LABELS = np.random.default_rng(1).integers(0, 2, 500).astype(np.int32)
LONG = 50_000  # tokens of a sentence


def train(pocket: bool) -> object:
    weights = np.zeros((11, 1))
    state = good.state(w=weights, sums=None, pocket=weights.copy() if pocket else None)
    return state.run(**{**good.trained(), "rows": _core.dense_rows(X), "target": LABELS, "passes": 10**12})


def look_and_look() -> object:
    """A pass looks at all rows, of which the last alone are wrong."""
    rows, target = np.zeros((10**6, 1)), np.zeros(10**6, dtype=np.int32)
    rows[-2:], target[-1] = 1, 1
    given = {**good.traced(), "rows": _core.dense_rows(rows), "target": target}
    given["state"], order = good.state(w=np.array([[0.0], [-1.0]]), sums=None, pocket=None), np.arange(10**6)
    return _core.trace(**{**given, "order": order, "turn": "worst-wrong", "passes": 10**6, "visits": 10**6})


def train_chain() -> object:
    corpus = _core.Corpus([list("abcd" * (LONG // 4)), list("ABCD" * (LONG // 4))], good.ints(0, LONG))
    target = np.random.default_rng(2).integers(0, 3, LONG).astype(np.int32)
    run = _core.ChainTraining(good.chain(), good.templates(), corpus, target).run
    return run(step="perceptron", C=1.0, sentences=np.zeros(10**7, dtype=np.int64), seed=None, pass_number=0)


def train_parser() -> object:
    corpus = _core.Corpus([list("abcd" * (LONG // 4)), list("ABCD" * (LONG // 4))], good.ints(0, LONG))
    heads, labels = np.arange(LONG, dtype=np.int32), np.repeat([2, 0], [1, LONG - 1]).astype(np.int32)
    weights = _core.ParseWeights(actions=7, templates=3)
    run = _core.ParseTraining(weights, good.actions(), good.tree_templates(), corpus, heads, labels).run
    sentences = good.ints(*[0] * 1000)
    return [run(beam=4, exploration=0.0, sentences=sentences, shuffled=False, seed=1, pass_number=0)]


def descend() -> object:
    unit = {"y": X[:, 0] ** 2, "weight": None, "w": np.zeros(11), "bias": 1.0, "method": "stochastic"}
    plan = {"eta0": 0.01, "power_t": 0.0, "tol": -1.0, "max_iter": 10**12, "seed": 1}
    return _core.descend(_core.dense_rows(X), **unit, **plan)  # type: ignore[arg-type]


CALLS: dict[str, Callable[[], object]] = {
    "train": lambda: train(pocket=False),
    "train with a pocket": lambda: train(pocket=True),
    "trace": look_and_look,
    "learn sentences": train_chain,
    "learn trees": train_parser,
    "dual descent": lambda: _core.DualDescent(_core.dense_rows(X), 1).run(10**12),
    "gradient descent": descend,
    "order": lambda: [_core.order(10**7, seed=1, pass_number=k) for k in iter(int, 1)],
}


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    first = threading.get_ident()
    for name, call in CALLS.items():
        threading.Timer(0.2, lambda: signal.pthread_kill(first, signal.SIGINT)).start()
        try:
            call()
        except KeyboardInterrupt:
            print(f"{name} was ended", flush=True)


if __name__ == "__main__":
    main()
