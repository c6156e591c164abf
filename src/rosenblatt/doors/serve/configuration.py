"""How a model is made: by `PUT`, or from a model file. This is the first entry of its log, and never changes."""

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rosenblatt.base.exceptions import ParameterError
from rosenblatt.doors.serve.answers import RefusalError, wrong
from rosenblatt.doors.serve.limits import LARGEST, Limits
from rosenblatt.members import MEMBERS
from rosenblatt.members.model import Model
from rosenblatt.members.online_run import OnlineRun
from rosenblatt.members.sentences.tagger.templates import line
from rosenblatt.services.records.model_file import Stored, read, write

TEMPLATES = ("pos", "chunk", "ner")
LARGEST_BUDGET = 100_000
LONGEST_LABEL = 256
_LABELS = ("no", "yes")
_SMALL = [[1.0, 2.0], [-1.0, 1.0], [0.5, -1.0], [1.0, 1.0]]  # rows that every model can learn
_LARGE = [[LARGEST, -LARGEST], [-LARGEST, LARGEST], [1.0, LARGEST], [LARGEST, 1.0]]
_NOT_LEARNED = "expected a number with which rows can be learned, found one with which they become too large"
OVER = ("early_stopping",)  # parameters of a run that has ended: a run that continues from its model holds no rows out
Label = str | int


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `PUT /v1/models/NAME`."""

    kind: str
    parameters: dict[str, Any] = {}
    classes: list[Label] | None = None  # all labels, or the labels known before the first example
    labels: str = "add"  # for a label that is not among them: "add" it, or "refuse" the example
    n_features: int | None = None  # the width of rows; None: that of the first example
    bound: float | None = None  # the maximum number of mistakes, if theory gives one
    file: bool = False  # whether it began as a model file

    @classmethod
    def of_file(cls, content: bytes) -> "Configuration":
        """The configuration of a model file, from which learning continues."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            path.write_bytes(content)
            try:
                model: Any = read(path).model
            except ValueError as error:
                raise wrong(str(error).replace(str(path), "body")) from None
        parameters = {
            name: value
            for name, value in model.parameters.as_dict().items()
            if not (model.parameters.is_default(name) or name in OVER)
        }
        if model.kind == "SequenceTagger":
            parameters["templates"] = [line(template) for template in model.templates]
        configuration = cls(model.kind, parameters, file=True)
        if model.kind == "TextClassifier":  # not each of them can learn on
            try:
                configuration.run(model)
            except ValueError as error:
                raise wrong(str(error), "body") from None
        return configuration

    def with_defaults(self) -> "Configuration":
        """The configuration with the defaults of a new model: a perceptron answers with its average.

        With a bound it answers with its last weights, because the bound is about their mistakes.
        """
        if self.kind != "Perceptron" or self.file or self.bound is not None:
            return self
        return msgspec.structs.replace(self, parameters={"readout": "average", **self.parameters})

    def check(self, limits: Limits) -> None:
        """Refuse parameters outside their ranges, and classes that no example can have."""
        if self.kind not in served_kinds():
            raise wrong(f"kind: expected one of {', '.join(served_kinds())}, found {self.kind!r}", "kind")
        if self.labels not in ("add", "refuse"):
            raise wrong(f"labels: expected 'add' or 'refuse', found {self.labels!r}", "labels")
        if self.labels == "refuse" and not self.classes and not self.file:
            raise wrong("classes: expected all labels, as others are to be refused, found none", "classes")
        if self.classes is not None:
            check_classes(self.classes)
        if self.n_features is not None and not 1 <= self.n_features <= limits.features:
            why = f"n_features: expected a number from 1 to {limits.features:,}, found {self.n_features}"
            raise wrong(why, "n_features")
        if self.bound is not None and self.bound < 0:
            raise wrong(f"bound: expected a number of mistakes, 0 or more, found {self.bound:g}", "bound")
        if (self.n_features or 1) * len(self.classes or ()) > limits.weights:
            raise wrong(f"expected at most {limits.weights:,} weights, one a feature and label", "n_features")
        self._check_safe()
        try:
            self.run(None)
            if self.parameters.get("init", "zeros") != "zeros" and self.n_features is None:
                raise wrong("expected a number, as there are weights to start from, found none", "n_features")
        except (ParameterError, ValueError) as error:
            raise wrong(str(error), "parameters") from None
        self._check_learns()

    def _check_learns(self) -> None:
        """Try to learn some rows, one with the largest numbers, so that every logged example can be learned."""
        for rows in (_SMALL, _LARGE):
            why = self._refusal(rows)
            if why is None:
                continue
            for name in sorted(self.parameters, key=lambda name: isinstance(self.parameters[name], str)):
                less = {key: value for key, value in self.parameters.items() if key != name}
                if self.kind == "KernelPerceptron":
                    less.setdefault("gamma", "auto")
                with suppress(ParameterError, ValueError):  # some parameters need others
                    if msgspec.structs.replace(self, parameters=less)._refusal(rows) is None:
                        reason = why.removeprefix(f"{name}: ")
                        raise RefusalError(422, f"{name}: {reason}", f"parameters.{name}")
            if rows is _SMALL or why != _NOT_LEARNED:  # otherwise the largest numbers are too large for all parameters
                raise wrong(why, "parameters")

    def _refusal(self, rows: list[list[float]]) -> str | None:
        """Why the model cannot learn these rows; None if it can."""
        run, labels, small = self.run(None), self._tried_labels(), rows
        rows = [row for row in small for _ in labels]
        wide = not isinstance(self.parameters.get("init", "zeros"), str)  # weights that have a width already
        X: Any = np.resize(rows, (len(rows), self.n_features)) if wide else np.array(rows)
        if self.kind == "TextClassifier":
            X = ["a text"] * len(rows)
        if self.kind == "SequenceTagger":
            X = [[["a"] * (run.n_features or 1)]] * len(rows)
        y: list[Any] = labels * len(small)
        try:
            answers = run.learn(X, [[label] for label in y] if self.kind == "SequenceTagger" else y)
        except (ArithmeticError, ValueError, TypeError, MemoryError) as error:
            return str(error)
        return None if all(answer.learned for answer in answers) and _can_be_stored(run) else _NOT_LEARNED

    def _tried_labels(self) -> list[Any]:
        """Some labels that examples may have: those with the largest and the smallest weight, and a new one."""
        weights = self.parameters.get("class_weight") or {}
        known: list[Any] = [*(self.classes or [*weights, *_LABELS])]
        by_weight = sorted(known, key=lambda label: weights.get(label, 1))
        tried = [known[0], known[-1], by_weight[0], by_weight[-1]]
        if self.labels == "add" and self.classes:
            tried.append(max(known) + ("+" if isinstance(known[0], str) else 1))
        return [*dict.fromkeys(tried)]

    def _check_safe(self) -> None:
        """Refuse parameters that name a file of this machine, or that need more memory than the limits allow."""
        templates, budget = self.parameters.get("templates", "pos"), self.parameters.get("budget")
        if isinstance(templates, str) and templates not in TEMPLATES:
            raise wrong(f"templates: expected {', '.join(TEMPLATES)}, or a list of templates", "parameters.templates")
        if isinstance(budget, int) and budget > LARGEST_BUDGET:
            raise wrong(f"budget: expected at most {LARGEST_BUDGET:,}, found {budget:,}", "parameters.budget")

    def run(self, before: Model | None, *, same_pass: bool = False) -> OnlineRun:
        """A run from the beginning, or one that continues from a model."""
        parameters = MEMBERS[self.kind].load("parameters").of(**self.parameters)
        if getattr(parameters, "random_state", 0) is None:
            raise ParameterError("random_state: expected a seed, so that a replay gives the same model, found None")
        run: OnlineRun = MEMBERS[self.kind].load("online")(
            parameters, before, same_pass=same_pass, classes=self.classes
        )
        return run


