"""No text is cut off or covered, on a wide screen or a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.chromium import Chromium
from e2e.hand import choose, counted, play_on, quiet
from e2e.languages import LONGEST, TIGHT
from e2e.running import Server

_PAGES = (
    "",
    "analyze",
    "learn",
    "together",
    "learn/patterns",
    "history",
    "account",
    "replay?game=last",
    "replay",
    "review",
    "lab",
)
_SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}

_CUT = Path(__file__).with_name("cut_texts.js").read_text("utf-8")


@pytest.fixture(scope="module")
def finished(chromium: Chromium, server: Server) -> Any:
    """The cookies of a browser that has finished a game."""
    server.seed_from(__name__)
    with chromium.in_use():
        context = chromium.new_context(service_workers="block")
        page = context.new_page()
        page.set_default_timeout(300_000)
        page.goto(server.url)
        page.wait_for_selector('[role="gridcell"]')
        choose(page, "beginner")
        play_on(page, 10)
        state = context.storage_state()
        context.close()
    return state


def _settle(page: Page, path: str) -> None:
    """Wait until a page has its content."""
    quiet(page)
    if path == "":
        page.wait_for_selector('[role="gridcell"]')
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    if path in ("review", "replay?game=last"):
        expect(page.locator("#luck")).not_to_be_empty()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "size"),
    [*((one, "phone") for one in TIGHT), *((one, "wide") for one in LONGEST)],
)
@pytest.mark.family
def test_no_text_is_truncated(
    new_context: Callable[..., BrowserContext],
    server: Server,
    finished: Any,
    language: str,
    size: str,
) -> None:
    """Text is checked after a game, in the open panel, in the settings and in the help."""
    context = counted(new_context(storage_state=finished, **_SIZES[size]))
    page = context.new_page()
    cut: dict[str, list[str]] = {}
    context.add_cookies([{"name": "sapper-language", "value": language, "url": server.url}])
    for path in _PAGES:
        page.goto(f"{server.url}{path}")
        _settle(page, path)
        cut[path] = page.evaluate(_CUT)
        for box in ("settings", "help"):
            if page.locator(f"#{box}-box").count() and page.locator(f"#{box}").is_visible():
                page.click(f"#{box}")
                cut[f"{path} {box}"] = page.evaluate(_CUT)
                page.keyboard.press("Escape")
    assert not {path: texts for path, texts in cut.items() if texts}
