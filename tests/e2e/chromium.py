"""The Chromium that the tests use."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, sync_playwright

from sapper.vision.browser.launch import installed_browser
from support.not_installed import not_installed

_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def _chromium_path() -> Path:
    """Return the path of Chromium, or skip these tests with a reason; in CI, fail instead."""
    found = installed_browser()
    if found is not None:
        return found
    reason = f"{not_installed('chromium')}, or name a Chromium in SAPPER_CHROMIUM"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


class Chromium:
    """One browser for all tests, restarted if it has died.

    A browser that dies fails only the test in which it dies.
    """

    def __init__(self) -> None:
        self._path = _chromium_path()
        self._start()

    def _start(self) -> None:
        self._driver = sync_playwright().start()
        self._loop = asyncio._get_running_loop()
        self.browser = self._driver.chromium.launch(
            executable_path=self._path, args=_QUIET, timeout=300_000
        )

    def new_context(self, **options: Any) -> BrowserContext:
        """Return a new browser context with its own cookies."""
        try:
            return self.browser.new_context(**options)
        except Error:
            self.close()
            self._start()
            return self.browser.new_context(**options)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let the browser's event loop run in this block only.

        Between its calls, Playwright leaves this thread's loop marked as running, so `asyncio.run`
        would fail in every later test of the process.
        """
        asyncio._set_running_loop(self._loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        """Close the browser and the driver, even if either has died."""
        with suppress(Error):
            self.browser.close()
        self._driver.stop()
