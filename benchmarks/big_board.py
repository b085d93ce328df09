"""Measure the web app on a board of a million cells, in real Chromium.

A click is timed from the pointer's release to the end of the frame that shows the cell open; a
first click also deals the board. For panning, the board is dragged in every frame and the frames
are timed.

    python benchmarks/big_board.py
    python benchmarks/big_board.py --level 1000x1000:100000 --games 30
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from playwright.sync_api import Browser, Page

import sapper
from browser import served
from web import p95

_PACE_S = 0.2
"""Time between two clicks of a fast player."""

# Runs in the page. The cursor is on the clicked cell, so its name changes when the cell does. The
# message channel fires once the frame is drawn.
_WATCH = """() => {
  let released = 0;
  document.addEventListener("pointerup", () => { released = performance.now(); }, true);
  window.timed = () => new Promise((resolve) => {
    released = 0;
    const row = document.querySelector("#grid .spoken");
    const watch = new MutationObserver(() => {
      const name = row.firstElementChild?.getAttribute("aria-label") ?? "";
      if (!released || !/, \\d$/.test(name)) return;
      watch.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - released);
        port2.postMessage(0);
      });
    });
    watch.observe(row, { childList: true, subtree: true, attributes: true });
  });
}"""

_PAN = """async ([seconds, right, down]) => {
  const canvas = document.querySelector("#grid > canvas");
  const box = canvas.getBoundingClientRect();
  let [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const send = (kind, buttons) => canvas.dispatchEvent(new PointerEvent(kind, {
    bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", isPrimary: true,
    button: 0, buttons, clientX: x, clientY: y }));
  const times = [];
  send("pointerdown", 1);
  const begun = performance.now();
  for (let last = 0, way = -1; performance.now() - begun < 1000 * seconds;) {
    const now = await new Promise(requestAnimationFrame);
    if (last) times.push(now - last);
    last = now;
    if (times.length % 120 === 119) way = -way;
    [x, y] = [x + way * right, y + way * down];
    send("pointermove", 1);
  }
  send("pointerup", 0);
  return times;
}"""


class Played:
    """A page with a big board, and the same game in this process, to find safe cells."""

    def __init__(self, browser: Browser, url: str, level: str, seed: int) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page: Page = self.context.new_page()
        self.page.goto(f"{url}#level={level}&rules=classic&first_click=opening&seed={seed}")
        self.page.wait_for_selector("#grid[data-big]")
        self.page.wait_for_timeout(1000)
        self.page.evaluate(_WATCH)
        self.twin = sapper.Game(level, rules="classic", first_click="opening", seed=seed)
        shape = self.twin.position.topology
        self.middle = sapper.Cell(shape.height // 2, shape.width // 2)
        box = self.page.locator("#grid").bounding_box()
        assert box is not None
        self._at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        size = float(self.page.locator("#size").text_content().split()[0])  # type: ignore[union-attr]
        self._size = size
        # The map covers the lower right corner.
        self.reach = int(box["height"] / 2 / size) - 2, int(box["width"] / 2 / size) - 9

    def click(self, cell: sapper.Cell) -> float:
        """Open a visible cell; return the milliseconds until it is drawn."""
        row, col = cell.row - self.middle.row, cell.col - self.middle.col
        self.page.mouse.move(self._at[0] + col * self._size, self._at[1] + row * self._size)
        self.page.evaluate("() => { window.answer = window.timed(); }")
        self.page.mouse.down()
        self.page.mouse.up()
        taken = float(self.page.evaluate("() => window.answer"))
        self.twin.open(cell)
        return taken

    def safe(self) -> list[sapper.Cell]:
        """Return the visible safe cells."""
        found = sapper.analyze(self.twin.position)
        rows, cols = self.reach
        return [
            cell
            for cell in sorted(found.safe)
            if abs(cell.row - self.middle.row) <= rows and abs(cell.col - self.middle.col) <= cols
        ]


def clicks(
    browser: Browser, url: str, level: str, wanted: int, games: int, seed: int
) -> tuple[list[float], list[float]]:
    """Play safe cells in new games; return the milliseconds of first and of later clicks."""
    first: list[float] = []
    later: list[float] = []
    rng = random.Random(seed)
    while len(later) < wanted or len(first) < games:
        game = Played(browser, url, level, seed + len(first))
        first.append(game.click(game.middle))
        # If no safe cell is left in view, move on to the next game.
        while len(later) < wanted and (safe := game.safe()):
            began = time.monotonic()
            later.append(game.click(rng.choice(safe)))
            game.page.wait_for_timeout(max(0.0, 1000 * (_PACE_S - (time.monotonic() - began))))
        game.context.close()
    return first, later


def panning(browser: Browser, url: str, level: str, seconds: float, seed: int) -> list[float]:
    """Drag the board by 40 and 25 pixels a frame; return the milliseconds between frames."""
    game = Played(browser, url, level, seed)
    game.click(game.middle)
    game.page.wait_for_timeout(500)
    frames: list[float] = game.page.evaluate(_PAN, [seconds, 40, 25])
    game.context.close()
    return frames


def _row(name: str, values: list[float]) -> str:
    figures = (statistics.median(values), p95(values), max(values))
    return f"{name:24} {len(values):6}" + "".join(f"{value:10.1f}" for value in figures)


def main() -> None:
    """Print one row each for first clicks, later clicks and frames."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="1000x1000:160000")
    parser.add_argument("--clicks", type=int, default=150)
    parser.add_argument("--games", type=int, default=10, help="at least, for first clicks")
    parser.add_argument("--seconds", type=float, default=10, help="of panning")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with served() as (url, browser, _):
        print(f"{given.level}, ms{'n':>12}{'median':>14}{'95 %':>8}{'most':>10}")
        first, later = clicks(browser, url, given.level, given.clicks, given.games, given.seed)
        print(_row("first click", first))
        print(_row("click", later), flush=True)
        frames = panning(browser, url, given.level, given.seconds, given.seed)
        print(_row("frame while panning", frames))
        late = sum(frame > 1.5 * 1000 / 60 for frame in frames)
        print(f"{late} of {len(frames)} frames came a frame late or more")


if __name__ == "__main__":
    main()
