"""A browser page as a screen."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import Literal

import numpy as np

from sapper._util.shortening import shown
from sapper.vision.boards import find_board
from sapper.vision.browser.controls import (
    closing_ways,
    find_text,
    new_game_ways,
    read_controls,
)
from sapper.vision.browser.grids import read_grids
from sapper.vision.browser.guard import Guard
from sapper.vision.browser.launch import Launch
from sapper.vision.browser.numbers import read_numbers
from sapper.vision.errors import Cause, NoBoard, NoWindow, PlayStopped
from sapper.vision.geometry import Geometry, Image
from sapper.vision.images import load
from sapper.vision.new_game import parse_way
from sapper.vision.patience import HOLDS, Patience, hold
from sapper.vision.screen import Box, Screen, Window

from playwright.sync_api import Browser, Error, Playwright, sync_playwright  # isort: skip

__all__ = ["BrowserScreen"]

_VIEW = (1280, 800)
"""Minimum size of a page in CSS pixels."""
_LARGEST = 4000
"""Maximum length of a page's sides in CSS pixels; longer pages are cut off."""
_GRID = 4
"""Pictures start at multiples of this many CSS pixels, which are whole device pixels at ratios of
1.25, 1.5 and 1.75.
"""
_LOADS = 60_000
"""Timeout for loading a page in milliseconds."""
_APPEARS, _AGAIN = 4.0, 0.2
"""Seconds to wait for a board after the page has loaded, and between checks."""
_SHARP = 2.0
"""Device pixels per CSS pixel after `sharpen`."""
_BUTTONS_TRIED = 8
"""Number of buttons of a start page to try."""
_BUTTONS: dict[int, Literal["left", "middle", "right"]] = {1: "left", 2: "middle", 3: "right"}
_KEYS = {"Return": "Enter", "space": "Space", "F2": "F2", "Escape": "Escape", "Tab": "Tab"}
"""Keys other than letters and digits that have no function in browsers, with Playwright's names."""
_SETTLED = """
() => Promise.race([
  new Promise(done => setTimeout(done, 3000)),
  (async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    const ends = animation => animation.playState === 'running'
      && animation.effect && Number.isFinite(animation.effect.getComputedTiming().endTime);
    const running = document.getAnimations().filter(ends);
    await Promise.allSettled(running.map(animation => animation.finished));
    await frame();
  })(),
])
"""
_SIZE = """
() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]
"""


