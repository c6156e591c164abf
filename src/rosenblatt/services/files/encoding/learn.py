"""What an encoding learns from the rows of a table, block by block: means, scales, categories, and what words tell."""

import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from rosenblatt import _core
from rosenblatt.base.arrays import Array
from rosenblatt.base.cores import cpu_count
from rosenblatt.base.numbers import is_whole
from rosenblatt.members.linear.text.columns import TextColumns, TextCounts
from rosenblatt.members.linear.text.encoding import CountedTexts, Shape
from rosenblatt.services.files.blocks import in_order
from rosenblatt.services.files.dates import UNITS
from rosenblatt.services.files.encoding.columns import (
    LABELS,
    NO_VALUE,
    Categories,
    Label,
    NumberColumns,
    gaps_in,
    numbers_of,
    refuse_missing,
)
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.pandas_index import no_feature_of
from rosenblatt.services.files.table import BLOCK_ROWS, Table

T = TypeVar("T")

Texts: TypeAlias = Literal["learn", "learn with labels", "leave"]
"""What is done with columns of text: their words are learned, perhaps how labels use them too, or left to a model."""


def ahead(work: Callable[[Table], T], blocks: Iterator[Table]) -> Generator[T, None, None]:
    """`work(block)` for each block.

    Cells of text are read on all cores. Columns with a type are at hand once the file is read, which one thread does;
    what is left is Python's own work, for which a second thread would only make the first one wait.
    """
    first = next(blocks, None)
    if first is not None:
        yield from in_order(work, chain([first], blocks), 1 if first.typed else cpu_count())


class Moments:
    """The mean and the scale of the values seen so far, to the bit those of scikit-learn's `StandardScaler`.

    Each block has its mean and its sum of squared deviations, corrected for the rounding of that mean; they are joined
    as Chan, Golub and LeVeque do it (Algorithms for computing the sample variance, 1983).

    >>> import numpy as np
    >>> moments = Moments()
    >>> moments.see(np.array([1.0, 2.0]))
    >>> moments.see(np.array([6.0]))
    >>> moments.mean, moments.scale == (14 / 3) ** 0.5
    (3.0, True)
    """

    def __init__(self) -> None:
        self._count, self._mean, self._variance = 0.0, 0.0, 0.0

    def see(self, values: Array) -> None:
        """Take in more values, at least one."""
        before, new = self._count, float(len(values))
        count, sum_before, sum_new = before + new, self._mean * before, float(values.sum())
        deviations = values - sum_new / new
        rounding = float(deviations.sum())
        squares = float((deviations * deviations).sum()) - rounding * rounding / new
        if before:
            ratio = before / new
            between = sum_before / ratio - sum_new
            squares = self._variance * before + squares + ratio / count * (between * between)
        self._count, self._mean, self._variance = count, (sum_before + sum_new) / count, squares / count

    @property
    def empty(self) -> bool:
        """Whether nothing was seen."""
        return not self._count

    @property
    def mean(self) -> float:
        """The mean; NaN if nothing was seen."""
        return self._mean if self._count else math.nan

    @property
    def scale(self) -> float:
        """The deviation; 1 if rounding alone may have made it, as that of a constant.

        NaN if nothing was seen, or if the squares of the values are too large for a float.
        """
        if not self._count or self._variance == -math.inf:
            return math.nan
        epsilon = sys.float_info.epsilon
        error_of_mean = self._count * self._mean * epsilon
        if self._variance <= self._count * epsilon * self._variance + error_of_mean * error_of_mean:
            return 1.0
        return math.sqrt(self._variance)


class ColumnStore:
    """What is kept of a table while its encoding is learned: all that features and labels are made of, and no more.

    Numbers are written once, row by row, where the features will be; of the columns of categories, texts and labels
    each block stays as it was read.
    """

    def __init__(self, parameters: EncodingParameters) -> None:
        self._parameters, self._blocks = parameters, list[Table]()

    def begin(self, numbers: list[str], categories: list[str]) -> None:
        """Say which columns there are, before the first block."""
        p = self._parameters
        self._others = [*categories, *p.text, *([] if p.label is None else [p.label])]
        self._width = max(1, len(numbers) + p.policies(numbers).count("indicator") + len(categories))
        self._rows = _core.RowWriter(self._width)

    def add(self, block: Table, numbers: list[Array]) -> None:
        """Store the next block and its numbers."""
        self._rows.add(numbers, len(block))
        others = block.only(self._others)
        if not self._parameters.text:
            others.forget()
        self._blocks.append(others)

    def take(self) -> tuple[Table, Array]:
        """The other columns; and the numbers, with room for the indicators of missing ones and of categories."""
        return Table.join(self._blocks), self._rows.take().reshape(-1, self._width)


