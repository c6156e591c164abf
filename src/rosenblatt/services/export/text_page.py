"""A classifier of texts for a browser: a page in one file, or a module for Node and browsers.

Both have the core as WebAssembly, compiled from the headers that Python's module is compiled from, and the model: a
text gets the same label and the same scores, to the bit. Nothing is fetched and nothing is sent: the page's policy
forbids it.
"""

import base64
import gzip
import hashlib
import json
import re
from datetime import date
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

import rosenblatt
from rosenblatt.base.inputs import check_fitted, is_member
from rosenblatt.members.linear.text.encoding import WEIGHTINGS
from rosenblatt.members.linear.text.model import SeveralLabels, TextModel

_POLICY = (
    "default-src 'none'; script-src '{}' 'wasm-unsafe-eval'; style-src '{}'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


def to_page(model: Any, *, title: str | None = None, trained: date | None = None) -> str:
    """The model as a page in one file: type a text, see its label, the probabilities, and the words that decided.

    Parameters
    ----------
    model
        A fitted `TextClassifier`.
    title
        The heading of the page; the default names the labels.
    trained
        The day of the training, which the page tells; the default is to tell none.

    Examples
    --------
    >>> from rosenblatt import TextClassifier
    >>> model = TextClassifier().fit(["a red rose", "a blue sky", "red ink", "blue sea"], ["red", "blue"] * 2)
    >>> page = to_page(model, title="Which colour?")
    >>> page.count("<h1>Which colour?</h1>"), "http:" in page
    (1, False)
    """
    facts, arrays = _facts(_text_model(model), title, trained), _arrays(_text_model(model))
    script = re.sub("^export ", "", _source("classify.js"), flags=re.MULTILINE)
    script += re.sub("^import .*\n", "", _source("page.js"), flags=re.MULTILINE)
    style, escaped = _source("page.css"), escape(facts["title"])
    page = _source("page.html")
    for old, new in (
        ('content=""', f'content="{_POLICY.format(_hash(script), _hash(style))}"'),
        ("<title></title>", f"<title>{escaped}</title>"),
        ("<h1></h1>", f"<h1>{escaped}</h1>"),
        ('<link rel="stylesheet" href="page.css">', f"<style>{style}</style>"),
        ('id="facts">', f'id="facts">{_json(facts)}'),
        ('id="core">', f'id="core">{_core()}'),
        ('id="arrays">', f'id="arrays">{arrays}'),
        (' src="page.js"></script>', f">{script}</script>"),
    ):
        if page.count(old) != 1:
            raise RuntimeError(f"page.html: expected {old} once, found it {page.count(old)} times")
        page = page.replace(old, new)
    return page


def to_module(model: Any, *, title: str | None = None, trained: date | None = None) -> str:
    """The model as a JavaScript module for Node (from 18 on) and browsers, with one function: `load`.

    `const classify = await load(); classify("text")` gives `{label, probabilities, answers, scores, words}`.

    Parameters
    ----------
    model
        A fitted `TextClassifier`.
    title
        What `classify.facts.title` says; the default names the labels.
    trained
        The day of the training, for `classify.facts.trained`; the default is none.

    Examples
    --------
    >>> from rosenblatt import TextClassifier
    >>> model = TextClassifier().fit(["a red rose", "a blue sky", "red ink", "blue sea"], ["red", "blue"] * 2)
    >>> "export const load" in to_module(model)
    True
    """
    facts, arrays = _facts(_text_model(model), title, trained), _arrays(_text_model(model))
    script = re.sub("^export ", "", _source("classify.js"), flags=re.MULTILINE)
    load = f'export const load = () => build("{_core()}", "{arrays}", {_json(facts)});'
    return f"{script}\n/** Reads the model: call it once. */\n{load}\n"


def _text_model(model: Any) -> TextModel:
    of_model = model if is_member(model) else getattr(model, "_model", None)
    if not is_member(model):
        check_fitted(model)
    if not isinstance(of_model, TextModel):
        kind = getattr(model, "kind", type(model).__name__)
        raise TypeError(f"model: expected a TextClassifier (rosenblatt train --text), found a {kind}")
    columns, others = len(of_model.encoding.encodings), of_model.encoding.n_others
    if columns > 1 or others:
        raise ValueError(
            f"model: expected one column of text, since a page has one text; found {columns} and {others} features of "
            "other columns: train without them (--ignore)"
        )
    return of_model


def _facts(model: TextModel, title: str | None, trained: date | None) -> dict[str, Any]:
    shape, labels, calibration = model.encoding.encodings[0].shape, model.classes.tolist(), model.calibration
    return {
        "labels": labels,
        "shape": [*shape.numbers(), WEIGHTINGS.index(model.weighting)],
        "features": model.n_features,
        "several": isinstance(model, SeveralLabels),
        "bias": model.state.bias,
        "calibration": None if calibration is None else {"knots": calibration.knots, "slopes": calibration.slopes},
        "texts": int(model.n_seen),
        "library": f"rosenblatt {rosenblatt.__version__}",
        "trained": None if trained is None else trained.isoformat(),
        "title": title or _question(labels),
    }


def _question(labels: list[Any]) -> str:
    if len(labels) > 4:
        return f"Which of {len(labels)} labels?"
    *first, last = map(str, labels)
    return f"{', '.join(first)} or {last}?"


def _arrays(model: TextModel) -> str:
    """The features as steps from one to the next, their scales, and the weights that are not 0, see text.cpp."""
    encoding, weights = model.encoding.encodings[0], model.state.w[:, : model.state.n_machines]
    columns, rows = np.nonzero(weights)
    parts = [
        np.diff(encoding.features, prepend=0).astype("<i4"),
        encoding.scales.scales.astype("<f4"),
        np.bincount(columns, minlength=len(weights)).astype("<i4"),
        rows.astype("<i4"),
        weights[columns, rows].astype("<f4"),
    ]
    return _pack(b"".join(part.tobytes() for part in parts))


@cache
def _core() -> str:
    return _pack((files("rosenblatt.services.export") / "page" / "text.wasm").read_bytes())


def _pack(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


@cache
def _source(name: str) -> str:
    return (files("rosenblatt.services.export") / "page" / name).read_text(encoding="utf-8")


def _json(value: Any) -> str:
    """The value as JSON that cannot end its block, and that is JavaScript as well."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
