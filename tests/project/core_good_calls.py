"""A good call of every function and method of the core's module, and rows that went bad after they were made.

CORE names the folder of another build of the module, as that with sanitizers, which `make fuzz` makes.
"""

import array
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import rosenblatt

if "CORE" in os.environ:
    rosenblatt.__path__.insert(0, os.environ["CORE"])
from rosenblatt import _core

core = _core  # also for others: this build of it

Call = tuple[Callable[..., Any], dict[str, Any]]


class Liar(list[str]):
    """A sequence that is longer or shorter than it says."""

    def __init__(self, says: int) -> None:
        super().__init__(["a", "b", "c"])
        self.says = says

    def __len__(self) -> int:
        return self.says


def ints(*values: int) -> Any:
    return np.array(values, dtype=np.int64)


def classes(*values: int) -> Any:
    return np.array(values, dtype=np.int32)


def dense(dtype: Any = np.float64) -> Any:
    return np.array([[0, 1, 2], [1, 0, -1], [2, 2, 0], [-1, 1, 1]], dtype=dtype)


def csr(dtype: Any = np.float64, index: Any = np.int32) -> tuple[Any, Any, Any]:
    return np.ones(5, dtype), np.array([0, 2, 1, 0, 2], index), np.array([0, 2, 3, 3, 5], index)


def sparse_rows(dtype: Any = np.float64, index: Any = np.int32) -> _core.Rows:
    return _core.sparse_rows(*csr(dtype, index), 3)


def text_shape() -> _core.TextShape:
    return _core.TextShape(bits=4, ngrams=2, chars_least=3, chars_most=5)


TEXTS: dict[str, Any] = {
    "counts": np.array([1, 2, 1], dtype=np.float32),
    "features": classes(1, 17, 3),
    "starts": classes(0, 2, 3),
    "rows": ints(1, 0),
}


def stale_rows() -> Iterator[_core.Rows]:
    """Rows whose arrays have changed since they were made, or whose reader has read on."""
    for place, value in ((1, 10**6), (1, -1), (2, 10**9), (2, -5), (2, 1)):
        arrays = csr()
        rows = _core.sparse_rows(*arrays, 3)
        _core.check(rows)
        arrays[place][3] = value
        yield rows
    values = array.array("d", [1.0] * 5)
    rows = _core.sparse_rows(values, *csr()[1:], 3)  # type: ignore[arg-type]
    try:
        values.extend([0.0] * 10**5)
    except BufferError:  # while the rows have it
        yield rows
    reader = read_block()
    rows = reader.rows
    reader.read(b"1 1:1\n" * 1000, first=False, smallest=0, largest=9, one_more=False, query_id=False)
    yield rows
    yield _core.sparse_rows(*csr(), 2**62)
    yield _core.sparse_rows(np.full(5, np.nan), *csr()[1:], 3)
    yield _core.dense_rows(np.full((4, 3), np.inf))
    yield _core.dense_rows(np.zeros((0, 3)))
    yield _core.dense_rows(np.zeros((4, 0)))
    yield _core.dense_rows(dense(np.float32))
    yield sparse_rows(np.float32, np.int64)


def read_block() -> _core.SvmlightReader64:
    reader = _core.SvmlightReader64()
    reader.read(b"1 0:1 2:3\n-1 1:0.5\n", first=True, smallest=0, largest=9, one_more=False, query_id=False)
    return reader


def rule(**changed: Any) -> _core.Rule:
    words = {"tie": "mistake", "margin": 0.0, "step": "perceptron", "C": 1.0, "r": 1.0, "multiclass": "argmax"}
    return _core.Rule(**{**words, "batch_size": 1, "norm_of_constant": True, **changed})


def corpus() -> _core.Corpus:
    return _core.Corpus([["a", "b", "c"], ["A", "B", "A"]], ints(0, 2, 2, 3))


