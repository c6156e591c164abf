"""The C++ core as Python sees it. Matrices come as rows, weights in the layout of core/rows.hpp."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

class Rows:
    features: int
    def __len__(self) -> int: ...

class Rule:
    def __init__(
        self,
        *,
        tie: str,
        margin: float,
        step: str,
        C: float,
        r: float,
        multiclass: str,
        batch_size: int,
    ) -> None: ...

def dense_rows(x: Array) -> Rows: ...
def sparse_rows(data: Array, indices: Array, indptr: Array, features: int | None) -> Rows: ...
def check(rows: Rows) -> None: ...
def order(rows: int, *, seed: int | None, pass_number: int) -> Array: ...
def machine_has_avx2() -> bool: ...
def use_avx2(use: bool) -> None: ...
def train(
    rows: Rows,
    target: Array,
    weight: Array | None,
    rule: Rule,
    *,
    w: Array,
    n_rows: int,
    bias: float,
    visits: int,
    spread: Array | None,
    sums: Array | None,
    pocket: Array | None,
    pocket_errors: float,
    keep_mistakes: bool,
    seed: int | None,
    first_pass: int,
    passes: int,
) -> tuple[Array, Array, int, int, float, Array, Array, Array, Array]: ...
def scores(rows: Rows, w: Array, n_rows: int, bias: float, out: Array) -> None: ...
def vote(
    rows: Rows,
    support: Rows,
    visit: Array,
    row: Array,
    cls: Array,
    tau: Array,
    visits: int,
    tie: str,
    bias: float,
    score: Array,
    votes: Array,
) -> None: ...
def descend(
    rows: Rows,
    y: Array,
    weight: Array | None,
    *,
    w: Array,
    bias: float,
    method: str,
    eta0: float,
    power_t: float,
    tol: float,
    max_iter: int,
    seed: int | None,
) -> tuple[Array, str]: ...
def largest_squared_norm(rows: Rows, weight: Array | None, bias: float) -> float: ...
def squared_error(rows: Rows, y: Array, weight: Array | None, w: Array, bias: float) -> tuple[float, Array]: ...

class NearestPoint:
    """The nearest point of the rows' hull to the origin; `run` says running, optimal, meets or stalled."""

    corral: Array
    weights: Array
    point: Array
    length: float
    lowest: float
    n_passes: int
    n_steps: int
    def __init__(self, rows: Rows, corral: Array | None = None) -> None: ...
    def run(self, passes: int, tol: float) -> str: ...

class DualDescent:
    """The largest margin by coordinate descent: it lies between lowest() / |w| and |w| / total."""

    alpha: Array
    weights: Array
    total: float
    squared_length: float
    def __init__(self, rows: Rows, seed: int) -> None: ...
    def run(self, epochs: int) -> None: ...
    def lowest(self) -> float: ...

class Peel:
    """What peeling left and took: column columns[k] took the rows taken[starts[k]:starts[k + 1]]."""

    core: Array
    columns: Array
    signs: Array
    taken: Array
    starts: Array
    def weights(self, w: Array) -> Array: ...

def peel(rows: Rows) -> Peel: ...

class _SvmlightReader:
    """One block of svmlight text after the other; errors are line, column, expected, and the bytes that were found."""

    lines: int
    error: tuple[int, int, str, bytes] | None
    name: tuple[int, int, str, bytes] | None
    one_too_many: tuple[int, int, str, bytes] | None
    def read(
        self,
        text: bytes | memoryview,
        *,
        first: bool,
        smallest: int,
        largest: int,
        one_more: bool,
        query_id: bool,
    ) -> None: ...
    def __len__(self) -> int: ...

class _SvmlightRows:
    """The rows of blocks together; `take` gives values, indices, starts, labels, their text and queries."""

    largest: int
    has_zero: bool
    def append(self, reader: _SvmlightReader) -> None: ...
    def __len__(self) -> int: ...
    def take(self) -> tuple[Array, Array, Array, Array, bytes, Array]: ...

class SvmlightReader32(_SvmlightReader): ...
class SvmlightReader64(_SvmlightReader): ...
class SvmlightReader32Long(_SvmlightReader): ...
class SvmlightReader64Long(_SvmlightReader): ...
class SvmlightRows32(_SvmlightRows): ...
class SvmlightRows64(_SvmlightRows): ...

