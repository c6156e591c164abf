"""Wide and narrow, light and dark: nothing is cut off, and axe finds nothing to object to."""

from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from tests.browser.check_site import AXE, COLOURS
from tests.studio.window import Studio

AXE_FILE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
LINKS = (
    "#preset=and&visit=14&show=band,before,widest,average,pocket,vote,alpha",
    "#preset=xor&visit=7&hide=1&show=proof",
    "#points=0,2,0;1,2,0;-2,-1,1;-2,0,1;2,-1,2;2,-2,2&labels=a,b,c&visit=5",
    "#points=0,0,0;0,1,1;1,0,1;1,1,0&kernel=rbf&visit=5&contrast=1&big=1",
)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "dark"), (320, "light")], ids=str)
def test_axe_and_width(chromium: Any, page_file: Path, width: int, scheme: str) -> None:
    rules = COLOURS if scheme == "dark" else None  # what may differ in the dark
    window = Studio(chromium, page_file, viewport={"width": width, "height": 800}, color_scheme=scheme)
    window.context.add_init_script(path=AXE_FILE)
    for link in LINKS:
        window.open(link)
        for panel in ("Points", "Share and export", "For class"):
            window.panel(panel)
            assert window.page.evaluate("document.documentElement.scrollWidth") <= width, (link, panel)
        window.click("What comes next? A quiz")
        window.panel("For class")
        window.click("A sheet to fill in")
        window.panel("For class")
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width
        assert window.page.evaluate(AXE, rules) == [], link
        box = window.page.locator(".plot-svg").bounding_box()
        assert box["width"] > 0.4 * min(width, 700)
        assert box["height"] > 250
    assert window.wrong == []
    window.close()


def test_what_is_drawn_has_its_looks_beside_its_name(studio: Studio) -> None:
    look = "([name, where]) => getComputedStyle(document.querySelector(`${where} ${name}`)).stroke"
    for link, names in (
        ("#preset=and&step=pa&visit=14&show=band,before,widest", (".band", ".line.before", ".line.widest")),
        ("#preset=xor&visit=7&show=proof", (".hull.class-0", ".hull.class-1")),
    ):
        studio.open(link)
        for name in names:
            assert studio.page.evaluate(look, [name, ".drawn .sample"]) == studio.page.evaluate(
                look, [name, ".plot-svg"]
            )
            assert studio.page.evaluate(look, [name, ".plot-svg"]).startswith("rgb")


def test_the_theme_is_that_of_the_host(studio: Studio) -> None:
    is_dark = "document.querySelector('#studio').classList.contains('dark')"
    studio.open("#preset=and")
    assert not studio.page.evaluate(is_dark)
    studio.page.evaluate("document.body.dataset.jpThemeLight = 'false'")  # as JupyterLab says it
    studio.until(is_dark)
    studio.page.evaluate("dispatchEvent(new Event('beforeprint'))")  # paper is light
    assert not studio.page.evaluate(is_dark)
    studio.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert studio.page.evaluate(is_dark)
    studio.page.evaluate("delete document.body.dataset.jpThemeLight")
    studio.until(f"!{is_dark}")
    studio.page.emulate_media(color_scheme="dark")
    studio.until(is_dark)


def test_a_class_is_never_colour_alone(studio: Studio) -> None:
    studio.open("#points=0,2,0;1,2,1;-2,-1,2;0,0,3;1,1,4;2,2,5&labels=a,b,c,d,e,f")
    shapes = studio.page.eval_on_selector_all(".point .shape", "all => all.map((one) => one.getAttribute('d'))")
    assert len(set(shapes)) == 6


def test_the_plot_follows_its_frame(studio: Studio) -> None:
    studio.open("#preset=and&visit=9")
    for width in (900, 500, 1200):
        studio.page.set_viewport_size({"width": width, "height": 800})
        fits = """() => {
          const svg = document.querySelector(".plot-svg"), box = svg.getBoundingClientRect();
          return Math.abs(svg.viewBox.baseVal.width - box.width) < 2;
        }"""
        studio.until(fits)


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("link", ["#preset=and&init=30,0,0", "#preset=and&init=9,1,1"])
def test_what_the_plot_says_is_not_cut(chromium: Any, page_file: Path, width: int, link: str) -> None:
    window = Studio(chromium, page_file, viewport={"width": width, "height": 700})
    window.open(link)
    assert len(window.page.text_content(".said")) > 40
    left, right, top = window.page.evaluate("""() => {
      const [frame, text] = [".plot-svg", ".said"].map((one) => document.querySelector(one).getBoundingClientRect());
      return [text.left - frame.left, frame.right - text.right, text.width && frame.bottom - text.bottom];
    }""")
    assert min(left, right, top) >= 0
    window.close()
    assert window.wrong == []