def templates() -> _core.Templates:
    pieces = [("U", [(0, 0)]), ("V", [(-1, 0), (1, 1)])]
    return _core.Templates(views=[(0, "x", 0), (1, "suffix", 1)], unigrams=pieces, bigrams=pieces, boundary="mark")


def chain() -> _core.Chain:
    return _core.Chain(labels=3, attributes=4, integers=True)


def training() -> _core.ChainTraining:
    made = _core.ChainTraining(chain(), templates(), corpus(), classes(0, 1, 2))
    made.run(step="perceptron", C=1.0, sentences=ints(0, 1, 2), seed=None, pass_number=0)
    return made


def mix() -> _core.ChainMix:
    return _core.ChainMix(training().chain())


def chain_pass() -> dict[str, Any]:
    return {"step": "perceptron", "C": 1.0, "sentences": ints(0, 2), "seed": 3, "pass_number": 1}


def changed() -> _core.Chain:
    return training().run_from(mix(), **chain_pass())[0]


def tagger() -> _core.ChainTagger:
    return _core.ChainTagger(training().chain(), "average")


def tree_templates() -> _core.TreeTemplates:
    pieces = [("view", 0, 0, 0), ("label", 0, 1, 1), ("gap", 0, 0, 1)]
    places = [(False, 0, ""), (True, 0, "l")]
    return _core.TreeTemplates(
        views=[(0, "x", 0)], places=places, pieces=pieces, templates=[("a", [0]), ("b", [1, 2]), ("c", [0, 1])]
    )


def actions() -> _core.Actions:
    return _core.Actions(3, [0, 1], [2])


def treebank() -> dict[str, Any]:
    parts = {"templates": tree_templates(), "corpus": corpus(), "heads": classes(2, 0, 0), "labels": classes(0, 2, 2)}
    return {"weights": _core.ParseWeights(actions=7, templates=3), "actions": actions(), **parts}


def parse_training() -> _core.ParseTraining:
    made = _core.ParseTraining(**treebank())
    made.run(beam=1, exploration=0.5, sentences=ints(0, 1), shuffled=False, seed=1, pass_number=0)
    return made


def parse_cells() -> dict[str, Any]:
    names = ("keys", "counts", "cell_actions", "w", "sums")
    return dict(zip(names, (np.array(a) for a in parse_training().weights().arrays()), strict=True))


def parser() -> _core.TreeParser:
    return _core.TreeParser(parse_training().weights(), actions(), "average", 2)


def cells() -> dict[str, Any]:
    names = ("keys", "before", "counts", "cell_labels", "w", "sums")
    return dict(zip(names, (np.array(a) for a in training().chain().arrays()), strict=True))


def peeled() -> _core.Peel:
    return _core.peel(sparse_rows())


def conll() -> _core.ConllReader:
    return _core.ConllReader(universal=False, columns=[0, -1])


def table() -> _core.TableReader:
    reader = _core.TableReader(delimiter=b",", longest=1000, lines=0, like="the header")
    reader.add(b'a,b\n1,"x ""y"""\n,z\n')
    reader.read(3)
    return reader


def block() -> dict[str, Any]:
    return {"order": ints(0, 1, 2), "target": classes(0, 1, 0), "weight": None}


def kernel_block() -> dict[str, Any]:
    arrays = {"score": np.zeros((1, 3)), "gram": np.eye(3), "place": classes(0, 1, 2), "held": np.zeros(3, np.uint8)}
    return {**block(), **arrays, "norm2": np.zeros(1), "room": 3, "wait": False, "first": 0, "visits": 0}


def events() -> dict[str, Any]:
    return {"visit": ints(0, 2), "row": ints(0, 1), "cls": classes(0, 0), "tau": np.ones(2)}


def examples() -> dict[str, Any]:
    return {"rows": sparse_rows(), "target": classes(0, 1, 0, 1), "weight": None, "rule": rule()}


def trained() -> dict[str, Any]:
    return {**examples(), "seed": 1, "first_pass": 0, "passes": 3, "whole_passes": True}


