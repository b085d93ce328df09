"""The page for unknown URLs."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from e2e.running import Server


def test_unknown_address_links_to_the_game(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """The error page is translated and has the usual header."""
    page = new_context().new_page()
    answer = page.goto(server.url + "nowhere")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("main h2")).to_have_text("Page not found")
    page.click("main a")
    page.wait_for_selector("body[data-status=ready]")


def test_an_unknown_address_of_the_api_is_json(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """API errors are JSON, even for a browser."""
    answer = new_context().new_page().goto(server.url + "api/nowhere")
    assert answer is not None
    assert answer.status == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_the_page_has_its_icons_and_fits_every_width(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """The header's icons keep their size beside the large picture."""
    page = new_context().new_page()
    page.goto(server.url + "nowhere")
    expect(page.locator("main svg")).to_be_visible()
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        over = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert over <= 0, width
    for button in ("settings", "theme"):
        box = page.locator(f"#{button} svg").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) == (20, 20)
