"""The terminal game without a terminal: keys, clicks and the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
import textual.app
import textual.pilot
from textual.app import App
from textual.errors import NoWidget
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from sapper.board import Board
from sapper.dealer import settings
from sapper.generation.uniform import deal
from sapper.rules import FirstClick
from sapper.topology import Cell
from sapper.tui import SapperApp
from sapper.tui.board_view import BoardView
from sapper.tui.key_line import KeyLine

__all__ = [
    *("START", "Play", "board_of", "click", "click_on", "message", "move", "play_app", "run_app"),
    *("settled", "until"),
]

START = Cell(4, 4)
_QUIET_TURNS = 20
"""Number of idle turns of the event loop after which the app counts as at rest."""
Play = Callable[[SapperApp, Pilot[None]], Awaitable[None]]


def play_app(play: Play, size: tuple[int, int] = (60, 24), **given: Any) -> SapperApp:
    """Run a test inside the app, without a terminal."""
    look, bot = given.pop("look", "dark"), given.pop("bot", "exact")
    given = {"level": "beginner", "first_click": "opening", "seed": 7, **given}
    app = SapperApp(settings(**given), look, bot)
    run_app(app, lambda pilot: play(app, pilot), size)
    return app


def run_app(
    app: App[None], play: Callable[[Pilot[None]], Awaitable[None]], size: tuple[int, int]
) -> None:
    """Run a test inside any app, without a terminal."""

    async def inside() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(pilot)

    with pytest.MonkeyPatch.context() as patch:
        # On a busy machine, a process may get no processor time, and Textual would consider it
        # idle.
        for module in (textual.app, textual.pilot):
            patch.setattr(module, "wait_for_idle", partial(_at_rest, app))
        asyncio.run(inside())


async def _at_rest(app: App[None], *_: float) -> None:
    """Wait until widgets have handled or drawn nothing for several turns."""
    quiet = 0
    while quiet < _QUIET_TURNS:
        await asyncio.sleep(0)
        quiet = 0 if _unhandled(app) or _undrawn(app) else quiet + 1


def _unhandled(app: App[None]) -> bool:
    """Whether any widget has an unhandled message."""
    nodes = [node for screen in app.screen_stack for node in screen.walk_children(with_self=True)]
    return any(node.message_queue_size for node in [app, *nodes])


def _undrawn(app: App[None]) -> bool:
    """Draw the updates that a timer would draw later; return whether there were any.

    Drawing can send messages, which may cause more drawing.
    """
    if not app.screen_stack:
        return False
    screen = app.screen
    waits = any(
        [
            screen._layout_required,
            screen._scroll_required,
            screen._repaint_required,
            screen._recompose_required,
            screen._dirty_widgets,
            screen._callbacks,
        ]
    )
    if waits:
        screen._on_timer_update()
    return waits


def board_of(app: SapperApp) -> Board:
    """Return the mines of a game whose first click is in the centre."""
    shape = app.table.game.level.shape()
    return deal(app.table.game.level, FirstClick.OPENING, shape.index(START), app.table.game.seed)


def message(app: SapperApp) -> str:
    """Return the text below the board."""
    return str(app.screen_stack[0].query_one("#message", Static).content)


async def until(pilot: Pilot[None], done: Callable[[], object]) -> None:
    """Wait for a condition, because drawing may lag behind a key or click."""
    for _ in range(30_000):
        if done():
            return
        await pilot.pause(0.01)
    pytest.fail("what was waited for did not come")


async def settled(app: App[None], pilot: Pilot[None]) -> None:
    """Wait until background work is done, the bot has stopped, and everything is drawn."""

    def rests() -> bool:
        busy = getattr(app.screen, "busy", False)
        if isinstance(app, SapperApp):
            busy = busy or app.table.busy or app.table.player.running
        return not busy and all(line.children for line in app.screen.query(KeyLine))

    await pilot.pause(0.01)
    await until(pilot, rests)
    await pilot.pause()


async def move(app: SapperApp, pilot: Pilot[None], cell: Cell) -> None:
    """Move the cursor with the arrow keys."""
    at = app.screen.query_one(BoardView).cursor
    rows, cols = cell.row - at.row, cell.col - at.col
    await pilot.press(*["down" if rows > 0 else "up"] * abs(rows))
    await pilot.press(*["right" if cols > 0 else "left"] * abs(cols))
    assert app.screen.query_one(BoardView).cursor == cell


async def click_on(
    pilot: Pilot[None],
    target: str | Widget | type[Widget],
    offset: tuple[int, int] = (0, 0),
    button: int = 1,
) -> None:
    """Click a widget, by default in its upper left corner, once it is visible there.

    A widget that is not yet laid out would be clicked in the corner of the screen.
    """
    screen = pilot.app.screen

    def is_seen() -> bool:
        found = [target] if isinstance(target, Widget) else screen.query(target)
        if len(found) != 1 or not found[0].region:
            return False
        try:
            return screen.get_widget_at(*(found[0].region.offset + offset))[0] is found[0]
        except NoWidget:
            return False

    await until(pilot, is_seen)
    await pilot.click(target, offset=offset, button=button)


async def click(pilot: Pilot[None], cell: Cell, button: int = 1) -> None:
    """Click a cell on a board that is not scrolled."""
    await click_on(pilot, BoardView, (2 * cell.col, cell.row), button)
