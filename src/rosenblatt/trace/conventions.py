"""The conventions of a run in one line, so that a marker can check an answer by hand, and how it ended in another."""

from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.trace.learners import Setting
from rosenblatt.trace.numbers import LONG_VECTOR, Array, counted, printable, shown, weights

MAX_ITER = 1000  # passes, unless more or fewer are asked for


def conventions(setting: Setting, words: dict[str, Any], start: Array) -> str:
    """What the labels, the start, the order, the step and the end are."""
    parts = [
        _labels(setting),
        f"constant feature {_number(words, 'intercept_scaling')}, first"
        if words["fit_intercept"]
        else "no constant feature",
        f"start w = {weights(start)}",
        _step(words),
        _order(words),
        f"mistake: {_mistake(setting, words)}",
    ]
    if words["batch_size"] != 1:
        size = "all rows" if words["batch_size"] == "all" else f"{words['batch_size']} rows"
        parts.append(f"batches of {size}, scored first, then added")
    if words["sample_weight"] is not None:
        parts.append("sample weights scale the steps")
    if words["class_weight"] is not None:
        parts.append(f"class weights {words['class_weight']} scale the steps")
    if words["exact"]:
        parts.append("exact numbers" + (", floats as the decimals written" if words["as_decimal"] else ""))
    parts.append(_stop(words))
    return "; ".join(parts)


def ending(columns: dict[str, Array], passes: int, final: Array, tie: str, *, converged: bool) -> str:
    """How the run ended, with what was counted: an update need not follow a wrong prediction."""
    end = f"pass {passes} is clean: converged" if converged else f"not converged: stopped in pass {passes}"
    counts = [counted(len(columns["visit"]), "visit"), counted(int(columns["k"][-1]), "update")]
    wrong = counted(int((columns["prediction"] != columns["y"]).sum()), "wrong prediction")
    if len(final) == 1:
        wrong += f" with sign(0) = {'+1' if tie == 'positive' else '-1'}"
    return f"{end} after {', '.join(counts)}, {wrong}; w = {weights(final)}"


def _labels(setting: Setting) -> str:
    labels = setting.classes.tolist()
    if labels == [-1, 1]:
        return "labels -1, +1"
    names = [printable(label) for label in labels]
    if len(labels) > 2:
        return f"classes {', '.join(names)}, a row of weights each"
    if names[0].startswith("+"):  # text: "+" sorts before "-"
        return (
            f"labels '{names[0]}' -> -1 and '{names[1]}' -> +1, since text is sorted so: NOT as they look "
            "(give y as the numbers -1 and +1 to change it)"
        )
    return f"labels {names[0]} -> -1, {names[1]} -> +1"


def _step(words: dict[str, Any]) -> str:
    return {
        "perceptron": f"eta = {_number(words, 'eta0')}",
        "pa": "step PA",
        "pa1": f"step PA-I, C = {_number(words, 'C')}",
        "pa2": f"step PA-II, C = {_number(words, 'C')}",
        "arow": f"step AROW, r = {_number(words, 'r')}",
    }[words["step"]]


def _order(words: dict[str, Any]) -> str:
    if words["shuffle"]:
        return f"shuffled each pass, random_state={words['random_state']}"
    if words["order"] is not None:
        rows = [str(i + 1) for i in np.asarray(words["order"]).tolist()]
        return f"order {', '.join(rows[:LONG_VECTOR] + ['...'] * (len(rows) > LONG_VECTOR))}"
    return "listed order" + (f" from example {words['first'] + 1}" if words["first"] else "")


def _mistake(setting: Setting, words: dict[str, Any]) -> str:
    margin, tie, online = words["margin"], words["tie"], words["step"] == "perceptron"
    limit = ("0" if online else "1") if margin is None else _number(words, "margin")
    rule = f"{'<=' if online else '<'} {limit}"
    if setting.contests is plain.argmax:
        ties = {
            "mistake": "",
            "positive": ", a tie goes to the last class",
            "negative": ", a tie goes to the first class",
        }
        return f"s of the class - s of its best rival {rule}{ties[tie]}"
    gap = "y s" if setting.contests is plain.binary else "of any class: y s"
    if limit != "0" or tie == "mistake":
        return f"{gap} {rule}"
    return f"{gap} < 0, or y s = 0 and y = {'-1' if tie == 'positive' else '+1'}"


def _stop(words: dict[str, Any]) -> str:
    ends = ["at the first clean pass"]
    if words["max_iter"] not in (MAX_ITER, "auto"):
        ends.append(f"after {counted(words['max_iter'], 'pass')}")
    if words["max_visits"] is not None:
        ends.append(f"after {counted(words['max_visits'], 'visit')}")
    return f"stop {', or '.join(ends)}"


def _number(words: dict[str, Any], name: str) -> str:
    return words[name] if isinstance(words[name], str) else shown(words[name])
