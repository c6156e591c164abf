"""What a model is made with: by `PUT`, or from a model file. It is the first thing in its log, and never changes."""

import tempfile
from pathlib import Path
from typing import Any

import msgspec

from rosenblatt.exceptions import ParameterError
from rosenblatt.learning.model import Model
from rosenblatt.learning.online_run import OnlineRun
from rosenblatt.model_file import read, summary
from rosenblatt.model_file.kinds import model_class
from rosenblatt.serve.refusal import wrong

KINDS = ("Perceptron", "KernelPerceptron", "SequenceTagger")
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
                record = summary(path)
                model = read(path).model
            except ValueError as error:
                raise wrong(str(error).replace(str(path), "body")) from None
        given = {
            name: value for name, value in model.parameters.as_dict().items() if not model.parameters.is_default(name)
        }
        return cls(record["class"], given, file=True)

    def checked(self) -> "Configuration":
        """With parameters within their ranges."""
        if self.kind not in KINDS:
            raise wrong(f"kind: expected one of {', '.join(KINDS)}, found {self.kind!r}", "kind")
        if self.labels not in ("add", "refuse"):
            raise wrong(f"labels: expected 'add' or 'refuse', found {self.labels!r}", "labels")
        if self.labels == "refuse" and not self.classes and not self.file:
            raise wrong("classes: expected all labels, as others are to be refused, found none", "classes")
        if self.classes is not None and len({isinstance(label, str) for label in self.classes}) != 1:
            raise wrong("classes: expected texts or whole numbers, and not both", "classes")
        if self.n_features is not None and self.n_features < 1:
            raise wrong(f"n_features: expected a number over 0, found {self.n_features}", "n_features")
        try:
            self.run(None)
        except (ParameterError, ValueError) as error:
            raise wrong(str(error), "parameters") from None
        return self

    def run(self, before: Model | None, *, same_pass: bool = False) -> OnlineRun:
        """A run that begins, or goes on from a model."""
        parameters = model_class(self.kind).parameters_of().checked(**self.parameters)
        if getattr(parameters, "random_state", 0) is None:
            raise ParameterError("random_state: expected a seed, so that a replay gives the same model, found None")
        run: OnlineRun = online_run(self.kind)(parameters, before, same_pass=same_pass, classes=self.classes)
        return run


def online_run(kind: str) -> Any:
    """The class of the runs of a member."""
    if kind == "Perceptron":
        from rosenblatt.linear.online import LinearOnline

        return LinearOnline
    raise wrong(f"kind: a {kind} cannot be served yet", "kind")
