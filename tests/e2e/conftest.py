"""A real server process, a real Chromium, and helpers to play with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import BrowserContext, Error, Page, expect

from e2e.chromium import Chromium
from e2e.running import Server

expect.set_options(timeout=300_000)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests."""
    with Server(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(autouse=True)
def _fixed_games(request: pytest.FixtureRequest, server: Server) -> None:
    """Give every game of a test the same seed in every run."""
    server.seed_from(request.node.nodeid)


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
def visit(new_context: Callable[..., BrowserContext], server: Server) -> Callable[..., Page]:
    """Open the app in a new browser; any error on the page fails the test."""

    def make(fragment: str = "", **options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(server.url + fragment)
        page.wait_for_selector('[role="gridcell"]')
        return page

    return make
