"""What a model is made with: by `PUT`, or from a model file. It is the first thing in its log, and never changes."""

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rosenblatt.exceptions import ParameterError
from rosenblatt.learning.model import Model
from rosenblatt.learning.online_run import OnlineRun
from rosenblatt.model_file import read
from rosenblatt.model_file.kinds import model_class
from rosenblatt.serve.refusal import wrong
from rosenblatt.tagger.templates import line

RUNS = {
    "Perceptron": "rosenblatt.linear.online:LinearOnline",
    "KernelPerceptron": "rosenblatt.kernel.online:KernelOnline",
    "SequenceTagger": "rosenblatt.tagger.online:TaggerOnline",
}
TEMPLATES = ("pos", "chunk", "ner")
LARGEST_BUDGET = 100_000
OVER = ("early_stopping",)  # of a run that has ended: what goes on from its model holds nothing out
Label = str | int


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `PUT /v1/models/NAME`."""

    kind: str
    parameters: dict[str, Any] = {}
    classes: list[Label] | None = None  # all labels, or those known before the first example
    labels: str = "add"  # what a label that is not among them does: "add" it, or "refuse" the example
    n_features: int | None = None  # how wide rows are; else the first example tells
    bound: float | None = None  # how many mistakes there can be at the most, if somebody knows
    file: bool = False  # whether it began as a model file

    @classmethod
    def of_file(cls, content: bytes) -> "Configuration":
        """That of a model file, from which learning goes on."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            path.write_bytes(content)
            try:
                model: Any = read(path).model
            except ValueError as error:
                raise wrong(str(error).replace(str(path), "body")) from None
        given = {
            name: value
            for name, value in model.parameters.as_dict().items()
            if not (model.parameters.is_default(name) or name in OVER)
        }
        if model.kind == "SequenceTagger":
            given["templates"] = [line(one) for one in model.templates]
        return cls(model.kind, given, file=True)

    def with_defaults(self) -> "Configuration":
        """With what a new model is unless told: a perceptron answers with its average.

        A bound on its mistakes is one of the last weights.
        """
        if self.kind != "Perceptron" or self.file or self.bound is not None:
            return self
        return msgspec.structs.replace(self, parameters={"readout": "average", **self.parameters})

    def checked(self) -> "Configuration":
        """With parameters within their ranges."""
        if self.kind not in RUNS:
            raise wrong(f"kind: expected one of {', '.join(RUNS)}, found {self.kind!r}", "kind")
        if self.labels not in ("add", "refuse"):
            raise wrong(f"labels: expected 'add' or 'refuse', found {self.labels!r}", "labels")
        if self.labels == "refuse" and not self.classes and not self.file:
            raise wrong("classes: expected all labels, as others are to be refused, found none", "classes")
        if self.classes is not None and len({isinstance(label, str) for label in self.classes}) != 1:
            raise wrong("classes: expected texts or whole numbers, and not both", "classes")
        if self.n_features is not None and self.n_features < 1:
            raise wrong(f"n_features: expected a number over 0, found {self.n_features}", "n_features")
        self._check_safe()
        try:
            run = self.run(None)
            if self.parameters.get("init", "zeros") != "zeros":
                if self.n_features is None:
                    raise wrong("expected a number, as there are weights to start from, found none", "n_features")
                run.learn(np.zeros((1, self.n_features)), (self.classes or [])[:1])  # whether they fit
        except (ParameterError, ValueError) as error:
            raise wrong(str(error), "parameters") from None
        return self

    def _check_safe(self) -> None:
        """A request names no file of this machine, and asks for no more memory than there may be."""
        templates, budget = self.parameters.get("templates", "pos"), self.parameters.get("budget")
        if isinstance(templates, str) and templates not in TEMPLATES:
            raise wrong(f"templates: expected {', '.join(TEMPLATES)}, or a list of templates", "parameters.templates")
        if isinstance(budget, int) and budget > LARGEST_BUDGET:
            raise wrong(f"budget: expected at most {LARGEST_BUDGET:,}, found {budget:,}", "parameters.budget")

    def run(self, before: Model | None, *, same_pass: bool = False) -> OnlineRun:
        """A run that begins, or goes on from a model."""
        parameters = model_class(self.kind).parameters_of().checked(**self.parameters)
        if getattr(parameters, "random_state", 0) is None:
            raise ParameterError("random_state: expected a seed, so that a replay gives the same model, found None")
        run: OnlineRun = online_run(self.kind)(parameters, before, same_pass=same_pass, classes=self.classes)
        return run


def online_run(kind: str) -> Any:
    """The class of a member's runs without end; it is imported when it is needed."""
    home, name = RUNS[kind].split(":")
    return getattr(import_module(home), name)
