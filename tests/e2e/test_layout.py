"""Everything is visible and reachable on phones in landscape and in zoomed windows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.running import Server
from support.marks import slow

_REPLAY = Path(__file__).parents[1] / "data" / "replays" / "expert.avf"
_SIZES = {
    "portrait": {"width": 390, "height": 844},
    "landscape": {"width": 844, "height": 390},
    "zoomed": {"width": 720, "height": 450},
}


@pytest.mark.parametrize("size", ["portrait", slow("landscape"), slow("zoomed")])
def test_a_replay_shows_the_whole_board(
    new_context: Callable[..., BrowserContext], server: Server, size: str
) -> None:
    """Replays take no input, so their cells may be smaller than a fingertip."""
    page = new_context(viewport=_SIZES[size], has_touch=True).new_page()
    page.goto(f"{server.url}replay")
    page.wait_for_selector("#choose")
    page.set_input_files("#file", _REPLAY)
    expect(page.locator("#headline")).not_to_be_empty()
    hidden = page.locator(".still .well").evaluate(
        "well => [well.scrollWidth - well.clientWidth, well.scrollHeight - well.clientHeight]"
    )
    assert hidden == [0, 0]
    box = page.locator(".still").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= _SIZES[size]["height"]


@pytest.mark.parametrize("size", ["landscape", slow("zoomed")])
def test_all_pages_and_the_daily_board_are_reached_from_play(
    visit: Callable[..., Page], size: str
) -> None:
    """The page links scroll in their own line; Daily is below the levels."""
    page = visit(viewport=_SIZES[size])
    for link in page.locator(".rooms a").all():
        link.scroll_into_view_if_needed()
        link.click(trial=True)
    page.locator("#daily").click(trial=True)
    shown = page.locator(".rooms").evaluate(
        "row => [...row.children].filter(link =>"
        " link.getBoundingClientRect().right <= row.getBoundingClientRect().right).length"
    )
    assert shown >= 3
