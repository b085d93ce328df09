"""The installed app and its service worker in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from e2e.running import Server

PAPER = Path(__file__).parents[2] / "examples" / "paper_theme.py"


def _named(page: Page) -> set[str]:
    """Return the scripts and styles that the page refers to."""
    # The engine is named in the page, but loaded on demand.
    return set(re.findall(r'"(/assets/(?!engine)[^"]+)"', page.content()))


def _loaded(page: Page) -> set[str]:
    """Return the scripts and styles that the page loaded initially, from any source."""
    paths = "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"
    # The script loads its parts (`index.NAME-HASH.js`) once the page is idle.
    return {
        path for path in page.evaluate(paths) if re.match(r"/assets/[\w-]+-[0-9a-f]{16}\.", path)
    }


@pytest.mark.slow
def test_app_reports_a_lost_server_and_is_fresh_afterwards(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """Scripts come from the worker's cache, and pages from the server or the offline page."""
    page = new_context(service_workers="allow").new_page()
    with Server(tmp_path / "home") as own:
        page.goto(own.url + "lab")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.reload()
        expect(page.locator("#empty")).to_be_visible()
        paths = (
            "async () => (await (await caches.open((await caches.keys())[0])).keys())"
            ".map((request) => new URL(request.url).pathname)"
        )
        # A file is cached shortly after the page receives it.
        kept = page.wait_for_function(
            f"async () => {{ const kept = await ({paths})();"
            " return kept.some((name) => name.startsWith('/assets/lab-')) && kept; }"
        ).json_value()
        assert "/offline" in kept
        # Only the offline page and files with a hash in their names are cached.
        assert all(name.startswith("/assets/") for name in set(kept) - {"/offline"})
        own.stop()
        page.reload()
        expect(page.locator("main")).to_contain_text("Sapper is not running.")
        own.start()
        page.reload()
        expect(page.locator("#empty")).to_be_visible()


@pytest.mark.slow
def test_upgrade_does_not_mix_old_and_new_files(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """When a theme changes all styles, pages use them immediately, and old ones are deleted."""
    page = new_context(service_workers="allow").new_page()
    with Server(tmp_path / "home") as own:
        page.goto(own.url)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.reload()
        old, (cache,) = _named(page), page.evaluate("() => caches.keys()")
        assert old == _loaded(page)
        own.stop()
        own.start(SAPPER_PLUGINS=str(PAPER))
        # The service worker of the old version still answers.
        page.reload()
        expect(page.locator('#palette option[value="paper"]')).to_have_count(1)
        new = _named(page)
        assert new == _loaded(page)
        styles = {name for name in new if name.endswith(".css")}
        assert styles
        assert not styles & old
        page.wait_for_function(
            "(old) => caches.keys().then((names) => names.length === 1 && names[0] !== old)",
            arg=cache,
        )
        # The new worker keeps only the new files.
        page.reload()
        assert new == _named(page) == _loaded(page)
        page.wait_for_function(
            "async (names) => {"
            "  const kept = await (await caches.open((await caches.keys())[0])).keys();"
            "  const paths = kept.map(({ url }) => new URL(url).pathname);"
            "  return [...paths].sort().join() === [...names, '/offline'].sort().join();"
            "}",
            arg=sorted(new),
        )
