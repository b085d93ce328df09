"""Measure how long the web app takes to answer a click and to load, in real Chromium.

A click is timed from the pointer's release to the end of the frame that shows the cell open. The
rows `flood` time first clicks, which deal the board and open thousands of cells.

    python benchmarks/web.py
    python benchmarks/web.py --clicks 300 --boards expert
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from typing import Any

from playwright.sync_api import Browser

import sapper
from browser import served

_BOARDS = {"expert": "expert", "100x100": "100x100:2000"}
_FLOODS = {"100x100": "100x100:800"}
_PART = re.compile(r"/assets/\w+\.[\w-]+-[0-9a-f]{16}\.js$")
"""Matches the URL of a part of a page's script, which is loaded later."""
_PACE_S = 0.2
"""Time between two clicks of a fast player."""

# Runs in the page. `timed` watches one cell. The message channel fires once the frame is drawn.
_WATCH = """() => {
  let released = 0;
  document.addEventListener("pointerup", () => { released = performance.now(); }, true);
  window.timed = (row, col) => new Promise((resolve) => {
    const cell = document.querySelector(`[data-row="${row}"][data-col="${col}"]`);
    released = 0;
    const watch = new MutationObserver(() => {
      if (!released || !cell.classList.contains("open")) return;
      watch.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - released);
        port2.postMessage(0);
      });
    });
    watch.observe(cell, { attributes: true, attributeFilter: ["class"] });
  });
}"""

_FIRST_CELL = """new MutationObserver((_, watch) => {
  if (!document.querySelector('[role="gridcell"]')) return;
  watch.disconnect();
  requestAnimationFrame(() => { window.playable = performance.now(); });
}).observe(document, { childList: true, subtree: true });"""


def clicks(
    browser: Browser, url: str, level: str, overlay: bool, wanted: int, seed: int
) -> list[float]:
    """Play safe cells next to open numbers; return the milliseconds of each click."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{url}#level={level}&rules=classic&first_click=opening&seed={seed}")
    twin = sapper.Game(level, rules="classic", first_click="opening", seed=seed)
    shape = twin.position.topology
    page.wait_for_function(
        "n => document.querySelectorAll('[role=gridcell]').length === n", arg=shape.size
    )
    page.wait_for_timeout(500)
    mode, kind = ("assisted", "chances") if overlay else ("solo", "none")
    page.evaluate(
        "([group, value]) => document.querySelector(`#${group} [value=${value}]`).click()",
        ["mode", mode],
    )
    page.wait_for_timeout(300)
    if overlay:
        page.evaluate("v => document.querySelector(`#overlay [value=${v}]`).click()", kind)
    page.evaluate(_WATCH)
    at = page.evaluate(
        "() => { const w = document.querySelector('#well').getBoundingClientRect();"
        " const c = document.querySelector('.cell').getBoundingClientRect();"
        " return [c.left, c.top, c.width, Math.min(w.bottom, innerHeight), w.right]; }"
    )
    left, top, size, bottom, right = at
    rows = min(shape.height, int((bottom - top) / size) - 1)
    cols = min(shape.width, int((right - left) / size) - 1)
    rng = random.Random(seed)
    times: list[float] = []
    while len(times) < wanted and not twin.over:
        found = sapper.analyze(twin.position)
        seen = [c for c in found.position.unopened_cells() if c.row < rows and c.col < cols]
        safe = [c for c in seen if c in found.safe]
        if twin.status == "ready":
            cell = sapper.Cell(rows // 2, cols // 2)
        elif safe:
            cell = rng.choice(safe)
        elif seen:
            cell = min(seen, key=lambda c: found.p_mine[c])
        else:
            break
        began = time.monotonic()
        page.mouse.move(left + (cell.col + 0.5) * size, top + (cell.row + 0.5) * size)
        page.evaluate("([r, c]) => { window.answer = window.timed(r, c); }", [cell.row, cell.col])
        page.mouse.down()
        page.mouse.up()
        times.append(page.evaluate("() => window.answer"))
        twin.open(cell)
        page.wait_for_timeout(max(0.0, 1000 * (_PACE_S - (time.monotonic() - began))))
    context.close()
    return times


def loading(browser: Browser, url: str) -> tuple[int, int, float]:
    """Return the requests, bytes and milliseconds until a cell is playable on a first visit.

    Parts of the script that the page loads later, when it is idle, are not counted.
    """
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(_FIRST_CELL)
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    seen = {"requests": 0, "bytes": 0.0}
    later: set[str] = set()

    def request(sent: dict[str, Any]) -> None:
        if _PART.search(sent["request"]["url"]):
            later.add(sent["requestId"])
        else:
            seen["requests"] += 1

    def finished(done: dict[str, Any]) -> None:
        if done["requestId"] not in later:
            seen["bytes"] += done["encodedDataLength"]

    network.on("Network.requestWillBeSent", request)
    network.on("Network.webSocketCreated", lambda _: seen.update(requests=seen["requests"] + 1))
    network.on("Network.loadingFinished", finished)
    page.goto(url)
    page.wait_for_function("() => window.playable")
    page.wait_for_timeout(300)
    playable = float(page.evaluate("() => window.playable"))
    context.close()
    return int(seen["requests"]), int(seen["bytes"]), playable


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]


def _print(board: str, name: str, times: list[float]) -> None:
    print(
        f"{board:8} {name:8} {len(times):7} {statistics.median(times):7.1f} "
        f"{p95(times):7.1f} {max(times):7.1f}",
        flush=True,
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=150, help="for each line of the table")
    parser.add_argument("--boards", nargs="*", default=list(_BOARDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--floods", type=int, default=20, help="first clicks of new games")
    parser.add_argument("--loads", type=int, default=7)
    args = parser.parse_args()
    with served() as (url, browser, _):
        print("board    overlay   clicks    p50     p95     max  ms from click to paint")
        for board in args.boards:
            for overlay in (False, True):
                level, times = _BOARDS[board], list[float]()
                seed = args.seed
                while len(times) < args.clicks:
                    left = args.clicks - len(times)
                    times += clicks(browser, url, level, overlay, left, seed)
                    seed += 1
                _print(board, "chances" if overlay else "none", times)
        for board in _FLOODS.keys() & args.boards if args.floods else ():
            seeds = range(args.seed, args.seed + args.floods)
            times = [ms for s in seeds for ms in clicks(browser, url, _FLOODS[board], False, 1, s)]
            _print(board, "flood", times)
        loads = [loading(browser, url) for _ in range(args.loads)]
        requests, size, _ = loads[-1]
        middle = statistics.median(ms for _, _, ms in loads)
        print(f"first visit: {requests} requests, {size} bytes, {middle:.0f} ms to the board")


if __name__ == "__main__":
    main()
