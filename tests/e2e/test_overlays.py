"""A plugin's overlay in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.hand import cell, open_cell, position
from e2e.running import Server
from sapper import Position, analyze
from sapper.plugins import VARIABLE

_PLUGIN = Path(__file__).parents[2] / "examples" / "neighbours_overlay.py"
_MARKS = """() => [...document.querySelectorAll('[role="row"]')].map(row => [...row.children].map(
    cell => [cell.className.match(/heat-\\d/)?.[0], cell.dataset.text,
        cell.getAttribute('aria-description')]))"""


def marks(shown: Position) -> list[list[list[str | None]]]:
    """Return the expected colour, text and description of every cell."""
    return [[_mark(shown, row, col) for col in range(shown.width)] for row in range(shown.height)]


def _mark(shown: Position, row: int, col: int) -> list[str | None]:
    if not shown.is_unopened((row, col)):
        return [None, None, None]
    around = list(shown.topology.neighbours((row, col)))
    count = sum(map(shown.is_unopened, around))
    words = f"{count} unopened neighbour{'' if count == 1 else 's'}"
    return [f"heat-{min(9, 10 * count // len(around))}", str(count), words]


def expect_marks(page: Page, shown: Position) -> None:
    """Wait until every unopened cell has a description, and compare all cells."""
    expected = marks(shown)
    for at in shown.unopened_cells():
        words = expected[at.row][at.col][2] or ""
        expect(cell(page, *at)).to_have_attribute("aria-description", words)
    assert page.evaluate(_MARKS) == expected


@pytest.mark.slow
def test_an_overlay_of_a_plugin(new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    """The overlay is painted, announced, and updated around each opened cell, on both boards."""
    with Server(tmp_path, **{VARIABLE: str(_PLUGIN)}) as server:
        server.seed_from("overlay")
        page = new_context().new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(server.url)
        open_cell(page, 4, 4)
        page.click("text=Assisted")
        page.click("#overlay >> text=Unopened neighbours")
        expect(page.locator("#legend")).to_have_text("How many neighbours of a cell are unopened.")
        before = position(page, 10)
        expect_marks(page, before)
        opened = min(analyze(before).safe)
        open_cell(page, *opened)
        after = position(page, 10)
        beside = next(at for at in after.topology.neighbours(opened) if after.is_unopened(at))
        assert _mark(after, *beside) != _mark(before, *beside)
        expect_marks(page, after)
        cell(page, *beside).hover()
        expect(page.locator("#tip")).to_have_text(_mark(after, *beside)[2] or "")
        page.goto(f"{server.url}analyze#size=4x3:2&position=da1bb11")
        page.click("#overlay >> text=Unopened neighbours")
        expect_marks(page, Position.parse("mines: 2\n....\n.1..\n..11"))
