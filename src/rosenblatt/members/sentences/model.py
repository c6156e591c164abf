"""What trained taggers and parsers have in common: templates, passes, sentences held out, and their record."""

from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.record.parts import Parts, Tensors, texts
from rosenblatt.members.model import Model


class SentenceModel(Model):
    """A member that has learned from sentences; it looks at them through templates."""

    templates: list[Any]
    compiled: Any  # the templates as the core has them
    mistakes: Array  # of each pass
    sentence_mistakes: Array  # the sentences with a mistake
    validation_scores: Array | None  # of the sentences held out, after each pass
    file_columns: Any  # of the file that it has learned from, if there was one

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
        """The number of the pass whose weights it has: the best on what was held out, else the last.

        A run over all sentences, after one that held some out, has passes of its own: the scores are not theirs.
        """
        scores, n_passes = self.validation_scores, len(self.mistakes)
        return n_passes if scores is None or len(scores) != n_passes else int(np.argmax(scores)) + 1

    def facts(self) -> dict[str, Any]:
        """How its training went."""
        return {
            "n_iter": len(self.mistakes),
            "kept_pass": self.kept_pass,
            "mistakes_of_last_pass": int(self.mistakes[-1]) if len(self.mistakes) else None,
            "converged": self.converged,
        }


def passes_to_record(model: SentenceModel, lines: list[str], columns: Any, tensors: Tensors) -> dict[str, Any]:
    """Lines of templates, columns of a file and passes for a record; arrays join the tensors."""
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
    """The templates of a record, a line each."""
    return texts("template_lines", parts.value("template_lines", "the templates", lambda value: value))


def check_columns(compiled: Any, n_columns: int) -> None:
    """The templates of a record look at as many columns as its model has features."""
    if compiled.n_columns != n_columns:
        raise ValueError(f"n_features: expected {compiled.n_columns}, which the templates look at, found {n_columns}")
