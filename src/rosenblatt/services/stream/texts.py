"""A classifier of texts from a file larger than memory, or on a cluster: what is chosen, learned and kept of a table.

What words tell is learned with the encoding, in a pass of its own. The strength r is chosen on a sample, and a run
without a tenth of the rows tells what their scores are worth, as in memory; of a file that the sample has whole, both
are those that would be chosen in memory. Then AROW goes over the file in the listed order, its weights averaged.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.numbers import as_labels
from rosenblatt.base.rows import SparseRows
from rosenblatt.members.calibration import Calibration
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.learn import ENOUGH, NAMED, choose
from rosenblatt.members.linear.text.model import TextModel
from rosenblatt.members.linear.text.packed import pack
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.members.randomness import random_state
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.stream.fit import fit_stream
from rosenblatt.services.stream.streams import MatrixBlock, Stream, StreamBlock

SAMPLE = 2 * ENOUGH  # rows
HELD_OUT, MOST_HELD_OUT = 0.1, 20_000  # the share of the rows, and how many, that tell what scores are worth

Blocks = Callable[[], Iterator[tuple[TextRows, Array]]]
"""Gives the rows of a table, with their texts and labels, block by block, as often as it is called."""


@dataclass(frozen=True)
class TextChoice:
    """How texts are learned: the strength, what scores are worth if that is known; and how many rows there are."""

    parameters: TextParameters
    r: float
    calibration: Calibration | None
    n_rows: int

    def member(self) -> LinearMember:
        """The run over the rows, in the listed order."""
        return LinearMember(replace(self.parameters.perceptron(self.r), readout="average"))

    def calibrate(self, stream: Stream) -> "TextChoice":
        """The same, knowing what scores are worth: by rows that a run over the others has not learned."""
        if self.calibration is not None or not self.parameters.probabilities:
            return self
        share = min(HELD_OUT, MOST_HELD_OUT / self.n_rows)
        model = fit_stream(self.member(), _part(stream, share, held_out=False)).model
        decisions, targets = list[Array](), list[Array]()
        with closing(_part(stream, share, held_out=True).blocks()) as blocks:
            for block in blocks:
                known = np.isin(block.y, model.classes)
                X: Any = block.X[np.flatnonzero(known)]
                decisions.append(model.decision(replace(X, n_columns=model.n_features)))
                targets.append(np.searchsorted(model.classes, block.y[known]))
        calibration = Calibration.fit(np.concatenate(decisions), np.concatenate(targets))
        return replace(self, calibration=calibration)

    def build(self, encoding: Encoding, linear: Any, blocks: Blocks) -> TextModel:
        """The model, with the words of its heaviest features, which are looked up in the blocks."""
        columns = encoding.texts
        assert columns is not None
        weights = linear.weights("average").astype(np.float32)
        linear.classes = as_labels(linear.classes)
        calibration = self.calibration if self.parameters.probabilities else None
        size = self.parameters.max_size
        small, packed = pack(size, columns, weights, linear.state.n_machines, NAMED)
        model = TextModel.build(self.parameters, small, packed, linear, self.r, calibration)
        model.left_out = len(columns) - len(small)
        model.words = small.words_of(lambda: (rows for rows, _ in blocks()), model.heaviest(NAMED))
        return model


def choose_texts(parameters: TextParameters, blocks: Blocks) -> TextChoice:
    """Choose by a sample of the rows."""
    rows, y, n_rows = sample(blocks(), SAMPLE, parameters.random_state)
    r, calibration = choose(parameters, rows, y)
    return TextChoice(parameters, r, calibration if n_rows <= SAMPLE else None, n_rows)


def blocks_of(encoding: Encoding, paths: Sequence[str], reading: Reading) -> Blocks:
    """The rows of files, texts as they are."""
    words: Any = {"format": reading.format, "delimiter": reading.delimiter}
    return lambda: chain.from_iterable(encoding.to_model().blocks(path, **words) for path in paths)


def sample(blocks: Iterable[tuple[TextRows, Array]], most: int, seed: Any) -> tuple[TextRows, Array, int]:
    """So many of the rows, each as likely as any other, in their order; all if there are no more. How many there are.

    Which rows are drawn does not depend on the blocks (Vitter 1985, algorithm R).
    """
    random, n = random_state(seed), 0
    in_place, numbers = np.empty(0, np.int64), np.empty(0, np.int64)  # drawn rows by place; those that are held
    parts, labels = list[TextRows](), list[Array]()
    for rows, y in blocks:
        places = np.arange(n, n + len(rows))
        late = places >= most
        places[late] = random.randint(0, places[late] + 1)
        drawn = np.flatnonzero(places < most)
        in_place = np.concatenate([in_place, np.empty(min(most, n + len(rows)) - len(in_place), np.int64)])
        for place, row in zip(places[drawn].tolist(), drawn.tolist(), strict=True):
            in_place[place] = n + row
        if len(drawn):
            numbers = np.concatenate([numbers, n + drawn])
            stay = np.flatnonzero(np.isin(numbers, in_place))
            parts, labels = [*parts, rows[drawn]], [*labels, y[drawn]]
            if len(stay) < len(numbers):
                numbers = numbers[stay]
                parts, labels = [TextRows.join(parts)[stay]], [np.concatenate(labels)[stay]]
        n += len(rows)
    return TextRows.join(parts), np.concatenate(labels), n


class _PartOfStream:
    """Of the rows of a stream those that are held out, or the others; the number of a row tells which it is."""

    def __init__(self, stream: Stream, share: float, *, held_out: bool) -> None:
        self._stream, self._most, self._held_out = stream, int(share * 2**32), held_out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def blocks(self, after: int = 0) -> Generator[StreamBlock, None, None]:
        assert after == 0, "no checkpoint is kept of a part"
        n = 0
        with closing(self._stream.blocks()) as blocks:
            for block in blocks:
                numbers = np.arange(n, n + len(block.y), dtype=np.uint64)
                is_out = (numbers * np.uint64(0x9E3779B1) & np.uint64(0xFFFFFFFF)) < self._most
                n += len(block.y)
                chosen = np.flatnonzero(is_out == self._held_out)
                if len(chosen):
                    X = SparseRows(*block.arrays(), block.n_columns)
                    yield MatrixBlock(X[chosen], block.y[chosen], block.end)


def _part(stream: Stream, share: float, *, held_out: bool) -> Any:
    return _PartOfStream(stream, share, held_out=held_out)
