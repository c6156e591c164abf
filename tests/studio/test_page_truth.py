"""What the page says is so: verdicts, bounds, what is typed and pasted, and the words beside an example."""

import re
from typing import Any

import pytest

from rosenblatt.services.lessons.plot.canvas import SHAPES
from tests.studio.verdicts import compare
from tests.studio.window import Studio


def test_the_verdicts_are_those_of_certify() -> None:
    assert 200 < compare(1000) < 800


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("#points=1e-300,0,0;0,1e-300,1", "by a margin that is too small for floating point"),
        ("#points=10000,10000,0;10001,10000,1", "this run made"),
        ("#points=0.1,0.3,1;0.2,0.6,0;0.3,0.9,1", "prove it"),
        ("#points=0,0,0;1,1,1;0,0,1", "points 1, 3 prove it"),
        ("#points=0.1,0.3,1;0.2,0.6,0;0.3,0.9,1&scale=standard", "prove it"),  # rounding moves them off their line
        ("#points=0.1,0.3,1;0.2,0.6,0;0.3,0.9,0&scale=centre&fit_intercept=0", "point 2 proves it"),  # it is the mean
        ("#points=0.1,0.3,1;0.7,2.1,0;0.6,1.8,0&scale=centre&fit_intercept=0", "this run made"),
    ],
)
def test_no_verdict_is_false(studio: Studio, link: str, words: str) -> None:
    studio.open(link)
    assert words in studio.text(".squeeze")
    assert ("prove" in words) == ("No line" in studio.text(".squeeze"))


def test_bounds_are_whole(studio: Studio) -> None:
    studio.open("#points=-1.3,0.2,0;0.4,0.9,1;1.1,-0.3,1;-0.2,-0.8,0&visit=1")
    words = studio.text(".squeeze").partition("at most ")[2]
    assert words.partition(" update")[0].isdigit()
    studio.open("#points=1,0,1;-1,0,0&fit_intercept=0")
    assert "at most 1 update; this run made 1" in studio.text(".squeeze")


def pasted(studio: Studio, text: str) -> None:
    studio.panel("Share and export")
    studio.page.locator(".bring textarea").fill(text)
    studio.click("Use these points")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[0,0],[1,1]]", "line 1: expected x1, x2, label; found 4 cells"),
        ("no numbers at all", "line 1: expected x1, x2, label; found 4 cells"),
        ("inf,0,1\n0,0,-1", "line 1: expected a number, found inf"),
        ("1,0,0,a\n2,1,1,b", "line 1: expected x1, x2, label; found 4 cells"),  # which of them counts?
        (",x1,x2,y\n0,0,0,a\n1,1,b", "line 3: expected x1, x2, label; found 2 cells"),
        ("a,b,c", "expected points below the line of names; found none"),
    ],
)
def test_what_is_no_point_is_refused_and_the_points_stay(studio: Studio, text: str, words: str) -> None:
    studio.open("#preset=and")
    pasted(studio, text)
    assert words in studio.text(".error")
    assert studio.page.locator(".point").count() == 4


def test_names_above_the_points_are_passed_over(studio: Studio) -> None:
    studio.open("#preset=and")
    pasted(studio, "x1,x2,y\n0,0,-1\n1,1,+1")
    assert studio.page.locator(".point").count() == 2


@pytest.mark.parametrize(
    ("text", "points"),
    [
        (",x1,x2,y\n0,5,6,a\n1,7,8,b\n", "5,6,0;7,8,1"),  # as pandas and R write it
        ('"id";"x1";"x2";"y"\n7;0,5;6;a\n9;7;8;b\n', "0.5,6,0;7,8,1"),
        ("\tx1\tx2\ty\n0\t5\t6\ta\n1\t7\t8\tb\n", "5,6,0;7,8,1"),
        ('5,6,"a, ""so"""\n7,8,"b, c"\n', "5,6,0;7,8,1"),
        ('"5" 6 "a b"\n7 8 c\n', "5,6,0;7,8,1"),
    ],
)
def test_an_index_and_quoted_cells_are_read(studio: Studio, text: str, points: str) -> None:
    studio.open("#preset=xor")
    pasted(studio, text)
    assert f"points={points}" in studio.link()


