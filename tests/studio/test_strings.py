"""Every text of the studio is in one file, in each language, with the same places to fill in; none is missing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import studio as door
from tests.browser import npm
from tests.studio.window import Studio

PAGE = Path(door.__file__).parent / "page"
MODULES = {path.name: path.read_text(encoding="utf-8") for path in PAGE.glob("*.js")}
SCRIPT = """
import { LANGUAGES, STRINGS } from %s;
console.log(JSON.stringify([LANGUAGES, STRINGS]));
"""
FAMILIES = ("why_", "read_", "scale_", "changed_", "mistake_", "key_", "group_")  # keys that the page puts together
# Text in a module that is no key: capitals, and a word of letters with a blank before the next.
SENTENCE = re.compile(r'"[A-Z][a-z]+ [a-z]+[^"]*"|`[A-Z][a-z]+ [^`]*`')
ELSEWHERE = {"strings.js", "core.js", "main.js"}  # the core's own sentences; a page that cannot start


@pytest.fixture(scope="module")
def strings() -> tuple[list[str], dict[str, list[str]]]:
    script = SCRIPT % json.dumps((PAGE / "strings.js").as_uri())
    languages, texts = json.loads(npm.run(npm.tool("node", "node"), "--input-type=module", "-e", script, cwd=PAGE))
    return languages, texts


def test_each_text_is_there_in_each_language(strings: Any) -> None:
    languages, texts = strings
    assert languages == ["en", "de", "es"]
    assert len(texts) > 200
    for key, variants in texts.items():
        assert len(variants) == len(languages), key
        assert all(text.strip() for text in variants), key
        places = [sorted(set(re.findall(r"\{\w+\}", text))) for text in variants]
        assert places[0] == places[1] == places[2], key
        assert len({text.count("¦") for text in variants}) == 1, key


def test_each_text_is_used_and_each_that_is_used_is_there(strings: Any) -> None:
    _, texts = strings
    code = "\n".join(text for name, text in MODULES.items() if name != "strings.js")
    asked = set(re.findall(r'(?:msg|phrase)\(\s*"(\w+)"', code)) | set(re.findall(r'"(\w+)"', code))
    for key in re.findall(r'(?:msg|phrase)\(\s*"(\w+)"', code):
        assert key in texts, key
    unused = {key for key in texts if key not in asked and not key.startswith(FAMILIES)}
    assert not unused
    for family in FAMILIES:
        assert any(key.startswith(family) for key in texts)


def test_no_module_has_sentences_of_its_own() -> None:
    found = {
        name: sentences
        for name, text in MODULES.items()
        if name not in ELSEWHERE
        and (sentences := SENTENCE.findall(re.sub(r"/\*.*?\*/|//.*", "", text, flags=re.DOTALL)))
    }
    assert found == {}


def test_each_example_is_there_in_each_language(strings: Any) -> None:
    languages, texts = strings
    for preset in json.loads((PAGE / "presets.json").read_text(encoding="utf-8")):
        assert f"group_{preset['group'].lower()}" in texts
        assert set(preset["in"]) == set(languages) - {"en"}, preset["id"]
        for other in preset["in"].values():
            assert other["name"]
            assert other["task"]
            assert other["task"] != preset["task"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("Schritt", "Besuch 4", "Fehler", "konvergiert nach 36 Besuchen")),
        ("es", ("Paso", "Visita 4", "error", "converge tras 36 visitas")),
    ],
)
def test_the_page_speaks_the_language(studio: Studio, language: str, words: tuple[str, ...]) -> None:
    studio.open(f"#preset=and&lang={language}&visit=4")
    text = studio.text("#studio")
    assert all(word in text for word in words)
    assert studio.page.get_attribute("#studio", "lang") == language
    assert not re.search(r"\{\w+\}|undefined", text)
    assert studio.page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize(("locale", "step"), [("de-AT", "Schritt"), ("es-MX", "Paso"), ("fr-FR", "Step")])
def test_the_browser_chooses_the_language(chromium: Any, page_file: Path, locale: str, step: str) -> None:
    studio = Studio(chromium, page_file, locale=locale, viewport={"width": 320, "height": 800})
    studio.open("#preset=and")
    assert studio.text(".player .step") == step
    assert "lang" not in studio.link()
    for panel in studio.page.locator(".doors button").all():
        panel.click()
        assert studio.page.evaluate("document.documentElement.scrollWidth") <= 320
    studio.page.locator(".class select").select_option("en")
    assert studio.text(".player .step") == "Step"
    assert "lang=en" in studio.link()
    studio.close()
    assert studio.wrong == []
