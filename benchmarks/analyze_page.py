"""Measure the time from a key press on the analysis board to the painted chances, in Chromium.

Each position comes from natural play on Expert. One of its numbers is erased and retyped on the
board, a number without which the chances of other cells differ. A row has the milliseconds from the
timestamp of the key event: `painted` is the end of the main thread's frame that paints the chances
of those cells, and `shown` the moment at which the browser has displayed this frame (from its
trace). `work` is the processor time that the main thread needs for the key and for this frame,
drawing included. All keys are typed twice, the second time with a trace. Then follow the keys whose
chances were in the first frame after the key.

    python benchmarks/analyze_page.py
    python benchmarks/analyze_page.py -n 50
    python benchmarks/analyze_page.py --server-engine
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from bisect import bisect
from collections import defaultdict
from typing import Any, NamedTuple

from playwright.sync_api import Page

import sapper
from browser import served
from positions import natural
from web import p95

# Runs in the page; the promise resolves once the frame with the new chances is painted. Chances are
# marks on cells other than the typed one. The message channel fires after the frame.
_TIMED = """([row, col]) => {
  window.answer = new Promise((resolve) => {
    const typed = document.querySelector(`[data-row="${row}"][data-col="${col}"]`);
    let [pressed, frames] = [0, 0];
    const count = () => { frames++; requestAnimationFrame(count); };
    document.addEventListener("keydown", (event) => {
      pressed = event.timeStamp;
      performance.mark("key pressed", { startTime: pressed });
      requestAnimationFrame(count);
    }, { capture: true, once: true });
    const watch = new MutationObserver((changes) => {
      if (!pressed || changes.every(({ target }) => target === typed)) return;
      watch.disconnect();
      const before = frames;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const now = performance.now();
          performance.mark("chances painted", { startTime: now });
          resolve([now - pressed, before]);
        };
        port2.postMessage(0);
      });
    });
    const grid = document.querySelector('[role="grid"]');
    watch.observe(grid, { subtree: true, attributes: true, attributeFilter: ["aria-description"] });
  });
}"""
_TRACED = ["blink.user_timing", "viz", "benchmark", "toplevel"]


class Key(NamedTuple):
    """The milliseconds until the chances of a key are painted, and the frames before them."""

    painted: float
    missed: int


def telling(position: sapper.Position, rng: random.Random) -> tuple[int, int] | None:
    """Return a number without which the chances of other cells differ; None if there is none."""
    numbers = [cell for cell in position.topology.cells() if position.number(cell)]
    rng.shuffle(numbers)
    known = _chances(position)
    for cell in numbers:
        rows = [list(row) for row in position.rows]
        rows[cell.row][cell.col] = "."
        text = "\n".join("".join(row) for row in rows)
        without = _chances(sapper.Position.parse(text, mines=position.mines))
        if any(without[other] != chance for other, chance in known.items()):
            return cell
    return None


def _chances(position: sapper.Position) -> dict[tuple[int, int], str]:
    """Return the chances of unopened cells as the page shows them."""
    found = sapper.analyze(position)
    return {
        cell: "safe" if cell in found.safe else f"{found.p_mine[cell]:.2f}"
        for cell in position.unopened_cells()
    }


def typed(page: Page, position: sapper.Position, cell: tuple[int, int]) -> Key:
    """Type a number, and measure the time until the new chances are painted."""
    row, col = cell
    page.fill("#text", str(position))
    page.locator(f'[data-row="{row}"][data-col="{col}"]').click()
    # Keys draw under the cursor once a key has moved it.
    for key in ("ArrowLeft", "ArrowRight") if col else ("ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.press("Backspace")
    page.wait_for_selector("#figures:not(.old)")
    page.wait_for_timeout(300)
    page.evaluate(_TIMED, [row, col])
    page.keyboard.press(position[row, col])
    found = Key(*page.evaluate("() => window.answer"))
    page.wait_for_timeout(100)
    return found


def traced(trace: bytes) -> tuple[list[float], list[float]]:
    """Return, for each key of a trace, when its chances are displayed, and the work until then."""
    events = sorted(json.loads(trace)["traceEvents"], key=lambda event: event.get("ts", 0))
    named: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        named[event["name"]].append(event)
    times = {name: [event["ts"] / 1000 for event in found] for name, found in named.items()}
    # A frame that the main thread has painted is submitted, and then displayed.
    submitted, displayed = times["Surface::CommitFrame"], times["Display::FrameDisplayed"]
    tasks = named["ThreadControllerImpl::RunTask"]
    shown, work = list[float](), list[float]()
    for key, ready in zip(named["key pressed"], times["chances painted"], strict=True):
        pressed, thread = key["ts"] / 1000, (key["pid"], key["tid"])
        sent = submitted[min(bisect(submitted, ready), len(submitted) - 1)]
        shown.append(displayed[min(bisect(displayed, sent), len(displayed) - 1)] - pressed)
        work.append(
            sum(
                task.get("tdur", 0) / 1000
                for task in tasks
                if pressed <= task["ts"] / 1000 < ready and (task["pid"], task["tid"]) == thread
            )
        )
    return shown, work


def _print(name: str, values: list[float]) -> None:
    print(f"{name:8} {statistics.median(values):7.1f} {p95(values):7.1f} {max(values):7.1f}")


def main() -> None:
    """Print the line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server-engine", action="store_true", help="chances from the server")
    args = parser.parse_args()
    with served(server_engine=args.server_engine) as (url, browser, _):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        # On a busy machine, the page may take long to load.
        page.set_default_timeout(300_000)
        page.goto(f"{url}analyze")
        page.wait_for_selector('[role="gridcell"]')
        rng, positions, seed = random.Random(args.seed), [], args.seed
        while len(positions) <= args.n:
            position = natural(30, 16, 99, seed)
            if (cell := telling(position, rng)) is not None:
                positions.append((position, cell))
            seed += 1
        typed(page, *positions.pop())
        keys = [typed(page, *one) for one in positions]
        # Tracing takes time, so type everything again for it.
        browser.start_tracing(page=page, categories=_TRACED)
        for one in positions:
            typed(page, *one)
        trace = browser.stop_tracing()
        shown, work = traced(trace)
        print("             p50     p95     max  ms from a key")
        _print("painted", [key.painted for key in keys])
        _print("shown", shown)
        _print("work", work)
        print(f"{sum(not key.missed for key in keys)} of {len(keys)} in the first frame")


if __name__ == "__main__":
    main()
