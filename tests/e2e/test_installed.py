"""The page as an installed app: its service worker, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from e2e.running import Server


def test_the_app_says_when_the_server_is_gone_and_is_not_stale_when_it_is_back(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """Scripts come from the worker's cache; pages from the server, or else the offline page."""
    page = new_context(service_workers="allow").new_page()
    with Server(tmp_path / "home") as own:
        page.goto(own.url + "lab")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.reload()
        expect(page.locator("#empty")).to_be_visible()
        kept = page.evaluate(
            "async () => (await (await caches.open((await caches.keys())[0])).keys())"
            ".map((request) => new URL(request.url).pathname)"
        )
        assert "/offline" in kept
        assert any(name.startswith("/assets/lab-") for name in kept)
        # Only files that are named by their content, and the offline page.
        assert all(name.startswith("/assets/") for name in set(kept) - {"/offline"})
        own.stop()
        page.reload()
        expect(page.locator("main")).to_contain_text("Sapper is not running.")
        own.start()
        page.reload()
        expect(page.locator("#empty")).to_be_visible()