def traced() -> dict[str, Any]:
    numbers = {"unit": 0.5, "updates": 0, "first_pass": 0, "passes": 3, "visits": 10, "seed": 1}
    return {**examples(), "state": state(), **numbers, "order": ints(0, 2, 3), "turn": "shuffled"}


def linear() -> dict[str, Any]:
    arrays = {name: np.zeros((4, 1)) for name in ("w", "sums", "pocket")}
    numbers = {"n_machines": 1, "bias": 1.0, "visits": 3, "unaveraged": 1, "pocket_errors": 2.0}
    return {**arrays, "spread": None, **numbers, "keep_mistakes": True}


def state(**changed: Any) -> _core.LinearState:
    return _core.LinearState(**{**linear(), "visits": 0, **changed})


def unit() -> dict[str, Any]:
    return {"rows": sparse_rows(), "y": np.ones(4), "weight": None, "w": np.zeros(4), "bias": 1.0}


READ = {"text": b"1 1:1\n", "first": True, "smallest": 0, "largest": 9, "one_more": False, "query_id": False}
PLAN = {"method": "batch", "eta0": 0.1, "power_t": 0.0, "tol": 1e-3, "max_iter": 9, "seed": 1}
SCORES = {"w": np.zeros((4, 1)), "n_machines": 1, "bias": 1.0, "out": np.zeros((4, 1))}
VOTES = {"tie": "mistake", "bias": 1.0, "score": np.zeros((4, 1)), "votes": np.zeros((4, 2))}
KERNEL = {"kind": "rbf", "gamma": 1.0, "coef0": 0.0, "degree": 3}
KERNEL_VOTES = {"first": 0, "last": 3, "n_machines": 1, "tie": "mistake", "normalise": False, "votes": np.zeros((2, 3))}
WRITTEN = {"labels": np.ones(4), "query": None, "base": 0, "first": 0, "last": 4}
TOKENS: dict[str, Any] = {
    "text": b" Ab 12,\n\nc",
    "begin": ints(1, 4, 9),
    "end": ints(3, 7, 10),
    "paragraphs": "empty line",
}
CONLL = {"universal": False, "columns": [(None, ["X"], classes(0, 0)), (0, ["Y"], classes(0, 0))]}
CSR = ("data", "indices", "indptr")
CELLS = {"column": 1, "first": 0, "last": 3}
FORM: dict[str, Any] = {"missing": ["NA", "-9"], "decimal": ",", "groups": ".", "sign": "$"}


def readers() -> dict[str, Callable[[], Call]]:
    made: dict[str, Callable[[], Call]] = {}
    for name in ("SvmlightReader32", "SvmlightReader64", "SvmlightReader32Long", "SvmlightReader64Long"):
        kind = getattr(_core, name)
        made[name] = partial(of, kind)
        made[f"{name}.read"] = partial(of, kind, "read", **READ)
        made[f"{name}.arrays"] = partial(of, kind, "arrays")
    for name in ("SvmlightRows32", "SvmlightRows64"):
        kind, reader = getattr(_core, name), getattr(_core, name.replace("Rows", "Reader"))
        made[name] = partial(of, kind)
        made[f"{name}.append"] = partial(of, kind, "append", reader=reader())
        made[f"{name}.take"] = partial(of, kind, "take")
    return made


def of(kind: Any, method: str | None = None, **arguments: Any) -> Call:
    return (kind if method is None else getattr(kind(), method)), arguments