def test_a_label_with_a_comma_goes_through_a_link(studio: Studio) -> None:
    studio.open("#preset=and")
    pasted(studio, "0;0;a,b\n1;1;50%2Cc\n")
    link = studio.link()
    studio.open(link)
    assert studio.link() == link
    assert "labels a,b, 50%2Cc" in studio.text(".conventions") or "labels 50%2Cc, a,b" in studio.text(".conventions")


def field(studio: Studio, name: str) -> Any:
    return studio.page.get_by_label(name, exact=True)


def test_a_fraction_is_a_number(studio: Studio) -> None:
    studio.open("#preset=and")
    field(studio, "Learning rate η").fill("1/3")
    studio.press("Tab")
    assert "eta0=0.3333333333333333" in studio.link()
    field(studio, "Learning rate η").fill("0,5")
    studio.press("Tab")
    assert "eta0=0.5" in studio.link()


@pytest.mark.parametrize(
    ("name", "typed", "reason"),
    [
        ("Margin β", "-1", "Not taken: expected a number, such as 2, 0.5 or 1/3, at least 0."),
        ("Maximum passes", "5000", "Not taken: expected a whole number from 1 to 4000."),
        ("Maximum passes", "1/2", "Not taken: expected a whole number from 1 to 4000."),
        ("Learning rate η", "fast", "Not taken: expected a number, such as 2, 0.5 or 1/3, at least 0.0001."),
    ],
)
def test_what_is_not_taken_is_marked(studio: Studio, name: str, typed: str, reason: str) -> None:
    studio.open("#preset=and")
    link, box = studio.link(), field(studio, name)
    right = box.input_value()
    box.fill(typed)
    studio.press("Tab")
    assert studio.link() == link
    assert (box.input_value(), box.get_attribute("aria-invalid")) == (typed, "true")
    assert box.get_attribute("title") == reason
    studio.click("Step")  # the run goes on; what was typed stays marked
    assert box.get_attribute("aria-invalid") == "true"
    box.fill(right or "0")
    studio.press("Tab")
    assert box.get_attribute("aria-invalid") == "false"


def test_arrows_change_a_number(studio: Studio) -> None:
    studio.open("#preset=and")
    box = field(studio, "Maximum passes")
    before = int(box.input_value())
    box.focus()
    studio.press("ArrowDown", "ArrowDown")
    assert int(box.input_value()) == before - 2


def test_the_text_of_an_example_is_marked_as_old_once_it_is_changed(studio: Studio) -> None:
    studio.open("#preset=and")
    assert "You changed" not in studio.text(".task")
    studio.page.locator('[data-point="3"]').focus()
    studio.press("ArrowRight")
    assert "You changed the points. This text is about the original example:" in studio.text(".task.old")
    field(studio, "Learning rate η").fill("2")
    studio.press("Tab")
    assert "You changed the points and the conventions." in studio.text(".task.old")
    studio.click("Start over")
    assert "You changed" not in studio.text(".task")


def test_a_sheet_does_not_show_its_answers(studio: Studio) -> None:
    studio.open("#preset=and&visit=9")
    studio.panel("For class")
    studio.page.get_by_role("button", name="sheet").first.click()
    assert studio.page.locator(".card.table").count() == 0
    assert "The start" in studio.text(".sum")
    studio.page.get_by_role("button", name="Close").click()
    assert studio.page.locator(".card.table").count() == 1


CLOUDS = "#points=-2,1,1;-1.2,2.1,1;-0.4,1.4,1;0.3,2.4,1;1.1,-0.6,0;0.4,-1.4,0;2,0.2,0;-0.2,1.9,0&max_iter=3"
THREE = "#points=0,2,0;1,2,0;-2,-1,1;-2,0,1;2,-1,2;2,-2,2;0.5,0.1,2&labels=a,b,c&max_iter=2"
VECTOR = r"\(([^()]*)\)"
ADDED = re.compile(rf"w(?:\[\w\])? ← {VECTOR} ([+−]) (?:([\d.e−]+)·)?{VECTOR} = {VECTOR}")
SCORED = re.compile(r"s(?:\[\w\])? = (?:w·x = )?([^=\n]*·[^=\n]*) = (\S+)")


