"""core.wasm without a browser: as core.js calls it, by wasmtime."""

from pathlib import Path
from typing import Any

import numpy as np
import wasmtime

from rosenblatt import studio
from rosenblatt.base.arrays import Array

WASM = Path(studio.__file__).parent / "page" / "core.wasm"
TIES = ("mistake", "positive", "negative")
ORDERS = ("listed", "shuffled", "first-wrong", "worst-wrong")
STEPS = ("perceptron", "pa", "pa1", "pa2", "arow")
MULTICLASS = ("argmax", "one-vs-rest")
KERNELS = ("linear", "poly", "rbf")
RUN = ("pass", "row", "mistake", "why", "score", "k", "average", "pocket", "weights", "norm", "errors", "survived")
KERNEL_RUN = ("pass", "row", "mistake", "why", "score", "k", "alpha", "norm2")


class PageError(Exception):
    """What the core has thrown, in its words."""


class PageCore:
    """The functions of core.js, the columns as arrays."""

    def __init__(self) -> None:
        engine = wasmtime.Engine()
        self._module = wasmtime.Module(engine, WASM.read_bytes())
        self._store = wasmtime.Store(engine)
        self._start()

    def _start(self) -> None:
        linker = wasmtime.Linker(self._store.engine)
        linker.define_wasi()
        self._store.set_wasi(wasmtime.WasiConfig())
        fails = wasmtime.FuncType([wasmtime.ValType.i32()], [])
        linker.define(self._store, "page", "fail", wasmtime.Func(self._store, fails, self._fail))
        exports: Any = linker.instantiate(self._store, self._module).exports(self._store)
        self._of = exports
        self._of["_initialize"](self._store)

    def _fail(self, at: int) -> None:
        text = self._of["memory"].read(self._store, at, at + 300)
        raise PageError(bytes(text).partition(b"\0")[0].decode())

    def call(self, name: str, given: list[Any], columns: int) -> list[Array]:
        """As `call` of core.js."""
        taken, passed = [], []
        try:
            for one in given:
                if isinstance(one, np.ndarray):
                    at = self._of["take"](self._store, max(8, one.nbytes))
                    taken.append(at)
                    self._of["memory"].write(self._store, one.tobytes(), at)
                    one = at
                passed.append(0 if one is None else one)
            self._of[name](self._store, *passed)
            found = [self._column(place) for place in range(columns)]
        except (PageError, wasmtime.WasmtimeError) as error:
            self._start()
            raise PageError(str(error)) from error
        for at in taken:
            self._of["give"](self._store, at)
        return found

    def _column(self, place: int) -> Array:
        at, size = self._of["column"](self._store, place), self._of["size"](self._store, place)
        return np.frombuffer(self._of["memory"].read(self._store, at, at + 8 * size), dtype=np.float64)

    def trace(self, X: Array, y: Array, **words: Any) -> dict[str, Array]:
        """A run; `words` are the conventions of core.js."""
        classes = max(2, int(y.max()) + 1)
        start = words.pop("start", None)
        given = [*_data(X, y), classes, _numbers(**words), None if start is None else np.asarray(start, float).ravel()]
        *columns, mistakes = self.call("trace", given, len(RUN) + 1)
        return dict(zip(RUN, columns, strict=True)) | {"mistakes": mistakes}

    def nearest(self, X: Array, y: Array, constant: float) -> list[Array]:
        """How the search ended, R, the length and the lowest; the point; the weights."""
        return self.call("nearest", [*_data(X, y), float(constant), 1e-12], 3)

    def votes(self, X: Array, classes: int, weights: Array, visits: Array, constant: float, tie: str) -> Array:
        """(points, classes)."""
        given = [*_points(X), classes, weights.ravel(), len(visits), visits, float(constant), TIES.index(tie)]
        return self.call("votes", given, 1)[0].reshape(len(X), classes)

    def kernel_trace(self, X: Array, y: Array, kernel: dict[str, Any], **words: Any) -> dict[str, Array]:
        """A run of the kernel perceptron."""
        given = [*_data(X, y), max(2, int(y.max()) + 1), _numbers(**words), _kernel(**kernel)]
        *columns, mistakes = self.call("kernel_trace", given, len(KERNEL_RUN) + 1)
        return dict(zip(KERNEL_RUN, columns, strict=True)) | {"mistakes": mistakes}

    def kernel_scores(self, X: Array, alpha: Array, kernel: dict[str, Any], points: Array) -> Array:
        """(machines, points)."""
        x, rows, features = _points(X)
        at, n_points, _ = _points(points)
        given = [x, rows, features, alpha.ravel(), alpha.size // rows, _kernel(**kernel), at, n_points]
        return self.call("kernel_scores", given, 1)[0].reshape(-1, n_points)


def _points(X: Array) -> list[Any]:
    return [np.ascontiguousarray(X, dtype=np.float64), *X.shape]


def _data(X: Array, y: Array) -> list[Any]:
    x, rows, features = _points(X)
    return [x, np.asarray(y, dtype=np.int32), rows, features]


def _numbers(
    *,
    constant: float = 1,
    tie: str = "mistake",
    order: str = "listed",
    seed: int = 0,
    first: int = 0,
    eta: float = 1,
    margin: float | None = None,
    step: str = "perceptron",
    C: float = 1,
    r: float = 1,
    multiclass: str = "argmax",
    passes: int = 1000,
    visits: int = 2000,
) -> Array:
    margin = (0 if step == "perceptron" else 1) if margin is None else margin
    words = TIES.index(tie), ORDERS.index(order), STEPS.index(step), MULTICLASS.index(multiclass)
    return np.array(
        [constant, words[0], words[1], seed, first, eta, margin, words[2], C, r, words[3], passes, visits], dtype=float
    )


def _kernel(kind: str, gamma: float = 1, coef0: float = 0, degree: int = 3) -> Array:
    return np.array([KERNELS.index(kind), gamma, coef0, degree], dtype=float)
