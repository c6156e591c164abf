"""The kernel perceptron on handwritten digits: seconds, memory and errors beside SVC, libsvm and approximations.

All on one thread, CPU time; of two threads the wall time counts. The setting beside SVC was chosen on held-out
training rows, by `python -m benchmarks kernel_choice`. SVC is fitted once, and ours before and after it; whatever takes
seconds takes turns. libsvm and votedperceptron get few rows. The peak is that of the whole process, with the data and
everything imported.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Array
from benchmarks.file_runs import peak
from benchmarks.images import Images
from benchmarks.kernel_choice import RBF
from benchmarks.kernel_peers import Libsvm, VotedPerceptrons, fourier, has, nystroem, svc
from benchmarks.table import Table, Target
from benchmarks.timing import Seconds, interleaved, once, one_thread
from rosenblatt import KernelPerceptron

CHOSEN: dict[str, Any] = {**RBF, "margin": 1, "max_iter": 4, "suffix": 1}
PENALTY = 1e-6
POLY: dict[str, Any] = {"kernel": "poly", "degree": 4, "gamma": 1, "coef0": 1}
BUDGET, CACHE = 500, 2500
FEW, VERY_FEW, FEW_TESTS = 10_000, 1_000, 2_000  # rows for what takes minutes or hours on all of them


@dataclass(frozen=True)
class Measured:
    """A model that was fitted and asked about all test rows."""

    model: Any
    fit: Seconds
    predict: Seconds
    peak: float
    error: float

    @classmethod
    def of(cls, model: Any, images: Images) -> "Measured":
        """Fits it, and asks it."""
        with one_thread():
            forget_peak()
            fit = once(lambda: model.fit(images.X, images.y))
            most = peak()
            answers: list[Array] = []
            predict = once(lambda: answers.append(model.predict(images.X_test)))
        return cls(model, fit, predict, most, float(np.mean(answers[0] != images.y_test)))

    def least(self, other: "Measured") -> "Measured":
        """The same model measured twice."""
        fit, predict = (min(pair, key=_cpu) for pair in ((self.fit, other.fit), (self.predict, other.predict)))
        return Measured(self.model, fit, predict, min(self.peak, other.peak), self.error)

    @property
    def vectors(self) -> int | None:
        """How many support vectors answer."""
        support = getattr(self.model, "support_", None)
        return None if support is None else len(support)


def _cpu(seconds: Seconds) -> float:
    return seconds.cpu


def forget_peak() -> None:
    """The most memory so far is that of now, without what the allocator keeps for later (Linux)."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def run(images: Images, repeats: int) -> tuple[list[Table], list[Target]]:
    """All tables, and what is aimed at."""
    results = [passes(images, repeats), beside_svc(images)]
    tables = [table for table, _ in results] + [few_rows(images)]
    return tables, [target for _, targets in results for target in targets] if images.whole else []


def beside_svc(images: Images) -> tuple[Table, list[Target]]:
    """Ours, SVC and what is advised where SVC is too slow."""
    ours = Measured.of(KernelPerceptron(**CHOSEN), images)
    budget = Measured.of(KernelPerceptron(**RBF, budget=BUDGET, max_iter=1), images)
    peers = {
        f"Nystroem({BUDGET}), hinge SGD": nystroem(BUDGET, PENALTY),
        "Nystroem(1000), hinge SGD": nystroem(1000, PENALTY),
        "RBFSampler(1000), hinge SGD": fourier(1000, PENALTY),
        "SVC(C=10)": svc(),
    }
    rows = {name: Measured.of(model, images) for name, model in peers.items()}
    theirs = rows["SVC(C=10)"]
    ours = ours.least(Measured.of(ours.model, images))
    said = ", ".join(f"{word}={value}" for word, value in CHOSEN.items() if word not in RBF)
    rows = {f"ours: {said}": ours, f"ours: budget={BUDGET}, max_iter=1": budget} | rows
    columns = {"": "", "fit": ".2f", "SVC/this": ".1f", "predict": ".2f", "SVC/this ": ".1f"}
    columns |= {"peak MB": ".0f", "vectors": ",d", "error %": ".2f"}
    table = Table(f"{images}; rbf, gamma = 0.02, CPU seconds on one thread", columns)
    for name, m in rows.items():
        fit, predict = theirs.fit.cpu / m.fit.cpu, theirs.predict.cpu / m.predict.cpu
        table.add(name, m.fit.cpu, fit, m.predict.cpu, predict, m.peak, m.vectors, 100 * m.error)
    return table, [
        Target("error - SVC's, points", 100 * (ours.error - theirs.error), "<=", 0.1),
        Target("fit, times faster than SVC", theirs.fit.cpu / ours.fit.cpu, ">=", 10),
        Target("predict, times faster than SVC", theirs.predict.cpu / ours.predict.cpu, ">=", 20),
        Target(f"budget {BUDGET}, projected and averaged, error %", 100 * budget.error, "<=", 4.2),
    ]