# What makes the function, and good arguments for it.
CALLS: dict[str, Callable[[], Call]] = {
    "call_asking": lambda: (_core.call_asking, {"work": dict, "ask": dict}),
    "end_at_interrupt": lambda: (_core.end_at_interrupt, {}),
    "check": lambda: (_core.check, {"rows": sparse_rows()}),
    "ascending": lambda: (_core.ascending, {"rows": sparse_rows()}),
    "dense_rows": lambda: (_core.dense_rows, {"x": dense()}),
    "sparse_rows": lambda: (_core.sparse_rows, {**dict(zip(CSR, csr(), strict=True)), "features": 3}),
    "order": lambda: (_core.order, {"rows": 9, "seed": 1, "pass_number": 0}),
    "stride": lambda: (_core.stride, {"n_machines": 9}),
    "machine_has_avx2": lambda: (_core.machine_has_avx2, {}),
    "use_avx2": lambda: (_core.use_avx2, {"use": True}),
    "Rule": lambda: (rule, {"margin": 0.0, "step": "pa1", "C": 1.0, "r": 1.0, "batch_size": 2}),
    "LinearState": lambda: (_core.LinearState, linear()),
    "LinearState.run": lambda: (state().run, trained()),
    "LinearState.play": lambda: (state(pocket=None).play, {**examples(), "average": True, "unit": 0.5}),
    "LinearState.standing_scores": lambda: (
        state().standing_scores,
        {"rows": sparse_rows(), "average": True, "unit": 0.5, "out": np.zeros((4, 1))},
    ),
    "LinearState.average": lambda: (state().average, {"unit": 0.5}),
    "LinearState.take_mistakes": lambda: (state().take_mistakes, {}),
    "trace": lambda: (_core.trace, traced()),
    "scores": lambda: (_core.scores, {"rows": sparse_rows(), **SCORES}),
    "vote": lambda: (_core.vote, {"rows": sparse_rows(), "support": sparse_rows(), **events(), "visits": 4, **VOTES}),
    "descend": lambda: (_core.descend, {**unit(), **PLAN}),
    "squared_error": lambda: (_core.squared_error, unit()),
    "largest_squared_norm": lambda: (
        _core.largest_squared_norm,
        {"rows": sparse_rows(), "weight": np.ones(4), "bias": 1.0},
    ),
    "NearestPoint": lambda: (_core.NearestPoint, {"rows": sparse_rows(), "corral": ints(0, 1)}),
    "NearestPoint.run": lambda: (_core.NearestPoint(sparse_rows()).run, {"passes": 3, "tol": 1e-9}),
    "DualDescent": lambda: (_core.DualDescent, {"rows": _core.dense_rows(dense()), "seed": 1}),
    "DualDescent.run": lambda: (_core.DualDescent(_core.dense_rows(dense()), 1).run, {"epochs": 3}),
    "DualDescent.lowest": lambda: (_core.DualDescent(_core.dense_rows(dense()), 1).lowest, {}),
    "peel": lambda: (_core.peel, {"rows": sparse_rows()}),
    "Peel.weights": lambda: (peeled().weights, {"w": np.zeros(3)}),
    **readers(),
    "write_svmlight": lambda: (
        _core.write_svmlight,
        {**dict(zip(("value", "column", "starts"), csr(), strict=True)), **WRITTEN},
    ),
    "Kernel": lambda: (_core.Kernel, dict(KERNEL)),
    "kernel_values": lambda: (
        _core.kernel_values,
        {"kernel": _core.Kernel(**KERNEL), "dots": np.eye(3), "row_norm2": np.ones(3), "column_norm2": np.ones(3)},  # type: ignore[arg-type]
    ),
    "kernel_add": lambda: (
        _core.kernel_add,
        {"tiles": [np.eye(3)], **{k: v for k, v in events().items() if k != "visit"}, "score": np.zeros((1, 3))},
    ),
    "kernel_visit": lambda: (_core.kernel_visit, {"rule": rule(), **kernel_block()}),
    "kernel_vote": lambda: (
        _core.kernel_vote,
        {"values": np.eye(3), **events(), "norm2": np.ones(2), **KERNEL_VOTES},
    ),
    "sparse_dots": lambda: (
        _core.sparse_dots,
        {"a_rows": sparse_rows(), "b_rows": sparse_rows(index=np.int64), "out": np.zeros((4, 4))},
    ),
    "squared_norms": lambda: (_core.squared_norms, {"rows": sparse_rows(), "out": np.zeros(4)}),
    "Corpus": lambda: (_core.Corpus, {"columns": [["a", "b", "c"]], "starts": ints(0, 3)}),
    "Corpus.part": lambda: (corpus().part, {"sentences": ints(2, 0)}),
    "Corpus.choose": lambda: (corpus().choose, {"columns": [0, (["X", "Y"], classes(1, 0, 1))]}),
    "joined_corpus": lambda: (_core.joined_corpus, {"corpora": [corpus(), corpus()]}),
    "Corpus.tokens": lambda: (corpus().tokens, {"column": 0}),
    "Corpus.texts": lambda: (corpus().texts, {"column": 0}),
    "ConllReader": lambda: (_core.ConllReader, {"universal": True, "columns": [0, 1]}),
    "ConllReader.read": lambda: (conll().read, {"text": b"a A\nb B\n\n"}),
    "ConllReader.take": lambda: (conll().take, {}),
    "whole_sentences": lambda: (_core.whole_sentences, {"text": b"a\n\nb\n"}),
    "write_conll": lambda: (_core.write_conll, {"text": b"a A\nb B\n", **CONLL}),
    "text_problem": lambda: (_core.text_problem, {"text": b"a\n\x00"}),
    "ends_paragraph": lambda: (_core.ends_paragraph, {"text": b" \n\n", "paragraphs": "line"}),
    "atoms": lambda: (_core.atoms, {"text": b"Ab 12, cd.\n\ne", "paragraphs": "empty line", "most": 4}),
    "token_corpus": lambda: (_core.token_corpus, {**TOKENS, "most": 4}),
    "write_tokens": lambda: (
        _core.write_tokens,
        {
            **TOKENS,
            "starts": ints(0, 1, 3),
            "splits": ["", "keep 0 1\t\t\nkeep -1 0\t\t"],
            "split_of_token": classes(0, 1, 0),
            "first_sentence": 1,
            "new_document": True,
            "new_paragraph": True,
            "first_character": 0,
        },
    ),
    "find_edit": lambda: (_core.find_edit, {"text": "Dogs", "to": "dog"}),
    "find_split": lambda: (_core.find_split, {"token": "don't", "words": ["do", "n't"]}),
    "apply_edits": lambda: (_core.apply_edits, {"text": "Dogs", "edits": "lower 0 1\t\t"}),
    "edit_column": lambda: (
        _core.edit_column,
        {"corpus": corpus(), "column": 0, "edits": ["lower 0 0\t\t"], "of_token": classes(0, 0, 0)},
    ),
    "json_elements": lambda: (_core.json_elements, {"text": b"[1,[2,3]]", "most": 5}),
    "TextShape": lambda: (_core.TextShape, {"bits": 4, "ngrams": 2, "chars_least": 3, "chars_most": 5}),
    "TextFeatures": lambda: (_core.TextFeatures, {"shape": text_shape()}),
    "TextFeatures.add": lambda: (_core.TextFeatures(text_shape()).add, {"texts": ["a b", "c"]}),
    "TextFeatures.take": lambda: (_core.TextFeatures(text_shape()).take, {}),
    "TextFeatures.places": lambda: (_core.TextFeatures(text_shape()).places, {"text": "a b"}),
    "TextFeatures.reasons": lambda: (
        _core.TextFeatures(text_shape()).reasons,
        {"text": "a b", "features": np.array([1], dtype=np.int32), "amounts": np.array([0.5])},
    ),
    "TextFeatures.find_first": lambda: (
        _core.TextFeatures(text_shape()).find_first,
        {"texts": ["a b", "c"], "features": [1, 17]},
    ),
    "TextScales": lambda: (
        _core.TextScales,
        {"shape": text_shape(), "weighting": "tfidf", "features": classes(1, 17), "scales": np.ones(2, np.float32)},
    ),
    "TextCounts": lambda: (_core.TextCounts, {"shape": text_shape(), "of_classes": True}),
    "TextCounts.add": lambda: (
        _core.TextCounts(text_shape(), of_classes=True).add,
        {**TEXTS, "target": classes(1, 0), "n_classes": 2},
    ),
    "TextCounts.forget_classes": lambda: (_core.TextCounts(text_shape(), of_classes=True).forget_classes, {}),
    "TextCounts.scales": lambda: (_core.TextCounts(text_shape(), of_classes=False).scales, {"weighting": "tfidf"}),
    "TextScales.learn": lambda: (
        _core.TextScales.learn,
        {"shape": text_shape(), "weighting": "ratio", **TEXTS, "target": classes(1, 0), "n_classes": 2},
    ),
    "TextScales.rows": lambda: (
        _core.TextScales(text_shape(), "log", classes(1, 17), np.ones(2, np.float32)).rows,
        dict(TEXTS),
    ),
    "pack_weights": lambda: (
        _core.pack_weights,
        {
            "w": np.ones((3, 16), np.float32),
            "n_machines": 9,
            "column": classes(1, 0),
            "share": np.ones(2, np.float32),
            "unit": np.ones(2, np.float32),
        },
    ),
    "unpack_weights": lambda: (
        _core.unpack_weights,
        {
            "marks": np.array([1, 1, 0, 0], np.uint8),
            "numbers": np.array([0x9A], np.uint8),
            "unit": np.ones(2, np.float32),
            "n_machines": 9,
            "w": np.zeros((2, 16), np.float32),
        },
    ),
    "pack_ascending": lambda: (_core.pack_ascending, {"features": classes(1, 300)}),
    "unpack_ascending": lambda: (_core.unpack_ascending, {"bytes": np.array([1, 0x81, 2], np.uint8)}),
    "heaviest": lambda: (
        _core.heaviest,
        {"w": np.ones((3, 8), np.float32), "n_machines": 3, "scale": np.ones(2, np.float32), "most": 1},
    ),
    "merge_hapaxes": lambda: (
        _core.merge_hapaxes,
        {"values": np.ones(3, np.float32), "columns": classes(0, 1, 1), "starts": classes(0, 2, 3), "n_columns": 2},
    ),
    "CellForm": lambda: (_core.CellForm, dict(FORM)),
    "CellForm.plain": lambda: (_core.CellForm(**FORM).plain, {"cell": "-$1.234,5"}),
    "TableReader": lambda: (_core.TableReader, {"delimiter": b";", "longest": 10, "lines": 2, "like": "the header"}),
    "TableReader.add": lambda: (table().add, {"lines": b"3,w\n"}),
    "TableReader.end": lambda: (table().end, {}),
    "TableReader.read": lambda: (table().read, {"rows": 9}),
    "TableReader.take": lambda: (table().take, {}),
    "TableBlock.of_columns": lambda: (
        _core.TableBlock.of_columns,
        {"columns": [["a", "b"], ["1", ""]], "lines": np.array([1, 2])},
    ),
    "TableBlock.numbers": lambda: (table().take().numbers, {**CELLS, "form": _core.CellForm(**FORM)}),
    "TableBlock.codes": lambda: (table().take().codes, {**CELLS, "form": _core.CellForm(**FORM)}),
    "TableBlock.texts": lambda: (table().take().texts, dict(CELLS)),
    "RowWriter": lambda: (_core.RowWriter, {"width": 3}),
    "RowWriter.add": lambda: (_core.RowWriter(3).add, {"columns": [np.ones(4), np.zeros(4)], "rows": 4}),
    "RowWriter.take": lambda: (_core.RowWriter(3).take, {}),
    "SparseWriter": lambda: (_core.SparseWriter, {"values": np.eye(3), "numbers": 2, "features": 4}),
    "SparseWriter.add": lambda: (_core.SparseWriter(np.eye(3), 2, 4).add, {"chosen": np.array([[0], [-1]])}),
    "SparseWriter.take": lambda: (_core.SparseWriter(np.eye(3), 2, 4).take, {}),
    "Templates": lambda: (
        _core.Templates,
        {"views": [(0, "x", 0)], "unigrams": [("U", [(0, 0)])], "bigrams": [("B", [])], "boundary": "drop"},
    ),
    "Chain": lambda: (
        _core.Chain,
        {"labels": 3, "attributes": 4, "integers": True, "units": 2, "parts": classes(0, 1, 1)},
    ),
    "Chain.arrays": lambda: (training().chain().arrays, {}),
    "chain_of": lambda: (
        _core.chain_of,
        {"labels": 3, "attributes": 4, "units": 1, "visits": 3, "parts": classes(1, 0, 0), **cells()},
    ),
    "ChainMix": lambda: (_core.ChainMix, {"chain": training().chain()}),
    "ChainMix.mix": lambda: (mix().mix, {"shards": [changed(), changed()], "shares": [1, 2], "threads": 2}),
    "ChainMix.chain": lambda: (mix().chain, {}),
    "ChainTraining": lambda: (
        _core.ChainTraining,
        {
            "chain": chain(),
            "templates": templates(),
            "corpus": corpus(),
            "target": classes(0, 1, 2),
            "most_dense_labels": 2,
        },
    ),
    "ChainTraining.run": lambda: (training().run, chain_pass()),
    "ChainTraining.run_from": lambda: (training().run_from, {"mix": mix(), **chain_pass()}),
    "ChainTraining.right": lambda: (training().right, {"readout": "average", "sentences": ints(0, 1)}),
    "ChainTraining.tags": lambda: (training().tags, {"readout": "last", "sentences": ints(0, 2)}),
    "ChainTraining.chain": lambda: (training().chain, {}),
    "ChainTraining.restart": lambda: (training().restart, {}),
    "ChainTraining.promote": lambda: (training().promote, {}),
    "ChainTagger": lambda: (
        _core.ChainTagger,
        {"chain": training().chain(), "readout": "last", "most_dense_labels": 2},
    ),
    "ChainTagger.tag": lambda: (tagger().tag, {"templates": templates(), "corpus": corpus(), "threads": 2}),
    "ChainTagger.best": lambda: (tagger().best, {"templates": templates(), "corpus": corpus(), "count": 2}),
    "TreeTemplates": lambda: (
        _core.TreeTemplates,
        {"views": [(0, "x", 0)], "places": [(False, 0, "l")], "pieces": [("view", 0, 0, 0)], "templates": [("a", [0])]},
    ),
    "Actions": lambda: (_core.Actions, {"labels": 3, "of_arcs": [0, 1], "of_root": [2]}),
    "ParseWeights": lambda: (_core.ParseWeights, {"actions": 7, "templates": 3}),
    "ParseWeights.pruned": lambda: (parse_training().weights().pruned, {"readout": "last", "least": 0.5}),
    "ParseWeights.arrays": lambda: (parse_training().weights().arrays, {}),
    "parse_weights_of": lambda: (
        _core.parse_weights_of,
        {"actions": 7, "templates": 3, "visits": 5, **parse_cells()},
    ),
    "ParseTraining": lambda: (_core.ParseTraining, treebank()),
    "ParseTraining.run": lambda: (
        parse_training().run,
        {"beam": 2, "exploration": 0.5, "sentences": ints(0, 1), "shuffled": True, "seed": 1, "pass_number": 1},
    ),
    "ParseTraining.weights": lambda: (parse_training().weights, {}),
    "ParseTraining.restart": lambda: (parse_training().restart, {}),
    "TreeParser": lambda: (
        _core.TreeParser,
        {"weights": parse_training().weights(), "actions": actions(), "readout": "average", "beam": 2},
    ),
    "TreeParser.parse": lambda: (parser().parse, {"templates": tree_templates(), "corpus": corpus(), "threads": 2}),
    "tree_problem": lambda: (_core.tree_problem, {"starts": ints(0, 2, 3), "heads": classes(2, 0, 0)}),
}