def _can_be_stored(run: OnlineRun) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            write(Stored(run.model()), Path(folder, "model.safetensors"))
        except ValueError:
            return False
    return True


def check_classes(classes: list[Label]) -> None:
    """Raise a 422 for labels that no example can have, or that occur twice."""
    if len({isinstance(label, str) for label in classes}) != 1:
        raise wrong("classes: expected texts or whole numbers, and not both", "classes")
    for k, label in enumerate(classes):
        check_label(label, f"classes[{k}]")
    if len(set(classes)) < len(classes):
        seen = set[Label]()
        k = next(k for k, label in enumerate(classes) if label in seen or seen.add(label))  # type: ignore[func-returns-value]
        raise wrong(f"expected each label once, found {classes[k]!r} twice", f"classes[{k}]")


def check_label(label: Label, where: str) -> None:
    """Raise a 422 for a label that would change in the log or in an array."""
    if isinstance(label, int) and abs(label) >= 2**53:
        raise wrong(f"expected a whole number within 2^53, found {label}", where)
    if isinstance(label, str) and ("\0" in label or not 0 < len(label) <= LONGEST_LABEL):
        raise wrong(f"expected a text of 1 to {LONGEST_LABEL} characters other than \\0", where)


def served_kinds() -> list[str]:
    """The members that can learn example by example."""
    return [kind for kind, member in MEMBERS.items() if member.online is not None]