PRODUCT = re.compile(r"([+−]?) ?([\d.e]+)·\(?(−?[\d.e−]+)\)?")


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def numbers(text: str) -> list[float]:
    return [number(part) for part in text.split(",")]


@pytest.mark.parametrize(
    "link",
    [
        CLOUDS + words
        for words in ("", "&eta0=0.5", "&step=pa", "&step=pa1&C=0.3", "&step=pa2&C=0.3", "&step=arow&r=0.5")
    ]
    + [
        THREE + words
        for words in (
            "",
            "&step=pa1",
            "&step=arow",
            "&multiclass=one-vs-rest",
            "&step=pa&multiclass=one-vs-rest",
            "&step=arow&multiclass=one-vs-rest",
        )
    ],
)
def test_each_sum_can_be_computed_again(studio: Studio, link: str) -> None:
    # Four digits are shown of each number.
    studio.open(link)
    additions = 0
    for _ in range(len(studio.table())):
        studio.press(".")
        text = studio.text(".sum .steps")
        products = SCORED.findall(text)
        assert len(products) == (3 if "labels=" in link else 1)
        for terms, score in products:
            total = sum(number(sign + a) * number(b) for sign, a, b in PRODUCT.findall(terms))
            assert total == pytest.approx(number(score), abs=2e-3)
        added = ADDED.findall(text)
        additions += len(added)
        if "step=arow" in link and added:
            assert "τ = (β − " in text  # how far, from numbers that are there
            assert "variances σ" in text
        assert bool(added) == ("stays" not in text and "right" not in text.split("→")[1].split()[0])
        for before, sign, tau, direction, after in added:
            step = number(tau or "1") * (1 if sign == "+" else -1)
            sums = [a + step * b for a, b in zip(numbers(before), numbers(direction), strict=True)]
            assert sums == pytest.approx(numbers(after), abs=3e-3)
    assert additions > 3


def test_a_step_of_arow_says_its_variances(studio: Studio) -> None:
    # By hand: the first visit is x = (1, -2, 1), y = +1, with s = 0 and all variances 1: v = 6, tau = 1 / 6.5.
    studio.open(f"{CLOUDS}&step=arow&r=0.5&visit=1")
    text = studio.text(".sum .steps")
    assert "variances σ = (1, 1, 1), so σx = (1, −2, 1) and v = x·σx = 6" in text
    assert "τ = (β − y·s) / (v + r) = (1 − 0) / 6.5 = 0.1538" in text


# Of each mark of Python's pictures: how many corners its outline has here, and how the outline begins.
OUTLINES = {
    "o": (0, "M-10.5 0A"),
    "s": (4, "M-9.5-9.5H"),
    "^": (3, "M0-"),
    "D": (4, "M0-13L"),
    "v": (3, "M0 1"),
    "P": (12, "M"),
}


def test_a_class_has_the_shape_of_pythons_pictures(studio: Studio) -> None:
    studio.open("#points=0,0,0;1,0,1;0,1,2;1,1,3;2,0,4;2,2,5&labels=a,b,c,d,e,f")
    for i, shape in enumerate(SHAPES[:6]):
        outline = str(studio.page.get_attribute(f'[data-point="{i}"] .shape', "d"))
        corners, begins = OUTLINES[shape]
        assert outline.startswith(begins)
        assert "A" in outline or len(re.findall("[MLHV]", outline)) == corners


def test_a_kernel_sum_has_its_values(studio: Studio) -> None:
    # XOR by (x.z + 1)^2: K is 9 of a point with itself, 1 with its neighbours, and 1 with the opposite point.
    studio.open("#points=-1,-1,0;-1,1,1;1,1,0;1,-1,1&kernel=poly&degree=2&coef0=1&gamma=1&visit=2")
    assert "s = −1·K(x₁, x) = −1·1 = −1" in studio.text(".sum .steps")
