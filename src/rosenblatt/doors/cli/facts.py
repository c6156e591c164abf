"""Results for people: names that are not Python's, classes counted, yes and no."""

from typing import Any

from rosenblatt.base.numbers import named, shortened


def as_facts(result: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """What a verb has to say, each fact by its name for people; what is None is left out."""
    shown = {name: value for name, value in result.items() if value not in (None, [])}
    if "classes" in result:
        shown["classes"] = listed(result["classes"])
    if "standardised" in shown:
        shown["standardised"] = listed(result["standardised"])
    if isinstance(result.get("loss"), float):
        shown["loss"] = f"{result['loss']:.6g}"
    if isinstance(result.get("score"), float):
        shown["score"] = f"{100 * result['score']:.2f} %"
    if "majority" in result:
        n_wrong = round(result["majority"]["error"] * result["n_rows"])
        shown["majority"] = f"{n_wrong} (always {shortened(result['majority']['label'])})"
    if "holdout" in result:
        shown["holdout"] = _held_out(result["holdout"])
    shown["converged"] = "yes" if result["converged"] else "no"
    return {names.get(name, name): value for name, value in shown.items()}


def how_encoded(encoding: Any) -> dict[str, Any]:
    """Of a model of a table, the columns whose numbers it standardises."""
    return {} if encoding is None else {"standardised": encoding.numbers.standardised}


def _held_out(found: dict[str, Any]) -> str:
    """How a model does on rows that it has not seen."""
    seen = f"{found['n_rows']} rows that the model has not seen"
    if "error" in found:
        return f"{seen}: error {found['error']:.4f}, {always(found['majority'])}"
    r2 = "-" if found["r2"] is None else f"{found['r2']:.6g}"
    return f"{seen}: root mean squared error {found['root_mean_squared_error']:.6g}, R^2 {r2}"


def listed(labels: list[Any], most: int = 10) -> str:
    """How many, and the first of them."""
    return f"{len(labels)}: {named(labels, most)}"


def always(majority: dict[str, Any]) -> str:
    """What a model has to beat: the most frequent class for every row."""
    return f"majority's error {majority['error']:.4f} (always {shortened(majority['label'])})"
