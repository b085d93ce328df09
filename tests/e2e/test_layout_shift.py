"""Pages do not jump while loading, even with slow answers from the server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute

from e2e.hand import cell, open_cell
from e2e.running import Server
from e2e.test_frame import PAGES
from sapper.translation import LANGUAGES
from support.marks import slow

_MOST = 0.02
_SIZES = {
    "desktop": {"width": 1440, "height": 900},
    "phone": {"width": 390, "height": 844},
    "landscape": {"width": 844, "height": 390},
}
# Lose a game, so that the history is not empty.
_GAME = "#level=beginner&rules=classic&first_click=opening&win=open&chord=exact&seed=47"
_MOVES = [(4, 4), (0, 5), (0, 0)]

_WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) window.shifts.push([entry.value, entry.sources.map(({ node }) =>
      node?.id || node?.className || node?.nodeName || "")]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
# Stream the review one line at a time, and wait until each line is shown before sending the next.
_LINES = """
const ask = window.fetch;
window.fetch = async (path, ...more) => {
  const answer = await ask(path, ...more);
  if (!String(path).startsWith("/api/review") || !answer.ok) return answer;
  const lines = (await answer.text()).trimEnd().split("\\n");
  const body = new ReadableStream({ pull: (stream) => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (lines.length) stream.enqueue(new TextEncoder().encode(`${lines.shift()}\\n`));
      else stream.close();
      done();
    }));
  }) });
  return new Response(body, { headers: answer.headers });
};
"""
_FRAMES = """() => new Promise((done) => {
  let left = 4;
  const next = () => (left-- ? requestAnimationFrame(next) : done());
  next();
})"""


# The content of each page once the server has answered.
_READY = {
    "": "body[data-status]",
    "analyze": "body[data-shown]",
    "learn": "body[data-shown]",
    "together": "body[data-shown]",
    "learn/patterns": "body[data-shown]",
    "history": ":is(#empty, #found):not([hidden])",
    "review": "body:has(#empty:not([hidden]), #game:not([hidden]) ~ #notes #working[hidden])",
}


def _shifts(context: BrowserContext, server: Server, name: str) -> tuple[float, list[object]]:
    """Return the layout shifts and their sources when answers follow the first paint."""
    page = context.new_page()
    page.add_init_script(_WATCH)
    page.add_init_script(_LINES)
    held: list[Callable[[], None]] = []
    free = False

    def later(work: Callable[[], None]) -> None:
        if free:
            work()
        else:
            held.append(work)

    def hold(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_message(lambda message: later(lambda: socket.send(message)))

    page.route("**/api/**", lambda route: later(route.continue_))
    page.route_web_socket("**/ws", hold)
    page.goto(server.url + name)
    page.evaluate(_FRAMES)
    free = True
    for work in held:
        work()
    page.wait_for_selector(_READY.get(name, "body"))
    page.evaluate(_FRAMES)
    found: list[tuple[float, object]] = page.evaluate("window.shifts")
    page.close()
    return sum(value for value, _ in found), [what for _, what in found]


_NAMES = [*PAGES, "no-such-page"]
_QUICK = ("index", "history")


def _language(name: str, size: str) -> str:
    """Return a different language for each page and size, so that together they cover all."""
    return list(LANGUAGES)[(3 * _NAMES.index(name) + list(_SIZES).index(size)) % len(LANGUAGES)]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((name, "phone") if name in _QUICK else slow(name, "phone") for name in _NAMES),
        # The other sizes have much in common.
        *(slow(name, ("desktop", "landscape")[at % 2]) for at, name in enumerate(_NAMES)),
    ],
)
@pytest.mark.family
def test_a_page_stays_in_place_while_it_loads(
    new_context: Callable[..., BrowserContext], server: Server, name: str, size: str
) -> None:
    """Nothing moves on a first visit, or on the next one, when the board's size is known."""
    context = new_context(viewport=_SIZES[size], locale=_language(name, size))
    for _ in range(2):
        shifts, what = _shifts(context, server, "" if name == "index" else name)
        assert shifts < _MOST, what


@pytest.mark.slow
@pytest.mark.parametrize("size", ["desktop", slow("phone"), slow("landscape")])
def test_a_page_stays_in_place_with_a_game_in_it(
    new_context: Callable[..., BrowserContext], server: Server, size: str
) -> None:
    """Nothing moves on the game, history and review pages while the review arrives in parts."""
    language = {"desktop": "ru", "phone": "es", "landscape": "zh-CN"}[size]
    context = new_context(viewport=_SIZES[size], locale=language)
    page = context.new_page()
    page.goto(server.url + _GAME)
    page.wait_for_function("() => document.querySelectorAll('[role=gridcell]').length === 81")
    for row, col in _MOVES[:-1]:
        open_cell(page, row, col)
    cell(page, *_MOVES[-1]).click()
    page.wait_for_selector("body[data-status=lost]")
    page.close()
    for name in ("", "history", "review"):
        shifts, what = _shifts(context, server, name)
        assert shifts < _MOST, (name, what)


def test_the_frame_of_the_last_board_is_kept(visit: Callable[..., Page]) -> None:
    """The next visit draws the board's frame before the server has sent the game."""
    page = visit("#level=expert")
    page.wait_for_function("() => document.querySelectorAll('[role=gridcell]').length === 480")
    before = page.locator("#console").bounding_box()
    page.route_web_socket("**/ws", lambda _: None)
    page.goto(page.url.partition("#")[0])
    page.wait_for_load_state()
    assert page.locator("#console").bounding_box() == before
    assert page.locator("#console").is_visible()
    assert not page.locator("#panel").is_visible()
