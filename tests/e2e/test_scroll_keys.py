"""The browser's standard scroll keys work on every page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from e2e.running import Server
from support.marks import slow

_SCROLLED = """() => {
  const parts = document.querySelectorAll("html, body, main, main *");
  return [...parts].some((element) => element.scrollTop > 0);
}"""


_SCROLL_BACK = """() => {
  for (const element of document.querySelectorAll("html, body, main, main *")) {
    element.scrollTo({ top: 0, behavior: "instant" });
  }
}"""
_READY = {
    "": "body[data-status=ready]",
    "analyze": "#tally:not(:empty)",
    "lab": "#empty:not([hidden])",
}


@pytest.mark.parametrize("name", ["", slow("analyze"), slow("lab")])
def test_keys_scroll_the_page(
    new_context: Callable[..., BrowserContext], server: Server, name: str
) -> None:
    """Scroll keys work unless the board has focus, even if part of the page scrolls on its own."""
    page = new_context(viewport={"width": 1280, "height": 420}).new_page()
    page.goto(server.url + name)
    page.wait_for_selector(_READY[name])
    for key in ("PageDown", "End", "Space"):
        page.evaluate(_SCROLL_BACK)
        page.wait_for_function(f"!({_SCROLLED})()")
        page.keyboard.press(key)
        page.wait_for_function(_SCROLLED)
