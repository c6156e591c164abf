"""The studio in a browser: milliseconds of a run with its certificate in WebAssembly, and of a step with its drawing.

Forty points, twenty passes: 800 visits. Minimum of many, in one page: noise only adds. A browser is needed, the one
that the tests use.
"""

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.table import Table, Target
from rosenblatt.doors.studio import one_file
from tests.browser.check_site import served
from tests.browser.find_browser import find_browser
from tests.studio.window import Studio

POINTS, PASSES, REPEATS = 40, 20, 60
RUN_MS, REDRAW_MS = 3, 16  # at most: a drag is followed at sixty pictures a second
RUN = """async ([points, labels, passes, repeats]) => {
  const { loadCore } = await import("./core.js");
  const core = await loadCore(await (await fetch("core.wasm")).arrayBuffer());
  let [best, visits] = [Infinity, 0];
  for (let i = 0; i < repeats; i++) {
    const began = performance.now();
    visits = core.trace(points, labels, { passes }).visits;
    core.nearest(points, labels);
    best = Math.min(best, performance.now() - began);
  }
  return [best, visits];
}"""
REDRAW = """([keys, selector, repeats]) => {
  const target = document.querySelector(selector), plot = document.querySelector(".plot-svg");
  let best = Infinity;
  for (let i = 0; i < repeats; i++) {
    const began = performance.now();
    target.dispatchEvent(new KeyboardEvent("keydown", { key: keys[i % 2], bubbles: true }));
    plot.getBoundingClientRect(); // laid out too
    best = Math.min(best, performance.now() - began);
  }
  return best;
}"""


def run(*, quick: bool) -> tuple[list[Table], list[Target]]:
    """The table, and what is aimed at."""
    from playwright.sync_api import sync_playwright

    draw, repeats = random.Random(1), REPEATS // 4 if quick else REPEATS
    points = [[round(draw.gauss(1.2 * c, 1), 2) for _ in "xy"] for c in (0, 1) for _ in range(POINTS // 2)]
    labels = [0] * (POINTS // 2) + [1] * (POINTS // 2)
    link = ";".join(f"{x},{y},{label}" for (x, y), label in zip(points, labels, strict=True))
    table = Table(f"{POINTS} points, {PASSES} passes, in a browser", {"": "", "ms": ".2f"})
    browser = find_browser()
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        path = Path(temporary, "studio.html")
        path.write_text(one_file.page(), encoding="utf-8")
        chromium = playwright.chromium.launch(
            executable_path=browser.program, env=browser.environment, args=["--no-sandbox"]
        )
        with served(Path(one_file.__file__).with_name("page")) as site:
            page = chromium.new_page()
            page.goto(site)
            took, visits = page.evaluate(RUN, [points, labels, PASSES, repeats])
        table.add(f"{visits:.0f} visits and the nearest point", took)
        drawn: dict[str, Any] = {}
        for name, more in (("a line", ""), ("a Gaussian kernel", "&kernel=rbf")):
            window = Studio(chromium, path).open(f"#points={link}&max_iter={PASSES}&visit=300{more}")
            drawn[name] = window.page.evaluate(REDRAW, [".,", "body", repeats])
            table.add(f"a step, drawn: {name}", drawn[name])
            moved = window.page.evaluate(REDRAW, [["ArrowLeft", "ArrowRight"], '[data-point="0"]', repeats])
            table.add(f"a point moved, run anew and drawn: {name}", moved)
        chromium.close()
    return [table], [
        Target("a run and its certificate, ms", took, "<=", RUN_MS),
        Target("a step, drawn, ms", drawn["a line"], "<=", REDRAW_MS),
    ]
