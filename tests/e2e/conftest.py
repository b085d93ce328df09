"""A real server process, a real Chromium, and helpers to play with them."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import BrowserContext, Error, Page, expect

from e2e import static_site
from e2e.chromium import Chromium
from e2e.running import Server

expect.set_options(timeout=300_000)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests."""
    with Server(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[static_site.Host]:
    """The static site for all tests."""
    folder = tmp_path_factory.mktemp("site")
    static_site.write(folder)
    host = static_site.Host(folder)
    yield host
    host.stop()


def _name(node: pytest.Item) -> str:
    """Return the name of a test, whatever serves its page."""
    start, _, parameters = node.nodeid.removesuffix("]").partition("[")
    values = [value for value in parameters.split("-") if value not in static_site.PLACES]
    return f"{start}[{'-'.join(values)}]" if values != [""] and values else start


@pytest.fixture(autouse=True)
def _fixed_games(request: pytest.FixtureRequest, server: Server) -> None:
    """Give every game of a test the same seed in every run."""
    server.seed_from(_name(request.node))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One Chromium for all tests."""
    running = Chromium()
    # Other tests in this process may run before the next browser test.
    asyncio._set_running_loop(None)
    yield running
    with running.in_use():
        running.close()


@pytest.fixture(autouse=True)
def _browser_in_use(chromium: Chromium) -> Iterator[None]:
    with chromium.in_use():
        yield


@pytest.fixture
def new_context(chromium: Chromium) -> Iterator[Callable[..., BrowserContext]]:
    """Create contexts: each is a separate browser with its own cookies."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        usual = {
            "viewport": {"width": 1280, "height": 800},
            "locale": "en-US",
            # Service workers are tested separately, because their answers would bypass a test's
            # routes.
            "service_workers": "block",
        }
        context = chromium.new_context(**usual | options)
        # The timeout is reached only if a page hangs.
        context.set_default_timeout(300_000)
        made.append(context)
        return context

    yield make
    for context in made:
        # The browser may have crashed, which the test itself reports.
        with suppress(Error):
            context.close()


@pytest.fixture
def visit(
    request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]
) -> Callable[..., Page]:
    """Open the app in a new browser; any error on the page fails the test.

    The server sends it, except in the half of an `on_both` test that uses the static site.
    """
    place = getattr(request, "param", "server")
    root = request.getfixturevalue(place).url
    seed = zlib.crc32(_name(request.node).encode())

    def make(fragment: str = "", **options: Any) -> Page:
        context = new_context(**options)
        if place == "site":
            context.add_init_script(static_site.seeded(seed))
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(root + (static_site.address(fragment) if place == "site" else fragment))
        page.wait_for_selector('[role="gridcell"]')
        return page

    return make
