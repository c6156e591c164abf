"""For class: answers hidden until asked for, a quiz over the next step, a sheet that is checked cell by cell."""

from rosenblatt import trace
from rosenblatt.data.lectures import AND
from tests.studio.window import Studio


def test_answers_are_hidden_until_asked_for(studio: Studio) -> None:
    studio.open("#preset=and&visit=4&hide=1")
    assert "Show the answer" in studio.text(".sum")
    assert "(0, 1, 1)" not in studio.text("#studio")
    assert studio.page.locator(".table tbody tr").count() == 4
    assert "?" in studio.text(".table tbody tr:last-child")
    assert "of 36" not in studio.where()
    studio.press("a")
    assert "(0, 1, 1)" in studio.text(".sum")
    studio.press(".")
    assert "Show the answer" in studio.text(".sum")


def test_a_pass_is_over_after_its_last_visit(studio: Studio) -> None:
    studio.open("#preset=and&visit=4&hide=1")
    assert "No pass is over yet" in studio.text(".passes")  # whether visit 4 is a mistake is asked
    assert studio.page.text_content(".table caption") == "Visits 1 to 4"
    studio.press("a")
    assert studio.page.locator(".passes .bar").count() == 1
    studio.press(".")
    assert studio.page.locator(".passes .bar").count() == 1
    studio.open("#preset=melbourne&visit=3&hide=1")
    studio.press("a")
    assert studio.page.locator(".passes .bar").count() == 1
    studio.open("#preset=and&hide=1")
    assert studio.page.text_content(".table caption") == "No visit yet"


def test_the_quiz_knows_what_comes_next(studio: Studio) -> None:
    studio.open("#preset=and&visit=2")
    studio.panel("For class")
    studio.click("What comes next? A quiz")
    quiz = studio.page.locator(".quiz")
    assert studio.page.locator(".table tbody tr").count() == 2  # what is asked is not given away
    assert "Visit 3: point 3 = (1, 0), y = −1, w = (−1, 0, 0)" in quiz.inner_text()
    quiz.get_by_label("no", exact=True).check()
    for name, value in (("w₀", "-1"), ("w₁", "0"), ("w₂", "0")):
        quiz.get_by_label(name).fill(value)
    quiz.get_by_role("button", name="Check").click()
    assert "Right." in quiz.inner_text()
    assert "1 of 1 right" in quiz.inner_text()
    assert studio.where() == "visit 3 · pass 1 · updates 1"
    quiz.get_by_role("button", name="Next question").click()
    quiz.get_by_label("no", exact=True).check()
    quiz.get_by_label("w₀").fill("1/2")
    quiz.get_by_role("button", name="Check").click()
    said = quiz.inner_text()
    assert "It is a mistake." in said
    assert "The new w is (0, 1, 1)" in said
    assert "wrong side" in said
    assert "1 of 2 right" in said
    quiz.get_by_role("button", name="End the quiz").click()
    assert studio.page.locator(".quiz").count() == 0


def test_the_sheet_is_checked_cell_by_cell(studio: Studio) -> None:
    studio.open("#preset=and")
    studio.panel("For class")
    studio.click("A sheet to fill in")
    sheet = studio.page.locator(".sheet")
    assert sheet.locator("input[data-cell]").count() == 4 * 5
    for frame in trace(*AND, max_visits=4):
        w0, w1, w2 = frame.after[0].tolist()
        answers = {"score": frame.score, "mistake": "add" if frame.mistake and frame.y > 0 else "yes"}
        if not frame.mistake:
            answers["mistake"] = "no"
        for name, value in {**answers, "w0": w0, "w1": w1, "w2": w2}.items():
            sheet.locator(f'[data-cell="{frame.visit}.{name}"]').fill(str(value))
    sheet.get_by_role("button", name="Check").click()
    assert "All 20 cells that you filled in are right." in sheet.inner_text()
    sheet.locator('[data-cell="4.w0"]').fill("1")
    sheet.locator('[data-cell="2.mistake"]').fill("subtract")
    sheet.get_by_role("button", name="Check").click()
    assert "18 of 20 cells are right. The first wrong one: visit 2 of 4, mistake." in sheet.inner_text()
    assert sheet.locator("td.bad").count() == 2
    assert sheet.locator('[data-cell="4.w0"]').get_attribute("aria-invalid") == "true"
    sheet.locator('[data-cell="4.w0"]').fill("")
    sheet.get_by_role("button", name="Clear").click()
    sheet.locator('[data-cell="1.score"]').fill("0.00")
    sheet.get_by_role("button", name="Check").click()
    assert "The 1 cell that you filled in is right." in sheet.inner_text()


def test_big_type_and_contrast(studio: Studio) -> None:
    studio.open("#preset=and")
    size = "parseFloat(getComputedStyle(document.querySelector('#studio')).fontSize)"
    before = studio.page.evaluate(size)
    studio.panel("For class")
    studio.page.get_by_label("Big type").check()
    studio.page.get_by_label("High contrast").check()
    assert studio.page.evaluate(size) > 1.25 * before
    assert studio.link() == "#preset=and&big=1&contrast=1"
