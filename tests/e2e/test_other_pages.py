"""The engine in third-party pages: `<sapper-board>`, and chances in another game."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from e2e.axe import expect_accessible, needs_axe
from sapper.web.assets import STATIC

_EXAMPLE = Path(__file__).parents[2] / "examples" / "web" / "chances.js"
_SITE = "http://blog.test/"

_BOARDS = """<!doctype html><html lang="en"><title>Blog</title>
<script type="module" src="engine/sapper-board.js"></script><main><h1>Boards</h1>
<sapper-board id="rows" position="......|.2111.|.1001.|.2113.|......" mines="6" chances>
</sapper-board>
<sapper-board id="text" theme="dark" chances>
  mines: 4
  topology: hexagon
  ....
  .21.
  ....
</sapper-board>
<sapper-board id="still" position="..|1." still></sapper-board>
<sapper-board id="wrong" position="...|1."></sapper-board></main></html>"""

# Every character of a position, and one that is none.
_CHARACTERS = """<!doctype html><html lang="en"><title>Blog</title>
<script type="module" src="engine/sapper-board.js"></script>
<sapper-board id="all" topology="triangle" position="0123456789abc|.F*.........." still>
</sapper-board>
<sapper-board id="other" position=".z."></sapper-board>
<sapper-board id="total" position="..." mines="ten"></sapper-board>
<sapper-board id="cells" position="...|.7." chances></sapper-board>
<sapper-board id="mine" position="..*"></sapper-board></html>"""

# Someone else's game: 3x2 cells and one mine at the upper left.
_GAME = """<!doctype html><html lang="en"><title>Game</title>
<table><tr><td></td><td></td><td></td></tr><tr><td></td><td></td><td></td></tr></table>
<script>
  document.querySelectorAll("td").forEach((cell, at) => cell.addEventListener("click", () => {
    cell.classList.add("shown");
    cell.textContent = at % 3 === 2 ? "" : "1";
  }));
</script>
<script type="module">
  globalThis.sapperEngine = "/engine/index.js";
  const { showChances } = await import("/chances.js");
  showChances({ cells: "td", open: ".shown", mines: () => 1 });
</script></html>"""


@pytest.fixture
def show(new_context: Callable[..., BrowserContext]) -> Callable[[str], Page]:
    """Open a page on another site that has the engine and the example."""

    def answer(route: Route, html: str) -> None:
        path = route.request.url.removeprefix(_SITE)
        if path.startswith("engine/"):
            route.fulfill(path=STATIC / path)
        elif path == "chances.js":
            route.fulfill(path=_EXAMPLE)
        else:
            route.fulfill(body=html, content_type="text/html")

    def shown(html: str) -> Page:
        page = new_context().new_page()
        page.route(f"{_SITE}**", lambda route: answer(route, html))
        page.goto(_SITE)
        return page

    return shown


def test_a_board_shows_chances_and_is_played(show: Callable[[str], Page]) -> None:
    """A proved cell opens its opening, another is flagged, and *Reset* undoes both."""
    page = show(_BOARDS)
    board = page.locator("#rows")
    expect(board.locator(".safe")).to_have_count(10)
    expect(board.locator('[data-index="0"]')).to_have_attribute(
        "aria-label", "row 1, column 1, unopened, safe"
    )
    board.locator(".safe").first.click()
    board.locator(".mined").first.click(button="right")
    expect(board.get_by_text("⚑")).to_have_count(1)
    expect(board.locator(".closed.safe")).not_to_have_count(10)
    board.get_by_role("button", name="Reset").click()
    expect(board.locator(".safe")).to_have_count(10)


def test_a_board_takes_keys_text_and_mistakes(show: Callable[[str], Page]) -> None:
    """Arrows move and F flags; the text inside the element may have headers; errors are shown."""
    page = show(_BOARDS)
    board = page.locator("#text")
    expect(board.locator(".heat")).to_have_count(10)
    board.locator('[data-index="0"]').focus()
    for key in ("ArrowRight", "f"):
        page.keyboard.press(key)
    expect(board.locator('[data-index="1"]')).to_have_attribute("aria-label", re.compile("flag"))
    expect(board.locator('[data-index="1"]')).to_be_focused()
    assert page.evaluate("document.querySelector('#text').text").splitlines()[2] == ".F.."
    # The same key of a Russian keyboard.
    russian = {"key": "а", "code": "KeyF", "bubbles": True, "composed": True}
    board.locator('[data-index="1"]').dispatch_event("keydown", russian)
    expect(board.locator('[data-index="1"]')).to_have_attribute(
        "aria-label", re.compile("unopened")
    )
    expect(page.locator("#still [role=button]")).to_have_count(0)
    expect(page.locator("#wrong [role=alert]")).to_contain_text("row 2 has 2 cells")


def test_a_board_reads_every_character(show: Callable[[str], Page]) -> None:
    """Numbers above nine are letters; a character of no cell is named instead of drawn."""
    page = show(_CHARACTERS)
    cells = page.locator("#all [data-index]")
    expect(cells).to_have_count(26)
    names = [name.split(", ")[2] for name in cells.evaluate_all("_ => _.map(c => c.ariaLabel)")]
    assert names[:16] == [*map(str, range(13)), "unopened", "flag", "mine"]
    expect(cells.nth(12)).to_have_text("12")
    expect(page.locator("#other [role=alert]")).to_contain_text("'z' is not a cell")
    expect(page.locator("#other [data-index]")).to_have_count(0)
    expect(page.locator("#total [role=alert]")).to_have_text(
        "mines must be a whole number, 0 or more, got 'ten'"
    )


def test_a_board_counts_cells_from_1_in_errors(show: Callable[[str], Page]) -> None:
    """As everywhere else that readers see: rows and columns have the numbers of their labels."""
    page = show(_CHARACTERS)
    page.locator("#mine [data-index]").first.click()
    expect(page.locator("#mine [role=alert]")).to_have_text(
        "cannot continue from a position with an opened mine, at row 1, column 3"
    )
    expect(page.locator("#cells [role=alert]")).to_contain_text(
        re.compile("touch it: row 2, column 2$")
    )


@needs_axe
def test_boards_are_accessible(show: Callable[[str], Page]) -> None:
    """axe-core finds nothing, whether the page is light or dark."""
    page = show(_BOARDS)
    expect(page.locator("#rows .safe")).to_have_count(10)
    expect_accessible(page)


def test_another_game_gets_exact_chances(show: Callable[[str], Page]) -> None:
    """Chances are updated after each click, and the example has fewer than 40 lines."""
    page = show(_GAME)
    cells = page.locator("td")
    expect(cells.first).to_have_attribute("data-chance", "17")
    cells.nth(2).click()
    expect(cells.nth(1)).to_have_attribute("data-chance", "✓")
    cells.nth(1).click()
    expect(cells.nth(0)).to_have_attribute("data-chance", "50")
    assert len(_EXAMPLE.read_text("utf-8").splitlines()) < 40
