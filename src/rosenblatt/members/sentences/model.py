"""What trained taggers and parsers share: templates, passes, held-out sentences, and their record."""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors, texts
from rosenblatt.members.model import Model


class SentenceModel(Model):
    """A member that has learned from sentences, through templates."""

    templates: list[Any]
    compiled: Any  # the templates in the form of the core
    mistakes: Array  # of each pass
    sentence_mistakes: Array  # the sentences with a mistake
    validation_scores: Array | None  # of the held-out sentences, after each pass
    file_columns: Any  # of the file that it learned from, if any

    @property
    def n_features(self) -> int:  # type: ignore[override]
        """The columns of a token that the templates look at."""
        return int(self.compiled.n_columns)

    @property
    def converged(self) -> bool:
        """Whether the last pass made no mistake."""
        return bool(len(self.mistakes)) and int(self.mistakes[-1]) == 0

    @property
    def kept_pass(self) -> int:
        """The number of the pass whose weights answer: the best pass on held-out sentences, else the last.

        If a run over all sentences follows one that held some out, the scores belong to the first run, not to its
        passes.
        """
        scores, n_passes = self.validation_scores, len(self.mistakes)
        return n_passes if scores is None or len(scores) != n_passes else int(np.argmax(scores)) + 1

    def facts(self) -> dict[str, Any]:
        return {
            "n_iter": len(self.mistakes),
            "kept_pass": self.kept_pass,
            "mistakes_of_last_pass": int(self.mistakes[-1]) if len(self.mistakes) else None,
            "converged": self.converged,
        }


def passes_to_record(model: SentenceModel, lines: list[str], columns: Any, tensors: Tensors) -> dict[str, Any]:
    """Write lines of templates, columns of a file and passes into a record; arrays join the tensors."""
    tensors["mistakes_"], tensors["sentence_mistakes_"] = model.mistakes, model.sentence_mistakes
    if model.validation_scores is not None:
        tensors["validation_scores_"] = model.validation_scores
    return {"template_lines": lines, "file_columns": columns}


def passes_from_record(parts: Parts) -> dict[str, Any]:
    """The passes of a record, as fields of the model."""
    mistakes = parts.tensor("mistakes_", (None,), "int64")
    has_scores = parts.has("validation_scores_")
    return {
        "mistakes": mistakes,
        "sentence_mistakes": parts.tensor("sentence_mistakes_", (len(mistakes),), "int64"),
        "validation_scores": parts.tensor("validation_scores_", (None,), "float64") if has_scores else None,
    }


def lines_from_record(parts: Parts) -> list[str]:
    """The templates of a record, one in each line."""
    return texts("template_lines", parts.value("template_lines", "the templates", lambda value: value))


def check_columns(compiled: Any, n_columns: int) -> None:
    """Check that the templates of a record look at as many columns as its model has features."""
    if compiled.n_columns != n_columns:
        raise ValueError(f"n_features: expected {compiled.n_columns}, which the templates look at, found {n_columns}")
