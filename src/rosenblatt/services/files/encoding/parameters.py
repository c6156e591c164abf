"""The parameters of an encoding, each declared once: which columns are what, and what is done with gaps."""

from collections.abc import Sequence
from typing import Any, Literal, Self

from rosenblatt.base.declare import NOTHING, OneOf, Parameters, _Simple, declaration, declare
from rosenblatt.members.linear.text.parameters import TextFeaturesDeclaration

Missing = Literal["error", "zero", "mean", "indicator"]
MISSING = ("error", "zero", "mean", "indicator")
LISTS = ("categorical", "text", "ignore")  # of columns


class _Columns(_Simple):
    """Names of columns."""

    def holds(self, value: Any) -> bool:
        return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


class _Policies(_Simple):
    """A policy for missing values, or one for each of some columns."""

    def holds(self, value: Any) -> bool:
        policies = value.values() if isinstance(value, dict) else [value]
        return all(isinstance(policy, str) and policy in MISSING for policy in policies)


class _Words(OneOf):
    """One of some words, which messages name as they are typed."""

    def __str__(self) -> str:
        return " or ".join(self.words)


COLUMN = _Simple("the name of a column", (str,))
COLUMNS = _Columns("a list of columns", (list, tuple))
POLICIES = _Policies(f"{', '.join(MISSING)}, or these by column", (str, dict))


@declaration
class EncodingDeclaration(TextFeaturesDeclaration):
    """What a `TableEncoding` is made with."""

    label: str | None = declare(
        None,
        "The column of labels, for `labels` and `blocks`. None: there is none, all columns become features.",
        COLUMN,
        NOTHING,
    )
    categorical: Sequence[str] = declare((), "Columns of categories, which may look like numbers.", COLUMNS)
    text: Sequence[str] = declare(
        (), "Columns of text, of which words, n-grams and their weights are learned.", COLUMNS
    )
    ignore: Sequence[str] = declare((), "Columns that are left out.", COLUMNS)
    missing: Missing | dict[str, Missing] = declare(
        "error",
        """What is done with a missing number or category. "error"; "zero": all its features are 0; "mean": the mean of
        the numbers, the most frequent category; "indicator": 0, and one feature more, which says so. A dict has it by
        column, "error" for others. A text may be empty.""",
        POLICIES,
    )
    unknown: Literal["error", "ignore"] = declare(
        "error",
        """What is done with a category that training had not. "error", or "ignore": all its indicators are 0. It may be
        changed after the fit.""",
        _Words(("error", "ignore")),
    )
    dates: Literal["days", "seconds", "category", "error"] = declare(
        "days",
        """What dates and times become: "days" or "seconds" since 1970, categories, or an error. They are columns of
        such a type, or of text that is as 2024-05-31T12:30:00 in all rows; the zone is UTC unless another is said.""",
        _Words(("days", "seconds", "category", "error")),
    )
    standardise: bool = declare(
        True,
        """Whether numbers get mean 0 and deviation 1. A column with no other number than -1, 0 and 1 is one of
        indicators and stays as it is, as the indicators of categories and words do.""",
    )


class EncodingParameters(EncodingDeclaration, Parameters):
    """The parameters of an `Encoding`."""

    @classmethod
    def of(cls, **values: Any) -> Self:
        """These parameters, each within its range and no column named twice."""
        parameters = super().of(**values)
        named: list[str | None] = [parameters.label]
        for name in LISTS:
            columns = getattr(parameters, name)
            named += columns
            if len(set(named)) < len(named):
                raise ValueError(f"{name}: expected each column once, found {columns!r}")
        return parameters

    def policies(self, names: list[str]) -> list[str]:
        """What is done with missing values in each of these columns."""
        missing = self.missing
        return [missing.get(name, "error") if isinstance(missing, dict) else missing for name in names]

    def as_record(self) -> dict[str, Any]:
        """As a model file has them."""
        record = {name: list(value) if name in LISTS else value for name, value in self.as_dict().items()}
        return {**record, "standardise": bool(self.standardise)}