def passes(images: Images, repeats: int) -> tuple[Table, list[Target]]:
    """What a pass takes beside its matrix products, what further passes add, and what a second thread saves."""
    settings: dict[str, dict[str, Any]] = {
        "one pass": {"max_iter": 1},
        "one pass, two threads": {"max_iter": 1, "n_jobs": 2},
        "one pass, cache of 2.5 GB": {"max_iter": 1, "cache_size": CACHE},
        "ten passes, cache of 2.5 GB": {"max_iter": 10, "cache_size": CACHE},
    }
    models = {name: KernelPerceptron(**POLY, **words) for name, words in settings.items()}
    first = {name: Measured.of(model, images) for name, model in models.items()}
    products = "the matrix products of one pass"
    runs: dict[str, Callable[[], object]] = {products: products_of(models["one pass"], images)}
    runs |= {name: partial(model.fit, images.X, images.y) for name, model in models.items()}
    least = interleaved(runs, repeats)
    columns = {"": "", "CPU": ".2f", "wall": ".2f", "CPU/products": ".2f"}
    columns |= {"peak MB": ".0f", "mistakes": ",d", "vectors": ",d", "error %": ".2f"}
    table = Table(f"{images}; polynomial of degree 4, seconds, minimum of {repeats} turns", columns)
    table.add(products, least[products].cpu, least[products].wall)
    for name, m in first.items():
        ratio, mistakes = least[name].cpu / least[products].cpu, int(m.model.mistakes_.sum())
        table.add(name, least[name].cpu, least[name].wall, ratio, m.peak, mistakes, m.vectors, 100 * m.error)
    one, two, cached, ten = (least[name] for name in settings)
    return table, [
        Target("one pass / its matrix products", one.cpu / least[products].cpu, "<=", 1.3),
        Target("ten passes / one, cache of 2.5 GB", ten.cpu / cached.cpu, "<=", 2.5),
        Target("two threads, times faster by the clock", one.wall / two.wall, ">=", 1.6),
    ]


def products_of(model: KernelPerceptron, images: Images) -> Callable[[], None]:
    """The products of support vectors and rows that a pass cannot do without: each block with all it has by its end.

    As they would be on their own: a product a block, of arrays that are there. The rows differ from those that were
    in the block, which makes no difference to the time.
    """
    n, size = len(images.y), int(model.block_size)
    firsts = range(0, n, size)
    held = [len(model.set_params(passes=min(n, first + size) / n).support_) for first in firsts]
    vectors = model.set_params(passes=None).support_vectors_

    def multiply() -> None:
        for first, so_far in zip(firsts, held, strict=True):
            _ = vectors[:so_far] @ images.X[first : first + size].T

    return multiply


def few_rows(images: Images) -> Table:
    """Peers that would take too long on all rows."""
    columns = {"": "", "rows": ",d", "fit": ".3f", "ratio": ".1f", "predict": ".3f", "ratio ": ".1f", "error %": ".2f"}
    table = Table(f"{images.title}, few rows; CPU seconds on one thread, and how many times faster ours is", columns)
    few, very_few = images.first(FEW, FEW_TESTS), images.first(VERY_FEW, FEW_TESTS // 10)
    sides: list[tuple[Images, KernelPerceptron, dict[str, Any]]] = [
        (few, KernelPerceptron(**CHOSEN), {"SVC(C=10)": svc()} | ({"libsvm": Libsvm()} if has("libsvm") else {})),
        (
            very_few,
            KernelPerceptron(**POLY, max_iter=1, readout="vote"),
            {"votedperceptron": VotedPerceptrons()} if has("votedperceptron") else {},
        ),
    ]
    for part, model, peers in sides:
        ours = Measured.of(model, part)
        name = f"ours: {model.kernel}, {model.readout}, max_iter={model.max_iter}"
        for who, m in {name: ours, **{who: Measured.of(peer, part) for who, peer in peers.items()}}.items():
            ratios = m.fit.cpu / ours.fit.cpu, m.predict.cpu / ours.predict.cpu
            table.add(who, len(part.y), m.fit.cpu, ratios[0], m.predict.cpu, ratios[1], 100 * m.error)
    for package in ("libsvm", "votedperceptron"):
        if not has(package):
            table.add(f"{package} is not installed: not compared")
    return table
