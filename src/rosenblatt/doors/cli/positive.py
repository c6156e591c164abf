"""--positive LABEL: which of two labels is +1 in a run that is shown."""

from typing import Any

import click

positive_option = click.option(
    "--positive", metavar="LABEL", help="Which of two labels is +1.  [default: the second in sorted order]"
)


def label_of(text: str | None, y: Any) -> Any:
    """The label that is meant, as the data has it: 1 for 1.0 and +1 too, if labels are numbers."""
    if text is None:
        return None
    from rosenblatt.base.numbers import exact

    labels = sorted(set(y.tolist()))
    for label in labels:
        if str(label) == text or (not isinstance(label, str) and exact(text) == label):
            return label
    shown = ", ".join(map(str, labels[:10])) + (", ..." if len(labels) > 10 else "")
    raise ValueError(f"positive: expected a label, one of {shown}; found {text!r}")
