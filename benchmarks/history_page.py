"""Measure how long the History page takes with many games, from request to paint.

Games with invented results are added to a browser's history, and the page is opened
repeatedly, with statistics for all levels and for one. The time runs from the start of the
navigation to the end of the frame that shows figures, charts, calendar and lists. The browser is
real Chromium with a warm cache.

    python benchmarks/history_page.py
    python benchmarks/history_page.py --games 1000 -n 3
"""

from __future__ import annotations

import argparse
import random
import statistics
from pathlib import Path

from playwright.sync_api import Page

from browser import served
from history import made_up
from sapper.history import History
from web import p95

# Runs before the page's scripts; the promise resolves once the frame with the games is drawn.
_TIMED = """
window.painted = new Promise((resolve) => {
  const watch = new MutationObserver(() => {
    const row = document.querySelector("#games tbody tr");
    if (!row || document.querySelector("#found").hidden) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  });
  watch.observe(document, { childList: true, subtree: true, attributes: true });
});
"""


def fill(home: Path, page: Page, games: int) -> None:
    """Add games to the history of the page's browser."""
    [cookie] = [one for one in page.context.cookies() if one["name"] == "sapper"]
    rng = random.Random(1)
    with History(home / "play.sqlite3", str(cookie["value"]).partition(".")[0]) as history:
        history.add_all(made_up(number, rng) for number in range(games))


def main() -> None:
    """Print a line for all levels and one for a single level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="times the page is opened (20)")
    parser.add_argument("--games", type=int, default=100_000, help="games in the history (100000)")
    args = parser.parse_args()
    with served() as (url, browser, home):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(url)
        page.wait_for_selector('[role="gridcell"]')
        fill(home, page, args.games)
        page.add_init_script(_TIMED)
        print("games    choice        n    p50     p95     max  ms from request to paint")
        for name, query in (("all levels", ""), ("expert", "?level=expert")):
            times = []
            for _ in range(args.n + 1):
                page.goto(f"{url}history{query}")
                times.append(page.evaluate("() => window.painted"))
            # The first load fills the browser's cache.
            times = times[1:]
            row = f"{statistics.median(times):6.1f} {p95(times):7.1f} {max(times):7.1f}"
            print(f"{args.games:<8} {name:<11} {len(times):3} {row}", flush=True)


if __name__ == "__main__":
    main()
