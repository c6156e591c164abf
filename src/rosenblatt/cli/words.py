"""The words of the estimators as options, each declared once: there.

Names, defaults, allowed values and help are read from the source of signature and docstring, since importing them takes
scikit-learn, which --help and completion should not wait for. Only words that are given are passed on; --kernel chooses
the class.
"""

import ast
import pkgutil
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, wraps
from importlib import import_module
from inspect import cleandoc
from typing import Any

import click

from rosenblatt.cli.data_file import as_labels
from rosenblatt.cli.numbers import NUMBER, Typed, count, number, numbers

HOMES = {
    "Perceptron": "linear/estimator",
    "KernelPerceptron": "kernel/estimator",
    "SequenceTagger": "tagger/estimator",
}
OPTIONS = {"fit_intercept": "--intercept", "random_state": "--seed"}
TYPED = {
    "None:": "Left out:",
    "a dict": "as no=1,yes=2",
    "an array of one row": "numbers, one row",
    '"': "",
    ", or a list of templates. See rosenblatt.tagger.templates": "",
    "; None for all": ". Left out: all",
}
OF_THE_RUN = ("step", "tie", "margin", "eta0", "C", "r", "init", "shuffle", "max_iter", "batch_size", "multiclass")
OF_THE_DATA = ("fit_intercept", "intercept_scaling", "class_weight", "random_state")
OF_THE_END = ("tol", "early_stopping", "validation_fraction", "n_iter_no_change")
TRACED = (*OF_THE_RUN, *OF_THE_DATA)
TRAINED = ("readout", *TRACED, *OF_THE_END, "keep_mistakes")
OF_THE_BUDGET = ("budget", "budget_policy", "block_size", "cache_size", "n_jobs")
OF_THE_KERNEL = ("kernel", "degree", "gamma", "coef0", "normalise", "passes", "suffix", *OF_THE_BUDGET)
TAGGED = (
    "templates",
    "boundary",
    "readout",
    "step",
    "C",
    "beam",
    "max_iter",
    "shuffle",
    "early_stopping",
    "validation_fraction",
    "n_iter_no_change",
    "refit",
    "random_state",
)


def _start(text: str) -> Any:
    """A word, or numbers with commas between them; rows have semicolons between them."""
    return text if text in ("zeros", "random") else [numbers(row) for row in text.split(";")]


def _class_weight(text: str) -> Any:
    """The word, or pairs of a label, as text, and its weight."""
    if text == "balanced":
        return text
    pairs = [entry.rpartition("=") for entry in text.split(",")]
    return [(label.strip(), number(weight)) for label, _, weight in pairs]


def _or_words(name: str, read: Callable[[str], Any], words: list[str]) -> Typed:
    return Typed("|".join([name, *words]), lambda text: text if text in words else read(text))


OTHERS = {
    "init": Typed("zeros|random|w0,w1,...", _start),
    "class_weight": Typed("balanced|label=weight,...", _class_weight),
    "random_state": click.INT,
    "kernel": click.Choice(["linear", "poly", "rbf", "sigmoid"]),
    "n_jobs": click.INT,
    "templates": click.STRING,
}


@dataclass(frozen=True)
class Word:
    """A parameter of an estimator, as its source declares it."""

    name: str
    annotation: str
    default: Any
    text: str

    @property
    def type(self) -> Any:
        """What its value may be, for click."""
        if self.name in OTHERS:
            return OTHERS[self.name]
        literals = re.findall(r"Literal\[(.*?)\]", self.annotation)
        values = list(dict.fromkeys(value for found in literals for value in ast.literal_eval(f"[{found}]")))
        if self.annotation.startswith("int"):
            return _or_words("integer", count, values) if values else click.IntRange(min=1)
        if self.annotation.startswith("float") and values:
            return _or_words("number", number, values)
        if values:
            return click.Choice(values)
        return click.BOOL if self.annotation == "bool" else NUMBER

    def option(self) -> click.Option:
        """The option that gives it. Left out it is None: the estimator has the default."""
        dashed = f"--{self.name.replace('_', '-')}"
        own = OPTIONS.get(self.name, dashed)
        if self.annotation != "bool":
            said = "" if self.default is None else f"  [default: {self.default}]"
            names = dict.fromkeys([own, dashed, self.name])
            return click.Option(list(names), type=self.type, help=self.text + said, default=None)
        if not self.default:
            return click.Option([own, self.name], is_flag=True, help=self.text, default=None)
        both, said = f"{own}/--no-{own.removeprefix('--')}", f"  [default: {own.removeprefix('--')}]"
        return click.Option([both, self.name], help=self.text + said, default=None)


