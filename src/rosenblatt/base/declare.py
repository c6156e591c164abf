"""How a member declares its parameters: each once, with its type, default, range, and what it means.

A `declaration` is a class whose fields are made by `declare`. It is a base of two classes: of the member's
`Parameters`, which add what a run makes of them, and of the estimator, which so has its constructor and its attributes.
From there come also the checks and the docstring of the estimator, the options and help of the command line, and the
record of a model file. numpy is not imported, so that --help need not wait for it.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from inspect import get_annotations
from numbers import Integral, Real
from os import PathLike
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar, Union, dataclass_transform, get_args, get_origin

from rosenblatt.base.exceptions import ParameterError

C = TypeVar("C")


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def holds(self, value: Any) -> bool:
        """Whether it is one of them."""
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return " or ".join(map(repr, self.words))


@dataclass(frozen=True)
class Number:
    """A number, or a whole one, within limits."""

    least: float | None = None
    over: float | None = None
    below: float | None = None
    nonzero: bool = False
    whole: bool = False

    def holds(self, value: Any) -> bool:
        """Whether it is such a number."""
        if not isinstance(value, Integral if self.whole else Real):
            return False
        number: Any = value
        if not (-(2**63) <= number < 2**63 if self.whole else _is_finite(number)) or (self.nonzero and number == 0):
            return False
        low = (self.least is None or number >= self.least) and (self.over is None or number > self.over)
        return low and (self.below is None or number < self.below)

    def __str__(self) -> str:
        limits = [
            f"{word} {limit:g}" for word, limit in (("from", self.least), ("over", self.over)) if limit is not None
        ]
        limits += [] if self.below is None else [f"below {self.below:g}"]
        limits += ["other than 0"] if self.nonzero else []
        return " ".join(["a whole number" if self.whole else "a number", *limits])


def _is_finite(number: Any) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float can be
        return False


class _Simple(NamedTuple):
    """What its type tells: one of these, or of a class of numpy's with one of these names."""

    text: str
    types: tuple[type, ...]
    names: tuple[str, ...] = ()

    def holds(self, value: Any) -> bool:
        return isinstance(value, self.types) or type(value).__name__ in self.names

    def __str__(self) -> str:
        return self.text


class _Text:
    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and value != ""

    def __str__(self) -> str:
        return "a text that is not empty"


class _Size:
    units: ClassVar[dict[str, float]] = {"kB": 1e3, "MB": 1e6, "GB": 1e9}

    def holds(self, value: Any) -> bool:
        return isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)? ?[kMG]B", value) is not None

    def bytes_of(self, value: str) -> float:
        """How many bytes it is."""
        return float(value[:-2]) * self.units[value[-2:]]

    def __str__(self) -> str:
        return "a size such as '2MB' or '500kB'"


class _Function:
    def holds(self, value: Any) -> bool:
        return callable(value)

    def __str__(self) -> str:
        return "a function"


class _Numbers:
    def holds(self, value: Any) -> bool:
        return isinstance(value, list | tuple) or hasattr(value, "__array__")

    def __str__(self) -> str:
        return "an array of numbers"


NOTHING = _Simple("None", (NoneType,))
FLAG = _Simple("True or False", (bool,), ("bool", "bool_"))
PATH = _Simple("a path", (str, PathLike))
TEXTS = _Simple("a list of texts", (list, tuple))
CLASS_WEIGHTS = _Simple("a dict from labels to weights", (Mapping,))
SEED = _Simple("a seed", (Integral, NoneType), ("RandomState",))
TEXT, SIZE, FUNCTION, NUMBERS = _Text(), _Size(), _Function(), _Numbers()
Kind = OneOf | Number | _Simple | _Text | _Size | _Function | _Numbers


@dataclass(frozen=True)
class Parameter:
    """A parameter of a member: what it may be, its default, and what it means."""

    name: str
    default: Any
    kinds: tuple[Kind, ...]
    text: str

    def check(self, value: Any) -> None:
        """A `ParameterError` says what was expected."""
        if not any(kind.holds(value) for kind in self.kinds):
            expected = " or ".join(map(str, self.kinds))
            raise ParameterError(f"{self.name}: expected {expected}, found {value!r}")

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it may be."""
        return tuple(word for kind in self.kinds if isinstance(kind, OneOf) for word in kind.words)


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def declaration(cls: type[C]) -> type[C]:
    """Make a class a declaration: a dataclass of keywords, without the equality and text that an estimator has not."""
    return dataclass(kw_only=True, eq=False, repr=False)(cls)


def declare(default: Any, text: str, *kinds: Kind, **limits: float) -> Any:
    """A field of a declaration.

    Without `kinds` its type tells what it may be: Literal, bool, int, float, None; `limits` (least, over, below) are
    those of its number.
    """
    return field(default=default, metadata=meaning(text, *kinds, **limits))


def meaning(text: str, *kinds: Kind, **limits: float) -> dict[str, Any]:
    """The metadata of a field that has no default, or may be given without its name: see `declare`."""
    return {"text": " ".join(text.split()), "kinds": kinds, "limits": limits}


class Parameters:
    """The values of a declaration, as a member has them. Nobody writes to them: a model shares them with its run."""

    offered: ClassVar[dict[Any, Any]] = {}
    """For each way of running the values that it limits, see `members.offered`."""

    @classmethod
    @cache
    def declarations(cls) -> dict[str, Parameter]:
        """All parameters by name, those of the class itself before those that it shares with others."""
        declared: dict[str, Field[Any]] = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
        names = dict.fromkeys(name for base in cls.__mro__ for name in get_annotations(base) if name in declared)
        return {name: _parameter(declared[name]) for name in names}

    @classmethod
    def of(cls, **values: Any) -> Self:
        """These parameters, each within its range; a `ParameterError` names the first that is not."""
        declared = cls.declarations()
        for name, value in values.items():
            if name not in declared:
                raise ParameterError(f"{name}: expected one of {', '.join(declared)}")
            declared[name].check(value)
        return cls(**values)

    def is_default(self, name: str) -> bool:
        """Whether a parameter is as declared: then nobody has chosen it."""
        return bool(getattr(self, name) == self.declarations()[name].default)

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.declarations()}

    def __eq__(self, another: object) -> bool:
        return type(self) is type(another) and vars(self) == vars(another)


def _parameter(field: "Field[Any]") -> Parameter:
    """What a field may be is said by its type, unless it lists kinds."""
    kinds, limits = field.metadata["kinds"], field.metadata["limits"]
    if not kinds:
        is_union = get_origin(field.type) in (Union, UnionType)
        kinds = tuple(_kind(part, limits) for part in (get_args(field.type) if is_union else (field.type,)))
    return Parameter(field.name, field.default, tuple(kinds), field.metadata["text"])


def _kind(part: Any, limits: dict[str, float]) -> Kind:
    if get_origin(part) is Literal:
        return OneOf(get_args(part))
    if part in (int, float):
        return Number(**limits, whole=part is int)  # type: ignore[arg-type]
    return {bool: FLAG, NoneType: NOTHING}[part]
