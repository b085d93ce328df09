"""A real server in a process of its own, a real Chromium, and a hand to play with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402

from e2e.running import Server  # noqa: E402

expect.set_options(timeout=60_000)

_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests."""
    running = Server(tmp_path_factory.mktemp("home"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def _fixed_games(request: pytest.FixtureRequest, server: Server) -> None:
    """Every game of a test has the same seed in every run."""
    server.seed_from(request.node.nodeid)


def _chromium() -> str:
    """Where a Chromium is, or why these tests cannot run; in CI that is a failure."""
    for name in (os.environ.get("SAPPER_CHROMIUM", ""), "chromium", "chromium-browser"):
        if name and (found := shutil.which(name)):
            return found
    reason = "no Chromium: install Debian's chromium, or name one in SAPPER_CHROMIUM"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    path = _chromium()
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=path, args=_QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes contexts: each is a browser of its own, with its own cookies."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "locale": "en-US", **options}
        )
        # Only a page that hangs takes so long.
        context.set_default_timeout(60_000)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


@pytest.fixture
def visit(new_context: Callable[..., BrowserContext], server: Server) -> Callable[..., Page]:
    """Opens the app in a browser of its own; any error on the page fails the test."""

    def make(fragment: str = "", **options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(server.url + fragment)
        page.wait_for_selector('[role="gridcell"]')
        return page

    return make
