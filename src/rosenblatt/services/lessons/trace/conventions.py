"""The conventions of a run in one line, so that a marker can check an answer by hand, and how it ended in another."""

from typing import Any

import numpy as np

from rosenblatt import plain
from rosenblatt.base.arrays import Array
from rosenblatt.services.lessons.trace.numbers import LONG_VECTOR, counted, printable, shown, weights
from rosenblatt.services.lessons.trace.setting import Setting

WITHIN = "within the margin"  # the reason of a mistake that is no wrong answer
MAX_ITER = 1000  # passes, unless more or fewer are asked for


def conventions(setting: Setting, p: dict[str, Any], start: Array) -> str:
    """What the labels, the start, the order, the step and the end are."""
    parts = [
        _labels(setting),
        f"constant feature {_number(p, 'intercept_scaling')}, first" if p["fit_intercept"] else "no constant feature",
        f"start w = {weights(start)}",
        _step(p),
        _order(p),
        f"mistake: {_mistake(setting, p)}",
    ]
    if p["batch_size"] != 1:
        size = "all rows" if p["batch_size"] == "all" else f"{p['batch_size']} rows"
        parts.append(f"batches of {size}, scored first, then added")
    if p["sample_weight"] is not None:
        parts.append("sample weights scale the steps")
    if p["class_weight"] is not None:
        parts.append(f"class weights {_class_weights(p['class_weight'])} scale the steps")
    if p["exact"]:
        parts.append("exact numbers" + (", floats as the decimals written" if p["as_decimal"] else ""))
    parts.append(_stop(p))
    return "; ".join(parts)


def ending(columns: dict[str, Array], passes: int, final: Array, *, converged: bool) -> str:
    """How the run ended: its mistakes are those of the column, whether the prediction was wrong or the score 0."""
    end = f"pass {passes} is clean: converged" if converged else f"not converged: stopped in pass {passes}"
    mistakes, updates = int(columns["mistake"].sum()), int(columns["k"].max(initial=0))
    counts = [counted(len(columns["visit"]), "visit"), counted(mistakes, "mistake")]
    if within := int((columns["reason"] == WITHIN).sum()):
        counts[-1] += f" ({within} of them right, but {WITHIN})"
    if updates != mistakes:  # a batch changes the weights once
        counts.append(counted(updates, "update"))
    return f"{end} after {', '.join(counts)}; w = {weights(final)}"


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
            "(to change it, say which is positive)"
        )
    return f"labels {names[0]} -> -1, {names[1]} -> +1"


def _step(p: dict[str, Any]) -> str:
    return {
        "perceptron": f"eta = {_number(p, 'eta0')}",
        "pa": "step PA",
        "pa1": f"step PA-I, C = {_number(p, 'C')}",
        "pa2": f"step PA-II, C = {_number(p, 'C')}",
        "arow": f"step AROW, r = {_number(p, 'r')}",
    }[p["step"]]


def _order(p: dict[str, Any]) -> str:
    if p["shuffle"]:
        return f"shuffled each pass, random_state={p['random_state']}"
    listed = _listed_order(p)
    if p["pick"] is not None:
        picked = "first example" if p["pick"] == "first-wrong" else "example with the smallest gap"
        return f"each pass visits the {picked} that is a mistake" + (f", {listed}" * (listed != "listed order"))
    return listed


def _listed_order(p: dict[str, Any]) -> str:
    if p["row_order"] is not None:
        rows = [str(i + 1) for i in np.asarray(p["row_order"]).tolist()]
        return f"order {', '.join(rows[:LONG_VECTOR] + ['...'] * (len(rows) > LONG_VECTOR))}"
    return "listed order" + (f" from example {p['first_row'] + 1}" if p["first_row"] else "")


def _mistake(setting: Setting, p: dict[str, Any]) -> str:
    margin, tie, online = p["margin"], p["tie"], p["step"] == "perceptron"
    limit = ("0" if online else "1") if margin is None else _number(p, "margin")
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


def _class_weights(given: Any) -> str:
    if isinstance(given, str):
        return given
    return ", ".join(f"{printable(label)}: {w if isinstance(w, str) else shown(w)}" for label, w in given.items())


def _stop(p: dict[str, Any]) -> str:
    ends = ["at the first clean pass"]
    if p["max_iter"] not in (MAX_ITER, "auto"):
        ends.append(f"after {counted(p['max_iter'], 'pass')}")
    if p["max_visits"] is not None:
        ends.append(f"after {counted(p['max_visits'], 'visit')}")
    return f"stop {', or '.join(ends)}"


def _number(p: dict[str, Any], name: str) -> str:
    return p[name] if isinstance(p[name], str) else shown(p[name])
