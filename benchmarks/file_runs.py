"""From a file to a model on disk: one way a run, in a process of its own, which says what it took.

`python -m benchmarks.file_runs WAY FOLDER`: seconds from the call to the model's file, imports left out, and the most
memory that the process ever had, imports included. scikit-learn imports pandas where it is installed, for 60 MB that
nothing here needs: it is hidden.
"""

import json
import mmap
import re
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PASSES = 3


def ours_stream(folder: Path) -> Callable[[], object]:
    """fit_file and save: the averaged perceptron."""
    return _ours(folder, "average.safetensors")


def ours_arow(folder: Path) -> Callable[[], object]:
    """The same with AROW, whose last weights are its best."""
    return _ours(folder, "arow.safetensors", step="arow", readout="last")


def ours_writes_cache(folder: Path) -> Callable[[], object]:
    """The pass that writes the cache too."""
    (folder / "train.arrow").unlink(missing_ok=True)
    return _ours(folder, "cached.safetensors", cache=folder / "train.arrow")


def ours_cached(folder: Path) -> Callable[[], object]:
    """A pass from the cache."""
    return _ours(folder, "cached.safetensors", cache=folder / "train.arrow")


def ours_cached_passes(folder: Path) -> Callable[[], object]:
    """More of them."""
    return _ours(folder, "cached.safetensors", cache=folder / "train.arrow", max_iter=1 + PASSES)


def _ours(folder: Path, name: str, cache: Path | None = None, **words: Any) -> Callable[[], object]:
    sys.modules["pandas"] = None  # type: ignore[assignment]
    from rosenblatt.doors.sklearn.model_file import save
    from rosenblatt.doors.sklearn.perceptron import Perceptron

    if cache is not None:
        import rosenblatt.services.stream.cache  # noqa: F401 - before the clock runs
    warnings.simplefilter("ignore")
    Perceptron().fit([[0], [1]], [0, 1])  # scikit-learn has imports that come with the first fit
    model = Perceptron(**{"readout": "average", "max_iter": 1, **words})
    return lambda: save(model.fit_file(folder / "train.svm", dtype=np.float32, cache=cache), folder / name)


def ours_reader(folder: Path) -> Callable[[], object]:
    """The reader alone: every block is parsed and checked, and let go."""
    from rosenblatt.services.stream.streams import SvmlightStream

    stream = SvmlightStream(folder / "train.svm", n_features=None, dtype=np.float32, zero_based="auto")

    def read() -> None:
        for _ in stream.blocks():
            pass

    return read


def vw_stream(folder: Path) -> Callable[[], object]:
    """Vowpal Wabbit as it comes: adaptive, normalised; hinge loss."""
    return _vw("-d", folder / "train.vw", "-f", folder / "vw.model")


def vw_writes_cache(folder: Path) -> Callable[[], object]:
    """The pass that writes its cache too."""
    cache = folder / "train.vw.cache"
    cache.unlink(missing_ok=True)
    return _vw("-d", folder / "train.vw", "-f", folder / "vw.model", "--cache_file", cache)


def vw_cached(folder: Path) -> Callable[[], object]:
    """A pass from its cache."""
    return _vw("-d", folder / "train.vw", "-f", folder / "vw.model", "--cache_file", folder / "train.vw.cache")


def vw_cached_passes(folder: Path) -> Callable[[], object]:
    """More of them."""
    cache = "--cache_file", folder / "train.vw.cache", "--passes", 1 + PASSES, "--holdout_off"
    return _vw("-d", folder / "train.vw", "-f", folder / "vw.model", *cache)


def vw_test(folder: Path) -> Callable[[], object]:
    """Its answers for the test rows."""
    return _vw("-t", "-i", folder / "vw.model", "-d", folder / "test.vw", "-p", folder / "vw.answers")


def _vw(*args: object) -> Callable[[], object]:
    from vowpalwabbit import Workspace

    words = ["--quiet", *map(str, args)] if "-t" in args else ["--quiet", "--loss_function", "hinge", *map(str, args)]
    return lambda: Workspace(arg_list=words).finish()


def sklearn_stream(folder: Path) -> Callable[[], object]:
    """scikit-learn's loader, then a pass of SGDClassifier with averaging."""
    import joblib
    from sklearn.datasets import load_svmlight_file

    from benchmarks.peers import averaged_perceptron

    def run() -> None:
        X, y = load_svmlight_file(str(folder / "train.svm"), dtype=np.float32)
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # the only ones it takes
        joblib.dump(averaged_perceptron(1).fit(X, y), folder / "sklearn.joblib")

    return run


def read_bytes(folder: Path) -> Callable[[], object]:
    """Only the bytes: the limit."""

    def run() -> None:
        buffer = mmap.mmap(-1, 1 << 20)  # at the start of a page: near it, some processors copy four times slower
        with (folder / "train.svm").open("rb") as file:
            while file.readinto(buffer):
                pass

    return run


def peak() -> float:
    """Megabytes at the most so far. Not from getrusage: it begins with what the parent had."""
    (line,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(line) / 1024


def main() -> None:
    way, folder = sys.argv[1], Path(sys.argv[2])
    print_cost(globals()[way](folder))


def print_cost(run: Callable[[], object]) -> None:
    """Run it, and print seconds and megabytes as JSON."""
    before = peak()
    cpu, wall = time.process_time(), time.perf_counter()
    run()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"cpu": cpu, "wall": wall, "peak": peak(), "before": before}))


if __name__ == "__main__":
    main()