class LearnedColumns(NamedTuple):
    """What there is to know of each kind of columns; of texts nothing if they are left to a model."""

    numbers: NumberColumns
    categories: Categories
    label: Label | None
    texts: TextColumns | None


MOST_CATEGORIES = 1 << 16  # a column with more categories is an identifier, or text
MANY = 20  # a column with so many values, most of them in one row only, is warned of


def learn(
    parameters: EncodingParameters,
    blocks: Iterator[Table],
    store: ColumnStore | None = None,
    *,
    texts: Texts = "learn",
    read_again: bool = False,
) -> LearnedColumns:
    """What there is to learn from the blocks of a table, each of which then goes into the `store`, if there is one.

    `read_again`: features will be made of the same rows, so that numbers of which nothing is to be learned are not
    looked at before; blocks after the first need not have them.
    """
    first = next(blocks)
    numbers, units, categories = _kinds(parameters, first)
    of_numbers = NumbersSeen(numbers, units, parameters.policies(numbers), standardise=parameters.standardise)
    of_categories = CategoriesSeen(categories, parameters.policies(categories))
    of_labels = None if parameters.label is None else LabelsSeen(parameters.label)
    of_texts = TextsSeen(parameters, first, texts) if parameters.text and texts != "leave" else None
    n_rows, skipped = 0, read_again and not of_numbers.learns
    if store is not None:
        store.begin(numbers, categories)

    def read_ahead(block: Table) -> tuple[Table, list[CountedTexts]]:
        """The work on a block that needs no other; what is wrong with it is said when its turn has come."""
        with suppress(ValueError):
            if not skipped:
                numbers_of(block, numbers, units)
            for name in [*categories, *([] if parameters.label is None else [parameters.label])]:
                block.codes(name)
        return block, [] if of_texts is None else of_texts.count(block)

    with closing(ahead(read_ahead, chain([first], blocks))) as in_turn:
        for block, counted in in_turn:
            n_rows += len(block)
            columns = [] if skipped else of_numbers.see(block)
            of_categories.see(block)
            if of_labels is not None:
                of_labels.see(block)
            if of_texts is not None:
                of_texts.see(block, counted)
            if store is not None:
                store.add(block, columns)
    if first.typed and (index := _left_out(parameters, first)):  # for CSV the warning came when it was read
        warnings.warn(f"{no_feature_of(index)}; to use it, give it another name", stacklevel=4)
    for name, unit in zip(numbers, units, strict=True):
        if unit is not None and unit not in UNITS:
            fact = f"{name}: read as numbers without their {unit!r}"
            warnings.warn(f"{fact}; as text they would be categories (--categorical)", stacklevel=4)
    for name, count in of_categories.counts().items():
        if name not in parameters.categorical and _most_have_their_own(count, n_rows):
            fact = f"{name}: {count} values in {n_rows} rows, each a feature that new rows will hardly have"
            warnings.warn(f"{fact}; ignore the column, or take it as text (--ignore or --text)?", stacklevel=4)
    if of_labels is not None and _most_have_their_own(of_labels.n_texts, n_rows):
        fact = f"{parameters.label}: {of_labels.n_texts} labels in {n_rows} rows"
        warnings.warn(f"{fact}; is another column that of the labels (--label)?", stacklevel=4)
    columns_of_numbers, categories_seen = of_numbers.result(), of_categories.result()
    n_others = len(columns_of_numbers) + len(categories_seen)
    return LearnedColumns(
        columns_of_numbers,
        categories_seen,
        None if of_labels is None else of_labels.result(),
        None if of_texts is None else of_texts.result(n_others, first),
    )


def learned_from(parameters: EncodingParameters, first: Table) -> set[str]:
    """The columns that `learn` looks at after the first block if the table is read again."""
    numbers, units, categories = _kinds(parameters, first)
    seen = NumbersSeen(numbers, units, parameters.policies(numbers), standardise=parameters.standardise)
    label = [] if parameters.label is None else [parameters.label]
    return {*categories, *parameters.text, *label, *(numbers if seen.learns else [])}


def _most_have_their_own(n_values: int, n_rows: int) -> bool:
    """Whether a value says little but which row it is of: an identifier, a time or free text."""
    return n_values >= MANY and 5 * n_values > 4 * n_rows


