"""What makes the page easy to use: back and forth, removing, near and far, a legend, and a phone's small window."""

from typing import Any

import pytest

from tests.studio.test_page_edit import centre, points
from tests.studio.window import Studio

FAR = ";".join(f"{i % 17 / 4},{i // 17 / 4},{int(i % 17 > 8)}" for i in range(200))


def test_each_change_can_be_undone_and_done_again(studio: Studio) -> None:
    studio.open("#preset=and&visit=3")
    undo, redo = (studio.page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    assert undo.is_disabled()
    assert redo.is_disabled()
    studio.press(".")  # a step is no change of the run
    assert undo.is_disabled()
    links = [studio.link()]
    studio.page.locator('[data-point="3"]').focus()
    studio.press("ArrowRight")
    links.append(studio.link())
    studio.page.get_by_role("combobox", name="Order").select_option("shuffled")
    links.append(studio.link())
    studio.panel("Points")
    studio.click("Remove point 1")
    links.append(studio.link())
    assert len(set(links)) == 4
    for link in (links[2], links[1]):
        undo.click()
        assert studio.link() == link
    studio.press("Control+z")
    assert studio.link() == links[0]
    assert undo.is_disabled()
    studio.press("Control+y", "Control+Shift+z")
    assert studio.link() == links[2]
    redo.click()
    assert studio.link() == links[3]
    assert redo.is_disabled()
    studio.press("Control+z")
    studio.page.locator('[data-point="1"]').focus()
    studio.press("Delete")
    assert redo.is_disabled()  # what was undone is gone: another way was taken


def test_a_drag_is_one_step(studio: Studio) -> None:
    studio.open("#preset=and")
    x, y = centre(studio, 3)
    studio.page.mouse.move(x, y)
    studio.page.mouse.down()
    for step in range(1, 9):
        studio.page.mouse.move(x - 10 * step, y)
    studio.page.mouse.up()
    assert "points=" in studio.link()
    studio.click("Undo")
    assert studio.link() == "#preset=and"


def test_the_browsers_back_undoes(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.page.wait_for_timeout(400)  # the address follows after a short rest
    studio.page.get_by_label("Example").select_option("xor")
    studio.until("location.hash === '#preset=xor'")
    studio.page.locator('[data-point="3"]').focus()
    studio.press("ArrowRight")
    studio.until("location.hash.includes('points=')")
    studio.page.go_back()
    studio.until("document.querySelector('#studio').dataset.state === '#preset=xor'")
    studio.page.go_back()
    studio.until("document.querySelector('#studio').dataset.state === '#preset=and'")
    studio.page.go_forward()
    studio.until("document.querySelector('#studio').dataset.state === '#preset=xor'")


@pytest.mark.parametrize("touch", [False, True])
def test_a_tap_removes_a_point(chromium: Any, page_file: Any, touch: bool) -> None:
    studio = Studio(chromium, page_file, has_touch=touch)
    studio.open("#preset=and")
    studio.click("Remove points")
    x, y = centre(studio, 1)
    (studio.page.touchscreen.tap if touch else studio.page.mouse.click)(x, y)
    assert points(studio) == [[0, 0, 0], [1, 0, 0], [1, 1, 1]]
    studio.close()
    assert studio.wrong == []


def test_a_class_can_go_again(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.click("New class")
    box = studio.page.locator(".plot-svg").bounding_box()
    studio.page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.5)
    assert len(points(studio)) == 5
    studio.click("Remove class 3")
    assert studio.link() == "#preset=and"
    assert studio.page.get_by_role("button", name="Remove class").count() == 0


def test_the_view_goes_near_and_far(studio: Studio) -> None:
    studio.open("#preset=far-clouds")
    before = centre(studio, 0)
    studio.click("Zoom in")
    near = centre(studio, 0)
    assert near != before
    studio.click("Zoom out")
    assert centre(studio, 0) == pytest.approx(before, abs=1)
    studio.click("Zoom in")
    studio.page.locator('[data-point="4"]').focus()
    studio.press("ArrowRight")
    assert centre(studio, 0)[0] == pytest.approx(near[0], abs=1)  # a chosen view stays
    studio.page.get_by_role("button", name="Zoom in").focus()
    studio.press("ArrowLeft")
    assert centre(studio, 0)[0] > near[0] + 20
    studio.click("Show all points")
    assert all(0 < centre(studio, i)[0] < 680 for i in range(8))
    studio.open("#points=15,13,1;16,15,1;15,14,0")
    assert "0" not in studio.page.locator(".axes text").all_text_contents()
    studio.click("Show the origin too")
    assert "0" in studio.page.locator(".axes text").all_text_contents()
    assert len(points(studio)) == 3


def test_dragging_the_plot_and_the_wheel_move_the_view(studio: Studio) -> None:
    studio.open("#preset=and")
    before = centre(studio, 3)
    box = studio.page.locator(".plot-svg").bounding_box()
    x, y = box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.6
    studio.page.mouse.move(x, y)
    studio.page.mouse.down()
    studio.page.mouse.move(x + 30, y + 20)
    studio.page.mouse.move(x + 60, y + 40)
    studio.page.mouse.up()
    after = centre(studio, 3)
    assert after == pytest.approx((before[0] + 60, before[1] + 40), abs=2)
    studio.page.mouse.wheel(0, 200)  # the page scrolls
    studio.page.wait_for_timeout(100)
    studio.page.evaluate("scrollTo(0, 0)")
    assert centre(studio, 3) == pytest.approx(after, abs=2)
    studio.page.keyboard.down("Control")
    studio.page.mouse.wheel(0, -200)
    studio.page.keyboard.up("Control")
    studio.page.wait_for_timeout(100)
    assert centre(studio, 3) != pytest.approx(after, abs=2)
    assert studio.link() == "#preset=and"


def test_two_fingers_zoom(chromium: Any, page_file: Any) -> None:
    studio = Studio(chromium, page_file, has_touch=True, viewport={"width": 390, "height": 844})
    studio.open("#preset=and")
    studio.click("Add +")
    before = centre(studio, 3)[0] - centre(studio, 0)[0]
    box = studio.page.locator(".plot-svg").bounding_box()
    session = studio.context.new_cdp_session(studio.page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6

    def touch(kind: str, *places: float) -> None:
        touches = [{"x": x + dx, "y": y, "id": i} for i, dx in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    touch("touchStart", -30)
    touch("touchStart", -30, 30)
    for apart in (40, 50, 60):
        touch("touchMove", -apart, apart)
    touch("touchEnd")
    assert centre(studio, 3)[0] - centre(studio, 0)[0] == pytest.approx(2 * before, rel=0.05)
    assert len(points(studio)) == 4  # and no point was added
    studio.close()
    assert studio.wrong == []


def test_the_final_line_is_in_view(studio: Studio) -> None:
    studio.open("#preset=melbourne")
    studio.press("End")
    assert studio.page.locator(".plot-svg .line.last").count() == 1


def test_many_marks_are_small(studio: Studio) -> None:
    studio.open("#preset=and")
    large = studio.page.locator('[data-point="0"] .shape').bounding_box()["width"]
    studio.open(f"#points={FAR}")
    small = studio.page.locator('[data-point="0"] .shape').bounding_box()["width"]
    assert small < large / 2
    assert studio.page.locator(".point .name").count() == 1  # of the one that the keys are at
    studio.page.locator('[data-point="0"]').focus()
    studio.press("PageDown")
    assert studio.page.text_content('[data-point="1"] .name') == "2"


def test_a_legend_names_what_is_there(studio: Studio) -> None:
    studio.open("#preset=and")
    assert studio.page.locator(".legend li").all_inner_texts() == ["class +", "class −"]
    studio.open("#preset=and&visit=36&show=band,widest,average")
    words = "\n".join(studio.page.locator(".legend li").all_inner_texts())
    for entry in (
        "class + and its side",
        "line: score 0",
        "margin band",
        "widest margin",
        "averaged",
        "this visit: right",
    ):
        assert entry in words
    studio.open("#preset=and&visit=5&show=band")
    words = "\n".join(studio.page.locator(".legend li").all_inner_texts())
    assert "margin band" not in words  # there is none: a point is on the line
    assert "this visit: a mistake" in words


@pytest.mark.parametrize("link", ["#preset=and", "#preset=xor-kernel", "#preset=three-clouds"])
def test_numbers_of_the_axes_are_not_under_points(studio: Studio, link: str) -> None:
    studio.open(link)
    covered = studio.page.evaluate("""() => {
      const boxes = (all) => [...document.querySelectorAll(all)].map((one) => one.getBoundingClientRect());
      const marks = boxes(".point .shape");
      const hit = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return boxes(".axes text").filter((text) => marks.some((mark) => hit(text, mark))).length;
    }""")
    assert covered == 0


def test_on_a_phone_the_sum_is_in_view_while_stepping(chromium: Any, page_file: Any) -> None:
    studio = Studio(chromium, page_file, has_touch=True, viewport={"width": 390, "height": 844})
    studio.open("#preset=and")
    for _ in range(3):
        studio.click("Step")
        top = studio.page.locator(".player").bounding_box()["y"]
        last = studio.page.locator(".sum .maths").last.bounding_box()
        plot = studio.page.locator(".plot-svg").bounding_box()
        assert plot["y"] >= 0
        assert last["y"] + last["height"] <= top
    studio.panel("For class")
    assert not studio.page.get_by_text("Single keys work").is_visible()
    for name, panel in (("What comes next? A quiz", ".quiz"), ("A sheet to fill in", ".sheet")):
        studio.panel("For class")
        studio.click(name)
        box = studio.page.locator(panel).bounding_box()
        assert 0 <= box["y"] < 700, panel
    studio.close()
    assert studio.wrong == []


def test_a_link_to_a_file_says_where_it_works(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.copied("Copy link")
    assert "works on this computer only" in studio.text(".output")
    studio.copied("Copy CSV")
    assert "computer only" not in studio.text(".output")
