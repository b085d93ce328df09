"""A browser failure in one test does not affect the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import BrowserContext, Error

from e2e.chromium import Chromium


@pytest.mark.slow
def test_crashed_browser_is_restarted(
    chromium: Chromium, new_context: Callable[..., BrowserContext]
) -> None:
    """The next test gets a working context."""
    with suppress(Error):
        chromium.browser.new_browser_cdp_session().send("Browser.close")
    assert new_context().new_page().evaluate("1 + 1") == 2


def test_other_tests_of_the_process_can_run_an_event_loop(chromium: Chromium) -> None:
    """Playwright leaves its own event loop marked as running."""

    async def done() -> str:
        return "done"

    with chromium.in_use():
        pass
    assert asyncio.run(done()) == "done"
