"""Results for people: names that are not Python's, classes counted, yes and no."""

from typing import Any


def as_facts(result: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """What a verb has to say, each fact by its name for people; what is None is left out."""
    shown = {name: value for name, value in result.items() if value is not None}
    if "classes" in result:
        shown["classes"] = listed(result["classes"])
    if isinstance(result.get("loss"), float):
        shown["loss"] = f"{result['loss']:.6g}"
    if isinstance(result.get("score"), float):
        shown["score"] = f"{100 * result['score']:.2f} %"
    shown["converged"] = "yes" if result["converged"] else "no"
    return {names.get(name, name): value for name, value in shown.items()}


def listed(labels: list[Any], most: int = 10) -> str:
    """How many, and the first of them."""
    return f"{len(labels)}: {named(labels, most)}"


def named(labels: list[Any], most: int = 10) -> str:
    """The first of them."""
    return f"{', '.join(map(str, labels[:most]))}{', ...' if len(labels) > most else ''}"
