"""Points are added, dragged, turned and taken away, by mouse, finger, keys and numbers."""

import re

import pytest

from tests.studio.window import Studio


def points(studio: Studio) -> list[list[float]]:
    """The points of the link; those of AND if it has none."""
    found = re.search(r"points=([^&]*)", studio.link())
    if not found:
        return [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]]
    return [[float(v) for v in point.split(",")] for point in found[1].split(";")]


def centre(studio: Studio, i: int) -> tuple[float, float]:
    box = studio.page.locator(f'[data-point="{i}"] .shape').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_tap_adds_a_point(studio: Studio) -> None:
    studio.open("#preset=and&visit=3")
    studio.click("Add +")
    box = studio.page.locator(".plot-svg").bounding_box()
    studio.page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.3)
    assert len(points(studio)) == 5
    x, y, label = points(studio)[-1]
    assert (label, x > 0.5, y > 0.5) == (1, True, True)
    studio.click("Add −")
    studio.page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.4)
    assert points(studio)[-1][2] == 0
    assert studio.page.locator(".point").count() == 6
    studio.click("New class")
    studio.page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.3)
    assert points(studio)[-1][2] == 2
    assert studio.page.locator("polygon.side").count() == 3


@pytest.mark.parametrize("scale", ["none", "standard"])
def test_a_drag_moves_a_point(studio: Studio, scale: str) -> None:
    studio.open(f"#preset=and&scale={scale}")
    before = points(studio)
    x, y = centre(studio, 3)
    studio.page.mouse.move(x, y)
    studio.page.mouse.down()
    for step in range(1, 6):
        studio.page.mouse.move(x - 20 * step, y + 10 * step)
    studio.page.mouse.up()
    after = points(studio)
    assert after[:3] == before[:3]
    assert after[3][0] < before[3][0]
    assert after[3][1] < before[3][1]
    if scale == "none":
        assert centre(studio, 3) == pytest.approx((x - 100, y + 50), abs=4)


def test_a_finger_moves_a_point(studio: Studio) -> None:
    # A phone without a mouse: pointer events of a touch.
    studio.open("#preset=and")
    x, y = centre(studio, 0)
    session = studio.context.new_cdp_session(studio.page)
    touch = [{"x": x, "y": y}]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touch})
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 60, "y": y - 30}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    studio.until("document.querySelector('#studio').dataset.state.includes('points=')")
    assert points(studio)[0][0] > 0


def test_a_run_by_keys_alone(studio: Studio) -> None:
    studio.open("#preset=and")
    for _ in range(60):
        studio.press("Tab")
        if studio.page.evaluate("document.activeElement.matches('.point')"):
            break
    studio.press("PageDown", "PageDown", "PageDown")
    assert studio.page.evaluate("document.activeElement.dataset.point") == "3"
    studio.press("ArrowRight", "ArrowUp", "Shift+ArrowUp")
    x, y, label = points(studio)[3]
    assert (x, y, label) == (1.1, 1.6, 1)
    studio.press("-")
    assert points(studio)[3][2] == 0
    assert "no line" not in studio.text(".sum")
    studio.press("+", "PageUp", "Delete")
    assert len(points(studio)) == 3
    assert studio.page.evaluate("document.activeElement.matches('.point')")
    studio.press(".", ".", "m", ",")
    assert studio.where().startswith("visit 2 ")
    assert studio.page.locator(".live").inner_text().startswith("Visit 2: point 2")
    for _ in range(60):  # on to the buttons of the player
        studio.press("Tab")
        if studio.page.evaluate("document.activeElement.matches('button.step')"):
            break
    studio.press("Enter", "Space")
    assert studio.where().startswith("visit 4 ")


def test_a_changed_example_can_start_over(studio: Studio) -> None:
    studio.open("#preset=and&visit=4&hide=1")
    over = studio.page.get_by_role("button", name="Start over")
    assert over.count() == 0
    studio.page.locator('[data-point="2"]').focus()
    studio.press("Delete")
    assert len(points(studio)) == 3
    over.click()
    assert studio.link() == "#preset=and&hide=1"
    assert over.count() == 0
    studio.page.get_by_label("Example").select_option("xor")
    assert studio.link() == "#preset=xor&hide=1"


def test_numbers_do_what_a_drag_does(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.panel("Points")
    studio.page.locator(".rows li").nth(1).get_by_label("x₁").fill("-0.75")
    studio.press("Enter")
    assert points(studio)[1] == [-0.75, 1, 0]
    studio.page.locator(".rows li").nth(1).get_by_label("class").select_option("1")
    assert points(studio)[1] == [-0.75, 1, 1]
    studio.click("Remove point 1")
    studio.click("Add a − point")
    assert points(studio) == [[-0.75, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_points_are_pasted_and_dropped(studio: Studio) -> None:
    studio.open("#preset=and&visit=4")
    studio.panel("Share and export")
    box = studio.page.get_by_label("Your own points: one per line")
    box.fill("x1;x2;class\n0,5;1;0\n2;3;1\n")
    studio.click("Use these points")
    assert points(studio) == [[0.5, 1, 0], [2, 3, 1]]
    box.fill("1,2,a\n3,x,b\n")
    studio.click("Use these points")
    assert "line 2: expected a number, found x" in studio.text(".error")
    assert points(studio) == [[0.5, 1, 0], [2, 3, 1]]
    drop = """([text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "points.csv", { type: "text/csv" }));
      document.querySelector("#studio").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
    }"""
    studio.page.evaluate(drop, ["0 0 red\n1 1 green\n2 2 blue\n"])
    studio.until("document.querySelector('#studio').dataset.state.includes('labels=blue,green,red')")
    assert points(studio) == [[0, 0, 2], [1, 1, 1], [2, 2, 0]]
