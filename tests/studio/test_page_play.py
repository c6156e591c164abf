"""The player, links, and what is taken away."""

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from rosenblatt.data.lectures import AND
from rosenblatt.services.lessons.trace import check
from tests.studio.window import Studio


def test_back_equals_forward_replay(studio: Studio) -> None:
    studio.open("#preset=and")
    forward = [studio.seen()]
    for _ in range(36):
        studio.press(".")
        forward.append(studio.seen())
    assert studio.where() == "visit 36 of 36 · pass 9 of 9 · updates 18 of 18"
    assert len(set(forward)) == 37
    for visit in range(35, -1, -1):
        studio.press(",")
        assert studio.seen() == forward[visit]
    studio.open("#preset=and&visit=17")
    assert studio.seen() == forward[17]


def test_the_origin_is_in_view_where_all_lines_go_through_it(studio: Studio) -> None:
    axes = ".plot-svg .axes .axis"
    studio.open("#preset=bias")
    assert studio.page.locator(axes).count() == 1  # x1 = 0 is left of both points
    studio.open("#preset=no-bias")
    assert studio.page.locator(axes).count() == 2


def test_play_stops_at_the_end_and_buttons_say_so(studio: Studio) -> None:
    studio.open("#preset=and&visit=30")
    studio.page.get_by_label("Visits per second").select_option("20")
    studio.click("Play")
    studio.until("document.querySelector('.where').textContent.startsWith('visit 36')")
    studio.page.get_by_role("button", name="Play", exact=True).wait_for()
    assert studio.page.get_by_role("button", name="Step", exact=True).is_disabled()
    studio.click("Start")
    studio.click("Next mistake")
    studio.click("Next mistake")
    assert studio.where().startswith("visit 4 ")
    studio.page.get_by_label("Visit", exact=True).fill("20")
    assert studio.where().startswith("visit 20 ")
    studio.page.locator(".table tbody tr").nth(6).click()
    assert studio.where().startswith("visit 7 ")
    studio.page.get_by_role("button", name="Pass 2: 3 mistakes. Go to its end.").click()
    assert studio.where().startswith("visit 8 ")


def test_the_line_turns_where_motion_is_welcome(chromium: Any, page_file: Path) -> None:
    window = Studio(chromium, page_file, reduced_motion="no-preference").open("#preset=and&visit=17")
    window.press(".")
    turned = window.page.inner_html(".arrow")
    window.open("#preset=and&visit=18")
    at_rest = window.page.inner_html(".arrow")
    window.press(",", ".")
    window.until(f"document.querySelector('.arrow').innerHTML === {json.dumps(at_rest)}")
    assert turned != at_rest
    assert window.wrong == []
    window.close()


def test_a_link_restores_the_exact_state(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.page.get_by_label("When the score is 0").select_option("positive")
    studio.page.get_by_label("Learning rate η").fill("0.3")
    studio.press("Tab")
    studio.page.get_by_label("w₁", exact=True).fill("0.1")
    studio.press("Tab")
    studio.page.get_by_label("the widest margin").check()
    studio.page.locator('[data-point="0"]').focus()
    studio.press("ArrowLeft", ".", ".", ".")
    link, seen, weights = studio.copied("Copy link"), studio.seen(".side"), studio.weights()
    assert link.endswith(studio.link())
    studio.until(f"location.href === {json.dumps(link)}")
    assert "init=0,0.1,0" in link
    studio.open(studio.link())
    assert studio.seen(".side") == seen
    assert studio.weights() == weights
    assert studio.copied("Copy link") == link


def test_a_broken_link_says_what_is_wrong(studio: Studio) -> None:
    studio.open("#preset=and&tie=maybe")
    assert "the link's tie must be mistake, positive, negative; got maybe" in studio.text(".error")
    assert studio.where().startswith("visit 0 ")
    for link, said in (("#preset=none", "unknown"), ("#points=1,2", "point 1 must be"), ("#preset=and&eta0=0", "eta0")):
        studio.open(link)
        assert said in studio.text(".error")
    studio.page.evaluate("location.hash = '#preset=xor&visit=2'")  # a good one after a bad one
    studio.until("document.querySelector('.where').textContent.startsWith('visit 2 of 80')")
    assert studio.page.locator(".error").count() == 0


def test_the_table_as_csv_and_latex(studio: Studio) -> None:
    studio.open("#preset=and")
    checked = check(io.StringIO(studio.copied("Copy CSV")), *AND)
    assert checked, checked
    latex = studio.copied("Copy LaTeX")
    assert latex.count("\\\\\n") == 37
    assert "$w_{0}$ & $w_{1}$ & $w_{2}$" in latex
    assert "wrong side" in latex
    assert latex.isascii()


def test_pictures_are_files_of_their_own(studio: Studio, tmp_path: Path) -> None:
    studio.open("#preset=and&visit=36")
    svg = studio.saved("Save SVG", tmp_path / "plot.svg").decode()
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(--" not in svg
    assert "class=" not in svg
    assert studio.saved("Save PNG", tmp_path / "plot.png").startswith(b"\x89PNG\r\n")


def test_the_saved_page_opens_without_network_and_is_never_blank(studio: Studio, chromium: Any, tmp_path: Path) -> None:
    studio.open("#preset=and&visit=14&tie=positive")
    seen = studio.seen()
    studio.saved("Save page", tmp_path / "saved.html")
    again = Studio(chromium, tmp_path / "saved.html", offline=True).open()
    assert again.link() == "#preset=and&tie=positive&visit=14"
    assert again.seen() == seen
    again.saved("Save page", tmp_path / "again.html")  # a copy of a copy
    assert (tmp_path / "again.html").stat().st_size < 1.2 * (tmp_path / "saved.html").stat().st_size
    assert again.wrong == []
    again.close()
    still = chromium.new_context(java_script_enabled=False).new_page()
    still.goto((tmp_path / "saved.html").as_uri())
    assert "Visit 14, pass" in still.inner_text("#studio")
    assert still.locator(".plot-svg .point").count() == 4
    assert still.locator(".table tbody tr").count() > 10
    still.context.close()


def test_the_printed_page_has_the_whole_table(studio: Studio) -> None:
    studio.open("#preset=xor&max_iter=60")
    assert studio.page.locator(".table tbody tr").count() == 100
    studio.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert studio.page.locator(".table tbody tr").count() == 240
    studio.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert studio.page.locator(".table tbody tr").count() == 100