class BrowserScreen(Screen):
    """A page that fills the screen. Nothing can cover it, and only the bot uses its pointer.

    Args:
        url: URL of the page.
        launch: The browser to start.
        pixel_ratio: Device pixels per CSS pixel, more than 1 on high-resolution displays; None
            means 1, and 2 after `sharpen`.

    Raises:
        NoWindow: If there is no browser, or the page cannot be loaded.
    """

    steps_aside = True

    def __init__(
        self, url: str, launch: Launch | None = None, pixel_ratio: float | None = None
    ) -> None:
        self.pixel_ratio = pixel_ratio or 1.0
        self._may_sharpen = pixel_ratio is None
        self._url, self._pointer = url, (0, 0)
        self._first: tuple[str, ...] = ()
        self._playwright: Playwright = sync_playwright().start()
        try:
            self._browser: Browser = (launch or Launch()).start(self._playwright)
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        width, height = _VIEW
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=self.pixel_ratio
        )
        self.page = context.new_page()
        """The Playwright page."""
        self._session = context.new_cdp_session(self.page)
        self._guard = Guard(context, self.page, self._session, lambda: self.starting)
        self._load()

    def sharpen(self) -> bool:
        """Reopen the page with two device pixels per CSS pixel, unless the ratio was given."""
        if not self._may_sharpen:
            return False
        self._may_sharpen, self.pixel_ratio = False, _SHARP
        # Drop the steps, because their coordinates are in pixels of the old ratio.
        self._first, self._pointer = (), (0, 0)
        with self._alive():
            self.page.context.close()
        self._open()
        return True

    def _load(self) -> None:
        """Load the page, and wait for its board to appear."""
        self._guard.may_load = True
        try:
            self.page.goto(self._url, timeout=_LOADS)
        except Error as problem:
            reason = problem.message.splitlines()[0].removeprefix("Page.goto: ")
            raise NoWindow(
                f"cannot load {shown(self._url, 200)}: {reason}", Cause.NO_PAGE
            ) from None
        finally:
            self._guard.may_load = False
        self.settle()
        self._fit()
        self._bring_board()

    def _bring_board(self) -> None:
        """Wait for the board, clicking through a start page or menu if there is one."""
        for step in self._first:
            self._click_way(step)
        patience, tried = Patience(_APPEARS), set[str]()
        while not self._shows_board():
            if not patience.is_over():
                sleep(_AGAIN)
                continue
            with self._alive():
                ways = new_game_ways(read_controls(self.page), self.pixel_ratio, menu=True)
            way = next((way for way in ways if way not in tried), None)
            if way is None or len(tried) == _BUTTONS_TRIED:
                return
            tried.add(way)
            self._click_way(way)
            if self._shows_board():
                self._first = (*self._first, way)
        self._start_on_board()

    def _start_on_board(self) -> None:
        """Click a button over the board if its text suggests that it starts a game."""
        at = self._board()
        if at is None:
            return
        with self._alive():
            controls = read_controls(self.page)
        over = [c for c in controls if at.covers(c.x * self.pixel_ratio, c.y * self.pixel_ratio)]
        for way in new_game_ways([c for c in over if c.button], self.pixel_ratio)[:1]:
            self._click_way(way)
            self._first = (*self._first, way)

    def _click_way(self, way: str) -> None:
        """Click a button of the start page."""
        (step,) = parse_way(way)
        at = self.find_text(self._window(), step.text) if step.text else (step.x, step.y)
        if at is not None:
            before = self._pointer
            self.move(*at)
            self.click()
            # Return the pointer to where the player left it.
            self.move(*before)
            self._fit()

    def _shows_board(self) -> bool:
        return self._board() is not None

    def _board(self) -> Geometry | None:
        try:
            return find_board(self.capture(self._whole()), grids=self.grids(self._window()))
        except NoBoard:
            return None

    def close(self) -> None:
        """Close the browser."""
        with suppress(Error):
            if hasattr(self, "_browser"):
                self._browser.close()
        self._playwright.stop()

    def _fit(self) -> None:
        """Make the view as large as the page, so that no scrolling is needed."""
        now = self._view()
        with self._alive():
            sides = zip(self.page.evaluate(_SIZE), now, strict=True)
            width, height = (min(max(*side), _LARGEST) for side in sides)
            if (width, height) != now:
                self.page.set_viewport_size({"width": width, "height": height})
                self.settle()

    def _view(self) -> tuple[int, int]:
        """Return the size of the view, in CSS pixels."""
        size = self.page.viewport_size
        return _VIEW if size is None else (size["width"], size["height"])

    @contextmanager
    def _alive(self) -> Iterator[None]:
        """Raise `NoWindow` if the page has been closed."""
        try:
            yield
        except Error as problem:
            if self.page.is_closed() or not self._browser.is_connected():
                raise NoWindow("the page was closed") from None
            raise PlayStopped(
                f"the page stopped: {problem.message.splitlines()[0]}", Cause.CLOSED
            ) from None

    def windows(self) -> list[Window]:
        """Return the page as the only window."""
        return [self._window()]

    def _window(self) -> Window:
        with self._alive():
            return Window(1, 1, self.page.title(), self._url)

    def box(self, window: Window) -> Box:
        """Return the box of the page."""
        if self.page.is_closed():
            raise NoWindow("the page was closed")
        return self._whole()

    def _whole(self) -> Box:
        width, height = (math.floor(side * self.pixel_ratio) for side in self._view())
        return Box(0, 0, width, height)

    def capture(self, box: Box) -> Image:
        """Return the pixels of a box as RGB, of shape (height, width, 3)."""
        if not self._whole().contains(box):
            raise PlayStopped(f"part of the board is outside the page: {box}", Cause.OFF_SCREEN)
        ratio = self.pixel_ratio
        # Use whole CSS pixels that are also whole device pixels at common ratios.
        left, top = (math.floor(side / ratio / _GRID) * _GRID for side in (box.x, box.y))
        right = math.ceil((box.x + box.width) / ratio)
        bottom = math.ceil((box.y + box.height) / ratio)
        clip = {"x": left, "y": top, "width": right - left, "height": bottom - top, "scale": ratio}
        with self._alive():
            shot = self._session.send(
                "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True, "clip": clip}
            )
        image = load(io.BytesIO(base64.b64decode(shot["data"])))
        x, y = box.x - round(left * ratio), box.y - round(top * ratio)
        return np.ascontiguousarray(image[y : y + box.height, x : x + box.width])

    def covering(self, window: Window, box: Box) -> Window | None:
        """Return None, because only the page itself can cover its board."""
        return None

    def is_there(self, window: Window) -> bool:
        """Return whether the page is still open."""
        return not self.page.is_closed()

    def focus(self, window: Window) -> None:
        """Do nothing, because the page always has the keyboard focus."""

    def pointer(self) -> tuple[int, int]:
        """Return the bot's own pointer."""
        return self._pointer

    def move(self, x: int, y: int) -> None:
        """Move the bot's own pointer."""
        self._pointer = x, y
        with self._alive():
            self.page.mouse.move((x + 0.5) / self.pixel_ratio, (y + 0.5) / self.pixel_ratio)

    def click(self, button: int = 1, seconds: float = HOLDS[0]) -> None:
        """Click and wait until the page has drawn the result."""
        x, y = ((side + 0.5) / self.pixel_ratio for side in self._pointer)
        with self._alive():
            self.page.mouse.move(x, y)
            self.page.mouse.down(button=_BUTTONS[button])
            hold(seconds)
            self.page.mouse.up(button=_BUTTONS[button])
        self.settle()

    def key(self, combination: str) -> None:
        """Press a key that browsers do not use.

        Raises:
            PlayStopped: If browsers may use the key.
        """
        letter = len(combination) == 1 and combination.isalnum()
        if not letter and combination not in _KEYS:
            raise PlayStopped(
                f"key {combination!r} may be a shortcut of the browser; only letters, digits, "
                f"{', '.join(_KEYS)} are sent to a page",
                Cause.KEY,
            )
        with self._alive():
            self.page.keyboard.press(_KEYS.get(combination, combination))
        self.settle()

    def settle(self) -> None:
        """Wait until the page has drawn a frame and its finite animations have ended."""
        with self._alive():
            self.page.evaluate(_SETTLED)

    def new_game_ways(self, window: Window) -> tuple[str, ...]:
        """Return the new-game buttons, then the face, keys and a reload.

        Before the reload, try to close anything that may cover the first button.
        """
        with self._alive():
            controls = read_controls(self.page)
        ways = new_game_ways(controls, self.pixel_ratio)
        closed = [
            f"{close} then {way}"
            for way in ways[:1]
            for close in closing_ways(controls, self.pixel_ratio)
        ]
        return (*ways, "face", "F2", *closed, "reload")

    def closing_ways(self, window: Window) -> tuple[str, ...]:
        """Return Escape and the buttons whose text or name suggests closing."""
        with self._alive():
            return tuple(closing_ways(read_controls(self.page), self.pixel_ratio))

    def grids(self, window: Window) -> list[Geometry]:
        """Return the grids of elements on the page."""
        with self._alive():
            return read_grids(self.page, self.pixel_ratio)

    def numbers(self, window: Window) -> dict[str, int]:
        """Return the numbers in the page's text and labels, keyed by element."""
        with self._alive():
            return read_numbers(self.page)

    def find_text(self, window: Window, text: str) -> tuple[int, int] | None:
        """Return the centre of the element with this text; None if it is not visible."""
        with self._alive():
            control = find_text(read_controls(self.page), text)
        if control is None:
            return None
        return round(control.x * self.pixel_ratio), round(control.y * self.pixel_ratio)

    def reload(self, window: Window) -> None:
        """Reload the page and repeat the steps that led to its board."""
        self._load()