def _left_out(parameters: EncodingParameters, table: Table) -> list[str]:
    """The columns that are probably an index, and that nobody has named."""
    named = {parameters.label, *parameters.categorical, *parameters.text, *parameters.ignore}
    return [name for name in table.index if name in table.names and name not in named]


def _kinds(parameters: EncodingParameters, table: Table) -> tuple[list[str], list[str | None], list[str]]:
    """The columns of numbers, for those of dates their unit and of amounts their sign, and those of categories."""
    label, categorical, text, ignore = parameters.label, parameters.categorical, parameters.text, parameters.ignore
    for name in (*categorical, *text, *ignore, *([] if label is None else [label])):
        if name not in ignore or name not in table.all_names:  # ignored columns need not have been read
            table.check_name(name)
    left_out = {*text, *ignore, label, *_left_out(parameters, table)}
    others = [name for name in table.names if name not in left_out]
    if not others and not text:
        raise table.error(0, None, "a column besides the labels and those to be ignored", ", ".join(table.all_names))
    if isinstance(parameters.missing, dict) and (strange := parameters.missing.keys() - set(others)):
        raise ValueError(f"missing: expected columns of numbers or categories, found {min(strange)!r}")
    numbers, units, categories = list[str](), list[str | None](), list[str]()
    for name, policy in zip(others, parameters.policies(others), strict=True):
        if name not in categorical and parameters.dates != "category" and table.are_dates(name):
            if parameters.dates == "error":
                expected = "no dates, unless as days, seconds or categories (--dates)"
                raise table.error(0, name, expected, repr(next(filter(None, table.texts(name)), "")))
            numbers.append(name)
            units.append(parameters.dates)
            continue
        are_numbers = name not in categorical and table.are_numbers(name)
        if are_numbers is None:
            expected = NO_VALUE if policy == "error" else f"a value in the first {BLOCK_ROWS} rows"
            raise table.error(0, name, expected, table.nothing(0, name))
        sign = None if are_numbers or name in categorical else table.sign_of(name)
        if are_numbers or sign is not None:
            numbers.append(name)
            units.append(sign)
            continue
        if name not in categorical:
            table.check_categories(name, dates=parameters.dates != "category")
        categories.append(name)
    return numbers, units, categories


class NumbersSeen:
    """Of columns of numbers: their mean and scale, and where a value is missing."""

    def __init__(self, names: list[str], units: list[str | None], missing: list[str], *, standardise: bool) -> None:
        self._names, self._units, self._standardise = names, units, standardise
        self._missing = missing
        self._gaps, self._are_indicators = np.zeros(len(names), dtype=bool), np.ones(len(names), dtype=bool)
        # one for each column, because a block may have no value in some columns
        self._moments = [Moments() for _ in names] if standardise or "mean" in missing else []

    @property
    def learns(self) -> bool:
        """Whether these columns teach the encoding something besides that no number is missing."""
        return bool(self._moments) or any(policy != "error" for policy in self._missing)

    def see(self, table: Table) -> list[Array]:
        """Take in the rows of one more block; return the columns that were read."""
        columns = numbers_of(table, self._names, self._units)
        gaps = gaps_in(columns)
        refuse_missing(table, self._names, {k: gap for k, gap in gaps.items() if self._missing[k] == "error"})
        self._gaps[list(gaps)] = True
        for place, moments in enumerate(self._moments):
            values = columns[place][~gaps[place]] if place in gaps else columns[place]
            with np.errstate(over="ignore", invalid="ignore"):  # values that are not finite raise an error later
                if len(values):
                    moments.see(values)
                    if self._are_indicators[place]:
                        self._are_indicators[place] = bool(((values == 0) | (np.abs(values) == 1)).all())
        return columns

    def result(self) -> NumberColumns:
        """What was learned of all rows."""
        result, n = NumberColumns.plain(self._names), len(self._names)
        result.units = self._units
        mean = [moments.mean for moments in self._moments] or [0.0] * n
        for place, (name, moments) in enumerate(zip(self._names, self._moments, strict=False)):
            if moments.empty and self._missing[place] != "mean":
                continue
            scale = moments.scale
            if not np.isfinite([mean[place], scale]).all():
                advice = "; --no-standardise takes numbers as they are" if self._standardise else ""
                raise ValueError(f"column {name!r}: expected values with a finite mean and scale, found none{advice}")
            if self._standardise and not self._are_indicators[place]:
                result.mean[place], result.scale[place], mean[place] = mean[place], scale, 0.0
        for column, missing in enumerate(self._missing):
            result.indicator[column] = missing == "indicator" and bool(self._gaps[column])
            if missing in ("zero", "mean") or result.indicator[column]:
                result.fill[column] = mean[column] if missing == "mean" else 0.0
        return result


