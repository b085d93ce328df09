"""Measure the time from a key press on the analysis board to the new chances, in Chromium.

Each position comes from natural play on Expert. One of its numbers is erased and retyped on the
board; the time is measured from the key press to the end of the frame that shows the new chances.

    python benchmarks/analyze_page.py
    python benchmarks/analyze_page.py -n 50
"""

from __future__ import annotations

import argparse
import random
import statistics

from playwright.sync_api import Page

import sapper
from browser import served
from positions import natural
from web import p95

# Runs in the page; the promise resolves once the frame with the next answer is drawn.
_TIMED = """() => {
  const figures = document.querySelector("#figures");
  window.answer = new Promise((resolve) => {
    let pressed = 0;
    document.addEventListener("keydown", () => { pressed = performance.now(); },
      { capture: true, once: true });
    const watch = new MutationObserver(() => {
      if (!pressed || figures.classList.contains("old")) return;
      watch.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - pressed);
        port2.postMessage(0);
      });
    });
    watch.observe(figures, { attributes: true, childList: true });
  });
}"""


def typed(page: Page, position: sapper.Position, rng: random.Random) -> float:
    """Return the milliseconds from typing a number to seeing the new chances."""
    numbers = [cell for cell in position.topology.cells() if position.number(cell)]
    row, col = rng.choice(numbers)
    page.fill("#text", str(position))
    page.locator(f'[data-row="{row}"][data-col="{col}"]').click()
    page.keyboard.press("Backspace")
    page.wait_for_selector("#figures:not(.old)")
    page.wait_for_timeout(300)
    page.evaluate(_TIMED)
    page.keyboard.press(position[row, col])
    took: float = page.evaluate("() => window.answer")
    page.wait_for_timeout(100)
    return took


def main() -> None:
    """Print the line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="positions")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with served() as (url, browser, _):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{url}analyze")
        page.wait_for_selector('[role="gridcell"]')
        rng = random.Random(args.seed)
        times = [
            typed(page, natural(30, 16, 99, args.seed + number), rng) for number in range(args.n)
        ]
        print("positions    p50     p95     max  ms from key to paint")
        print(f"{len(times):9} {statistics.median(times):6.1f} {p95(times):7.1f} {max(times):7.1f}")


if __name__ == "__main__":
    main()