@cache
def words_of(estimator: str) -> dict[str, Word]:
    """All of them, by name."""
    source = pkgutil.get_data("rosenblatt", f"{HOMES[estimator]}.py")
    assert source is not None
    module = ast.parse(source)
    (found,) = (node for node in module.body if isinstance(node, ast.ClassDef) and node.name == estimator)
    (init,) = (node for node in found.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    texts = _texts(ast.get_docstring(found) or "")
    return {
        word.arg: Word(word.arg, ast.unparse(word.annotation), ast.literal_eval(default), texts[word.arg])
        for word, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True)
        if word.annotation is not None and default is not None
    }


@cache
def words_of_both() -> dict[str, Word]:
    """Those of `Perceptron`, with what --kernel makes of them, and those that are of the kernel alone."""
    words, others = words_of("Perceptron"), words_of("KernelPerceptron")
    kernel = others["kernel"]
    typed = replace(kernel, default=None, text=f"Learn with a kernel. {kernel.text.partition(' precomputed:')[0]}")
    joined = {name: _joined(word, others.get(name, word)) for name, word in words.items()}
    return {**others, **joined, "kernel": typed}


def _joined(word: Word, other: Word) -> Word:
    if (word.annotation, word.default) == (other.annotation, other.default):
        return word
    text = f"{word.text} With --kernel: {other.text}  [default with --kernel: {other.default}]"
    return replace(word, annotation=f"{word.annotation} | {other.annotation}", text=text)


def estimator_of(names: Collection[str]) -> Any:
    """The class that the given words are of: --kernel chooses. A word of the other class is wrong usage."""
    estimator = "KernelPerceptron" if "kernel" in names else "Perceptron"
    for name in names:
        if name not in words_of(estimator):
            option = OPTIONS.get(name, f"--{name.replace('_', '-')}")
            said = "has no meaning with" if "kernel" in names else "needs"
            raise click.UsageError(f"{option} {said} --kernel")
    return getattr(import_module(f"rosenblatt.{HOMES[estimator].replace('/', '.')}"), estimator)


def _texts(docstring: str) -> dict[str, str]:
    """What the docstring says of each parameter."""
    section = re.split(r"^(?:Parameters|Attributes)\n-+\n", cleandoc(docstring), flags=re.MULTILINE)[1]
    entries = re.findall(r"^(\w.*)\n((?:    .*\n)+)", section, flags=re.MULTILINE)
    texts = {name: " ".join(text.replace("`", "").split()) for names, text in entries for name in names.split(", ")}
    for ours, typed in TYPED.items():
        texts = {name: text.replace(ours, typed) for name, text in texts.items()}
    return texts


def with_words(names: Collection[str], *, of: str = "Perceptron", **defaults: Any) -> Callable[[Any], Any]:
    """Add an option for each of these words; those given come as one argument, `words`.

    `defaults`: those that a verb has of its own. With `kernel` among the names, all words may be those of a kernel.
    """

    def decorate(function: Any) -> Any:
        @wraps(function)
        def called(**values: Any) -> None:
            given = {name: values.pop(name) for name in names}
            function(words={name: value for name, value in given.items() if value is not None}, **values)

        known = words_of_both() if "kernel" in names else words_of(of)
        options = [replace(known[name], default=defaults.get(name, known[name].default)).option() for name in names]
        called.__click_params__ = [*getattr(function, "__click_params__", []), *reversed(options)]  # type: ignore[attr-defined]
        return called

    return decorate


def settled(words: dict[str, Any], y: Any, *, exact: bool = False) -> dict[str, Any]:
    """The words as Python has them, for data with the labels y: numbers as floats unless `exact`, classes by label.

    If the labels are not known yet, y is None.
    """
    if isinstance(weights := words.get("class_weight"), list):
        known = [as_labels([label]).item() for label, _ in weights] if y is None else sorted(set(y.tolist()))
        labels = {str(label): label for label in known}
        for label, _ in weights:
            if label not in labels:
                raise ValueError(f"class-weight: expected a label, one of {', '.join(labels)}, found {label!r}")
        words = {**words, "class_weight": {labels[label]: weight for label, weight in weights}}
    return words if exact else {name: as_float(value) for name, value in words.items()}


def as_float(value: Any) -> Any:
    """Fractions, also those within, as floats."""
    if isinstance(value, list):
        return [as_float(part) for part in value]
    if isinstance(value, dict):
        return {label: as_float(weight) for label, weight in value.items()}
    return float(value) if isinstance(value, Fraction) else value