class TextsSeen:
    """Of columns of text: how many rows have each word and n-gram, and if wanted, of which of two labels."""

    def __init__(self, parameters: EncodingParameters, first: Table, texts: Texts) -> None:
        self._names, self._label = list(parameters.text), parameters.label
        if parameters.label is None and parameters.weighting == "ratio":
            raise ValueError("weighting: expected a column of labels for 'ratio', found none")
        self._shapes = [Shape.of(parameters, first.texts(name).tolist()) for name in self._names]
        weighting = "tfidf" if texts == "learn" and parameters.weighting == "auto" else parameters.weighting
        self._counts, self._classes = TextCounts(self._shapes, weighting), dict[str, int]()

    def count(self, block: Table) -> list[CountedTexts]:
        """The features of the texts of a block."""
        pairs = zip(self._shapes, self._names, strict=True)
        return [CountedTexts(shape, block.texts(name).tolist()) for shape, name in pairs]

    def see(self, table: Table, counted: list[CountedTexts]) -> None:
        """Take in the rows of one more block."""
        target = np.zeros(len(table), np.int32)
        if self._label is not None:
            labels = table.codes(self._label)
            numbers = [self._classes.setdefault(text, len(self._classes)) for text in labels.texts]
            target = np.array(numbers, np.int32)[labels.numbers]
        self._counts.add(counted, np.arange(len(table)), target, max(len(self._classes), 1))

    def result(self, n_others: int, first: Table) -> TextColumns:
        """What was learned of all rows."""
        columns = TextColumns(self._names, self._counts.encodings(), n_others)
        if not len(columns):
            raise first.error(0, self._names[0], "a text with a word in one of the rows", "none")
        return columns


class CategoriesSeen:
    """Of columns of categories: how often each value was there."""

    def __init__(self, names: list[str], missing: list[str]) -> None:
        self._names, self._missing = names, missing
        self._seen: list[Counter[str]] = [Counter() for _ in names]

    def see(self, table: Table) -> None:
        """Take in the rows of one more block."""
        for name, missing, seen in zip(self._names, self._missing, self._seen, strict=True):
            coded = table.codes(name)
            if "" in coded.texts and missing == "error":
                row = coded.first(text == "" for text in coded.texts) or 0
                raise table.error(row, name, NO_VALUE, table.nothing(row, name))
            counts = np.bincount(coded.numbers, minlength=len(coded.texts))
            seen.update(dict(zip(coded.texts, counts.tolist(), strict=True)))
            if len(seen) > MOST_CATEGORIES:
                raise ValueError(
                    f"column {name!r}: expected at most {MOST_CATEGORIES} categories, found more; "
                    "name it as text, or as one to be ignored"
                )

    def counts(self) -> dict[str, int]:
        """How many values each column has, apart from none."""
        return {name: len(seen) - ("" in seen) for name, seen in zip(self._names, self._seen, strict=True)}

    def result(self) -> Categories:
        """What was learned of all rows."""
        result = Categories(self._names, [], [])
        for name, missing, seen in zip(self._names, self._missing, self._seen, strict=True):
            values = sorted(value for value in seen if value or missing == "indicator")
            if not any(values):
                raise ValueError(f"column {name!r}: expected values, found none")
            often = max(sorted(filter(None, values)), key=seen.__getitem__)  # of equally frequent ones the first
            refused = missing == "error" or (missing == "indicator" and "" not in values)
            result.values.append(values)
            result.fill.append(None if refused else often if missing == "mean" else "")
        return result


class LabelsSeen:
    """Of the column of labels: whether all are whole numbers, numbers, or some are text."""

    def __init__(self, name: str) -> None:
        self._name, self._kind = name, 0
        self._seen: set[str] = set()

    def see(self, table: Table) -> None:
        """Take in the rows of one more block."""
        texts = Label(self._name, "text").texts(table).texts
        if len(self._seen) < MOST_CATEGORIES:
            self._seen.update(texts)
        if self._kind < 2:
            try:
                self._kind = max(self._kind, 0 if is_whole(table.numbers(self._name)) else 1)
            except ValueError:
                self._kind = 2

    @property
    def n_texts(self) -> int:
        """How many labels there are, if they are text; of very many, the first of them."""
        return len(self._seen) if self._kind == 2 else 0

    def result(self) -> Label:
        """What was learned of all rows."""
        return Label(self._name, LABELS[self._kind])