def write_svmlight(
    value: Array,
    column: Array,
    starts: Array,
    *,
    labels: Array,
    query: Array | None,
    base: int,
    first: int,
    last: int,
) -> Array: ...

class Kernel:
    def __init__(self, *, kind: str, gamma: float, coef0: float, degree: int) -> None: ...

def kernel_values(kernel: Kernel, dots: Array, row_norm2: Array | None, column_norm2: Array | None) -> None: ...
def kernel_add(tiles: list[Array], row: Array, cls: Array, tau: Array, score: Array) -> None: ...
def kernel_visit(
    rule: Rule,
    *,
    order: Array,
    target: Array,
    weight: Array | None,
    score: Array,
    gram: Array,
    place: Array,
    held: Array,
    norm2: Array,
    room: int,
    wait: bool,
    first: int,
    visits: int,
) -> tuple[int, int, float, int, Array, Array, Array, Array, Array, Array]: ...
def kernel_vote(
    values: Array,
    visit: Array,
    row: Array,
    cls: Array,
    tau: Array,
    norm2: Array,
    *,
    first: int,
    last: int,
    machines: int,
    tie: str,
    normalise: bool,
    votes: Array,
) -> None: ...
def kernel_visit_within_budget(
    rule: Rule,
    removal: str,
    *,
    order: Array,
    target: Array,
    weight: Array | None,
    gram: Array,
    slot_of: Array,
    coef: Array,
    born: Array,
    values: Array,
    visits: int,
    seed: int,
) -> tuple[int, float, int, Array, Array, Array, Array]: ...

class Corpus:
    """Sentences of tokens in columns: token t of column c is texts(c)[tokens(c)[t]]."""

    n_tokens: int
    n_columns: int
    starts: Array
    def __init__(self, columns: list[Any], starts: Array) -> None: ...
    def __len__(self) -> int: ...
    def tokens(self, column: int) -> Array: ...
    def texts(self, column: int) -> list[str]: ...

LONGEST_SENTENCE: int

class ConllReader:
    """One text of whole sentences after the other; `read` gives the bytes that the sentences take before an error."""

    n_tokens: int
    lines: int
    width: int
    columns: list[int]
    error: tuple[int, int, str, bytes] | None
    def __init__(self, *, universal: bool, columns: list[int]) -> None: ...
    def read(self, text: bytes | memoryview) -> int: ...
    def take(self) -> Corpus: ...

def whole_sentences(text: bytes | memoryview) -> int: ...
def write_conll(text: bytes, *, universal: bool, column: int | None, texts: list[str], numbers: Array) -> bytes: ...

class Templates:
    n_columns: int
    def __init__(
        self,
        *,
        views: list[tuple[int, str, int]],
        unigrams: list[tuple[str, list[tuple[int, int]]]],
        bigrams: list[tuple[str, list[tuple[int, int]]]],
        boundary: str,
    ) -> None: ...
    def __len__(self) -> int: ...

class Chain:
    """What a chain has learned; `arrays` gives keys, before, counts, cell labels, w, sums."""

    labels: int
    attributes: int
    visits: int
    n_rows: int
    def __init__(self, *, labels: int, attributes: int, integers: bool) -> None: ...
    def arrays(self) -> tuple[Array, Array, Array, Array, Array, Array]: ...

def chain_of(
    *,
    labels: int,
    attributes: int,
    visits: int,
    keys: Array,
    before: Array,
    counts: Array,
    cell_labels: Array,
    w: Array,
    sums: Array,
) -> Chain: ...

class ChainTraining:
    """A training set, and what is learned from it, in int16, int32 or double.

    `run` gives the wrong sentences and tokens of a pass, `right` the right tokens.
    """

    type: str
    def __init__(self, chain: Chain, templates: Templates, corpus: Corpus, target: Array) -> None: ...
    def run(
        self, *, step: str, C: float, beam: int, sentences: Array, seed: int | None, pass_number: int
    ) -> tuple[int, int]: ...
    def right(self, readout: str, beam: int, sentences: Array) -> int: ...
    def chain(self) -> Chain: ...
    def restart(self) -> None: ...
    def promote(self) -> None: ...

class ChainTagger:
    def __init__(self, chain: Chain, readout: str, beam: int) -> None: ...
    def tag(self, templates: Templates, corpus: Corpus, threads: int | None = None) -> Array: ...
    def best(self, templates: Templates, corpus: Corpus, count: int) -> list[list[tuple[Array, float]]]: ...
